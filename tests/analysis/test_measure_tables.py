"""mm.measure() of models, recordings, tracks and frames, and the output formats of its table."""

from __future__ import annotations

import csv
import io
import json
import math

import numpy as np
import pytest

import murmurate as mm
from murmurate.measures.curve import Curve
from murmurate.measures.summary import representative_value
from murmurate.plots.measures import heading, isolated_values, time_label
from murmurate.tracks import Tracks

TRACKS = Tracks(np.cumsum(np.ones((8, 4, 2)), axis=0), 10)
NAMES = ["polarization", "state", "velocity_correlation", "susceptibility"]


@pytest.fixture(scope="module")
def model():
    return mm.load("vicsek-1995").set({"flocks.boids.count": 40})


@pytest.fixture(scope="module")
def table(model):
    return mm.measure(model, NAMES, mm.RunSpec(steps=60, every=5, seed=3, engine="reference"))


@pytest.mark.slow
def test_a_model_is_simulated(model, table):
    assert (table.frames, table.boids, table.flock, table.kind) == (10, 40, "boids", "model")
    sim = mm.Simulation(model, seed=3, engine="reference").step(12)
    series = [mm.polarization(sim.frame["boids"])]
    series += [mm.polarization(sim.step(5).frame["boids"]) for _ in range(9)]
    assert np.array_equal(table.results["polarization"].series, series)
    assert table["polarization"].value == mm.measures.mean_and_error(series).value
    assert table["polarization"].error == mm.measures.mean_and_error(series).error > 0


def test_repr_and_html(table):
    text = repr(table)
    assert "vicsek-1995: 40 boids, 10 frames, steps 12 to 60, every 5, seed 3" in text
    assert "polarization" in text and "±" in text and "first zero" in text
    assert table._repr_html_().count("<tr>") == len(table.rows) + 1


def test_slow_measures_and_those_of_events_are_omitted_with_a_remark(model, table):
    spec = mm.RunSpec(steps=4, warm_up=0, every=4, engine="reference")
    quick = mm.measure(model, run=spec)
    assert "border_to_core" in quick.skipped and "border_to_core" not in quick.results
    slow = [name for name in quick.skipped if mm.measures.MEASURES[name].slow]
    text = f"left out: {len(slow)} slow measures ({slow[0]}, ...), 5 of one turn or escape"
    assert text in repr(quick) and text in quick._repr_html_()
    assert "Name them, or give measures='all' for all" in repr(quick)
    assert quick.to_dict()["omitted"] == list(quick.skipped)
    everything = mm.measure(model, "all", spec)
    assert set(everything) == {*quick, *quick.skipped}
    assert everything.skipped == table.skipped == () and "left out" not in repr(everything)


def test_tables(table):
    values = table.to_dataframe()
    assert set(values.measure) == {"polarization", "state", "susceptibility"}
    row = values[values.measure == "polarization"].iloc[0]
    assert row.value == table["polarization"].value and row.frames == 10
    curve = table.to_dataframe("curves")
    assert np.allclose(curve.value, table["velocity_correlation"].y, equal_nan=True)
    assert list(table.to_dataframe("series").columns) == ["time", "polarization"]
    with pytest.raises(mm.MeasureError, match="expected 'values', 'curves', 'series'"):
        table.to_dataframe("curve")


def test_json_and_csv_have_all_of_it(table):
    data = json.loads(table.to_json(), parse_constant=lambda word: pytest.fail(word))
    measures = data["measures"]
    assert list(measures) == NAMES and data["frames"] == 10
    assert len(measures["polarization"]["series"]) == 10
    assert measures["velocity_correlation"]["x"] == list(table["velocity_correlation"].x)
    assert sum(share["value"] for share in measures["state"]["shares"].values()) == pytest.approx(1)
    rows = list(csv.DictReader(io.StringIO(table.to_csv())))
    kinds = {(row["measure"], row["kind"]) for row in rows}
    assert {("polarization", "value"), ("polarization", "series")} <= kinds
    assert len([r for r in rows if r["kind"] == "curve"]) == len(table["velocity_correlation"])


