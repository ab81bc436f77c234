"""Internal states that others sense: phases of oscillators, alarm, contagion.

Each rule stores its state for each boid, and reads that of neighbours as other.state.NAME. So does
any other rule of the model: see docs/states.md.
"""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from murmurate.model.quantity import Scalar, quantity
from murmurate.model.rule import NeighbourRule
from murmurate.model.rule_arguments import Me, Other, Parameters, Random, State, Vector3

OKEEFFE = "O'Keeffe, Hong and Strogatz 2017, doi:10.1038/s41467-017-01190-3"
GREENBERG = "Greenberg and Hastings 1978, doi:10.1137/0134040"
HEMELRIJK = "Hemelrijk, van Zuidam and Hildenbrandt 2015, doi:10.1007/s00265-015-1891-3"
CENTOLA = "Centola and Macy 2007, doi:10.1086/521848"
REACTING = 0.5  # value of `alarm` between the alarm of neighbours and the boid's own
ROUNDING = 1e-4  # part of a time step or of a neighbour by which float32 may miss a threshold


class Swarmalators(NeighbourRule):
    """Oscillators that swarm: phases change the attraction, distances change the pull of phases.

    The steering is a velocity: the motion is 'replace'. The per-boid state `phase` is the phase in
    radians, from -pi to pi.
    """

    attraction: Scalar = quantity(1.0, ge=0, unit="speed")
    """Attraction between boids of any phases, A; with law 'linear' in units of 1/time."""
    phase_attraction: Scalar = quantity(0.0, unit="speed", slider=(-1, 1))
    """Additional attraction of equal phases, and repulsion of opposite ones, J."""
    repulsion: Scalar = quantity(1.0, ge=0, unit="length*speed")
    """Repulsion, which decays with the distance, B."""
    synchronisation: Scalar = quantity(0.0, unit="length/time", slider=(-1, 1))
    """Pull of phases towards each other, K; negative: away from each other."""
    frequency: Scalar = quantity(0.0, unit="radians/time", slider=(-3, 3))
    """Natural frequency: rate of the phase of a boid alone."""
    initial_phase: Scalar = quantity(0.0, unit="radians", slider=(-math.pi, math.pi))
    """Phase at the start. It is read once, when the boid begins: a change during a run has no
    effect."""
    law: Literal["unit", "linear"] = "unit"
    """Attraction by distance. unit: the same at all distances; linear: proportional to it, for
    which the sizes of static states have closed forms."""

    states: ClassVar = ("phase",)
    starts: ClassVar = {"phase": "initial_phase"}
    formula: ClassVar = (
        "{weight} * 1/N sum of r^ ({attraction} + {phase_attraction} cos(phase_j - phase_i))"
        " - {repulsion} r^ / r"
    )
    source: ClassVar = OKEEFFE

    @property
    def formula_as_set(self) -> str:
        return self.formula.replace("of r^ (", "of r (") if self.law == "linear" else self.formula

    def pair(self: Parameters, me: Me, other: Other) -> tuple[float, float, float, float]:
        difference = other.state.phase - me.state.phase
        pull = self.attraction + self.phase_attraction * math.cos(difference)
        if self.law == "unit":
            pull = pull / other.distance
        k = pull - self.repulsion / other.r2
        return k * other.dx, k * other.dy, k * other.dz, math.sin(difference) / other.distance

    def finish(
        self: Parameters, sums: tuple[float, float, float, float], me: Me, state: State
    ) -> tuple[float, float, float, float]:
        n = me.flock_size
        rate = self.frequency + self.synchronisation * sums[3] / n
        return sums[0] / n, sums[1] / n, sums[2] / n, wrapped(state.phase + rate * me.dt)


def wrapped(angle: float) -> float:
    """Return an angle as one from -pi to pi."""
    cycles = math.floor(angle / (2.0 * math.pi) + 0.5)
    return angle - 2.0 * math.pi * cycles


