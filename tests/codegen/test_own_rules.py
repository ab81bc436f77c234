"""Rules of one's own: what plain Python may do in them, the fast engine does too; and what cannot
be done is said with the file and the line."""

from __future__ import annotations

import math
import math as m
from math import hypot
from typing import Any, Literal

import numpy as np
import pytest

import flights
import murmurate as mm

HALF = 0.5
TIMES = 3


def real(x, scale=2.0):
    """A helper with the name of something in the kernel, and a default."""
    return scale * x


def rule(n):
    """One that calls another."""
    return n * real(0.25)


def limited(x, y, z, longest):
    """One with the name of a helper of murmurate's own, but not what it does."""
    real = hypot(longest, 0.0)
    return x + m.fabs(real), y, z


def move_boids(real):
    """One with the name of something generated; and an argument with that of another."""
    return 0.5 * real


class MyOwnLoops(mm.Rule):
    """Loops, breaks, branches on words and numbers, constants, helpers, augmented assignment."""

    rounds: int = 4
    mode: Literal["sine", "root"] = "sine"
    flag: bool = True
    size: mm.Scalar = mm.quantity(0.3)
    towards: mm.Vector = mm.quantity()

    def alone(self, me):
        total = 0.0
        for k in range(self.rounds):
            if k == 2:
                continue
            total += self.size * k
            for _ in range(2**k):  # a whole number
                total += 0.001
            total += 0.01 * (1.0 + k) ** self.size
            if total > 100.0:
                break
        count = 0
        while count < TIMES:
            count += 1
            total -= HALF**count
        if self.mode == "sine":
            total += math.sin(me.x)
        elif self.mode == "root":
            total += math.sqrt(abs(me.x))
        else:
            total = math.nan
        if not self.flag:
            total = -total
        x, y, z = self.towards
        clipped = min(total, 2.0) if me.index % 2 == 0 else max(total, -2.0)
        step, P, new = clipped * x, y * rule(TIMES), z // 1.0
        a, b, c = limited(step, P, new, 0.125)
        return a * 0.1, b * 0.1, move_boids(c) * 0.2


class MyOwnBoth(mm.NeighbourRule):
    """Neighbours, chance and a lonely part in one rule; the sums are of unequal kinds."""

    power: int = 2
    strength: mm.Scalar = mm.quantity(0.1)

    def pair(self, me, other):
        near = 1.0 / (1.0 + other.r2) ** self.power
        return near, 1, other.dx * near, other.dy * near, other.dz * near, other.w - me.w

    def finish(self, sums, me):
        near, count, x, y, z, up = sums
        if count == 0:
            return 0.0, 0.0, 0.0
        k = self.strength / (near + 1e-3)
        return x * k, y * k, z * k + up / count

    def alone(self, me, random):
        return self.strength * random.d, 0, self.strength * me.flock_size * random.a


class MyOwnHeir(MyOwnBoth):
    """What it does not say itself it has from its parent."""

    def finish(self, sums, me):
        return sums[2], sums[3], 0.0


class MyOwnMotion(mm.Motion):
    """Damped; a motion is a rule's neighbour and is written like one."""

    drag: mm.Scalar = mm.quantity(0.2, ge=0)

    def turn(self, me, x, y, z):
        keep = math.exp(-self.drag * me.dt)
        return keep * me.u + x * me.dt, keep * me.v + y * me.dt, keep * me.w + z * me.dt


def own(dims: int, order: str = "synchronous") -> mm.Model:
    return mm.Model(
        name="own",
        dt=0.1,
        order=order,  # type: ignore[arg-type]
        space=mm.Space(size=(6.5,) * dims, boundary="periodic"),
        flocks={
            "boids": mm.Flock(
                count=20,
                start=mm.InBox(velocity=mm.Directions()),
                motion=MyOwnMotion(drag=0.3),
            )
        },
        rules={
            "loops": MyOwnLoops(towards=(1.0, -0.5, 2.5)[:dims]),
            "root": MyOwnLoops(towards=(0.5,) * dims, mode="root", flag=False, rounds=9),
            "both": MyOwnBoth(radius=2.0),
            "heir": MyOwnHeir(radius=1.5, power=3, weight=0.1, field_of_view=140.0),
        },
    )


@pytest.mark.parametrize(
    "cpu", [pytest.param(flights.cpu, marks=pytest.mark.slow), flights.interpreted]
)
def test_both_engines_do_the_same(cpu: Any) -> None:
    model = own(2)
    expected = flights.reference(model)
    expected.step(8)
    all_pairs = cpu(model)
    all_pairs.step(8)
    flights.assert_agree(all_pairs, expected)


@pytest.mark.slow
def test_in_cells_too() -> None:
    expected = flights.reference(own(3))
    expected.step(8)
    with flights.in_cells():
        cells = flights.cpu(own(3))
    assert cells.layout.gridded
    cells.step(8)
    flights.assert_agree(cells, expected)


@pytest.mark.slow
def test_single_precision_stays_near() -> None:
    """Nothing in a rule of one's own silently leaves float32, or loses more than its digits."""
    first, second = flights.cpu(own(3)), flights.cpu(own(3), dtype="float32")
    first.step(3)
    second.step(3)
    flights.assert_agree(second, first, tolerance=2e-5)


class MyOwnTiring(mm.Motion):
    """Keeps three numbers a boid: how much it has pushed, and in 3-D where to."""

    recovery: mm.Scalar = mm.quantity(0.3, ge=0)

    def turn(self, me, x, y, z, random, state):
        k = 1.0 / (1.0 + state.a)
        pushed = math.sqrt(x * x + y * y + z * z)
        tired = state.a + me.dt * (pushed - self.recovery * state.a)
        return (
            me.u + k * x * me.dt + 0.01 * random.a,
            me.v + k * y * me.dt,
            me.w + k * z * me.dt + 0.1 * state.b,
            tired,
            0.5 * state.b + me.dt * z,
            1,
        )


def test_a_motion_may_keep_numbers() -> None:
    model = own(3).set({"flocks.boids.motion": {"kind": "my-own-tiring"}})
    expected, all_pairs = flights.reference(model), flights.interpreted(model)
    expected.step(8)
    all_pairs.step(8)
    flights.assert_agree(all_pairs, expected)
    carried = flights.memory(all_pairs)["boids"]
    assert carried.shape == (20, 3) and (carried[:, 0] > 0).all() and (carried[:, 2] == 1).all()
    all_pairs.replace_model(model.set({"flocks.boids.motion.recovery": 0.9}))
    assert np.array_equal(flights.memory(all_pairs)["boids"][:, 2], carried[:, 2])
