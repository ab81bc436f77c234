"""Relaxation: how long velocity fluctuations of one wavelength last, and the dynamic exponent."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import SupportsFloat

import numpy as np

from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame
from murmurate.measures.correlation import correlation_length
from murmurate.measures.curve import Curve, empty_curve, ratio
from murmurate.measures.errorbars import MIN_TIMES, NO_FIT, fit_slope
from murmurate.measures.estimate import Estimate
from murmurate.measures.flock_data import common_rows, valid_rows
from murmurate.measures.geometry import unwrapped_offsets
from murmurate.measures.limits import check_positive
from murmurate.measures.over_frames import time_step
from murmurate.measures.registry import measure_over_frames
from murmurate.measures.structure import (
    CHUNK,
    box_waves,
    quadrature_directions,
    sum_waves,
    wave_vectors,
)
from murmurate.measures.unwrapping import LastSeen, Unwrapping


class Fluctuations:
    """Stores the Fourier components of the velocity fluctuations at one wave number.

    These are a few numbers per frame and direction.
    """

    def __init__(self, k: float | None = None) -> None:
        self.k = k if k is None else check_positive(k, "k")
        if self.k == math.inf:
            raise MeasureError("k: got inf; expected a finite number above 0")
        self.waves: np.ndarray | None = None  # whole numbers on a torus, else wave vectors
        self.weights = np.empty(0)
        self.times: list[float] = []
        self.fields: list[np.ndarray | None] = []
        self.last: LastSeen | None = None
        self.unwrapping = Unwrapping()
        self.drift = np.zeros(1)  # mean displacement on a torus since the first frame

    def add(self, flock: FlockFrame, time: float) -> None:
        flock = valid_rows(flock)
        self.times.append(time)
        self.fields.append(None)
        if len(flock) < 2:
            return
        if self.k is None:
            length = correlation_length(flock)
            self.k = 1 / length if length > 0 else None
        if self.k is None:
            return
        torus = all(flock.space.periodic)
        x = self._comoving_positions(flock, time) if torus else unwrapped_offsets(flock)
        if self.waves is None:
            self._choose_waves(flock, x, torus)
        assert self.waves is not None
        v = np.asarray(flock.velocities, dtype=np.float64)
        v = (v - v.mean(axis=0)) / math.sqrt(len(v))
        if torus:
            self.fields[-1] = sum_waves(self.waves, x, v, flock.space)
        else:
            field = np.zeros((len(self.waves), v.shape[1]), dtype=complex)
            for rows in np.array_split(np.arange(len(x)), len(self.waves) * len(x) // CHUNK + 1):
                field += np.exp(-1j * (self.waves @ x[rows].T)) @ v[rows]
            self.fields[-1] = field

    def _comoving_positions(self, flock: FlockFrame, time: float) -> np.ndarray:
        """Return (N, D) positions on a torus, relative to a point that moves with the flock."""
        if self.last is not None:
            old, new = common_rows(self.last.ids, flock.ids)
            previous = time if not len(old) else float(self.last.times[0])
            steps, _ = self.unwrapping.steps(self.last.take(old), flock.take(new), time, previous)
            self.drift = self.drift + (steps.mean(axis=0) if len(steps) else 0.0)
        self.last = LastSeen.of(flock, time)
        positions = np.asarray(flock.positions, np.float64)
        return positions - flock.space.lower - self.drift

    def _choose_waves(self, flock: FlockFrame, x: np.ndarray, torus: bool) -> None:
        """Choose waves: on a torus those that fit the box and are nearest to k in length."""
        assert self.k is not None
        space = flock.space
        if torus:
            # Within the longest wave's wave number of any k there is one that fits the box.
            n = box_waves(space, self.k + 2 * math.pi / min(space.size))
            lengths = np.linalg.norm(wave_vectors(n, space), axis=1)
            nearest = lengths[np.argmin(np.abs(lengths - self.k))]
            self.waves = n[np.abs(lengths - nearest) <= 1e-9 * nearest]
            self.weights = np.full(len(self.waves), 1 / len(self.waves))
        else:
            widest = 3 * float(np.sqrt((x**2).sum(axis=1).max()))  # the flock may still grow
            directions, self.weights = quadrature_directions(self.k * widest, space.dims)
            self.waves = self.k * directions

    def correlation(self) -> Curve:
        """Return C(k, t) over time lags up to half of the frames.

        Raises CoarseFramesError if displacements on a torus are ambiguous.
        """
        self.unwrapping.check()
        shape = next((field.shape for field in self.fields if field is not None), None)
        if shape is None:
            return empty_curve()
        has_field = np.array([field is not None for field in self.fields])
        rho = np.array([np.zeros(shape) if field is None else field for field in self.fields])
        padded = 1 << (2 * len(rho) - 1).bit_length()
        power = np.zeros(padded)
        for wave, weight in enumerate(self.weights):
            spectrum = np.fft.fft(rho[:, wave], padded, axis=0)
            power += weight * (np.abs(spectrum) ** 2).sum(axis=1)
        lags = len(rho) // 2 + 1
        counts = np.abs(np.fft.fft(has_field.astype(np.float64), padded)) ** 2
        pairs = np.round(np.fft.ifft(counts).real[:lags])
        c = ratio(np.fft.ifft(power).real[:lags], pairs)
        if not c[0] > 0:
            return empty_curve()
        return Curve(np.arange(lags) * time_step(self.times), c / c[0], pairs)


class SpatiotemporalCorrelation(Fluctuations):
    """Return the correlation over time of velocity fluctuations of wave number k.

    dv_i is v_i minus the mean velocity. The mean is over times s and all directions of k.

    k: Wave number, radians per length. The default is 1 / xi, with xi the correlation length of the
        first frame that has one.
    value: Time lags extend to half of the frames; `count` is the number of times s. Without points
        also if all boids fly alike, or if there is no k.
    raises: CoarseFramesError if boids may have travelled around the torus between frames, as for
        `mean_squared_displacement`.

    Positions are relative to the flock's centre. The mean over directions is sin(k r) / k r in 3-D
    and J_0(k r) in 2-D. On a torus the mean displacement from frame to frame is subtracted, and the
    waves are those that fit the box and are nearest to k. Cost: O(N) per frame and direction, of
    which there are dozens (2-D) or hundreds (3-D).
    """

    def result(self) -> Curve:
        return self.correlation()


class RelaxationTime(Fluctuations):
    """Return the relaxation time of velocity fluctuations of wave number k.

    The integral is over all t > 0, with C of `spatiotemporal_correlation`.

    k: Wave number, radians per length. The default is 1 / xi, with xi the correlation length of the
        first frame that has one.
    value: With unknown error: use several runs, and `over_seeds`. `short` if the frames span less
        than 50 tau, when it may be far off.
    raises: CoarseFramesError as for `spatiotemporal_correlation`.

    C = exp(-t / a) has tau = a. Other forms, such as one that is flat at first, have a time by the
    same rule. `dynamic_exponent` combines the times of flocks of several sizes.
    """

    def result(self) -> Estimate:
        curve = self.correlation()
        tau = relaxation_of(curve)
        if not math.isfinite(tau):
            return NO_FIT
        spans = float(2 * curve.x[-1] / tau)
        return Estimate(tau, math.nan, max(spans, 1.0), "fit", short=spans < MIN_TIMES)


spatiotemporal_correlation = measure_over_frames(
    SpatiotemporalCorrelation,
    bounds="-1 to 1",
    across="time lag, time",
    definition="mean of dv_k(s) . dv_k(s + t)* / that at t = 0; dv_k = sum_i dv_i exp(-i k . x_i)",
    source="Cavagna et al. 2017",
    slow=True,
    equal_steps=True,
    missing="no two frames are far enough apart",
)


relaxation_time = measure_over_frames(
    RelaxationTime,
    unit="time",
    bounds="above 0",
    definition="tau with: integral over t of sin(t / tau) / t C(k, t) = pi / 4",
    source="Cavagna et al. 2017",
    slow=True,
    equal_steps=True,
    missing="the correlation decays too little within half of the frames: measure more frames",
)


def relaxation_of(curve: Curve) -> float:
    """Return tau of a correlation over time lags from 0 on; see `relaxation_time`.

    The correlation is interpolated linearly between lags, and 0 beyond the last one.

    Parameters
    ----------
    curve : Curve
        Correlation over time lags.

    Returns
    -------
    float
        In the time unit of the lags; nan if there is no such tau. The shortest one if there are
        several.
    """
    from scipy.optimize import brentq
    from scipy.special import sici

    finite = np.isfinite(curve.y)
    t, c = curve.x[finite], curve.y[finite]
    if len(t) < 2:
        return math.nan
    slopes = np.diff(c) / np.diff(t)
    intercepts = c[:-1] - slopes * t[:-1]

    def residual(logarithm: float) -> float:
        tau = math.exp(logarithm)
        constant = (intercepts * np.diff(sici(t / tau)[0])).sum()
        return float(constant - tau * (slopes * np.diff(np.cos(t / tau))).sum()) - math.pi / 4

    # Every tau up to the longest lag.
    grid = np.linspace(math.log(t[1] / 20), math.log(t[-1]), 200)
    values = np.array([residual(logarithm) for logarithm in grid])
    falls = np.flatnonzero((values[:-1] > 0) & (values[1:] <= 0))
    if not len(falls):
        return math.nan
    return math.exp(brentq(residual, grid[falls[0]], grid[falls[0] + 1]))


def dynamic_exponent(k: Iterable[SupportsFloat], times: Iterable[SupportsFloat]) -> Estimate:
    """Return the dynamic exponent z of tau ~ k^-z, by a straight line through the logarithms.

    Parameters
    ----------
    k : array_like of shape (n,)
        Wave numbers, each 1 / xi of its flock.
    times : array_like of shape (n,)
        Relaxation times, as numbers or Estimates; nan is left out.

    Returns
    -------
    Estimate
        With the error of the slope (no unit); nan below three times. 2 for diffusion and the slow
        dynamics of the equilibrium ferromagnet, 1 for sound.

    Raises
    ------
    MeasureError
        For different shapes, and for numbers that are not above 0.

    Notes
    -----
    Source: Cavagna et al. 2017, doi:10.1038/nphys4153 (1.12 +- 0.16 in swarms of midges).
    """
    waves = np.array([float(number) for number in k])
    taus = np.array([float(number) for number in times])
    if waves.shape != taus.shape:
        raise MeasureError(
            f"k: got {len(waves)} wave numbers for {len(taus)} times; expected one for each"
        )
    finite = np.isfinite(taus)
    waves, taus = waves[finite], taus[finite]
    for name, numbers in (("k", waves), ("times", taus)):
        if not (numbers > 0).all():
            wrong = numbers[~(numbers > 0)][0]
            raise MeasureError(f"{name}: got {wrong:g}; expected numbers above 0")
    slope = fit_slope(np.log(waves), np.log(taus))
    return replace(slope, value=-slope.value)
