"""mm.measure: of models, recordings, tracks and frames; and what it can be turned into."""

from __future__ import annotations

import csv
import io
import json
import math

import numpy as np
import pytest

import murmurate as mm
from murmurate.analysis.plots import heading, isolated_values, time_label
from murmurate.analysis.summary import representative_value
from murmurate.measures.curve import Curve
from murmurate.tracks import Tracks

TRACKS = Tracks(np.cumsum(np.ones((8, 4, 2)), axis=0), 10)
NAMES = ["polarization", "state", "velocity_correlation", "susceptibility"]


@pytest.fixture(scope="module")
def model():
    return mm.load("vicsek-1995").set({"flocks.boids.count": 40})


@pytest.fixture(scope="module")
def found(model):
    return mm.measure(model, NAMES, steps=60, every=5, seed=3)


def test_a_model_is_flown(model, found):
    assert (found.frames, found.boids, found.flock, found.kind) == (10, 40, "boids", "model")
    sim = mm.Simulation(model, seed=3).step(12)
    series = [mm.polarization(sim.frame["boids"])]
    series += [mm.polarization(sim.step(5).frame["boids"]) for _ in range(9)]
    assert np.array_equal(found.results["polarization"].series, series)
    assert found["polarization"].value == mm.measures.mean_and_error(series).value
    assert found["polarization"].error == mm.measures.mean_and_error(series).error > 0


def test_it_shows_itself(found):
    text = repr(found)
    assert "vicsek-1995: 40 boids, 10 frames, steps 12 to 60, every 5, seed 3" in text
    assert "polarization" in text and "±" in text and "first zero" in text
    assert found._repr_html_().count("<tr>") == len(found.rows) + 1


def test_what_is_slow_or_follows_an_event_is_left_out_and_said(model, found):
    quick = mm.measure(model, steps=4, first=0, every=4)
    assert "border_to_core" in quick.omitted and "border_to_core" not in quick.results
    slow = [name for name in quick.omitted if mm.measures.MEASURES[name].slow]
    said = f"left out, since they are slow: {', '.join(slow)}; name them, or give "
    assert said + "measures='all' for all" in repr(quick)
    assert said in quick._repr_html_().replace("&#x27;", "'")
    event = "turn_speed, turn_exponent, turned, escape_speed, escaped"
    said = f"they follow one turn or escape from the frame before it: {event}; name them, and begin"
    assert said in repr(quick) and said in quick._repr_html_()
    assert quick.to_dict()["omitted"] == list(quick.omitted)
    everything = mm.measure(model, "all", steps=4, first=0, every=4)
    assert set(everything) == {*quick, *quick.omitted}
    assert everything.omitted == found.omitted == () and "left out" not in repr(everything)


def test_tables(found):
    values = found.to_dataframe()
    assert set(values.measure) == {"polarization", "state", "susceptibility"}
    row = values[values.measure == "polarization"].iloc[0]
    assert row.value == found["polarization"].value and row.frames == 10
    curve = found.to_dataframe("curves")
    assert np.allclose(curve.value, found["velocity_correlation"].y, equal_nan=True)
    assert list(found.to_dataframe("series").columns) == ["time", "polarization"]
    with pytest.raises(mm.MeasureError, match="values, curves or series"):
        found.to_dataframe("curve")


def test_json_and_csv_have_all_of_it(found):
    data = json.loads(found.to_json(), parse_constant=lambda word: pytest.fail(word))
    measures = data["measures"]
    assert list(measures) == NAMES and data["frames"] == 10
    assert len(measures["polarization"]["series"]) == 10
    assert measures["velocity_correlation"]["x"] == list(found["velocity_correlation"].x)
    assert sum(one["value"] for one in measures["state"]["shares"].values()) == pytest.approx(1)
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    kinds = {(row["measure"], row["kind"]) for row in rows}
    assert {("polarization", "value"), ("polarization", "series")} <= kinds
    assert len([r for r in rows if r["kind"] == "curve"]) == len(found["velocity_correlation"])


