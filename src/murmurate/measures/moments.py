"""Fluctuations of the order: susceptibility and Binder cumulant, over the frames of a run."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.errorbars import jackknife
from murmurate.measures.estimate import Estimate
from murmurate.measures.over_frames import collect
from murmurate.measures.polarization import polarization
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows


class Order:
    """Gathers the polarization of each frame, and how many boids there were."""

    def __init__(self) -> None:
        self.order: list[float] = []
        self.boids: list[int] = []

    def add(self, flock: FlockFrame, time: float) -> None:
        self.order.append(polarization(flock))
        self.boids.append(len(valid_rows(flock, "velocities")))


class Susceptibility(Order):
    def result(self) -> Estimate:
        order = np.array(self.order)
        seen = np.array(self.boids)[np.isfinite(order)]  # frames without an order count nowhere
        return susceptibility_of(order, float(seen.mean()) if len(seen) else np.nan)


class Binder(Order):
    def result(self) -> Estimate:
        return binder_of(np.array(self.order))


@measure(
    "frames",
    unit="1",
    bounds="0 up",
    definition="N (<P^2> - <P>^2) over frames, P the polarization",
    source="10.1103/PhysRevE.77.046113",
    collector=Susceptibility,
)
def susceptibility(frames: Iterable[Frame | FlockFrame], *, flock: str | None = None) -> Estimate:
    """chi = N (<P^2> - <P>^2) over the frames of a steady run, P the polarization (no unit).

    It peaks where the flock is between order and disorder. Independent random headings give
    1 - pi/4 in 2-D (many boids). N is the mean number of boids that are seen. The error is a
    jackknife over blocks; nan below 1 frame.

    frames  of one flock; of `Frame`s, the largest flock is taken
    flock   the name of another one

    Source: as the variance of the order parameter in Chate et al. 2008,
    doi:10.1103/PhysRevE.77.046113.
    """
    return collect(Susceptibility(), frames, flock)


@measure(
    "frames",
    unit="1",
    bounds="up to 2/3",
    definition="1 - <P^4> / (3 <P^2>^2) over frames, P the polarization",
    source="10.1007/BF01293604 10.1103/PhysRevE.77.046113",
    collector=Binder,
)
def binder_cumulant(frames: Iterable[Frame | FlockFrame], *, flock: str | None = None) -> Estimate:
    """G = 1 - <P^4> / (3 <P^2>^2) over the frames of a steady run, P the polarization (no unit).

    2/3 where P is always the same (order); 1/3 in 2-D and 4/9 in 3-D for disorder, where the mean
    heading is a Gaussian vector; below these, even below 0, where the flock switches between order
    and disorder: a discontinuous transition. (A signed, one-dimensional Gaussian number has 0.)
    The error is a jackknife over blocks; nan below 1 frame, and where P is always 0.

    frames, flock  as for `susceptibility`

    Source: Binder 1981, doi:10.1007/BF01293604; for flocks, Chate et al. 2008,
    doi:10.1103/PhysRevE.77.046113.
    """
    return collect(Binder(), frames, flock)


def susceptibility_of(series: np.ndarray, count: float) -> Estimate:
    """count * variance of an (n,) series, with its error."""
    return jackknife(series, lambda x: count * np.var(x))


def binder_of(series: np.ndarray) -> Estimate:
    """1 - <x^4> / (3 <x^2>^2) of an (n,) series, with its error: 0 for a Gaussian x around 0, 2/3
    where x is +m or -m."""
    return jackknife(series, _binder)


def _binder(x: np.ndarray) -> float:
    square = np.mean(x**2)
    return float(1 - np.mean(x**4) / (3 * square**2)) if square > 0 else float("nan")
