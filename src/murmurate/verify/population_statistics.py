"""Statistics of flocks whose boids join and leave: one number per run.

Each is an accumulator, with `add(flock, time, step)`, and a function for its result. Measured in
every step, they count each boid that joins or leaves.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.over_frames import Accumulator
from murmurate.measures.population import ArrivalRate, Clock, DepartureRate, MeanAge, Mortality

HANDLING = ".handling"  # end of the name of the per-boid state of predators
DOWNSTREAM = 0.9  # part of the x axis beyond which a boid leaves by the outflow


class Dispersion:
    """Variance of the numbers of boids that join between frames, divided by their mean.

    1 for Poisson arrivals, exactly: given their sum, the numbers of n equal intervals are
    multinomial, so that the mean of the sample variance is the mean number. Source: Fisher,
    Thornton & Mackenzie 1922, doi:10.1111/j.1744-7348.1922.tb05962.x.
    """

    def __init__(self) -> None:
        self._ever: list[int] = []

    def add(self, flock: FlockFrame, time: float) -> None:
        """Add the flock at one moment; moments must be equally far apart."""
        self._ever.append(flock.n_ever)

    def ratio(self) -> float:
        """Return variance / mean (no unit); nan if fewer than two intervals, or nobody joins."""
        numbers = np.diff(self._ever)
        mean = float(numbers.mean()) if len(numbers) > 1 else 0.0
        return float(numbers.var(ddof=1)) / mean if mean > 0.0 else math.nan


class Passages:
    """Time that boids spend in the flock, and where they are last seen.

    Boids that leave count, from the step at which they joined to the first frame without them.
    """

    needs_steps: ClassVar = True

    def __init__(self) -> None:
        self._clock = Clock()
        self._previous: FlockFrame | None = None
        self._numbers: list[int] = []  # of boids in each frame
        self._residence = 0  # steps, of all that left
        self._left = self._downstream = self._new = 0

    def add(self, flock: FlockFrame, time: float, step: int) -> None:
        """Add the flock at one moment."""
        self._clock.add(time, step)
        self._numbers.append(len(flock))
        if (previous := self._previous) is not None:
            departed = ~np.isin(previous.ids, flock.ids, assume_unique=True)
            self._left += int(departed.sum())
            self._residence += int((step - previous.births[departed]).sum())
            x = previous.positions[departed, 0]
            lower, upper = float(flock.space.lower[0]), float(flock.space.upper[0])
            self._downstream += int((x > lower + DOWNSTREAM * (upper - lower)).sum())
            self._new += flock.n_ever - previous.n_ever
        self._previous = flock

    def duration(self) -> float:
        """Return the time from the first to the last frame; nan for fewer than two frames."""
        time = self._clock.last[0] - self._clock.first[0] if self._clock.first else 0.0
        return time if time > 0.0 else math.nan

    def residence(self) -> float:
        """Return the mean time that boids were in the flock, of those that left; nan if none."""
        return self._residence * self._clock.dt / self._left if self._left else math.nan

    def outflow(self) -> float:
        """Return the boids per time that left from the last tenth of the x axis."""
        return self._downstream / self.duration()

    def little(self) -> float:
        """Return mean number / (arrivals per time * mean residence time) (no unit); nan if none.

        1 in the steady state, whatever boids do to each other. Source: Little 1961,
        doi:10.1287/opre.9.3.383.
        """
        numbers = np.array(self._numbers, np.float64)
        expected = self._new / self.duration() * self.residence()
        return float((numbers[1:] + numbers[:-1]).mean() / 2) / expected if expected else math.nan


class Conservation:
    """Counts boids that appear or vanish without having joined or left, 0 if all is well.

    Frames of every step hold each boid that joins, since it leaves in a later step at the earliest.
    """

    def __init__(self) -> None:
        self._previous = np.empty(0, np.int64)  # ids
        self._ever = -1  # in the previous frame
        self._departed = np.empty(0, np.int64)
        self._errors = 0

    def add(self, flock: FlockFrame, time: float) -> None:
        """Add the flock at one moment."""
        ids = flock.ids
        if self._ever >= 0:
            new = np.setdiff1d(ids, self._previous, assume_unique=True)
            departed = np.setdiff1d(self._previous, ids, assume_unique=True)
            self._errors += abs(len(new) - (flock.n_ever - self._ever))  # joined, but not there
            self._errors += len(np.intersect1d(new, self._departed))  # returned after leaving
            self._departed = np.union1d(self._departed, departed)
        self._previous, self._ever = ids, flock.n_ever

    def errors(self) -> float:
        """Return the number of boids that do not add up."""
        return float(self._errors)


class Handling:
    """Counts captures: a predator's handling time begins.

    The interval between frames must not exceed the handling time, and predators have one kind of
    capture.
    """

    def __init__(self) -> None:
        self._times: list[float] = []
        self._steps_left: np.ndarray | None = None
        self._captures = 0

    def add(self, flock: FlockFrame, time: float) -> None:
        """Add the predators at one moment."""
        names = [name for name in flock.state_names if name.endswith(HANDLING)]
        steps_left = np.array([flock.per_boid(name) for name in names], np.float64)
        if self._steps_left is not None and self._steps_left.shape == steps_left.shape:
            self._captures += int((steps_left > self._steps_left).sum())
        self._steps_left = steps_left
        self._times.append(time)

    def rate(self) -> float:
        """Return captures per time, of all predators; nan if the flock captures nothing."""
        if self._steps_left is None or not len(self._steps_left) or len(self._times) < 2:
            return math.nan
        return self._captures / (self._times[-1] - self._times[0])


# name -> accumulator, and the function for its result
POPULATION_STATISTICS: dict[str, tuple[type[Accumulator], Callable[[Any], float]]] = {
    "arrival_rate": (ArrivalRate, lambda rate: float(rate.result().value)),
    "departure_rate": (DepartureRate, lambda rate: float(rate.result().value)),
    "mortality": (Mortality, lambda rate: float(rate.result().value)),
    "mean_age": (MeanAge, lambda age: float(age.result().value)),
    "arrival_dispersion": (Dispersion, Dispersion.ratio),
    "residence_time": (Passages, Passages.residence),
    "outflow_rate": (Passages, Passages.outflow),
    "little_ratio": (Passages, Passages.little),
    "unaccounted_boids": (Conservation, Conservation.errors),
    "capture_rate": (Handling, Handling.rate),
}
