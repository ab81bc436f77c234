"""A measure without a value says why: in tables, JSON, CSV and sweeps."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

import murmurate as mm
from murmurate.cli import main
from murmurate.frame import FlockFrame
from murmurate.measures.estimate import to_precision, with_error
from murmurate.schema import parameter_label

MODEL = mm.load("ucl").set({"flocks.boids.count": 3})
WHY = "it needs 8 boids or more, for k = 7; the flock has 3"


def test_the_reason_is_in_the_table_in_json_and_in_csv():
    names = ["kth_neighbour_distance", "speed", "velocity_correlation"]
    table = mm.measure(MODEL, names, mm.RunSpec(steps=30, engine="reference"))
    assert table.missing == {
        "kth_neighbour_distance": WHY,
        "velocity_correlation": "the curve does not fall from above 0 to 0",
    }
    assert WHY in repr(table) and WHY in table._repr_html_()
    measures = json.loads(table.to_json())["measures"]
    assert measures["kth_neighbour_distance"]["missing"] == WHY
    assert "missing" not in measures["speed"]
    rows = [row for row in csv.DictReader(io.StringIO(table.to_csv())) if row["kind"] == "value"]
    assert {row["measure"]: row["note"] for row in rows} == {names[0]: WHY, "speed": ""}


@pytest.mark.parametrize("boids", [0, 1, 2])
def test_every_measure_without_a_value_has_a_reason(boids):
    space = mm.Space(size=(10.0, 10.0))
    frames = [
        FlockFrame("boids", np.arange(boids), np.arange(2.0 * boids).reshape(-1, 2) + 0.1 * k,
                   np.ones((boids, 2)), np.zeros(boids, np.int64), space)
        for k in range(2)
    ]  # fmt: skip
    table = mm.measure(frames, "all")
    empty = [row for row in table.rows if np.isnan(row.value)]
    assert len(empty) > 5 and all(row.note for row in empty)


@pytest.mark.slow
def test_the_table_of_a_sweep_says_why(tmp_path, capsys):
    main(["sweep", "ucl", "--boids", "3", "--vary", "rules.alignment.weight=0,1", "--steps", "20",
          "--measures", "kth_neighbour_distance,speed", "--engine", "reference",
          "-o", str(tmp_path / "s"), "--quiet", "--processes", "1"])  # fmt: skip
    out = capsys.readouterr().out
    assert f"- kth_neighbour_distance: {WHY}" in out and "nan" not in out


def test_numbers_have_the_digits_that_their_errors_support():
    assert with_error(0.029999999481, 2.1e-11) == "0.03 ± 0"
    assert with_error(0.9522, 0.0015) == "0.9522 ± 0.0015"
    assert [to_precision(x, 0.0015) for x in (0.94867, 0.9557)] == ["0.9487", "0.9557"]
    assert to_precision(12.3456, float("nan")) == "12.35"


def test_labels_of_numbers_have_the_unit_of_the_model():
    vicsek, chase = mm.load("vicsek-1995"), mm.load("parker-predator")
    assert parameter_label(vicsek, "flocks.boids.motion.noise") == "noise (rad)"
    assert parameter_label(vicsek, "flocks.boids.count") == "number of boids"
    assert parameter_label(chase, "flocks.boids.motion.max_speed") == (
        "max speed of boids (length/time)"
    )
    assert parameter_label(chase, "rules.flee.weight") == "flee weight"
    assert parameter_label(None, "rules.mine.radius") == "mine radius"
