"""A flight that was pickled continues bit for bit, in this process and in another one."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import murmurate as mm
from structures import STRUCTURES

# they land, keep numbers of their motions, sense late, move in turn
MODELS = ["landing", "spinning", "drones", "in-turn"]
CASES = [(name, "reference", "float64") for name in MODELS]
CASES += [("landing", "cpu", "float32")]
FIRST, MORE = 6, 4
Rows = list[tuple[np.ndarray, ...]]

GO_ON = """
import pickle, sys
import murmurate as mm
with open(sys.argv[1], "rb") as file:
    simulations = pickle.load(file)
frames = [s.step(int(sys.argv[3])).frame for s in simulations]
rows = [
    [(f.positions, f.velocities, f.perch_timers, f.memory) for f in one.values()] for one in frames
]
with open(sys.argv[2], "wb") as file:
    pickle.dump([(s.options, s.frame.step, r) for s, r in zip(simulations, rows)], file)
"""


def simulate(name: str, engine: str, dtype: str) -> mm.Simulation:
    model = STRUCTURES[name][0](count=12)
    return mm.Simulation(model, 11, engine=engine, dtype=dtype, threads=1).step(FIRST)


def arrays(frame: mm.Frame) -> Rows:
    return [(f.positions, f.velocities, f.perch_timers, f.memory) for f in frame.values()]


def assert_same(
    result: list[tuple[np.ndarray, ...]], expected: list[tuple[np.ndarray, ...]]
) -> None:
    for mine, own in zip(result, expected, strict=True):
        for first, other in zip(mine, own, strict=True):
            assert first.dtype == other.dtype
            np.testing.assert_array_equal(first, other)


@pytest.mark.slow
def test_a_pickled_flight_goes_on_in_another_process(tmp_path: Path) -> None:
    simulations = [simulate(*case) for case in CASES]
    (tmp_path / "in").write_bytes(pickle.dumps(simulations))
    words = [sys.executable, "-c", GO_ON, str(tmp_path / "in"), str(tmp_path / "out"), str(MORE)]
    subprocess.run(words, check=True)
    result = pickle.loads((tmp_path / "out").read_bytes())
    for case, simulation, (options, step, rows) in zip(CASES, simulations, result, strict=True):
        assert options == simulation.options and (options.engine, options.dtype) == case[1:]
        frame = simulation.step(MORE).frame
        assert step == frame.step == FIRST + MORE
        assert_same(rows, arrays(frame))


def test_the_models_have_what_is_to_be_kept() -> None:
    """Boids on the ground, numbers of motions, and a past."""
    assert simulate("landing", "reference", "float64").frame["boids"].perching.any()
    for name in ("spinning", "drones"):
        assert simulate(name, "reference", "float64").frame.main.memory.any()


@pytest.mark.parametrize(
    "twin", [copy.copy, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))]
)
def test_copies_go_their_own_way(twin: object) -> None:
    first = simulate("drones", "reference", "float64")
    before = arrays(first.frame)
    other = twin(first)  # type: ignore[operator]
    other.step(MORE)
    assert_same(arrays(first.frame), before)
    assert_same(arrays(first.step(MORE).frame), arrays(other.frame))
    assert other.model == first.model and other.seed == first.seed


class Upwards(mm.Rule):
    """A rule that pickle finds."""

    def alone(self, me):
        return 0.0, 1.0, 0.0


def model_with(rule: mm.Rule) -> mm.Model:
    return mm.Model(
        space=mm.Space(size=(9.0, 9.0)), flocks={"boids": mm.Flock(count=3)}, rules={"own": rule}
    )


def test_a_rule_of_ones_own_is_found_by_its_name() -> None:
    first = mm.Simulation(model_with(Upwards()), engine="reference").step(1)
    other = pickle.loads(pickle.dumps(first))
    assert type(other.model.rules["own"]) is Upwards
    assert_same(arrays(first.step(2).frame), arrays(other.step(2).frame))


def test_a_rule_that_nobody_finds_is_an_error_that_says_so() -> None:
    class Hidden(mm.Rule):
        def alone(self, me):
            return 0.0, 1.0, 0.0

    first = mm.Simulation(model_with(Hidden()), engine="reference")
    with pytest.raises(mm.ModelError, match=r"cannot be pickled: .*Hidden.* top level of a module"):
        pickle.dumps(first)
    assert_same(arrays(copy.deepcopy(first).step(1).frame), arrays(first.step(1).frame))
