"""Runs whose boids join and leave: numbers, ids, copies, forks and errors."""

from __future__ import annotations

import copy
import pickle
from functools import cache
from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm
import pairwise

pytestmark = pytest.mark.usefixtures("interpreted")
STREAM: dict[str, Any] = {
    "space": {"size": [20.0, 10.0], "boundary": ["open", "reflecting"]},
    "dt": 0.5,
    "flocks": {
        "fish": {
            "count": 20,
            "max_boids": 300,
            "start": {"kind": "box", "velocity": {"kind": "heading", "velocity": [1.0, 0.0]}},
            "motion": {"kind": "add", "max_speed": 1.5, "min_speed": 0.5},
        },
        "pike": {"count": 2, "motion": {"kind": "add", "max_speed": 1.0}},
    },
    "rules": {"cohesion": {"moves": "fish", "radius": 2.0, "weight": 0.05}},
    "population": {
        "inflow": {
            "kind": "source",
            "flock": "fish",
            "rate": 4.0,
            "start": {
                "kind": "box", "lower": [0.0, 0.0], "upper": [0.0, 10.0],
                "velocity": {"kind": "heading", "velocity": [1.0, 0.0]},
            },
        },
        "outflow": {
            "kind": "exit", "flocks": "fish",
            "region": {"kind": "face", "axis": "x", "side": "upper"},
        },
        "hunt": {
            "kind": "capture", "predators": "pike", "prey": "fish", "radius": 1.0,
            "handling_time": 2.0,
        },
    },
}  # fmt: skip


@cache
def stream() -> mm.Model:
    return mm.Model(**STREAM)


def same(a: mm.Simulation, other: mm.Simulation) -> bool:
    first, second = a.frame, other.frame
    return all(
        np.array_equal(getattr(flock, name), getattr(second[flock.name], name))
        for flock in first.flocks.values()
        for name in ("ids", "positions", "velocities", "memory", "births")
    )


def test_numbers_are_conserved_and_nobody_stays_beyond_the_exit() -> None:
    simulation = mm.Simulation(stream(), seed=1)
    joined: dict[str, int] = {"fish": 20, "pike": 2}
    for _ in range(40):
        simulation.step(1)
        counts, frame = simulation.population_counts(), simulation.frame
        into = {"fish": counts["inflow"].get("fish", 0), "pike": 0}
        out = {
            "fish": counts["outflow"].get("fish", 0) + counts["hunt"].get("fish", 0), "pike": 0
        }  # fmt: skip
        for name, flock in frame.items():
            assert len(flock) == joined[name] + into[name] - out[name]
            assert flock.n_ever == joined[name] + into[name] and flock.n_left == out[name]
            assert (np.diff(flock.ids) > 0).all()
        assert (frame["fish"].positions[:, 0] < 20.0).all()
        assert simulation.n_boids == frame.n_boids
    assert simulation.population_counts()["hunt"]["fish"] > 0


@pytest.mark.slow
def test_copies_pickles_and_frames_continue_bit_for_bit() -> None:
    simulation = mm.Simulation(stream(), seed=2).step(15)
    frame = simulation.frame
    others = [
        simulation.copy(), copy.deepcopy(simulation), pickle.loads(pickle.dumps(simulation)),
        mm.Simulation.from_frame(stream(), frame, seed=2),
    ]  # fmt: skip
    simulation.step(10)
    for other in others:
        assert same(simulation, other.step(10))
    assert others[0].population_counts() == simulation.population_counts()


def test_ids_are_never_used_twice() -> None:
    """Not even if the newest boid dies, and the run is resumed from that frame."""
    tables = {
        "gate": {"kind": "source", "flock": "fish", "times": [1.0, 3.0]},
        "end": {"kind": "lifetime", "flocks": "fish", "duration": 1.0},
    }
    model = mm.Model(**{**STREAM, "population": tables})
    simulation = mm.Simulation(model, seed=1, engine="reference").step(4)
    frame = simulation.frame["fish"]
    assert len(frame) == 0 and frame.n_ever == 21
    again = mm.Simulation.from_frame(model, simulation.frame, seed=1, engine="reference")
    assert again.step(2).frame["fish"].ids.tolist() == [21]


def test_one_call_equals_many() -> None:
    once, often = mm.Simulation(stream(), seed=3), mm.Simulation(stream(), seed=3, threads=2)
    once.step(30)
    for steps in (1, 0, 7, 2, 20):
        often.step(steps)
    assert same(once, often)


@pytest.mark.slow
def test_empty_flocks_and_flocks_that_come_back() -> None:
    tables = {
        "gate": {"kind": "source", "flock": "fish", "times": [8.0], "numbers": [5],
                 "start": {"kind": "box"}},
        "end": {"kind": "lifetime", "flocks": ["fish", "pike"], "duration": 2.0},
    }  # fmt: skip
    model = mm.Model(**{**STREAM, "population": tables})
    for cells in (False, True):
        with flights.in_cells() if cells else flights.whole():
            simulation = mm.Simulation(model, seed=1)
        numbers = [len(simulation.step(1).frame["fish"]) for _ in range(22)]
        assert numbers == [20] * 3 + [0] * 12 + [5] * 4 + [0] * 3
        assert simulation.step_number == 22 and simulation.n_boids == 0