def test_files(found, tmp_path):
    for name in ("a.json", "a.csv"):
        found.save(tmp_path / name)
        with pytest.raises(mm.OutputRefused, match="there already"):
            found.save(tmp_path / name)
        found.save(tmp_path / name, force=True)
    for name in ("a.png", "a.svg"):
        assert found.plot(tmp_path / name, style="dark").stat().st_size > 5000
        with pytest.raises(mm.OutputRefused, match="there already"):
            found.plot(tmp_path / name)
    found.plot(tmp_path / "paper.svg", size="single-column")
    text = (tmp_path / "paper.svg").read_text()
    assert 'width="243.7' in text and ">polarization" in text  # 86 mm; text is text
    with pytest.raises(mm.MurmurateError, match="it must be one of screen, talk"):
        found.plot(tmp_path / "b.svg", size="poster")
    with pytest.raises(mm.OutputRefused, match=r"must end in"):
        found.save(tmp_path / "a.txt")
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"


def test_a_recording_is_what_was_flown(model, tmp_path):
    mm.run(model, 30, 5, seed=1, to=tmp_path / "a.zarr")
    recorded = mm.measure(tmp_path / "a.zarr", "polarization")
    flown = mm.measure(model, "polarization", steps=30, first=0, every=5, seed=1)
    assert np.array_equal(
        recorded.results["polarization"].series, flown.results["polarization"].series
    )
    part = mm.measure(mm.open(tmp_path / "a.zarr"), "speed", first=10, last=20)
    assert part.frames == 3 and part.moments == "steps 10 to 20"
    with pytest.raises(mm.MeasureError, match="no frame is left"):
        mm.measure(tmp_path / "a.zarr", "speed", first=31)
    with pytest.raises(mm.MeasureError, match="steps to fly"):
        mm.measure(tmp_path / "a.zarr", "speed", steps=31)


def test_tracks_with_gaps(tmp_path):
    random = np.random.default_rng(0)
    tracks = np.cumsum(random.normal(size=(30, 6, 2)), axis=0)
    tracks[5:9, 2] = np.nan
    np.save(tmp_path / "t.npy", tracks)
    found = mm.measure(tmp_path / "t.npy", ["speed"], frames_per_second=10, every=2)
    assert found.frames == 15 and np.isfinite(found.results["speed"].series).all()
    assert found["speed"].value == pytest.approx(10 * np.sqrt(np.pi / 4), rel=0.2)


def test_frames_at_hand(model):
    frames = list(mm.frames(mm.Simulation(model), 20, 5))
    assert mm.measure(frames, "speed").frames == 4
    assert mm.measure(frames[0], "speed").frames == 1
    assert mm.measure(frames[0]["boids"], "speed").boids == 40


@pytest.mark.parametrize(
    ("what", "options", "says"),
    [
        ("ucl", {"measures": "polarisation"}, "did you mean 'polarization'"),
        ("ucl", {"steps": 10, "first": 11}, "nothing is left"),
        ("ucl", {"every": 0}, "every is 0"),
        ("ucl", {"last": 3}, "last step of what was recorded"),
        ("ucl", {"frames_per_second": 3}, "for tracks"),
        ([], {"steps": 3}, "steps to fly"),
        (7, {}, "cannot be measured"),
        (np.ones((3, 4, 2)), {}, r"mm\.measures\.of_tracks"),
        ([np.ones((4, 2))], {}, r"mm\.measures\.of_tracks"),
        (TRACKS, {"seed": 0}, "seed is for flying a model, and a file of tracks has none"),
        (TRACKS, {"threads": 2}, "threads is for flying"),
        (TRACKS, {"dtype": "float64"}, "dtype is for flying"),
        (TRACKS, {"measures": "speed", "predators": "hawks"}, "no measure of a hunt"),
        (
            TRACKS,
            {
                "measures": "captures",
                "options": {"captures": {"radius": 1.0}},
                "predators": "boids",
            },
            "predators must be another flock",
        ),
        (TRACKS, {"measures": "speed", "options": {"collisions": {"radius": 1.0}}}, "not measured"),
        (TRACKS, {"every": "two"}, "every is 'two': it must be a whole number"),
        (Tracks(TRACKS.positions[:0], 10), {}, "no frame is left"),
    ],
)
def test_what_cannot_be(what, options, says):
    with pytest.raises(mm.MeasureError, match=says):
        mm.measure(what, **options)


def test_a_measure_that_was_not_taken(found):
    with pytest.raises(mm.MeasureError, match="taken were: polarization, state"):
        found["speed"]
    with pytest.raises(KeyError):
        found["speed"]
    assert found["polarization"] is not None


