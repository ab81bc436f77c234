"""Output with errors states which errors they are, and has 95% intervals."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

import murmurate as mm
from murmurate.model.results import Expectation
from murmurate.verify.report import describe_interval
from murmurate.verify.verdict import judge


@pytest.fixture(scope="module")
def table() -> mm.MeasureTable:
    random = np.random.default_rng(0)
    tracks = np.cumsum(random.normal(size=(80, 12, 2)), axis=0)
    return mm.measure(list(mm.measures.of_tracks(tracks, 0.1)), ["polarization", "speed"])


def test_tables(table):
    for text in (repr(table), table._repr_html_()):
        assert "± standard errors" in text and "95% intervals, by Student" in text


def test_json_csv_and_data_frames_have_intervals(table):
    expected_interval = table["speed"].interval()
    assert expected_interval[0] < table["speed"].value < expected_interval[1]
    assert expected_interval[1] - table["speed"].value > 1.96 * table["speed"].error
    data = json.loads(table.to_json())["measures"]["speed"]
    assert tuple(data["interval"]) == expected_interval
    rows = list(csv.DictReader(io.StringIO(table.to_csv())))
    row = next(row for row in rows if row["measure"] == "speed" and row["kind"] == "value")
    assert (float(row["low"]), float(row["high"])) == expected_interval
    pytest.importorskip("pandas")
    frame = table.to_dataframe().set_index("measure")
    assert (frame.loc["speed", "low"], frame.loc["speed", "high"]) == expected_interval


def test_verdicts_print_the_interval_that_they_compare():
    expectation = Expectation(measure="speed", step=1, low=0.0)
    result = judge("a", expectation, {k: np.array([1.0 + 0.1 * (-1) ** k]) for k in range(8)})
    low, high = result.interval
    assert (high - 1.0) / result.error == pytest.approx(2.3646, rel=1e-4) and low + high == 2.0
    assert describe_interval(result) == f" (standard error; 95%: {low:.2f} to {high:.2f})"
    share = Expectation(measure="speed", step=1, low=0.0, kind="share", at_least=1.0)
    result = judge("a", share, {k: np.array([float(k)]) for k in range(8)})
    assert "95%: 0.47 to 1.00" in describe_interval(result)
    exact = Expectation(measure="speed", step=1, kind="trajectory", value=1.0, tolerance=1e-7)
    assert describe_interval(judge("a", exact, {1: np.array([1.0])})) == ""