@pytest.mark.slow
def test_files(table, tmp_path):
    for name in ("a.json", "a.csv"):
        table.save(tmp_path / name)
        with pytest.raises(mm.OutputError, match="exists and is kept"):
            table.save(tmp_path / name)
        table.save(tmp_path / name, force=True)
    for name in ("a.png", "a.svg"):
        assert table.save_plot(tmp_path / name, style="dark").stat().st_size > 5000
        with pytest.raises(mm.OutputError, match="exists and is kept"):
            table.save_plot(tmp_path / name)
    table.save_plot(tmp_path / "paper.svg", size="single-column")
    text = (tmp_path / "paper.svg").read_text()
    assert 'width="243.7' in text and ">polarization" in text  # 86 mm; text is text
    with pytest.raises(mm.MurmurateError, match="expected one of screen, talk"):
        table.save_plot(tmp_path / "b.svg", size="poster")
    with pytest.raises(mm.OutputError, match=r"expected \.json or \.csv"):
        table.save(tmp_path / "a.txt")
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.slow
def test_a_recording_gives_the_values_of_its_simulation(model, tmp_path):
    mm.run(model, 30, every=5, seed=1, output=tmp_path / "a.zarr")
    recorded = mm.measure(tmp_path / "a.zarr", "polarization")
    simulated = mm.measure(model, "polarization", mm.RunSpec(steps=30, warm_up=0, every=5, seed=1))
    assert np.array_equal(
        recorded.results["polarization"].series, simulated.results["polarization"].series
    )
    part = mm.measure(mm.open(tmp_path / "a.zarr"), "speed", frames=slice(10, 21))
    assert part.frames == 3 and part.frame_range == "steps 10 to 20"
    part = mm.measure(tmp_path / "a.zarr", "speed", frames=slice(10, None, 10))
    assert part.frames == 3 and part.frame_range == "steps 10 to 30"
    with pytest.raises(mm.MeasureError, match="every: got 7; expected a multiple of 5, the steps"):
        mm.measure(tmp_path / "a.zarr", "speed", frames=slice(None, None, 7))
    with pytest.raises(mm.MeasureError, match="got no frame to measure"):
        mm.measure(tmp_path / "a.zarr", "speed", frames=slice(31, None))
    with pytest.raises(mm.MeasureError, match=r"^steps: got 31 for a recording"):
        mm.measure(tmp_path / "a.zarr", "speed", mm.RunSpec(steps=31))


def test_tracks_with_gaps(tmp_path):
    random = np.random.default_rng(0)
    tracks = np.cumsum(random.normal(size=(30, 6, 2)), axis=0)
    tracks[5:9, 2] = np.nan
    np.save(tmp_path / "t.npy", tracks)
    tracks = mm.open_tracks(tmp_path / "t.npy", 10)
    table = mm.measure(tracks, ["speed"], frames=slice(None, None, 2))
    assert table.frames == 15 and np.isfinite(table.results["speed"].series).all()
    assert table["speed"].value == pytest.approx(10 * np.sqrt(np.pi / 4), rel=0.2)


def test_frames_and_flocks(model):
    frames = list(mm.frames(mm.Simulation(model), 20, 5))
    assert mm.measure(frames, "speed").frames == 4
    assert mm.measure(frames[0], "speed").frames == 1
    assert mm.measure(frames[0]["boids"], "speed").boids == 40


@pytest.mark.parametrize(
    ("what", "options", "says"),
    [
        ("ucl", {"measures": "polarisation"}, "did you mean 'polarization'"),
        (
            "ucl",
            {"run": mm.RunSpec(steps=10, warm_up=11)},
            "^warm_up: got 11; expected at most steps, 10",
        ),
        ("ucl", {"run": mm.RunSpec(every=0)}, "^every: got 0"),
        ("ucl", {"frames": slice(3)}, "^frames: got them for a model; expected run"),
        ("ucl", {"run": mm.RunSpec(seeds=3)}, "^seeds: got 3; expected None"),
        ("ucl", {"run": 20}, "^run: got 20; expected a RunSpec"),
        (TRACKS, {"frames": 3}, "^frames: got 3; expected a slice"),
        ([], {"run": mm.RunSpec(steps=3)}, "^steps: got 3 for frames"),
        (7, {}, "^what: got 7; expected a model"),
        (np.ones((3, 4, 2)), {}, r"mm\.measures\.of_tracks"),
        ([np.ones((4, 2))], {}, r"mm\.measures\.of_tracks"),
        (TRACKS, {"run": mm.RunSpec(dtype="float64")}, "^dtype: got float64 for tracks"),
        (TRACKS, {"measures": "speed", "predators": "hawks"}, "expected a measure of a hunt"),
        (
            TRACKS,
            {
                "measures": "captures",
                "measure_options": {"captures": {"radius": 1.0}},
                "predators": "boids",
            },
            "the flock that is measured; expected another",
        ),
        (
            TRACKS,
            {"measures": "speed", "measure_options": {"collisions": {"radius": 1.0}}},
            "^options: got options of collisions",
        ),
        (
            TRACKS,
            {"frames": slice(None, None, "two")},
            "^every: got 'two'; expected a whole number",
        ),
        (Tracks(TRACKS.positions[:0], 10), {}, "got no frame to measure"),
    ],
)
def test_invalid_arguments(what, options, says):
    with pytest.raises(mm.MeasureError, match=says):
        mm.measure(what, **options)