def test_tracks_at_another_rate():
    found = mm.measure(TRACKS, "speed", frames_per_second=20)
    assert found["speed"].value == pytest.approx(20 * math.sqrt(2)) and found.units.time == "s"
    assert mm.measure(TRACKS[2:5], "speed").frames == 3


def test_units_are_those_of_the_tracks(tmp_path):
    """In the table, its series and its curves; a model's lengths and times are its own."""
    path = tmp_path / "t.csv"
    rows = [f"{t / 10},{k},{t + k * k},{k}" for t in range(8) for k in range(4)]
    path.write_text("\n".join(["time_s,id,x_mm,y_mm", *rows]) + "\n")
    names = ["speed", "density", "polarization", "mean_squared_displacement", "pair_correlation"]
    found = mm.measure(path, names)
    units = {row.name: row.unit for row in found.rows}
    assert (
        units["speed"] == "mm/s" and units["density"] == "1/mm^D" and units["polarization"] == "1"
    )
    assert units["mean_squared_displacement"] == "mm^2"
    records = {(row["measure"], row["kind"]): row for row in found.records()}
    assert records["speed", "series"]["x_unit"] == "s"
    assert records["mean_squared_displacement", "curve"]["x_unit"] == "time lag, s"
    assert records["pair_correlation", "curve"]["x_unit"] == "distance, mm"
    counted = mm.measure(TRACKS, "speed", frames_per_second=20)
    assert [row.unit for row in counted.rows] == ["length/s"]
    assert [row.unit for row in mm.measure("ucl", "speed", steps=2).rows] == ["length/time"]


@pytest.mark.filterwarnings("error")
def test_nobody_is_seen():
    places = np.array(TRACKS.positions)
    with pytest.raises(mm.MeasureError, match="no animal is seen in any frame"):
        mm.measure(Tracks(places * np.nan, None), ["extent", "state"])
    places[::2] = np.nan
    never = "no animal is seen in two frames in a row, so there are no velocities"
    with pytest.raises(mm.MeasureError, match=never):
        mm.measure(Tracks(places, None), ["speed", "polarization"])
    found = mm.measure(Tracks(places, None), ["speed", "minimum_distance"])
    assert found.lack == never and repr(found).endswith(never) and never in found._repr_html_()
    assert found.units.time == "frames" and found.moments == "frames 0 to 7, time counts frames"


def test_one_of_each():
    found = mm.measure(Tracks(np.ones((1, 1, 2)), 10), "extent")
    assert found.title == "tracks: 1 boid, 1 frame, frame 0, 10 a second"


def test_pictures_of_little(tmp_path):
    """Gaps, one frame, one state: drawn without a warning, and each seen."""
    places = np.cumsum(np.random.default_rng(0).normal(size=(9, 9, 2)), axis=0)
    one = mm.measure(Tracks(places[:1], 10), ["state", "extent", "kth_neighbour_distance"])
    places[[2, 4]] = np.nan
    gaps = mm.measure(Tracks(places, 10), ["state", "speed", "extent", "neighbour_overlap"])
    for name, measured in (("one", one), ("gaps", gaps)):
        assert measured.plot(tmp_path / f"{name}.png").stat().st_size > 5000
    alone = isolated_values(gaps.results["extent"].series)
    assert np.flatnonzero(alone).tolist() == [3]
    result = one.results["kth_neighbour_distance"]
    assert heading("kth_neighbour_distance", result) == "kth neighbour distance, k = 7"
    assert heading("extent", one.results["extent"]) == "extent"
    assert (time_label("time", "s"), time_label("time lag", "")) == ("time (s)", "time lag")


def test_what_is_told_of_curves():
    x = np.array([1.0, 2.0, 3.0, 4.0])
    y = np.array([0.5, 0.25, -0.25, np.nan])
    curve = Curve(x, y, np.ones(4), error=np.full(4, 0.1))
    part, value, at = representative_value("velocity_correlation", curve, "distance, length")
    # halfway between two points of error 0.1, where the slope is 0.5
    assert (part, value.value) == ("first zero", 2.5) and math.isnan(at)
    assert value.error == pytest.approx(0.1 * math.sqrt(0.5) / 0.5)
    part, value, at = representative_value("pair_correlation", curve, "distance, length")
    assert (part, value.value, at) == ("peak", 0.5, 1.0)
    part, value, at = representative_value("neighbour_overlap", curve, "time lag, time")
    assert (part, value.value, at) == ("at half the time", 0.25, 2.0)


