"""Population: number of boids, joining and leaving, ages, and the survival curve.

Boids that are seen count. A flock knows how many boids were ever in it (`FlockFrame.n_ever`) and at
which step each joined (`FlockFrame.births`). Frames without these, as from arrays, are counted by
their ids.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.curve import Curve, empty_curve
from murmurate.measures.errorbars import estimate_rate, mean_and_error
from murmurate.measures.estimate import Estimate
from murmurate.measures.flock_data import valid_rows
from murmurate.measures.registry import measure, measure_over_frames

NO_RATE = Estimate(math.nan, math.nan, 0.0, "rate", short=True)


@measure(
    unit="boids",
    definition="N, the number of boids that are seen",
    population=True,
    min_boids=0,
)
def boid_count(flock: FlockFrame) -> float:
    """Return the number of boids of a flock.

    value: 0 for an empty flock.
    """
    return float(len(valid_rows(flock, "positions")))


class Counts:
    """Counts boids that join and leave, and the time that boids spend in the flock."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.rows: list[int] = []  # boids in each frame, seen or not
        self.seen: list[int] = []
        self.ever: list[int] = []
        self.ids = np.empty(0, np.int64)  # all that were seen
        self.complete = True  # n_ever of the frames includes all ids that were seen
        self.last = np.empty(0, np.int64)

    def add(self, flock: FlockFrame, time: float) -> None:
        seen = valid_rows(flock, "positions").ids
        self.ids = np.union1d(self.ids, seen)
        self.complete &= flock.n_ever >= max([len(self.ids), *self.ever[-1:]])
        self.times.append(time)
        self.rows.append(len(flock))
        self.seen.append(len(seen))
        self.ever.append(flock.n_ever)
        self.last = seen

    @property
    def joined(self) -> int:
        """Return the number of boids that joined after the first frame."""
        if not self.rows:
            return 0
        if self.complete:
            return self.ever[-1] - self.ever[0]
        return len(self.ids) - self.seen[0]

    @property
    def left(self) -> int:
        """Return the number of boids that left before the last frame."""
        if not self.rows:
            return 0
        if self.complete:
            return self.rows[0] + self.joined - self.rows[-1]
        return len(self.ids) - len(self.last)

    @property
    def duration(self) -> float:
        """Return the time from the first to the last frame."""
        return self.times[-1] - self.times[0] if self.times else 0.0

    @property
    def exposure(self) -> float:
        """Return the time that all boids spent in the flock, by the trapezoidal rule."""
        seen, steps = np.array(self.seen, np.float64), np.diff(self.times)
        return float(((seen[1:] + seen[:-1]) / 2 * steps).sum()) if len(steps) else 0.0


class ArrivalRate(Counts):
    """Return the number of boids that join the flock per time: births and entries.

    value: With the error of rare events, sqrt(n) over the time for n boids, and Garwood's interval.

    Boids that join and leave between two frames count too, since frames hold the number of boids
    that were ever in the flock (`FlockFrame.n_ever`). In frames without it, as from arrays, a boid
    joins when it is seen for the first time.

    The error is that of independent arrivals (a Poisson process). Births of boids that reproduce
    are not independent: then use several runs, and `over_seeds`.
    """

    def result(self) -> Estimate:
        return estimate_rate(self.joined, self.duration) if self.duration > 0 else NO_RATE


class DepartureRate(Counts):
    """Return the number of boids that leave the flock per time: deaths, exits and captures.

    value: With the error of rare events, as for `arrival_rate`.

    Conservation: the number of boids in the last frame is that in the first one, plus arrivals,
    minus departures. In frames without the number of boids that were ever in the flock, a boid
    leaves after the last frame in which it is seen.
    """

    def result(self) -> Estimate:
        return estimate_rate(self.left, self.duration) if self.duration > 0 else NO_RATE


class Mortality(Counts):
    """Return the rate at which a boid leaves the flock: departures over the time at risk.

    The time at risk is the integral of N(t) by the trapezoidal rule over frames.

    value: With the error of rare events.

    It is the estimate of largest likelihood for exponential lifetimes, of boids that may have
    joined at any time and may still be there at the end; their mean lifetime is one over it.
    Otherwise it is a mean over ages, and `survival` shows how it changes with age.
    """

    def result(self) -> Estimate:
        return estimate_rate(self.left, self.exposure) if self.exposure > 0 else NO_RATE


arrival_rate = measure_over_frames(
    ArrivalRate,
    unit="boids/time",
    definition="boids that join after the first frame / time from the first to the last frame",
    population=True,
    min_boids=0,
    missing="there are fewer than two frames",
)


departure_rate = measure_over_frames(
    DepartureRate,
    unit="boids/time",
    definition="boids that leave before the last frame / time from the first to the last frame",
    population=True,
    min_boids=0,
    missing="there are fewer than two frames",
)


mortality = measure_over_frames(
    Mortality,
    unit="1/time",
    definition="boids that leave / time that all boids spend in the flock",
    source="Epstein & Sobel 1953",
    population=True,
    missing="no boid is seen in two frames",
)


