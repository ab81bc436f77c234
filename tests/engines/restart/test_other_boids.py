"""A flight that continues with other flocks, or other numbers of boids."""

from __future__ import annotations

import numpy as np
import pytest

import murmurate as mm
from tiny_model import TINY

TWELVE = mm.parse(TINY).set({"rules.cohesion.moves": "boids"})
HAWK = {"count": 1, "motion": {"kind": "add", "max_speed": 0.5}}


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("engine", ["cpu", "reference"])
def test_who_is_not_sensed_changes_no_bit(engine: str) -> None:
    alone = mm.Simulation(TWELVE, seed=2, engine=engine, threads=1).step(4)
    both = alone.fork(TWELVE.set({"flocks.hawks": HAWK}), {("hawks", 0): (21.0, 3.0)})
    np.testing.assert_allclose(both.frame["hawks"].positions, [[1.0, 3.0]])  # on a torus of 20
    again = both.step(3).fork(TWELVE)
    assert list(again.frame.flocks) == ["boids"]
    first, other = alone.step(6).frame, again.step(3).frame
    assert first.step == other.step
    for name in ("positions", "velocities", "ids"):
        np.testing.assert_array_equal(getattr(first["boids"], name), getattr(other["boids"], name))


def test_boids_join_behind_the_others_and_leave_from_the_end() -> None:
    begun = mm.Simulation(TWELVE, seed=2, engine="reference").step(3)
    more = begun.fork(TWELVE.set({"flocks.boids.count": 14}), {("boids", 13): (5.0, 6.0)})
    present, then = more.frame["boids"], begun.frame["boids"]
    np.testing.assert_array_equal(present.positions[:12], then.positions)
    np.testing.assert_array_equal(present.positions[13], [5.0, 6.0])
    fewer = more.fork(TWELVE.set({"flocks.boids.count": 5})).frame["boids"]
    np.testing.assert_array_equal(fewer.positions, then.positions[:5])


def test_what_cannot_be_continued_is_refused() -> None:
    begun = mm.Simulation(TWELVE, seed=2, engine="reference")
    with pytest.raises(mm.ModelError, match="model: got another space"):
        begun.fork(TWELVE.set({"space.size": [30, 30]}))
    shut = TWELVE.set({"space.boundary": "reflecting"})
    more = shut.set({"flocks.boids.count": 13})
    with pytest.raises(mm.ModelError, match="boid 12 is outside the space: got -1 on axis 0"):
        mm.Simulation(shut, engine="reference").fork(more, {("boids", 12): (-1.0, 3.0)})


def test_none_takes_a_part_out_of_a_model() -> None:
    assert TWELVE.set({"flocks.hawks": HAWK}).set({"flocks.hawks": None}) == TWELVE
    with pytest.raises(mm.ModelError, match="no rule named 'cohesio': did you mean 'cohesion'"):
        TWELVE.set({"rules.cohesio": None})
    with pytest.raises(mm.ModelError, match="rules: got None for a whole table"):
        TWELVE.set({"rules": None})