class TestPerAnimal:
    """A bird along a line, with a gap, and one that comes near it in frame 6."""

    @pytest.fixture
    def line(self):
        x = np.zeros((10, 2, 2))
        x[:, 0, 0] = np.arange(10)
        x[:, 1] = [(9.0, abs(t - 6.0) - 0.5) for t in range(10)]
        x[2, 0] = np.nan
        return mm.Tracks(x, 2.0, ["anna", "ben, the second"], unit="cm")

    @pytest.fixture
    def taken(self, line):
        names = ["path_length", "approaches", "turning_angles"]
        return mm.measure(line, names, options={"approaches": {"radius": 3.2}})

    def test_values_have_the_names_of_the_animals(self, taken):
        assert taken["path_length"].values.tolist() == [7.0, 9.0]
        table = taken.to_dataframe("animals")
        assert list(table.animal) == ["anna", "ben, the second"]
        assert list(table["path_length"]) == [7.0, 9.0]
        assert list(table["path_length: steps"]) == [7, 9]
        assert list(table["approaches"]) == [1, 1]
        assert taken.animal_rows()[0] == ("anna", [7.0, 1.0])

    def test_events_have_names_and_frames(self, taken):
        (event,) = taken.events("approaches")
        assert (event["first"], event["second"]) == ("anna", "ben, the second")
        assert (event["start"], event["time"], event["end"]) == (6, 3.0, None)
        assert list(taken.to_dataframe("events").start) == [6]
        assert taken.events("turning_angles") == []

    def test_frames_of_events_are_those_of_the_tracks(self, line):
        options = {"approaches": {"radius": 3.2}}
        found = mm.measure(line, "approaches", first=3, every=3, options=options)
        assert [event["start"] for event in found.events("approaches")] == [6]

    def test_the_mean_is_that_over_animals(self, taken):
        rows = {(row.name, row.part): row for row in taken.rows}
        mean = rows["path_length", "per animal"]
        assert (mean.value, mean.error, mean.independent, mean.unit) == (8.0, 1.0, 2.0, "cm")
        assert rows["approaches", "in all"].value == 1

    def test_json_and_csv(self, taken):
        data = json.loads(taken.to_json(), parse_constant=lambda word: pytest.fail(word))
        one = data["measures"]["path_length"]
        assert one["value"] == 8.0 and one["counted"] == "steps" and one["unit"] == "cm"
        assert one["animals"][0] == {"animal": "anna", "value": 7.0, "count": 7}
        assert data["measures"]["approaches"]["events"] == taken.events("approaches")
        rows = [row for row in csv.DictReader(io.StringIO(taken.to_csv())) if row["part"]]
        assert [(row["kind"], row["part"], row["value"]) for row in rows][:3] == [
            ("value", "per animal", "8.0"),
            ("value", "per animal", "1.0"),
            ("value", "in all", "1.0"),
        ]
        animals = [row for row in rows if row["kind"] == "animal"]
        assert [row["part"] for row in animals] == ["anna", "ben, the second"] * 2
        (event,) = (row for row in rows if row["kind"] == "event")
        assert event["x"] == "3.0" and event["note"] == "frame 6 to the last"

    def test_plots(self, taken, tmp_path):
        taken.plot(tmp_path / "a.svg")
        text = (tmp_path / "a.svg").read_text(encoding="utf-8")
        assert ">anna<" in text and "mean 8.0 ± 1.0" in text

    def test_boids_go_by_their_ids(self, model):
        found = mm.measure(model, ["path_length"], steps=20, first=0, every=2)
        assert found["path_length"].counts.tolist() == [10] * 40
        assert found.to_dataframe("animals").animal.tolist() == [str(k) for k in range(40)]

    def test_a_recording_as_the_flight(self, model, tmp_path):
        mm.run(model, 30, 5, seed=1, to=tmp_path / "a.zarr")
        names = ["path_length", "sinuosity", "home_range"]
        recorded = mm.measure(tmp_path / "a.zarr", names)
        flown = mm.measure(model, names, steps=30, first=0, every=5, seed=1)
        for name in names:
            assert np.array_equal(recorded[name].values, flown[name].values)

    def test_they_are_taken_on_request(self, model):
        quick = mm.measure(model, steps=4, first=0, every=2)
        assert "path_length" in quick.omitted and "path_length" not in quick
        assert "left out, since they follow each animal from frame to frame: " in repr(quick)
