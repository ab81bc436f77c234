"""Worlds: arguments, arrays, changes and errors; bits are tested in engines/restart."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import murmurate as mm
import pairwise
from murmurate.engines.rng import run_seed
from populations import peopled

MODEL = pairwise.model_of(pairwise.ROWS["metric-all"], count=12)
OPTIONS: dict[str, Any] = {"dtype": "float64", "threads": 2}
WEIGHTS = [0.1, 0.2, 0.3, 0.4]
PATH = "rules.together.weight"


def assert_equal(worlds: mm.Worlds, world: int, simulation: mm.Simulation) -> None:
    frame, other = worlds.frame(world), simulation.frame
    assert (frame.step, frame.time) == (other.step, other.time)
    for name, flock in other.items():
        rows = worlds[name]
        size = len(flock)
        assert rows.present[world].tolist() == [True] * size + [False] * (rows.ids.shape[1] - size)
        assert (rows.ids[world, :size] == flock.ids).all() and (rows.ids[world, size:] == -1).all()
        for field in ("positions", "velocities", "perch_timers", "memory"):
            expected = getattr(flock, field)
            assert np.array_equal(getattr(frame[name], field), expected)
            if field == "memory":
                expected = expected[:, : len(flock.state_names)]
            assert np.array_equal(getattr(rows, field)[world, :size], expected)
        assert np.isnan(rows.positions[world, size:]).all()


def test_arrays_of_all_worlds_are_views_that_nobody_writes() -> None:
    worlds = mm.Worlds(MODEL, 3, **OPTIONS)
    flock = worlds["boids"]
    assert flock.positions.shape == flock.velocities.shape == (3, 12, 2)
    assert flock.ids.tolist() == [list(range(12))] * 3 and flock.present.all()
    assert flock.memory.shape == (3, 12, 0) and flock.perch_timers.shape == (3, 12)
    assert repr(worlds) == "Worlds('pairwise', 3, boids=36)" and worlds.together
    assert repr(flock) == "<WorldsFlock 'boids': 3 worlds, 12 boids, 2-D>"
    with pytest.raises(ValueError, match="read-only"):
        flock.positions[0] = 0.0
    before = flock.positions.copy()
    assert worlds.step() is worlds
    assert (flock.positions == before).all() and (worlds["boids"].positions != before).any()
    with pytest.raises(KeyError, match="did you mean 'boids'"):
        worlds["boid"]
    with pytest.raises(KeyError, match="stores: nothing"):
        flock.state("tiredness")


def test_seeds_are_those_of_a_sweep() -> None:
    worlds = mm.Worlds(MODEL, 3, seed=7, **OPTIONS)
    assert worlds.seeds.tolist() == [run_seed(7, world) for world in range(3)]
    worlds.step(3)
    for world, seed in enumerate(worlds.seeds):
        assert_equal(worlds, world, mm.Simulation(MODEL, int(seed), **OPTIONS).step(3))
    assert mm.Worlds(MODEL, 2, seed=[4, 2**64 - 1], **OPTIONS).seeds.tolist() == [4, 2**64 - 1]


def test_numbers_differ_between_worlds_and_change() -> None:
    worlds = mm.Worlds(MODEL, 4, seed=range(4), vary={PATH: np.array(WEIGHTS)}, **OPTIONS)
    runs = [mm.Simulation(MODEL.set({PATH: w}), seed, **OPTIONS) for seed, w in enumerate(WEIGHTS)]
    assert worlds.together
    worlds.step(4)
    ramp = mm.Ramp(start=0.0, stop=0.5, end=3.0)
    changes = {PATH: [ramp, 0.3, 0.2, ramp], "dt": [0.1, 0.05, 0.1, 0.2]}
    worlds.set({"rules.apart.radius": 2.0}, vary=changes).step(40)
    for world, run in enumerate(runs):
        own = {path: values[world] for path, values in changes.items()}
        run.step(4).set({**own, "rules.apart.radius": 2.0}).step(40)
        assert worlds.models[world] == run.model
        assert_equal(worlds, world, run)
        assert_equal(worlds, world, worlds.simulation(world))
    assert worlds.times.tolist() == [44 * dt for dt in changes["dt"]]


def test_some_worlds_begin_again() -> None:
    draw = np.random.default_rng(1)
    starts = draw.uniform(0, 5, (2, 3, 12, 2))
    worlds = mm.Worlds(MODEL, 3, start={"boids": tuple(starts)}, **OPTIONS).step(5)
    worlds.reset([False, True, True], seed=[5, 6]).step(2)
    assert worlds.step_numbers.tolist() == [7, 2, 2] and worlds.seeds[1:].tolist() == [5, 6]
    for world, steps in enumerate((7, 2, 2)):
        own = {"boids": (starts[0, world], starts[1, world])}
        run = mm.Simulation(MODEL, int(worlds.seeds[world]), start=own, **OPTIONS).step(steps)
        assert_equal(worlds, world, run)
    worlds.reset([2], start={"boids": (starts[0, 0], starts[1, 0])})
    assert (worlds["boids"].positions[2] == starts[0, 0]).all()
    assert worlds.reset().step_numbers.tolist() == [0, 0, 0]
    assert (worlds["boids"].positions == starts[0]).all()


@pytest.mark.parametrize("model", [MODEL, peopled(MODEL)], ids=["together", "separate"])
def test_worlds_continue_from_their_bytes(model: mm.Model) -> None:
    """Also copies; nothing is shared, and they begin again in the same start."""
    options = {"engine": "reference"} if model is not MODEL else OPTIONS
    start = {"boids": (np.ones((3, 12, 2)), np.eye(3, 24).reshape(3, 12, 2))}
    worlds = mm.Worlds(model, 3, 5, vary={PATH: WEIGHTS[:3]}, start=start, **options)
    worlds.step(2)
    others = [pickle.loads(pickle.dumps(worlds)), copy.deepcopy(worlds), copy.copy(worlds)]
    worlds.step(3)
    for other in others:
        assert other.together == worlds.together == (model is MODEL)
        assert other.step_numbers.tolist() == [2, 2, 2] and other.models == worlds.models
        other.step(3)
        for world in range(3):
            assert_equal(other, world, worlds.simulation(world))
    others[0].reset()
    worlds.reset()
    assert_equal(others[0], 2, worlds.simulation(2))


def test_worlds_of_classes_without_a_module_have_no_bytes() -> None:
    class Own(mm.Rule):
        def alone(self, me):  # type: ignore[no-untyped-def]
            return 0.0, 0.0, 0.0

    worlds = mm.Worlds(MODEL.set({PATH: 0.1}), 2, **OPTIONS)
    worlds._models = [worlds.model.model_copy(update={"rules": {"own": Own()}})] * 2
    with pytest.raises(mm.ModelError, match=r"classes that cannot be pickled: .*Define rules"):
        pickle.dumps(worlds)


def test_boids_of_some_worlds_are_moved() -> None:
    worlds = mm.Worlds(MODEL, 3, seed=range(3), **OPTIONS).step(2)
    runs = [mm.Simulation(MODEL, seed, **OPTIONS).step(2) for seed in range(3)]
    moved = np.random.default_rng(2).uniform(0, 20, (2, 12, 2))
    worlds.set_state("boids", moved, worlds=[2, 0]).set_state("boids", None, np.ones((3, 12, 2)))
    for world, own in ((2, moved[0]), (0, moved[1])):
        runs[world].set_state("boids", own)
    worlds.step(3)
    for world, run in enumerate(runs):
        assert_equal(worlds, world, run.set_state("boids", None, np.ones((12, 2))).step(3))


COMMANDED = mm.Model(
    name="commanded",
    space=mm.Space(size=(9.0, 9.0)),
    flocks={"boids": mm.Flock(count=5), "others": mm.Flock(count=3)},
    rules={
        "command": mm.Command(moves="boids"),
        "calm": mm.RandomSteering(moves="others", weight=0.1),
    },
)


@pytest.mark.parametrize(
    "options",
    [pytest.param(OPTIONS, marks=pytest.mark.slow), {"engine": "reference"}],
    ids=["cpu", "reference"],
)
def test_each_boid_of_each_world_has_its_command(options: dict[str, Any]) -> None:
    worlds = mm.Worlds(COMMANDED, 3, seed=range(3), **options)
    runs = [mm.Simulation(COMMANDED, seed, **options) for seed in range(3)]
    commands = np.random.default_rng(4).normal(0, 0.1, (3, 5, 2))
    commands[1, 2:] = np.nan
    commands[2] = np.nan
    for steps, controls in ((3, commands), (2, None), (0, commands), (270, commands[::-1])):
        worlds.step(steps, controls={"boids": controls}).step(1)
        for world, run in enumerate(runs):
            own = None if controls is None else controls[world]
            own = None if own is not None and np.isnan(own).all() else own
            run.step(steps, controls={"boids": own}).step(1)
            assert_equal(worlds, world, run)
    before = worlds["boids"].positions.copy()
    for message, wrong in {
        r"expected numbers of shape \(3, 5, 2\)": commands[0],
        "row 4 of world 1": np.where(np.arange(30).reshape(3, 5, 2) == 19, np.nan, 0.0),
        "in row 2 of world 0": np.where(np.arange(30).reshape(3, 5, 2) == 5, 1e300, 0.0),
    }.items():
        with pytest.raises(mm.ModelError, match=message):
            worlds.step(1, controls={"boids": wrong})
    for message, controls in {
        "no flock named 'boid'": {"boid": commands}, "0 rules of kind 'command'": {"others": None},
        "expected a mapping": 3,
    }.items():  # fmt: skip
        with pytest.raises(mm.ModelError, match=message):
            worlds.step(1, controls=controls)  # type: ignore[arg-type]
    assert np.array_equal(worlds["boids"].positions, before)


SEPARATE = {
    "population": (peopled(MODEL), {}),
    "voronoi": (pairwise.model_of(pairwise.ROWS["voronoi"], count=9), {}),
    "counts": (MODEL, {"flocks.boids.count": [3, 12, 1]}),
    "kernels": (MODEL, {"rules.apart.limit": [0.5, float("inf"), 1.0]}),
}


@pytest.mark.parametrize("name", SEPARATE)
def test_other_worlds_are_simulated_one_by_one(name: str) -> None:
    model, vary = SEPARATE[name]
    options = {"engine": "reference"}
    worlds = mm.Worlds(model, 3, seed=range(3), vary=vary, **options).step(3)
    assert not worlds.together
    worlds.reset([1]).step(4)
    for world in range(3):
        own = model.set({path: values[world] for path, values in vary.items()})
        run = mm.Simulation(own, world, **options).step(7 if world != 1 else 4)
        assert_equal(worlds, world, run)


@pytest.mark.slow
@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("name", SEPARATE)
def test_engine_cpu_simulates_other_worlds_one_by_one(name: str) -> None:
    model, vary = SEPARATE[name]
    worlds = mm.Worlds(model, 3, vary=vary, **OPTIONS).step(3)
    assert not worlds.together
    for world in range(3):
        own = model.set({path: values[world] for path, values in vary.items()})
        run = mm.Simulation(own, int(worlds.seeds[world]), **OPTIONS).step(3)
        assert_equal(worlds, world, run)


@pytest.mark.parametrize("options", [OPTIONS, {"engine": "reference"}], ids=["cpu", "reference"])
def test_a_lost_boid_leaves_all_worlds_as_before(options: dict[str, Any]) -> None:
    worlds = mm.Worlds(MODEL, 3, seed=range(3), **options).step(2)
    worlds.set(vary={"flocks.boids.motion.max_speed": [1.5, 1e9, 1.5]})
    worlds.set_state("boids", None, np.full((1, 12, 2), 1e9), worlds=[1])
    before = [worlds.frame(world)["boids"].positions for world in range(3)]
    with pytest.raises(mm.RunError, match=r"^world 1: .*All worlds are as before") as failed:
        worlds.step(3)
    assert failed.value.world == 1 and failed.value.flock == "boids"
    for world in range(3):
        assert np.array_equal(worlds.frame(world)["boids"].positions, before[world])
    worlds.reset([1]).step(1)
    assert_equal(worlds, 1, mm.Simulation(worlds.models[1], 1, **options).step(1))


REFUSED = {
    "count: got 0": lambda: mm.Worlds(MODEL, 0),
    "seed: got 2 seeds; expected 3": lambda: mm.Worlds(MODEL, 3, seed=[1, 2]),
    "seed: got -1": lambda: mm.Worlds(MODEL, 3, seed=-1),
    "vary: got 3": lambda: mm.Worlds(MODEL, 3, vary=3),  # type: ignore[arg-type]
    "got 2 values; expected 3": lambda: mm.Worlds(MODEL, 3, vary={PATH: [1, 2]}),
    "got 0.5; expected 3 values": lambda: mm.Worlds(MODEL, 3, vary={PATH: 0.5}),  # type: ignore
    "world 1: .*nan": lambda: mm.Worlds(MODEL, 2, vary={PATH: [1.0, float("nan")]}),
    "world 0: .*did you mean": lambda: mm.Worlds(MODEL, 1, vary={"rules.together.weigth": [1]}),
    "number of worlds that fits": lambda: mm.Worlds(MODEL, 10**12),
    "expected 3 worlds": lambda: mm.Worlds(MODEL, 3, start={"boids": np.zeros((2, 2, 12, 2))}),
    "start: got list": lambda: mm.Worlds(MODEL, 3, start=[1]),  # type: ignore[arg-type]
    "a pair of arrays": lambda: mm.Worlds(MODEL, 3, start={"boids": 3}),
    "no flock named 'boid'": lambda: mm.Worlds(MODEL, 1, start={"boid": np.zeros((2, 12, 2))}),
}
CHANGES = {
    "steps: got -1": lambda w: w.step(-1),
    "steps: got 1.5": lambda w: w.step(1.5),
    "worlds: got an array of float64": lambda w: w.reset([0.5]),
    r"expected \(3,\) bool": lambda w: w.reset([True, False]),
    "world: got 3; expected 0 to 2": lambda w: w.reset([3]),
    "each world once": lambda w: w.reset([1, 1]),
    "seed: got 1 seeds; expected 2": lambda w: w.reset([0, 1], seed=[4]),
    "start: got .*5.*expected .*12": lambda w: w.reset(start={"boids": np.zeros((2, 5, 2))}),
    "world: got 9": lambda w: w.frame(9),
    "need other kernels": lambda w: w.set({"rules.apart.limit": 0.5}),
    "number of boids|other kernels": lambda w: w.set({"flocks.boids.count": 5}),
    "no flock named": lambda w: w.set_state("boid"),
    r"got an array of shape \(12, 2\)": lambda w: w.set_state("boids", np.zeros((12, 2))),
    "world 1: .*finite": lambda w: w.set_state("boids", np.full((2, 12, 2), np.nan), worlds=[1, 0]),
    "boids.*positions.*expected": lambda w: w.set_state("boids", [[["x"]]]),
}


def test_wrong_arguments_are_refused_and_change_nothing() -> None:
    for message, make in REFUSED.items():
        with pytest.raises(mm.ModelError, match=message):
            make()
    worlds = mm.Worlds(MODEL, 3, **OPTIONS).step(1)
    before = worlds["boids"].positions.copy()
    for message, change in CHANGES.items():
        with pytest.raises(mm.ModelError, match=message):
            change(worlds)
    assert worlds.models == (MODEL,) * 3 and worlds.step_numbers.tolist() == [1, 1, 1]
    assert worlds.seeds.tolist() == [run_seed(0, world) for world in range(3)]
    assert (worlds["boids"].positions == before).all()
    worlds.step()
    for world, seed in enumerate(worlds.seeds):
        assert_equal(worlds, world, mm.Simulation(MODEL, int(seed), **OPTIONS).step(2))