class MeanAge:
    """Return the mean age of the boids, averaged over frames.

    An age is the time since a boid joined the flock.

    value: With the error of a mean over frames.

    Boids of the start, and animals of tracks, have joined at step 0. In a flock that has been in a
    steady state for long, with arrivals at a constant rate and exponential lifetimes, the mean age
    is the mean lifetime.
    """

    needs_steps: ClassVar = True

    def __init__(self) -> None:
        self.ages: list[float] = []
        self.clock = Clock()

    def add(self, flock: FlockFrame, time: float, step: int) -> None:
        self.clock.add(time, step)
        births = valid_rows(flock, "positions").births
        self.ages.append(float((step - births).mean()) if len(births) else math.nan)

    def result(self) -> Estimate:
        return mean_and_error(np.array(self.ages) * self.clock.dt)


class Clock:
    """The time of a step, from the steps and times of the first and the last frame."""

    def __init__(self) -> None:
        self.first: tuple[float, int] | None = None
        self.last = (0.0, 0)

    def add(self, time: float, step: int) -> None:
        self.last = (time, step)
        self.first = self.first or self.last

    @property
    def dt(self) -> float:
        """Return the time of a step; 1 if all frames are of one step."""
        (time, step), (first_time, first_step) = self.last, self.first or (0.0, 0)
        if step == first_step:
            first_time, first_step = 0.0, 0
        return (time - first_time) / (step - first_step) if step != first_step else 1.0


mean_age = measure_over_frames(
    MeanAge,
    unit="time",
    definition="mean over frames of 1/N sum_i (time since boid i joined)",
    population=True,
)


class Survival:
    """Return the survival curve: the probability that a boid is still in the flock at an age.

    The boids at risk at an age were seen at a lower age, and are still there.

    value: Ages begin at 0: a step down at each age at which boids leave, then a last point at the
        largest age. `count` is the number of boids at risk, `error` Greenwood's standard error.
    source: The second with truncation.

    The Kaplan-Meier estimate. Boids that are there in the last frame count up to their age then
    (right-censored). Boids that are older than 0 in the first frame, because frames of a warm-up
    are left out, count from their age then (left-truncated); if few boids are at risk at low ages,
    the whole curve is uncertain.

    Ages are exact if frames hold every step. Otherwise a departure is known to lie between two
    frames, and is set to the mean of the steps in between. Boids that join and leave between two
    frames are missing, so frames must be close compared with lifetimes. Frames without births, as
    from arrays, count from the frame in which a boid is first seen.
    """

    needs_steps: ClassVar = True

    def __init__(self) -> None:
        self.clock = Clock()
        self.previous = -1  # step of the previous frame
        self.ids = np.empty(0, np.int64)  # all that were seen, ascending
        self.births = self.first = self.last = self.absent = self.ids  # steps

    def add(self, flock: FlockFrame, time: float, step: int) -> None:
        self.clock.add(time, step)
        flock = valid_rows(flock, "positions")
        is_new = ~np.isin(flock.ids, self.ids, assume_unique=True)
        if is_new.any():
            # A boid that was born before the previous frame, and was not in it, has no known birth.
            births = np.where(flock.births <= self.previous, step, flock.births)[is_new]
            steps = np.full(int(is_new.sum()), step)
            rows = np.argsort(ids := np.concatenate([self.ids, flock.ids[is_new]]), kind="stable")
            self.ids = ids[rows]
            self.births = np.concatenate([self.births, births])[rows]
            self.first, self.last, self.absent = (
                np.concatenate([old, steps])[rows] for old in (self.first, self.last, self.absent)
            )
        present = np.isin(self.ids, flock.ids, assume_unique=True)
        self.absent[~present & (self.absent == self.last)] = step
        self.last[present] = self.absent[present] = step
        self.previous = step

    def result(self) -> Curve:
        if not len(self.ids):
            return empty_curve()
        left = self.absent > self.last
        # Departures are spread evenly over the steps from the last frame with the boid to the first
        # one without it.
        ends = np.where(left, (self.last + self.absent + 1) / 2, self.last) - self.births
        starts = (self.first - self.births).astype(np.float64)
        ages, deaths = np.unique(ends[left], return_counts=True)
        entered = np.searchsorted(np.sort(starts), ages, side="left")
        at_risk = entered - np.searchsorted(np.sort(ends), ages, side="left")
        survival = np.cumprod(1.0 - deaths / at_risk)
        with np.errstate(divide="ignore", invalid="ignore"):
            variance = np.cumsum(deaths / (at_risk * (at_risk - deaths)))
            error = np.where(survival > 0, survival * np.sqrt(variance), 0.0)
        x = np.concatenate([[0.0], ages])
        y, error = np.concatenate([[1.0], survival]), np.concatenate([[0.0], error])
        count = np.concatenate([[len(self.ids) if not len(ages) else at_risk[0]], at_risk])
        if (longest := float(ends.max())) > x[-1]:  # of a boid that is still there
            x, y = np.append(x, longest), np.append(y, y[-1])
            error, count = np.append(error, error[-1]), np.append(count, (ends == longest).sum())
        return Curve(x * self.clock.dt, y, count.astype(np.float64), None, error)


survival = measure_over_frames(
    Survival,
    bounds="0 to 1",
    across="age, time",
    definition="product over ages a_j <= a of (1 - boids that leave at a_j / boids at risk at a_j)",
    source="Kaplan & Meier 1958; Tsai, Jewell & Wang 1987",
    population=True,
)