def test_too_many_boids_end_the_run_before_the_step() -> None:
    model = stream().set({"flocks.fish.max_boids": 30})
    simulation = mm.Simulation(model, seed=1)
    with pytest.raises(mm.PopulationError, match=r"flocks.fish.max_boids: got 3\d boids") as error:
        simulation.step(100)
    assert error.value.flock == "fish" and error.value.step == simulation.step_number + 1
    frame = simulation.frame
    assert len(frame["fish"]) <= 30
    direct = mm.Simulation(model, seed=1).step(simulation.step_number)
    assert same(simulation, direct)
    with pytest.raises(mm.PopulationError):
        simulation.step(1)
    simulation.set({"flocks.fish.max_boids": 300})
    simulation.step(5)


def test_forks_add_and_remove_boids() -> None:
    simulation = mm.Simulation(stream(), seed=1).step(10)
    before = simulation.frame["fish"]
    more = simulation.fork(stream().set({"flocks.fish.count": 22}), {("fish", 21): (3.0, 4.0)})
    after = more.frame["fish"]
    assert len(after) == len(before) + 2
    assert after.ids[-2:].tolist() == [before.n_ever, before.n_ever + 1]
    assert after.positions[-1].tolist() == [3.0, 4.0] and after.births[-1] == 10
    fewer = simulation.fork(stream().set({"flocks.fish.count": 18}), leaving={"fish": {0, 3}})
    left = fewer.frame["fish"]
    assert left.ids.tolist() == [*before.ids[1:3], *before.ids[4:]]
    assert left.n_ever == before.n_ever
    more.step(2)
    fewer.step(2)


@pytest.mark.parametrize("engine", [pytest.param("cpu", marks=pytest.mark.long), "reference"])
def test_a_population_may_be_added_and_changed(engine: str) -> None:
    still = mm.Model(**{**STREAM, "population": {}, "flocks": {
        "fish": {k: v for k, v in STREAM["flocks"]["fish"].items() if k != "max_boids"},
        "pike": STREAM["flocks"]["pike"],
    }})  # fmt: skip
    simulation = mm.Simulation(still, seed=1, engine=engine).step(3)
    simulation.replace_model(stream())
    simulation.step(6)
    assert simulation.frame["fish"].n_ever > 20
    simulation.set({"population.inflow.rate": 0.0})
    number = simulation.frame["fish"].n_ever
    assert simulation.step(5).frame["fish"].n_ever == number
    with pytest.raises(mm.ModelError, match="another number of boids"):
        simulation.replace_model(still)


def test_set_state_has_a_row_for_each_present_boid() -> None:
    simulation = mm.Simulation(stream(), seed=1).step(5)
    number = len(simulation.frame["fish"])
    x = np.full((number, 2), 5.0) + np.arange(number)[:, None] * 0.01
    simulation.set_state("fish", x)
    assert simulation.frame["fish"].positions == pytest.approx(x, abs=1e-5)
    with pytest.raises(mm.ModelError, match="shape"):
        simulation.set_state("fish", x[1:])


def test_boids_of_a_cell_are_in_the_order_of_their_ids() -> None:
    model = stream().set({"population.hunt": None})
    engine = flights.interpreted(model, thresholds=pairwise.CELLS)
    for _ in range(12):
        engine.step(1)
    engine.move_boids(1)  # which sorts, and lets nobody join or leave
    table = engine._table
    start, grid = table.array("start"), table.array("grid")
    ids = engine._state.ids
    for cell in range(int(grid[0] * grid[1] * grid[2])):
        assert (np.diff(ids[start[cell] : start[cell + 1]]) > 0).all()


def test_a_start_with_too_many_boids_is_refused() -> None:
    x = np.full((400, 2), 5.0)
    with pytest.raises(mm.ModelError, match="expected at most 300"):
        mm.Simulation(stream(), start={"fish": (x, x)})


@pytest.mark.parametrize("where", ["before the movement", "after it"])
def test_an_interrupted_step_is_finished_later(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C may end a call before or after the movement: boids join and leave exactly once."""
    model = stream()
    unbroken, parts = (flights.interpreted(model, seed=4, dtype="float32") for _ in range(2))
    unbroken.step(20)
    parts.step(8)

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        if where == "after it":
            patch.setattr(parts, "change_boids", interrupt)
        else:
            patch.setattr(parts._stepper.loop, "take_slice", interrupt)
        for _ in range(2):
            with pytest.raises(KeyboardInterrupt):
                parts.step(3)
    parts.step(20 - parts.step_number)
    flights.assert_same_bits(unbroken, parts)
    assert unbroken.population_counts() == parts.population_counts()


@pytest.mark.slow
def test_populations_with_random_numbers_agree() -> None:
    """The two engines agree for other numbers of the same tables."""
    for seed in range(6):
        random = np.random.default_rng(seed)
        model = stream().set({
            "flocks.fish.count": int(random.integers(0, 40)),
            "flocks.pike.count": int(random.integers(0, 12)),
            "population.inflow.rate": float(random.uniform(0, 12)),
            "population.hunt.radius": float(random.uniform(0.2, 4)),
            "population.hunt.handling_time": float(random.uniform(0, 3)),
            "population.hunt.probability": float(random.uniform(0, 1)),
            "population.outflow.region": {
                "kind": "box", "lower": random.uniform(5, 15, 2).tolist(), "upper": [25.0, 30.0],
            },
        })  # fmt: skip
        cpu, other = flights.cpu(model, seed=seed), flights.reference(model, seed=seed)
        for _ in range(10):
            cpu.step(1)
            other.step(1)
            flights.assert_agree(cpu, other, tolerance=1e-8)
        assert cpu.population_counts() == other.population_counts()