class Alarm(NeighbourRule):
    """Alarm that spreads from boid to boid: an excitable medium.

    A calm boid is alarmed by alarmed neighbours, after a reaction time. It remains alarmed for a
    while, steers away from alarmed neighbours, and cannot be alarmed again until it has rested.
    The per-boid state `alarm` is 0 for a calm boid, 0.5 for one that reacts, 1 for an alarmed one,
    and -1 for one that rests; `elapsed` is the time in that state.
    """

    threshold: Scalar = quantity(1.0, gt=0, slider=(1, 10))
    """Alarmed neighbours that alarm a boid: their number, or their share."""
    counts: Literal["number", "share"] = "number"
    """What is compared with the threshold: the number of alarmed neighbours, or their share of all
    neighbours."""
    reaction: Scalar = quantity(0.0, ge=0, unit="time", slider=(0, 5))
    """Time from the alarm of neighbours to that of the boid; at least one step passes."""
    duration: Scalar = quantity(1.0, gt=0, unit="time", slider=(0, 20))
    """Duration of the alarm; at least one step."""
    rest: Scalar = quantity(5.0, ge=0, unit="time", slider=(0, 20))
    """Time after the alarm during which the boid cannot be alarmed."""
    rate: Scalar = quantity(0.0, ge=0, unit="1/time", slider=(0, 0.01))
    """Rate at which a calm boid is alarmed without neighbours, as by a predator that it alone
    sees."""
    initial_alarm: Scalar = quantity(0.0, ge=0, le=1)
    """Alarm at the start: 1 for an alarmed boid, 0 for a calm one. It is read once, when the boid
    begins: a change during a run has no effect."""

    states: ClassVar = ("alarm", "elapsed")
    starts: ClassVar = {"alarm": "initial_alarm"}
    formula: ClassVar = (
        "{weight} * -mean r^ to alarmed neighbours, for {duration} after {threshold} of them"
    )
    source: ClassVar = GREENBERG

    def pair(self: Parameters, me: Me, other: Other) -> tuple[float, float, float, float, float]:
        alarmed = 1.0 if other.state.alarm > 0.75 else 0.0
        k = alarmed / other.distance
        return 1.0, alarmed, k * other.dx, k * other.dy, k * other.dz

    def finish(
        self: Parameters,
        sums: tuple[float, float, float, float, float],
        me: Me,
        random: Random,
        state: State,
    ) -> tuple[float, float, float, float, float]:
        alarm, elapsed = state.alarm, state.elapsed + me.dt
        needed = self.threshold * sums[0] if self.counts == "share" else self.threshold
        triggered = sums[1] > 0.5 and sums[1] >= needed - ROUNDING
        triggered = triggered or random.a < 1.0 - math.exp(-self.rate * me.dt)
        alarm, elapsed = excited(
            alarm, elapsed, triggered, self.reaction, self.duration, self.rest, me.dt
        )
        k = -1.0 / max(sums[1], 1.0) if alarm > 0.75 else 0.0
        return k * sums[2], k * sums[3], k * sums[4], alarm, elapsed


def excited(
    state: float,
    elapsed: float,
    triggered: bool,
    reaction: float,
    duration: float,
    rest: float,
    dt: float,
) -> tuple[float, float]:
    """Return the next state of an excitable boid, and the time in it."""
    late = (0.5 + ROUNDING) * dt  # durations are rounded to steps
    if state > 0.75:
        if elapsed > duration - late:
            state, elapsed = -1.0, 0.0
    elif state < -0.5:
        if elapsed > rest - late:
            state, elapsed = 0.0, 0.0
    elif state > 0.25:
        if elapsed > reaction - late:
            state, elapsed = 1.0, 0.0
    else:
        elapsed = 0.0
        if triggered:
            state = 1.0 if reaction < late else REACTING
    return state, elapsed


