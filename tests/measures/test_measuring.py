"""Several measures in one pass, the table in the documentation, and a million boids."""

from __future__ import annotations

import math
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from flocks_for_measures import drifting, gas, hunt, run

import murmurate as mm
from cases import cases
from murmurate.errors import MeasureError
from murmurate.measures import (
    MEASURES,
    Curve,
    Estimate,
    PerAnimal,
    mean_and_error,
    measure_frames,
    milling,
    nearest_neighbour_distance,
    of_arrays,
    pair_correlation,
    polarization,
    velocity_correlation,
)
from operations import cost_of

PAGE = Path(__file__).resolve().parents[2] / "docs" / "measures.md"
NO_HUNT = [name for name, measure in MEASURES.items() if measure.kind != "hunt"]


class TestMeasureFrames:
    def test_one_pass_over_an_iterator(self):
        flocks = drifting("torus", 2, 8)
        names = ["polarization", "pair_correlation", "mean_squared_displacement", "state"]
        results = measure_frames(iter(run(flocks, 0.5)), names)
        assert list(results) == names
        series = np.array([polarization(measure) for measure in flocks])
        np.testing.assert_array_equal(results["polarization"].series, series)
        assert results["polarization"].value == mean_and_error(series)
        assert list(results["polarization"].times) == [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5]
        curve = results["pair_correlation"].value
        edges = pair_correlation(flocks[0]).edges
        each = [pair_correlation(measure, edges=edges).y for measure in flocks]
        np.testing.assert_allclose(curve.y, np.mean(each, axis=0))
        assert np.isfinite(curve.error).all()
        assert results["mean_squared_displacement"].value.x[1] == 0.5
        shares = results["state"].value
        assert sum(measure.value for measure in shares.values()) == pytest.approx(1)

    @pytest.mark.slow
    def test_all(self):
        results = measure_frames(drifting("open", 3, 4), "all")
        assert set(results) == {
            name
            for name, measure in MEASURES.items()
            if measure.kind != "hunt" and not measure.required and "trait" not in measure.defaults
        }
        quick = measure_frames(drifting("open", 3, 4))
        assert set(quick) == {
            name for name, measure in MEASURES.items() if name in results and not measure.on_request
        }
        for result in results.values():
            assert not result.skipped, result
            assert repr(result).startswith(result.measure.name)
            assert isinstance(result.value, (Estimate, Curve, PerAnimal, dict))

    def test_a_hunt(self):
        flocks = drifting("open", 2, 4)
        frames = hunt(flocks, [of_arrays(measure.positions[:2]) for measure in flocks])
        options = {"captures": {"radius": 0.3}}
        results = measure_frames(frames, "all", flock="prey", predators="hawks", options=options)
        assert results["captures"].value.value >= 2
        needy = {n for n, m in MEASURES.items() if m.required or "trait" in m.defaults}
        needy -= {"captures"}
        assert set(results) == set(MEASURES) - needy and "collisions" in needy

    def test_options(self):
        results = measure_frames(
            [gas(2, 100)], ["kth_neighbour_distance"], options={"kth_neighbour_distance": {"k": 1}}
        )
        assert results["kth_neighbour_distance"].value.value == nearest_neighbour_distance(
            gas(2, 100)
        )

    @pytest.mark.parametrize(
        ("names", "options", "says"),
        [
            (["polarisation"], {}, "did you mean 'polarization'"),
            (["collisions"], {}, "^collisions: got no value for 'radius'"),
            (["captures"], {"captures": {"radius": 1.0}}, "predators"),
            (["speed"], {"speed": {"k": 1}}, "^speed: got option 'k'; expected one of: none"),
            (["speed"], {"collisions": {"radius": 1.0}}, "^options: got options of collisions"),
            (["speed"], {"speed": 3}, "^options of speed: got 3"),
            ([3], {}, "^measure: got 3; expected the name"),
        ],
    )
    def test_invalid_arguments(self, names, options, says):
        with pytest.raises(MeasureError, match=says):
            measure_frames([gas(2, 10)], names, options=options)

    def test_a_measure_named_twice_is_computed_once(self):
        frames = drifting("open", 2, 4)
        once = measure_frames(frames, ["speed"])["speed"]
        for names in (["speed", "speed"], "speed"):
            results = measure_frames(frames, names)
            assert list(results) == ["speed"] and results["speed"].value == once.value
            assert np.array_equal(results["speed"].series, once.series)

    def test_a_slow_measure_with_options_is_included(self):
        results = measure_frames([gas(2, 100)], options={"pair_correlation": {"bins": 3}})
        assert len(results["pair_correlation"].value) == 3
        assert "velocity_correlation" not in results

    def test_results_have_their_options(self):
        options = {"kth_neighbour_distance": {"k": 2}}
        results = measure_frames(
            [gas(2, 9)], ["kth_neighbour_distance", "bearings"], options=options
        )
        assert results["kth_neighbour_distance"].options == {"k": 2}
        assert results["bearings"].options == {"k": 1, "bins": 18}

    @cases("name", NO_HUNT)
    def test_options_that_are_not_numbers(self, name):
        measure = MEASURES[name]
        yes_or_no = {key for key, value in measure.defaults.items() if isinstance(value, bool)}
        for option in {*measure.defaults, *measure.required} - yes_or_no:
            for value in ("abc", True, 1j, [1, 2], math.nan):
                values = dict.fromkeys(measure.required, 1.0) | {option: value}
                with pytest.raises(MeasureError, match=rf"^{option}: got "):
                    measure_frames(drifting("open", 2, 2), [name], options={name: values})

    def test_a_reach_of_zero_is_not_the_default(self):
        for name in ("pair_correlation", "velocity_correlation"):
            with pytest.raises(MeasureError, match=r"^reach: got 0; expected a number above 0"):
                MEASURES[name].function(gas(2, 50), reach=0)
            with pytest.raises(MeasureError, match=r"^reach: got inf"):
                MEASURES[name].function(gas(2, 50), reach=math.inf)
            with pytest.raises(MeasureError, match=r"^bins: got .* expected at most"):
                MEASURES[name].function(gas(2, 50), bins=10**12)

    def test_predators_equal_to_the_prey(self):
        flocks = drifting("open", 2, 2)
        frames = hunt(flocks, [of_arrays(measure.positions[:2]) for measure in flocks])
        for flock, name, kept in (("prey", "prey", frames), (None, "boids", run(flocks))):
            with pytest.raises(MeasureError, match=f"^predators: got '{name}', the flock that is"):
                measure_frames(kept, ["predator_distance"], flock=flock, predators=name)
        with pytest.raises(MeasureError, match="expected a measure of a hunt"):
            measure_frames(frames, ["speed"], predators="hawks")

    def test_values_that_are_not_frames(self):
        for frames in (np.ones((3, 4, 2)), [np.ones((4, 2))], gas(2, 5), None):
            with pytest.raises(MeasureError, match=r"mm\.measures\.of_tracks"):
                measure_frames(frames, ["speed"])

    def test_too_many_boids(self):
        """A named measure raises; one that is not named is skipped, with the reason."""
        flock, name = gas(2, 20_001), "algebraic_connectivity"
        with pytest.raises(MeasureError, match=f"^{name}: got 20,001 boids"):
            measure_frames([flock], [name])
        skipped = measure_frames([flock], options={name: {"k": 7}})[name]
        assert skipped.value is None and "20,001 boids" in skipped.skipped

    def test_frames_without_boids(self):
        gap = of_arrays(np.full((5, 2), np.nan), np.full((5, 2), np.nan))
        flock = of_arrays(np.eye(2), [[1, 0], [1, 0]])
        results = measure_frames([gap, flock, gap, flock], ["polarization", "pair_correlation"])
        assert results["polarization"].value.value == 1
        assert math.isnan(results["polarization"].series[0])

    def test_no_frames(self):
        results = measure_frames([], ["polarization", "bearings", "state", "splits"])
        assert math.isnan(results["polarization"].value.value)
        assert len(results["bearings"].value) == 0

    def test_a_simulation(self):
        model = mm.load("ucl").set({"flocks.boids.count": 30})
        frames = mm.frames(mm.Simulation(model, seed=1, engine="reference"), 3)
        results = measure_frames(frames, ["speed"])["speed"]
        assert results.value.value > 0 and len(results.series) == 3


