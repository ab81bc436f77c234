"""Rules that need no neighbours: targets, wires, wind, borders, noise and paths."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar, Literal

from murmurate.model.quantity import Scalar, Vector, quantity
from murmurate.model.rule import Rule
from murmurate.model.rule_arguments import Me, Parameters, Random, State, Vector3
from murmurate.model.space import Space
from murmurate.model.wires import across_wire, wire_place
from murmurate.rules.vectors import any_direction, gaussians

PARKER = "Parker, Boids pseudocode; Sajwan, Gosain and Surani 2014"
HEPPNER_GRENANDER = "after Heppner and Grenander 1990, in The Ubiquity of Chaos (AAAS)"


class TendToPlace(Rule):
    """Steers towards a point; with a negative weight, away from it."""

    place: Vector = quantity(unit="length")
    """The point."""
    radius: Scalar = quantity(math.inf, gt=0, unit="length", infinite=True)
    """The rule acts within this distance of the point."""

    formula: ClassVar = "{weight} * (place - x_i)"
    source: ClassVar = PARKER

    def alone(self: Parameters, me: Me) -> Vector3:
        px, py, pz = self.place
        x, y, z = px - me.x, py - me.y, pz - me.z
        if x * x + y * y + z * z > self.radius * self.radius:
            return 0.0, 0.0, 0.0
        return x, y, z


class Perch(Rule):
    """Steers each boid to its own place on a wire, where it perches.

    Places follow the golden ratio, so that any number of boids is spread over the wire. A boid that
    comes as close as `reach` is put on its place for as many steps as on the ground: see
    [flocks.NAME.perching]. In 3-D it sits across the wire and leaves in that direction.
    """

    start: Vector = quantity(unit="length")
    """One end of the wire."""
    end: Vector = quantity(unit="length")
    """The other end."""
    sag: Scalar = quantity(0.0, ge=0, unit="length")
    """How far the middle hangs below the straight line, along the last axis."""
    reach: Scalar = quantity(gt=0, unit="length")
    """Distance from its place at which a boid lands."""
    time: Scalar = quantity(1.0, gt=0, unit="time")
    """Time of the approach: near its place, a boid has the speed distance / time."""
    radius: Scalar = quantity(math.inf, gt=0, unit="length", infinite=True)
    """The rule acts on boids within this distance of their places."""
    pause: Scalar = quantity(0.0, ge=0, unit="time")
    """Time after a rest in which the rule does not act."""

    _may_differ: ClassVar[bool] = False
    formula: ClassVar = "{weight} * (min(max_speed, |d| / {time}) d / |d| - v_i), d = place_i - x_i"
    source: ClassVar = "arrival: Reynolds 1999, Steering behaviors for autonomous characters"
    states: ClassVar = ("pause_left",)

    def alone(self: Parameters, me: Me, state: State) -> tuple[float, float, float, float]:
        px, py, pz = wire_place(me.index, me.dims, self.start, self.end, self.sag)
        x, y, z = px - me.x, py - me.y, pz - me.z
        far = math.sqrt(x * x + y * y + z * z)
        left = max(0.0, state.pause_left - me.dt)
        if far <= self.reach:  # it has just left
            left = self.pause
        if left > 0.0 or far > self.radius or far == 0.0:
            return 0.0, 0.0, 0.0, left
        k = min(me.max_speed, far / self.time) / far
        return k * x - me.u, k * y - me.v, k * z - me.w, left

    def perch(self: Parameters, me: Me, x: float, y: float, z: float) -> Landing:
        px, py, pz = wire_place(me.index, me.dims, self.start, self.end, self.sag)
        fx, fy, fz = px - me.x, py - me.y, pz - me.z
        reach2 = self.reach * self.reach
        if fx * fx + fy * fy + fz * fz <= reach2:  # it has just left
            return x, y, z, me.u, me.v, me.w, 0.0
        dx, dy, dz = x - me.x, y - me.y, z - me.z
        length2 = dx * dx + dy * dy + dz * dz
        part = 0.0  # of the movement, where it is nearest to its place
        if length2 > 0.0:
            part = min(1.0, max(0.0, (fx * dx + fy * dy + fz * dz) / length2))
        fx, fy, fz = fx - part * dx, fy - part * dy, fz - part * dz
        if fx * fx + fy * fy + fz * fz > reach2:
            return x, y, z, me.u, me.v, me.w, 0.0
        u, v, w = across_wire(me.u, me.v, me.w, self.start, self.end, me.dims)
        return px, py, pz, u, v, w, 1.0


Landing = tuple[float, float, float, float, float, float, float]
"""Position, velocity, and 1 for a boid that has landed, else 0."""


class Wind(Rule):
    """A constant vector, the same for all boids."""

    vector: Vector = quantity(unit="")
    """The vector, before the weight."""

    formula: ClassVar = "{weight} * {vector}"
    source: ClassVar = PARKER

    def alone(self: Parameters, me: Me) -> Vector3:
        x, y, z = self.vector
        return x, y, z


class Borders(Rule):
    """Pushes boids near or beyond a border inwards, along each axis."""

    margin: Scalar = quantity(0.0, unit="length")
    """Distance inside the border at which the push begins; negative: outside."""
    lower: Vector | None = quantity(None, unit="length")
    """The lower corner of the borders; that of the space unless given."""
    upper: Vector | None = quantity(None, unit="length")
    """The upper corner of the borders; that of the space unless given."""
    push: Literal["constant", "linear"] = "constant"
    """The size of the push. constant: 1; linear: the distance beyond the margin."""

    formula: ClassVar = (
        "{weight} * (+1 below lower + {margin}, -1 above upper - {margin}), each axis"
    )
    source: ClassVar = PARKER

    @property
    def formula_as_set(self) -> str:
        if self.push == "constant":
            return self.formula
        return (
            "{weight} * (lower + {margin} - x below it, upper - {margin} - x above it), each axis"
        )

    def within(self, space: Space) -> Borders:
        lower = self.lower or space.lower
        return self.model_copy(update={"lower": lower, "upper": self.upper or space.upper})

    def alone(self: Parameters, me: Me) -> Vector3:
        ax, ay, az = self.lower
        bx, by, bz = self.upper
        x = inward(me.x, ax + self.margin, bx - self.margin)
        y = inward(me.y, ay + self.margin, by - self.margin)
        z = inward(me.z, az + self.margin, bz - self.margin)
        if self.push == "constant":
            return sign(x), sign(y), sign(z)
        return x, y, z


def inward(x: float, lower: float, upper: float) -> float:
    """Return the distance of x to the interval from lower to upper; negative above it."""
    if x < lower:
        return lower - x
    if x > upper:
        return upper - x
    return 0.0


def sign(x: float) -> float:
    """Return the sign of x: 1, 0 or -1."""
    if x > 0.0:
        return 1.0
    if x < 0.0:
        return -1.0
    return 0.0


class Home(Rule):
    """Steers towards the roost: zero within its radius, and growing with the distance beyond it."""

    place: Vector = quantity(unit="length")
    """The centre of the roost."""
    radius: Scalar = quantity(0.0, ge=0, unit="length")
    """The radius of the roost."""
    along: Vector | None = quantity(None, unit="")
    """A factor for each axis, all 1 unless given; 0 switches the rule off along an axis."""

    formula: ClassVar = "{weight} * (place - x_i) * max(0, 1 - {radius} / |place - x_i|)"
    source: ClassVar = HEPPNER_GRENANDER

    def within(self, space: Space) -> Home:
        return self.model_copy(update={"along": self.along or (1.0,) * space.dims})

    def alone(self: Parameters, me: Me) -> Vector3:
        px, py, pz = self.place
        ax, ay, az = self.along
        x, y, z = (px - me.x) * ax, (py - me.y) * ay, (pz - me.z) * az
        r = math.sqrt(x * x + y * y + z * z)
        if r <= self.radius:
            return 0.0, 0.0, 0.0
        k = 1.0 - self.radius / r
        return x * k, y * k, z * k


class SpeedRegulation(Rule):
    """Accelerates or brakes towards a preferred speed, along the heading."""

    speed: Scalar = quantity(gt=0, unit="speed")
    """The preferred speed."""
    law: Literal["linear", "marginal"] = "linear"
    """How the force depends on the speed. linear: proportional to the difference of speeds;
    marginal: with its third power, so that small differences are hardly controlled, and large ones
    strongly (Cavagna et al. 2022, doi:10.1038/s41467-022-29883-4)."""

    formula: ClassVar = "{weight} * ({speed} - |v_i|) * v_i / |v_i|"
    source: ClassVar = HEPPNER_GRENANDER

    @property
    def formula_as_set(self) -> str:
        marginal = "{weight} * (1 - |v_i|^2 / {speed}^2)^3 v_i"
        return marginal if self.law == "marginal" else self.formula

    def alone(self: Parameters, me: Me) -> Vector3:
        if self.law == "marginal":
            s = me.speed / self.speed
            k = 1.0 - s * s
            k = k * k * k
            return me.u * k, me.v * k, me.w * k
        if me.speed > 0.0:
            k = self.speed / me.speed - 1.0
            return me.u * k, me.v * k, me.w * k
        return 0.0, 0.0, 0.0


def trefoil(t: float) -> Vector3:
    """Return the point of the trefoil knot at parameter t in radians; its period is 2 pi.

    https://en.wikipedia.org/wiki/Trefoil_knot
    """
    r = 2.0 + math.cos(3.0 * t)
    return r * math.cos(2.0 * t), r * math.sin(2.0 * t), math.sin(3.0 * t)


class Trefoil(Rule):
    """The point of a trefoil knot at the present time, as a vector, for boids at any position."""

    period: Scalar = quantity(gt=0, unit="time")
    """Time for one round."""
    offset: Scalar = quantity(0.0, unit="turns")
    """Phase difference between each boid and the one before it."""

    formula: ClassVar = "{weight} * knot(2 pi (t / {period} + {offset} * index))"
    source: ClassVar = "trefoil knot: ((2 + cos 3t) cos 2t, (2 + cos 3t) sin 2t, sin 3t)"

    def alone(self: Parameters, me: Me) -> Vector3:
        return trefoil(2.0 * math.pi * (me.time / self.period + self.offset * me.index))


class FollowPath(Rule):
    """Steers towards a point that moves along a path."""

    path: Literal["circle", "trefoil", "polyline"]
    """The shape of the path."""
    period: Scalar = quantity(gt=0, unit="time")
    """Time for one round of the path."""
    offset: Scalar = quantity(0.0, unit="turns")
    """Phase difference between the point of each boid and that of the boid before it."""
    centre: Vector | None = quantity(None, unit="length")
    """For circle and trefoil: its centre; that of the space unless given."""
    radius: Scalar = quantity(1.0, gt=0, unit="length")
    """For a circle: its radius. For a trefoil: a third of its largest distance from the centre."""
    points: tuple[tuple[float, ...], ...] = ()
    """For a polyline: its corners."""
    closed: bool = True
    """For a polyline: whether it returns to its first corner; otherwise the point jumps back."""

    formula: ClassVar = "{weight} * (point of the {path} at t / {period} - x_i)"
    source: ClassVar = (
        "Reynolds 1999, Steering behaviors for autonomous characters (path following)"
    )

    def within(self, space: Space) -> FollowPath:
        middle = tuple(a + s / 2 for a, s in zip(space.lower, space.size, strict=True))
        return self.model_copy(update={"centre": self.centre or middle})

    def alone(self: Parameters, me: Me) -> Vector3:
        rounds = me.time / self.period + self.offset * me.index
        cx, cy, cz = self.centre
        if self.path == "polyline":
            x, y, z = along(rounds - math.floor(rounds), self.points, self.closed)
        else:
            t = 2.0 * math.pi * rounds
            if self.path == "circle":
                x, y, z = math.cos(t), math.sin(t), 0.0
            else:
                x, y, z = trefoil(t)
            x, y, z = cx + self.radius * x, cy + self.radius * y, cz + self.radius * z
        return x - me.x, y - me.y, z - me.z


def along(part: float, points: Sequence[Vector3], closed: bool) -> Vector3:
    """Return the point at a part (0 to 1) of the length of a polyline."""
    last = len(points) - 1
    if closed:
        last = len(points)
    length = 0.0
    for k in range(last):
        ax, ay, az = points[k]
        bx, by, bz = points[(k + 1) % len(points)]
        length = length + math.sqrt((bx - ax) ** 2 + (by - ay) ** 2 + (bz - az) ** 2)
    left = part * length
    x, y, z = points[0]
    for k in range(last):
        ax, ay, az = points[k]
        bx, by, bz = points[(k + 1) % len(points)]
        side = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2 + (bz - az) ** 2)
        if left >= 0.0 and side > 0.0:
            q = min(1.0, left / side)
            x, y, z = ax + (bx - ax) * q, ay + (by - ay) * q, az + (bz - az) * q
        left = left - side
    return x, y, z


CALOVI = "Calovi et al. 2018, doi:10.1371/journal.pcbi.1005933"


class RandomSteering(Rule):
    """A new random vector in each step.

    Its effect per time depends on the time step: after a time t the variance of a velocity that it
    changes is proportional to t dt. That of white-noise does not.
    """

    law: Literal["uniform", "gaussian", "direction"] = "uniform"
    """The distribution. uniform: components uniform in [-1, 1); gaussian: components standard
    normal; direction: a unit vector, all directions equally likely."""

    formula: ClassVar = "{weight} * random vector ({law})"
    source: ClassVar = "common practice"

    def alone(self: Parameters, me: Me, random: Random) -> Vector3:
        if self.law == "direction":
            return any_direction(random.a, random.b, me.dims)
        if self.law == "uniform":
            return 2.0 * random.a - 1.0, 2.0 * random.b - 1.0, 2.0 * random.c - 1.0
        x, y, z, _ = gaussians(random.a, random.b, random.c, random.d)
        return x, y, z


class PoissonKicks(Rule):
    """Impulses at random times, a Poisson process: gusts, or the bursts of a swimmer."""

    rate: Scalar = quantity(ge=0, unit="1/time")
    """Mean number of kicks per unit of time."""
    size: Scalar = quantity(1.0, ge=0, unit="speed")
    """Change of velocity by a kick. gaussian: the standard deviation of each component; forward:
    the length of each kick."""
    law: Literal["gaussian", "forward"] = "gaussian"
    """gaussian: normally distributed, in all directions; forward: along the heading, all of the
    same length. With a speed regulation that brakes, forward kicks make a burst-and-coast
    swimmer."""

    formula: ClassVar = "{weight} * {law} kicks of {size} at {rate} a time unit"
    source: ClassVar = f"{HEPPNER_GRENANDER}; forward: after {CALOVI} (burst-and-coast)"

    def alone(self: Parameters, me: Me, random: Random) -> Vector3:
        # Draw the number of kicks in this step by inversion. The remainder of the uniform number is
        # uniform too, and serves as the first of the four numbers for the direction.
        mean = self.rate * me.dt
        p = math.exp(-mean)
        a = random.a
        count = 0.0
        while a >= p and count < 64.0:
            a = a - p
            count = count + 1.0
            p = p * mean / count
        if count == 0.0:
            return 0.0, 0.0, 0.0
        if self.law == "forward":
            if me.speed == 0.0:
                return 0.0, 0.0, 0.0
            k = self.size * count / (me.dt * me.speed)
            return me.u * k, me.v * k, me.w * k
        left = min(a / max(p, 1e-30), 0.9999999)
        x, y, z, _ = gaussians(left, random.b, random.c, random.d)
        # the sum of `count` independent normal kicks, divided by dt since steering is a rate
        k = self.size * math.sqrt(count) / me.dt
        return x * k, y * k, z * k