class Skitter(NeighbourRule):
    """A quick roll to one side that neighbours copy: waves of agitation in flocks of starlings.

    A calm bird that perceives a rolling one rolls too, after its reaction time, to the same side.
    Then it rests, so that a wave travels away from its origin and does not return. A predator is a
    flock that always rolls, to neither side: birds roll away from it.

    The steering is horizontal and across the heading. Birds bank into it in films, and so the wave
    is visible as a band in which more of the wings is seen. The per-boid state `skitter` is 0 for a
    calm boid, 0.5 for one that reacts, 1 for one that rolls, and -1 for one that rests; `skittered`
    is the time in that state, `side` is 1 for left and -1 for right, and `vigour` is the strength.
    """

    form: Literal["zig", "zigzag"] = "zig"
    """zig: to one side and back to level, which makes one band; zigzag: to one side and then to
    the other, which makes two."""
    reaction: Scalar = quantity(0.1, ge=0, unit="time", slider=(0, 0.5))
    """Time from the roll of a neighbour to that of the boid; at least one step passes."""
    duration: Scalar = quantity(0.4, gt=0, unit="time", slider=(0, 2))
    """Duration of a roll; at least one step."""
    rest: Scalar = quantity(0.5, ge=0, unit="time", slider=(0, 5))
    """Time after a roll during which the boid does not roll again."""
    fading: Scalar = quantity(0.0, ge=0, le=1, unit="", slider=(0, 0.1))
    """The part by which a roll is weaker than those that it copies."""
    initial_skitter: Scalar = quantity(0.0, ge=0, le=1)
    """State at the start: 1 for a boid that rolls, 0 for a calm one. It is read once, when the boid
    begins: a change during a run has no effect."""

    states: ClassVar = ("skitter", "skittered", "side", "vigour")
    starts: ClassVar = {"skitter": "initial_skitter", "vigour": "initial_skitter"}
    formula: ClassVar = (
        "{weight} * side * vigour * sin(pi t / {duration}) across v_i, {reaction} after a "
        "neighbour's roll, at most every {duration} + {rest}"
    )
    source: ClassVar = HEMELRIJK

    @property
    def formula_as_set(self) -> str:
        return self.formula if self.form == "zig" else self.formula.replace("sin(pi", "sin(2 pi")

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        rolls = 1.0 if other.state.skitter > 0.75 else 0.0
        side = other.state.side
        if side == 0.0:  # a predator
            left = me.u * other.dy - me.v * other.dx
            side = -1.0 if left > 0.0 else 1.0
        return rolls, rolls * other.state.vigour, rolls * side

    def finish(
        self: Parameters, sums: Vector3, me: Me, state: State
    ) -> tuple[float, float, float, float, float, float, float]:
        skitter, side, vigour = state.skitter, state.side, state.vigour
        elapsed = state.skittered + me.dt
        triggered = sums[0] > 0.5
        if triggered and skitter > -0.5 and skitter < 0.25:
            side = 1.0 if sums[2] >= 0.0 else -1.0
            vigour = (1.0 - self.fading) * sums[1] / sums[0]
        skitter, elapsed = excited(
            skitter, elapsed, triggered, self.reaction, self.duration, self.rest, me.dt
        )
        k = 0.0
        if skitter > 0.75:
            angle = math.pi * min(1.0, (elapsed + 0.5 * me.dt) / self.duration)
            k = side * vigour * math.sin(2.0 * angle if self.form == "zigzag" else angle)
        k = k / max(math.sqrt(me.u * me.u + me.v * me.v), 1e-30)
        return -k * me.v, k * me.u, 0.0, skitter, elapsed, side, vigour


class Contagion(NeighbourRule):
    """A behaviour that spreads from boid to boid, by contact or by a threshold.

    It does not steer: other rules read the state. The per-boid state `adopted` is 1 for a boid with
    the behaviour, 0 for one that may adopt it, and -1 for one that is immune.
    """

    form: Literal["simple", "complex"] = "simple"
    """How it spreads. simple: each neighbour with the behaviour passes it on at a rate; complex: a
    share of the neighbours must have it."""
    rate: Scalar = quantity(1.0, ge=0, unit="1/time", slider=(0, 5))
    """simple: the rate per contact. complex: not used."""
    threshold: Scalar = quantity(0.5, gt=0, le=1)
    """complex: the share of neighbours with the behaviour from which a boid adopts it. simple: not
    used."""
    recovery: Scalar = quantity(0.0, ge=0, unit="1/time", slider=(0, 5))
    """Rate at which a boid gives the behaviour up; 0: never."""
    after: Literal["may adopt again", "immune"] = "may adopt again"
    """The state of a boid that has given it up."""
    initial: Scalar = quantity(0.0, ge=-1, le=1)
    """State at the start: 1 with the behaviour, 0 without. It is read once, when the boid begins: a
    change during a run has no effect."""

    states: ClassVar = ("adopted",)
    starts: ClassVar = {"adopted": "initial"}
    formula: ClassVar = "adopted with probability 1 - exp(-{rate} n dt), n neighbours with it"
    source: ClassVar = CENTOLA

    @property
    def formula_as_set(self) -> str:
        if self.form == "simple":
            return self.formula
        return "adopted if the share of neighbours with it is at least {threshold}"

    def pair(self: Parameters, me: Me, other: Other) -> tuple[float, float]:
        return 1.0, 1.0 if other.state.adopted > 0.5 else 0.0

    def finish(
        self: Parameters, sums: tuple[float, float], me: Me, random: Random, state: State
    ) -> tuple[float, float, float, float]:
        adopted = state.adopted
        if adopted > 0.5:
            if random.a < 1.0 - math.exp(-self.recovery * me.dt):
                adopted = -1.0 if self.after == "immune" else 0.0
        elif adopted > -0.5:
            if self.form == "simple":
                adopts = random.a < 1.0 - math.exp(-self.rate * sums[1] * me.dt)
            else:
                adopts = sums[1] > 0.5 and sums[1] >= self.threshold * sums[0] - ROUNDING
            adopted = 1.0 if adopts else 0.0
        return 0.0, 0.0, 0.0, adopted
