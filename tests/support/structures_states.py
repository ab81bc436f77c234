"""Models whose rules read the per-boid state of the boid itself and of its neighbours."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import murmurate as mm
from structure_parts import Structures, flock_of


def phase_difference(me: Any, other: Any) -> float:
    """A helper that receives both arguments."""
    return math.sin(other.state.phase - me.state.phase)


class ReadClock(mm.NeighbourRule):
    """Phases that pull each other, and distances that depend on them."""

    rate: mm.Scalar = mm.quantity(0.7)
    pull: mm.Scalar = mm.quantity(0.5)
    initial_phase: mm.Scalar = mm.quantity(0.25)
    states = ("phase", "contacts")
    starts: ClassVar[dict[str, str]] = {"phase": "initial_phase"}

    def pair(self, me: Any, other: Any) -> tuple[float, ...]:
        factor = math.cos(other.state.phase - me.state.phase) / (other.distance + 0.1)
        return (1.0, phase_difference(me, other), factor * other.dx, factor * other.dy,
                factor * other.dz)  # fmt: skip

    def finish(self, sums: Any, me: Any, random: Any, state: Any) -> tuple[float, ...]:
        n = max(sums[0], 1.0)
        rate = self.rate * (1.0 + 0.1 * me.x) + 0.2 * random.a
        phase = state.phase + me.dt * (rate + self.pull * sums[1] / n)
        return sums[2] / n, sums[3] / n, sums[4] / n, phase, 0.5 * state.contacts + sums[0]


class ReadTicker(mm.Rule):
    """A number in the first row, so that flocks have phases in different rows."""

    first: mm.Scalar = mm.quantity(2.0)
    states = ("ticks",)
    starts: ClassVar[dict[str, str]] = {"ticks": "first"}

    def alone(self, me: Any, state: Any) -> tuple[float, ...]:
        push = 0.05 * math.sin(state.ticks + me.state.phase)
        return push, -push, 0.0, state.ticks + 0.3


class ReadReader(mm.NeighbourRule):
    """Reads state that another rule stores, without storing any."""

    def pair(self, me: Any, other: Any) -> tuple[float, ...]:
        wave = math.cos(other.state.phase) + 0.1 * other.state.contacts
        return wave * other.u, wave * other.v, wave * other.w

    def finish(self, sums: Any, me: Any) -> tuple[float, ...]:
        part = 0.1 / (1.0 + me.state.contacts)
        return part * sums[0], part * sums[1], part * sums[2]


def wire(start: tuple[float, ...], end: tuple[float, ...]) -> mm.Perch:
    """A wire on which boids of the flock 'boids' perch."""
    return mm.Perch(
        moves="boids", start=start, end=end, sag=0.5, reach=0.4, time=0.5, radius=4.0, pause=0.3,
        weight=2.0,
    )  # fmt: skip


def clocks(
    count: float = 40,
    side: float = 10.0,
    radius: float = 1.5,
    pull: float = 0.5,
    phase: float = 0.3,
) -> mm.Model:
    """Two flocks with phases in different rows, two stages, a view, a wire: 2-D torus."""
    both = ("boids", "others")
    return mm.Model(
        name="clocks",
        dt=0.1,
        space=mm.Space(size=(side, 0.9 * side), boundary="periodic"),
        flocks={
            "boids": flock_of(count, perching=mm.Perching(ground=0.3, shortest=2, longest=5)),
            "others": flock_of(9),
        },
        rules={
            "ticker": ReadTicker(moves="boids"),
            "clock": ReadClock(
                moves=both, senses=both, radius=radius, pull=pull, initial_phase=phase,
                include_self=True,
            ),
            "reader": ReadReader(
                moves=both, senses=both, radius=0.8 * radius, field_of_view=120.0, stage=2
            ),
            "wire": wire((0.1 * side, 0.5 * side), (0.8 * side, 0.6 * side)),
        },
    )  # fmt: skip


def clocks_nearest(
    count: float = 40, side: float = 8.0, pull: float = 0.5, radius: float = 2.5
) -> mm.Model:
    """The nearest of two flocks and of its own, a wire, 3-D, open."""
    both = ("boids", "others")
    return mm.Model(
        name="clocks-nearest",
        dt=0.1,
        space=mm.Space(size=(side, side, side), boundary=("open", "periodic", "open")),
        flocks={
            "boids": flock_of(count, perching=mm.Perching(ground=-9.0, shortest=1, longest=3)),
            "others": flock_of(8),
        },
        rules={
            "wire": wire(
                (0.2 * side, 0.3 * side, 0.5 * side), (0.9 * side, 0.5 * side, 0.6 * side)
            ),
            "ticker": ReadTicker(moves="boids"),
            "clock": ReadClock(moves=both, senses=both, nearest=4, pull=pull),
            "reader": ReadReader(moves="boids", nearest=3, radius=radius, inner_radius=0.2),
        },
    )


def clocks_turns(
    count: float = 40, side: float = 12.0, radius: float = 1.2, pull: float = 0.5
) -> mm.Model:
    """Shuffled updates: later boids read what earlier ones have stored."""
    return mm.Model(
        name="clocks-turns",
        dt=0.1,
        order="shuffled",
        space=mm.Space(size=(side, side), boundary=("periodic", "open")),
        flocks={"boids": flock_of(count), "others": flock_of(6)},
        rules={
            "ticker": ReadTicker(moves="boids"),
            "clock": ReadClock(
                moves=("boids", "others"), senses=("boids", "others"), radius=radius, pull=pull
            ),
            "reader": ReadReader(moves="boids", radius=radius, stage=2),
        },
    )


def clocks_one_by_one(
    count: float = 40, side: float = 10.0, pull: float = 0.5, radius: float = 2.0
) -> mm.Model:
    """One by one with the nearest and all boids, and movement at the end of the step: 3-D."""
    return mm.Model(
        name="clocks-one-by-one",
        dt=0.1,
        order="one-by-one",
        positions="at-end",
        space=mm.Space(size=(side, side, side), boundary="periodic"),
        flocks={"boids": flock_of(count)},
        rules={
            "clock": ReadClock(nearest=5, pull=pull),
            "reader": ReadReader(radius=radius),
        },
    )


def clocks_tessellated(count: float = 40, side: float = 10.0, pull: float = 0.5) -> mm.Model:
    """Voronoi neighbours of two flocks, and all boids: 2-D."""
    both = ("boids", "others")
    return mm.Model(
        name="clocks-tessellated",
        dt=0.1,
        space=mm.Space(size=(side, side)),
        flocks={"boids": flock_of(count), "others": flock_of(8)},
        rules={
            "ticker": ReadTicker(moves="boids"),
            "clock": ReadClock(moves=both, senses=both, neighbours="voronoi", pull=pull),
            "reader": ReadReader(moves="boids", senses=both),
        },
    )


SIDE, PULL = (8.0, 12.0), (-1.0, 1.0)
STRUCTURES: Structures = {
    "clocks": (
        clocks,
        {"count": (0, 45), "side": SIDE, "radius": (0.5, 2.0), "pull": PULL, "phase": (-1.0, 1.0)},
    ),
    "clocks-nearest": (clocks_nearest, {"count": (0, 45), "side": SIDE, "pull": PULL}),
    "clocks-turns": (
        clocks_turns, {"count": (0, 45), "side": SIDE, "radius": (0.5, 2.0), "pull": PULL}
    ),
    "clocks-one-by-one": (clocks_one_by_one, {"count": (0, 45), "side": SIDE, "pull": PULL}),
    "clocks-tessellated": (clocks_tessellated, {"count": (3, 45), "side": SIDE, "pull": PULL}),
}  # fmt: skip
