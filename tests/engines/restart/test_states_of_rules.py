"""Per-boid state of rules: equal in both engines, for all orders of update, in cells and with all
pairs, for any number of threads; recorded, resumed, branched, copied and pickled."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm
import pairwise
from murmurate.runs import resume_run


class KeptTiredness(mm.NeighbourRule):
    """Away from neighbours, the less the more it has fled; and it counts its steps."""

    states = ("tiredness", "count")
    radius: mm.Scalar = mm.quantity(2.0, gt=0, unit="length")
    recovery: mm.Scalar = mm.quantity(0.5, ge=0, unit="1/time")

    def pair(self, me, other):
        return 1.0, other.dx, other.dy, other.dz

    def finish(self, sums, me, random, state):
        n, x, y, z = sums
        k = -1.0 / (1.0 + state.tiredness)
        tiredness = state.tiredness + me.dt * (n - self.recovery * state.tiredness)
        return k * x, k * y + 0.01 * random.a, k * z, tiredness, state.count + 1

    def alone(self, me):
        return 0.001, 0.0, 0.0


class KeptSpeed(mm.NeighbourRule):
    """Both functions keep: alone goes on with what finish returned."""

    states = ("mean_speed",)

    def pair(self, me, other):
        return 1.0, 0.0

    def finish(self, sums, me, state):
        return 0.0, 0.0, 0.0, state.mean_speed + 100.0 * sums[0]

    def alone(self, me, state):
        mean = state.mean_speed % 100.0
        mean += me.dt * (me.speed - mean)
        return -mean * me.u, -mean * me.v, 0.0, mean


def model(order: str = "synchronous", stage: int = 1) -> mm.Model:
    start = mm.InBox(velocity=mm.Directions())
    tired = KeptTiredness(moves=("fish", "birds"), senses=("fish", "birds"), weight=0.5)
    return mm.Model(
        name="state",
        dt=0.1,
        order=order,  # type: ignore[arg-type]
        space=mm.Space(size=(6.5, 6.5), boundary=("periodic", "open")),
        flocks={
            "fish": mm.Flock(
                count=20, start=start, motion=mm.InertialSpin(speed=1.0, friction=1.0)
            ),
            "birds": mm.Flock(
                count=10,
                start=start,
                motion=mm.Add(max_speed=2.0),
                perching=mm.Perching(ground=1.0, shortest=2, longest=5),
            ),
        },
        rules={
            "tired": tired,
            "slow": KeptSpeed(moves="birds", stage=stage),
            "together": mm.Alignment(moves="fish", radius=2.0),
        },
    )


@pytest.mark.parametrize(
    ("order", "stage"),
    [
        pytest.param("synchronous", 2, marks=pytest.mark.slow),
        pytest.param("one-by-one", 1, marks=pytest.mark.long),
        pytest.param("shuffled", 2, marks=pytest.mark.long),
    ],
)
def test_both_engines_keep_the_same(order: str, stage: int) -> None:
    expected, all_pairs = flights.reference(model(order, stage)), flights.cpu(model(order, stage))
    expected.step(8)
    all_pairs.step(8)
    flights.assert_agree(all_pairs, expected)
    kept = flights.memory(all_pairs)
    assert kept["fish"].shape == (20, 5) and kept["birds"].shape == (10, 3)
    assert (kept["fish"][:, 4] == 8).all() and kept["fish"][:, 2:].any(axis=0).all()
    resting = kept["birds"][:, 1] < 8  # those keep what they have
    assert resting.any() and kept["birds"].any(axis=0).all()
    assert (kept["birds"][:, 2] < 2.0).all()


@pytest.mark.slow
def test_in_cells_and_by_threads_to_the_bit() -> None:
    expected = flights.reference(model())
    expected.step(8)
    engines = []
    for threads in (1, 3):
        engines.append(flights.cpu(model(), threads=threads, thresholds=pairwise.CELLS))
        assert engines[-1].layout.gridded
        engines[-1].step(8)
    flights.assert_agree(engines[0], expected)
    flights.assert_same_bits(*engines)


def same(first: Any, other: Any) -> bool:
    """Whether two frames are the same, bit for bit."""
    for flock in first.values():
        own = other[flock.name]
        names = ("positions", "velocities", "perch_timers", "state_names")
        pairs = [(getattr(flock, key), getattr(own, key)) for key in names]
        pairs += [(flock.state(name), own.state(name)) for name in flock.state_names]
        if not all(np.array_equal(mine, other) for mine, other in pairs):
            return False
    return True


@pytest.mark.parametrize("engine", [pytest.param("cpu", marks=pytest.mark.long), "reference"])
def test_state_is_read_by_name_and_continued(engine: str, tmp_path: Path) -> None:
    options: Any = {"seed": 1, "engine": engine}
    run = mm.RunOptions(**options)
    sim = mm.Simulation(model(), **options)
    assert not sim.frame["fish"].state("rules.tired.count").any()
    sim.step(6)
    fish, birds = sim.frame["fish"], sim.frame["birds"]
    assert model().memory_of("birds") == birds.state_names
    assert (
        fish.state("rules.tired.count") == 6
    ).all() and fish.memory.dtype == fish.positions.dtype
    assert np.array_equal(fish.state("motion.spin_z"), fish.memory[:, 2])
    with pytest.raises(KeyError, match=r"tiredness.*birds.*rules\.tired\.tiredness"):
        birds.state("tiredness")
    twins = [copy.deepcopy(sim), pickle.loads(pickle.dumps(sim))]
    twins += [mm.Simulation.from_frame(sim.model, sim.frame, **options)]
    end = sim.step(6).frame
    for twin in twins:
        assert same(twin.step(6).frame, end)
    all_pairs, part = tmp_path / "whole.zarr", tmp_path / "part.zarr"
    mm.run(model(), 12, every=2, output=all_pairs, options=run)
    mm.run(model(), 6, every=2, output=part, options=run)
    resume_run.resume(part, 12)
    assert same(mm.open(all_pairs)[-1], end) and same(mm.open(part)[-1], end)
    data = mm.open(part).to_xarray()
    assert json.loads(data["memory"].attrs["kept_names"])["birds"] == list(birds.state_names)
    branch = resume_run.branch(all_pairs, tmp_path / "branch.zarr", 6)
    assert same(branch[-1], end)


@pytest.mark.parametrize(
    "make", [pytest.param(flights.cpu, marks=pytest.mark.long), flights.reference]
)
def test_another_model_keeps_what_has_the_same_name(make: Any) -> None:
    """Columns move with their names: rules come, go and change places; nothing is taken for what it
    is not."""
    engine = make(model(), seed=1)
    engine.step(3)
    before = flights.memory(engine)["birds"]
    rules = dict(model().rules)
    other = mm.Model(**{**dict(model()), "rules": dict(reversed(rules.items()))})
    engine.replace_model(other)
    assert other.memory_of("birds")[0] == "rules.slow.mean_speed"
    assert np.array_equal(flights.memory(engine)["birds"], before[:, [2, 0, 1]])
    del rules["tired"]
    engine.replace_model(mm.Model(**{**dict(model()), "rules": rules}))
    assert np.array_equal(flights.memory(engine)["birds"], before[:, 2:])
    assert flights.memory(engine)["fish"].shape == (20, 3)
    engine.replace_model(model())
    after = flights.memory(engine)["birds"]
    assert not after[:, :2].any() and np.array_equal(after[:, 2], before[:, 2])


def test_a_recording_is_not_resumed_by_rules_that_keep_other_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mm.run(model(), 2, output=tmp_path / "state.zarr", options=mm.RunOptions("reference"))
    monkeypatch.setattr(KeptTiredness, "states", ("tiredness", "count", "third"))
    with pytest.raises(mm.ModelError, match=r"third.*Resume it with the rules"):
        resume_run.resume(tmp_path / "state.zarr", 4)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ("tiredness", "expected a tuple of names"),
        (["tiredness"], "expected a tuple of names"),
        ((1,), "expected a tuple of names"),
        (("two words",), "got 'two words'"),
        (("_hidden",), "got '_hidden'"),
        (("for",), "got 'for'"),
        (("a", "b", "a"), "got a twice"),
    ],
)
def test_names_are_checked_where_they_are_given(names: Any, words: str) -> None:
    with pytest.raises(mm.RuleError, match=words):

        class KeptBadly(mm.Rule):
            states = names

            def alone(self, me, state):
                return 0.0, 0.0, 0.0, 0.0


def test_a_step_of_several_forces_cannot_keep() -> None:
    with pytest.raises(
        mm.ModelError, match=r"rules\.slow: got per-boid state mean_speed.*'verlet'"
    ):
        mm.Model(
            integrator="verlet",
            space=mm.Space(size=(5.0, 5.0)),
            flocks={"boids": mm.Flock(count=2, motion=mm.Add())},
            rules={"slow": KeptSpeed()},
        )