def test_the_page_lists_every_measure():
    text, missing = PAGE.read_text(encoding="utf-8"), []
    for name, measure in MEASURES.items():
        sources = " ".join(f"[{doi}](https://doi.org/{doi})" for doi in measure.source.split())
        link = f"[`{name}`](measures/{name}.md)"
        cells = (
            link,
            measure.definition.replace("|", "\\|"),
            measure.bounds,
            measure.unit,
            sources,
        )
        row = "| " + " | ".join(cells).strip()
        missing += [] if row in text else [f"{row} |"]
    if missing:
        pytest.fail("\n".join(["docs/measures.md: add to one of its tables:", *missing]))


@cases("name", NO_HUNT)
def test_values_that_are_not_flocks(name):
    zones = {"zone": "circle 0 0 1", "wall": "circle 0 0 1"}
    options = {key: zones.get(key, 1.0) for key in MEASURES[name].required}
    for what in (np.ones((5, 2)), run([gas(2, 5)])[0], None, 3):
        with pytest.raises(MeasureError, match=r"mm\.measures\.of_arrays|frame\['"):
            MEASURES[name].function(what, **options)


def test_every_measure_is_a_public_name():
    for name, measure in MEASURES.items():
        assert getattr(mm.measures, name) is measure.function


@pytest.mark.slow
def test_many_boids():
    """No measure is quadratic for large flocks.

    Four times as many boids cost at most eight times as many calls and as much memory. A loop over
    all pairs costs sixteen times.
    """
    small, large = gas(2, 1_500, 100.0), gas(2, 6_000, 100.0)
    for name in ("density", "local_density", "pair_correlation", "velocity_correlation", "extent",
                 "anisotropy", "cluster_count", "number_fluctuation_exponent"):  # fmt: skip
        less, more = (cost_of(partial(MEASURES[name].function, flock)) for flock in (small, large))
        assert more.calls <= 8 * less.calls and more.bytes <= 8 * less.bytes, (name, less, more)