def test_a_measure_that_the_table_lacks(table):
    with pytest.raises(mm.MeasureError, match="expected one of the table: polarization, state"):
        table["speed"]
    with pytest.raises(KeyError):
        table["speed"]
    assert table["polarization"] is not None


def test_tracks_at_another_rate():
    table = mm.measure(TRACKS.at_rate(20), "speed")
    assert table["speed"].value == pytest.approx(20 * math.sqrt(2)) and table.units.time == "s"
    assert mm.measure(TRACKS[2:5], "speed").frames == 3


def test_units_are_those_of_the_tracks(tmp_path):
    """In the table, its series and its curves. Lengths and times of a model have no unit."""
    path = tmp_path / "t.csv"
    rows = [f"{t / 10},{k},{t + k * k},{k}" for t in range(8) for k in range(4)]
    path.write_text("\n".join(["time_s,id,x_mm,y_mm", *rows]) + "\n")
    names = ["speed", "density", "polarization", "mean_squared_displacement", "pair_correlation"]
    table = mm.measure(path, names)
    units = {row.name: row.unit for row in table.rows}
    assert (
        units["speed"] == "mm/s" and units["density"] == "1/mm^D" and units["polarization"] == "1"
    )
    assert units["mean_squared_displacement"] == "mm^2"
    records = {(row["measure"], row["kind"]): row for row in table.records()}
    assert records["speed", "series"]["x_unit"] == "s"
    assert records["mean_squared_displacement", "curve"]["x_unit"] == "time lag, s"
    assert records["pair_correlation", "curve"]["x_unit"] == "distance, mm"
    counted = mm.measure(TRACKS.at_rate(20), "speed")
    assert [row.unit for row in counted.rows] == ["length/s"]
    assert [row.unit for row in mm.measure("ucl", "speed", mm.RunSpec(steps=2)).rows] == [
        "length/time"
    ]


@pytest.mark.filterwarnings("error")
def test_no_animal_is_seen():
    positions = np.array(TRACKS.positions)
    with pytest.raises(mm.MeasureError, match="no animal is seen in any frame"):
        mm.measure(Tracks(positions * np.nan, None), ["extent", "state"])
    positions[::2] = np.nan
    never = "no animal is seen in two frames in a row, so there are no velocities"
    with pytest.raises(mm.MeasureError, match=never):
        mm.measure(Tracks(positions, None), ["speed", "polarization"])
    table = mm.measure(Tracks(positions, None), ["speed", "minimum_distance"])
    assert (
        table.no_data_note == never and repr(table).endswith(never) and never in table._repr_html_()
    )
    assert table.units.time == "frames" and table.frame_range == "frames 0 to 7, time counts frames"


def test_title_of_one_boid_and_one_frame():
    table = mm.measure(Tracks(np.ones((1, 1, 2)), 10), "extent")
    assert table.title == "tracks: 1 boid, 1 frame, frame 0, 10 a second"


@pytest.mark.slow
def test_plots_of_little_data(tmp_path):
    """Gaps, one frame and one state are drawn without a warning."""
    positions = np.cumsum(np.random.default_rng(0).normal(size=(9, 9, 2)), axis=0)
    single = mm.measure(Tracks(positions[:1], 10), ["state", "extent", "kth_neighbour_distance"])
    positions[[2, 4]] = np.nan
    gaps = mm.measure(Tracks(positions, 10), ["state", "speed", "extent", "neighbour_overlap"])
    for name, measured in (("one", single), ("gaps", gaps)):
        assert measured.save_plot(tmp_path / f"{name}.png").stat().st_size > 5000
    isolated = isolated_values(gaps.results["extent"].series)
    assert np.flatnonzero(isolated).tolist() == [3]
    result = single.results["kth_neighbour_distance"]
    assert heading("kth_neighbour_distance", result) == "kth neighbour distance, k = 7"
    assert heading("extent", single.results["extent"]) == "extent"
    assert (time_label("time", "s"), time_label("time lag", "")) == ("time (s)", "time lag")


def test_representative_value_of_a_curve():
    x = np.array([1.0, 2.0, 3.0, 4.0])
    y = np.array([0.5, 0.25, -0.25, np.nan])
    curve = Curve(x, y, np.full(4, 9.0), error=np.full(4, 0.1))
    part, value, at = representative_value("velocity_correlation", curve, "distance, length")
    # halfway between two points of error 0.1, where the slope is 0.5
    assert (part, value.value) == ("first zero", 2.5) and math.isnan(at)
    assert value.error == pytest.approx(0.1 * math.sqrt(0.5) / 0.5)
    part, value, at = representative_value("pair_correlation", curve, "distance, length")
    assert (part, value.value, at) == ("peak", 0.5, 1.0)
    part, value, at = representative_value("neighbour_overlap", curve, "time lag, time")
    assert (part, value.value, at) == ("at half the time", 0.25, 2.0)


