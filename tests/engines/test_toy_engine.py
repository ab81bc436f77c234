"""A third engine simulates the whole zoo, and two models of it through every function, with no
change in src.

There is no other engine meanwhile, so that a function that uses one fails."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from toy_engine import MAX_BOIDS, ToyEngine, rounded

import murmurate as mm
from murmurate.engines import registry
from murmurate.engines.initial_state import initial_state
from murmurate.engines.options import RunOptions
from murmurate.engines.reference.reference_engine import ReferenceEngine
from murmurate.engines.state import FlightState
from murmurate.runs import resume_run
from murmurate.verify import verify

SEED, STEPS = 5, 4
# the nearest seen, two flocks; obstacles; a herd; senses that are late; what motions keep; in turn
SHORT = ("strombom-2014", "p5")
FLOCKS = [
    pytest.param(name, marks=() if name in SHORT else pytest.mark.slow)
    for name in mm.zoo()
    if not mm.load(name).changes_numbers  # the toy's boids stay
]


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The toy engine is registered, and no other is known; each test must fly it."""
    monkeypatch.setattr(registry, "BUILT_IN", {})
    registry.register("toy", ToyEngine)
    before = ToyEngine.steps_done
    yield
    assert ToyEngine.steps_done > before


def small(name: str) -> mm.Model:
    """A published flock of a few boids."""
    model = mm.load(name)
    counts = {
        f"flocks.{flock}.count": min(other.count, 7)
        for flock, other in model.flocks.items()
        if other.start.kind != "given"
    }
    view = {"view.steps": STEPS, "view.every": 2, "view.size": [64, 64]}
    return model.set(counts | view)


def by_hand(model: mm.Model, dtype: str, steps: int) -> FlightState:
    """What the toy should come to: the reference engine, rounded after each step."""
    options = RunOptions("toy", dtype, seed=SEED)  # type: ignore[arg-type]
    state = rounded(initial_state(model, SEED), dtype)
    for _ in range(steps):
        engine = ReferenceEngine(model, state, options)
        engine.step(1)
        state = rounded(engine.state(), dtype)
    return state


def assert_is(frame: mm.Frame, state: FlightState) -> None:
    assert frame.step == state.step and list(frame.flocks) == list(state.flocks)
    for name, flock in state.flocks.items():
        for other, expected in (
            (frame[name].positions, flock.positions),
            (frame[name].velocities, flock.velocities),
            (frame[name].perch_timers, flock.timers),
            (frame[name].memory[:, : flock.memory.shape[1]], flock.memory),
        ):
            assert other.dtype == expected.dtype
            np.testing.assert_array_equal(other, expected)


@pytest.mark.slow
@pytest.mark.parametrize("name", FLOCKS)
def test_the_zoo(name: str, tmp_path: Path) -> None:
    model = small(name)
    expected = by_hand(model, "float32", STEPS)
    simulation = mm.Simulation(model, SEED, engine="toy").step(STEPS)
    assert_is(simulation.frame, expected)
    assert simulation.options == RunOptions("toy", seed=SEED)
    if name not in SHORT:
        return

    film = mm.film(model, tmp_path / "a.gif", seed=SEED, options=mm.RunOptions(engine="toy"))
    assert film.frames == STEPS // 2
    still = mm.still(
        model, tmp_path / "a.png", at=STEPS, seed=SEED, options=mm.RunOptions(engine="toy")
    )
    assert still.stat().st_size > 0

    path = tmp_path / "a.zarr"
    begun = mm.run(model, STEPS - 2, seed=SEED, output=path, options=mm.RunOptions(engine="toy"))
    assert begun.header["engine"] == "toy" and len(begun) == STEPS - 1
    all_pairs = mm.resume(path, STEPS)
    assert_is(all_pairs[-1], expected)

    flock = next(iter(model.flocks))
    frame = mm.Simulation(model, SEED, engine="toy", dtype="float64").step(STEPS).frame
    assert_is(frame, by_hand(model, "float64", STEPS))
    expectation = mm.Expectation(
        measure="speed", flock=flock, step=STEPS, kind="trajectory", seeds=(SEED,),
        value=float(mm.measures.speed(frame[flock])), tolerance=0.0,
    )  # fmt: skip
    (result,) = verify(model.model_copy(update={"expect": (expectation,)}), engine="toy")
    assert result.agrees, result


def test_all_that_a_simulation_can_do() -> None:
    model = small("starlings")
    simulation = mm.Simulation(model, SEED, engine="toy").step(2)
    twin, later = simulation.copy(threads=1), mm.Simulation.from_frame(
        model, simulation.frame, seed=SEED, engine="toy"
    )  # fmt: skip
    for first in (simulation, twin, later):
        assert_is(first.step(2).frame, by_hand(model, "float32", 4))
    rule = next(iter(model.rules))
    changed = model.set({f"rules.{rule}.weight": 0.0})
    assert simulation.is_compatible(changed)
    simulation.replace_model(changed)
    assert simulation.model == changed
    flock = next(iter(model.flocks))
    velocities = np.ones_like(simulation.frame[flock].velocities)
    simulation.set_state(flock, velocities=velocities)
    np.testing.assert_array_equal(simulation.frame[flock].velocities, velocities)


@pytest.mark.slow
def test_branches_measures_pages_and_memory(tmp_path: Path) -> None:
    model = small("parker")
    mm.run(model, 3, seed=SEED, output=tmp_path / "a.zarr", options=mm.RunOptions(engine="toy"))
    branch = mm.branch(tmp_path / "a.zarr", tmp_path / "b.zarr", at=1)
    assert branch.header["engine"] == "toy" and len(branch) == 3
    kept = mm.run(model, 3, seed=SEED, options=mm.RunOptions(engine="toy"))
    assert kept.attrs["engine"] == "toy"
    result = mm.measure(
        model, "speed", mm.RunSpec(steps=3, warm_up=1, every=1, seed=SEED, engine="toy")
    )
    assert result.frames == 3
    assert mm.replay_page(model, steps=4, seed=SEED, options=mm.RunOptions(engine="toy")).frames > 0


def test_models_that_it_cannot_simulate_are_refused_first() -> None:
    before = ToyEngine.steps_done
    large = mm.load("starlings").set({"flocks.boids.count": MAX_BOIDS + 1})
    calls = [partial(mm.Simulation, large, engine="toy")]
    calls += [partial(f, large, options=mm.RunOptions("toy")) for f in (mm.film, mm.run)]
    calls.append(partial(mm.measure, large, run=mm.RunSpec(engine="toy")))
    for call in calls:
        with pytest.raises(mm.ModelError, match=f"at most {MAX_BOIDS} boids, and the model has"):
            call()
    assert ToyEngine.steps_done == before
    mm.Simulation(small("starlings"), engine="toy").step(1)


def test_another_engine_does_not_continue_a_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mm.run(small("ucl"), 2, output=tmp_path / "a.zarr", options=mm.RunOptions(engine="toy"))
    monkeypatch.undo()
    registry.unregister("toy")
    with pytest.raises(
        mm.ModelError,
        match="engine: got 'toy'; expected 'cpu', 'gpu', 'reference', 'slabs' or 'wasm'",
    ):
        resume_run.resume(tmp_path / "a.zarr", 3)