def test_costs_distinguish_quadratic_from_linear():
    """Loops over all pairs, in Python and NumPy, are distinguished from loops over boids."""
    x = np.arange(160.0)
    ways = {
        "Python": (lambda x: [abs(a) for a in x], lambda x: [abs(a) for a in x for _ in x]),
        "NumPy": (lambda x: x + 1, lambda x: x[:, None] - x),
    }
    for linear, quadratic in ways.values():
        less, more = (cost_of(partial(linear, part)) for part in (x[:40], x))
        assert more.calls <= 8 * less.calls and more.bytes <= 8 * less.bytes
        less, more = (cost_of(partial(quadratic, part)) for part in (x[:40], x))
        assert more.calls > 8 * less.calls or more.bytes > 8 * less.bytes


@pytest.mark.long
@pytest.mark.parametrize("dims", [2, 3])
def test_a_million_boids(dims):
    flock = gas(dims, 1_000_000, 100.0)
    assert 0 <= polarization(flock) <= 1 and 0 <= milling(flock) <= 1
    assert nearest_neighbour_distance(flock) > 0
    for measure in MEASURES.values():
        if measure.kind not in ("number", "curve") or measure.required:
            continue
        try:
            assert measure.function(flock) is not None
        except MeasureError as error:
            assert "at most" in str(error)
    assert velocity_correlation(flock).count.sum() < 25_000_000


def test_the_pages_are_up_to_date():
    sys.path.insert(0, str(PAGE.parent))
    import make_measures

    pages = make_measures.pages()
    files = {path.name: path.read_text(encoding="utf-8") for path in make_measures.FOLDER.iterdir()}
    assert files == pages, "run: python docs/make_measures.py"