class TestPerAnimal:
    """A bird along a line, with a gap, and another one that approaches it in frame 6."""

    @pytest.fixture
    def line(self):
        x = np.zeros((10, 2, 2))
        x[:, 0, 0] = np.arange(10)
        x[:, 1] = [(9.0, abs(t - 6.0) - 0.5) for t in range(10)]
        x[2, 0] = np.nan
        return mm.Tracks(x, 2.0, ["anna", "ben, the second"], unit="cm")

    @pytest.fixture
    def table(self, line):
        names = ["path_length", "approaches", "turning_angles"]
        return mm.measure(line, names, measure_options={"approaches": {"radius": 3.2}})

    def test_values_have_the_names_of_the_animals(self, table):
        assert table["path_length"].values.tolist() == [7.0, 9.0]
        animals = table.to_dataframe("animals")
        assert list(animals.animal) == ["anna", "ben, the second"]
        assert list(animals["path_length"]) == [7.0, 9.0]
        assert list(animals["path_length: steps"]) == [7, 9]
        assert list(animals["approaches"]) == [1, 1]
        assert table.animal_rows()[0] == ("anna", [7.0, 1.0])

    def test_events_have_names_and_frames(self, table):
        (event,) = table.events("approaches")
        assert (event["first"], event["second"]) == ("anna", "ben, the second")
        assert (event["start"], event["time"], event["end"]) == (6, 3.0, None)
        assert list(table.to_dataframe("events").start) == [6]
        assert table.events("turning_angles") == []

    def test_frames_of_events_are_those_of_the_tracks(self, line):
        options = {"approaches": {"radius": 3.2}}
        table = mm.measure(line, "approaches", frames=slice(3, None, 3), measure_options=options)
        assert [event["start"] for event in table.events("approaches")] == [6]

    def test_the_mean_is_that_over_animals(self, table):
        rows = {(row.name, row.part): row for row in table.rows}
        mean = rows["path_length", "per animal"]
        assert (mean.value, mean.error, mean.independent, mean.unit) == (8.0, 1.0, 2.0, "cm")
        assert rows["approaches", "in all"].value == 1

    def test_json_and_csv(self, table):
        data = json.loads(table.to_json(), parse_constant=lambda word: pytest.fail(word))
        single = data["measures"]["path_length"]
        assert single["value"] == 8.0 and single["counted"] == "steps" and single["unit"] == "cm"
        assert single["animals"][0] == {"animal": "anna", "value": 7.0, "count": 7}
        assert data["measures"]["approaches"]["events"] == table.events("approaches")
        rows = [row for row in csv.DictReader(io.StringIO(table.to_csv())) if row["part"]]
        assert [(row["kind"], row["part"], row["value"]) for row in rows][:3] == [
            ("value", "per animal", "8.0"),
            ("value", "per animal", "1.0"),
            ("value", "in all", "1.0"),
        ]
        animals = [row for row in rows if row["kind"] == "animal"]
        assert [row["part"] for row in animals] == ["anna", "ben, the second"] * 2
        (event,) = (row for row in rows if row["kind"] == "event")
        assert event["x"] == "3.0" and event["note"] == "frame 6 to the last"

    def test_plots(self, table, tmp_path):
        table.save_plot(tmp_path / "a.svg")
        text = (tmp_path / "a.svg").read_text(encoding="utf-8")
        assert ">anna<" in text and "mean 8.0 ± 1.0" in text

    def test_boids_are_named_by_their_ids(self, model):
        table = mm.measure(model, ["path_length"], mm.RunSpec(steps=20, warm_up=0, every=2))
        assert table["path_length"].counts.tolist() == [10] * 40
        assert table.to_dataframe("animals").animal.tolist() == [str(k) for k in range(40)]

    @pytest.mark.slow
    def test_a_recording_equals_its_simulation(self, model, tmp_path):
        mm.run(model, 30, every=5, seed=1, output=tmp_path / "a.zarr")
        names = ["path_length", "sinuosity", "home_range"]
        recorded = mm.measure(tmp_path / "a.zarr", names)
        simulated = mm.measure(model, names, mm.RunSpec(steps=30, warm_up=0, every=5, seed=1))
        for name in names:
            assert np.array_equal(recorded[name].values, simulated[name].values)

    def test_they_are_computed_on_request(self, model):
        quick = mm.measure(model, run=mm.RunSpec(steps=4, warm_up=0, every=2))
        assert "path_length" in quick.skipped and "path_length" not in quick
        assert "of each animal (voronoi_area, ...)" in repr(quick)
