"""Relaxation: how long velocity fluctuations of one wavelength last, and the dynamic exponent."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.correlation import correlation_length
from murmurate.measures.curve import Curve, no_curve, ratio
from murmurate.measures.estimate import Estimate
from murmurate.measures.hull import unrolled
from murmurate.measures.limits import MeasureError, positive
from murmurate.measures.line_fit import NONE, slope
from murmurate.measures.over_frames import collect, time_step
from murmurate.measures.plane_waves import AT_ONCE, box_waves, directions, sums, wave_vectors
from murmurate.measures.registry import measure
from murmurate.measures.unwrapping import Seen, Unwrapping, common_rows, some_rows
from murmurate.measures.valid_rows import valid_rows

CAVAGNA = "10.1038/nphys4153"


class Fluctuations:
    """Keeps the Fourier components of the velocity fluctuations at one wave number: a few numbers a
    frame, for each direction."""

    def __init__(self, k: float | None = None) -> None:
        self.k = k if k is None else positive(k, "k")
        if self.k == math.inf:
            raise MeasureError("k is inf: it must be a number > 0")
        self.waves: np.ndarray | None = None  # whole numbers on a torus, else wave vectors
        self.weights = np.empty(0)
        self.times: list[float] = []
        self.fields: list[np.ndarray | None] = []
        self.last: Seen | None = None
        self.unwrapping = Unwrapping()
        self.gone = np.zeros(1)  # how far the flock has gone on a torus, since the first frame

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
        x = self._in_its_frame(flock, time) if torus else unrolled(flock)
        if self.waves is None:
            self._choose(flock, x, torus)
        assert self.waves is not None
        v = np.asarray(flock.velocities, dtype=np.float64)
        v = (v - v.mean(axis=0)) / math.sqrt(len(v))
        if torus:
            self.fields[-1] = sums(self.waves, x, v, flock.space)
        else:
            field = np.zeros((len(self.waves), v.shape[1]), dtype=complex)
            for some in np.array_split(np.arange(len(x)), len(self.waves) * len(x) // AT_ONCE + 1):
                field += np.exp(-1j * (self.waves @ x[some].T)) @ v[some]
            self.fields[-1] = field

    def _in_its_frame(self, flock: FlockFrame, time: float) -> np.ndarray:
        """(N, D) positions on a torus, from a point that goes along with the flock."""
        if self.last is not None:
            old, new = common_rows(self.last.ids, flock.ids)
            before = time if not len(old) else float(self.last.times[0])
            steps, _ = self.unwrapping.steps(
                self.last.only(old), some_rows(flock, new), time, before
            )
            self.gone = self.gone + (steps.mean(axis=0) if len(steps) else 0.0)
        self.last = Seen.of(flock, time)
        found: np.ndarray = np.asarray(flock.positions, np.float64) - flock.space.lower - self.gone
        return found

    def _choose(self, flock: FlockFrame, x: np.ndarray, torus: bool) -> None:
        """The waves: on a torus those that fit and are nearest to k in length."""
        assert self.k is not None
        space = flock.space
        if torus:
            # From any wave number there is one that fits within the longest wave's.
            n = box_waves(space, self.k + 2 * math.pi / min(space.size))
            lengths = np.linalg.norm(wave_vectors(n, space), axis=1)
            nearest = lengths[np.argmin(np.abs(lengths - self.k))]
            self.waves = n[np.abs(lengths - nearest) <= 1e-9 * nearest]
            self.weights = np.full(len(self.waves), 1 / len(self.waves))
        else:
            widest = 3 * float(np.sqrt((x**2).sum(axis=1).max()))  # it may still grow
            ways, self.weights = directions(self.k * widest, space.dims)
            self.waves = self.k * ways

    def correlation(self) -> Curve:
        """C(k, t) by time lag, up to half of the frames. Raises CoarseFramesError where it is
        not certain how far the flock went on a torus."""
        self.unwrapping.check()
        shape = next((one.shape for one in self.fields if one is not None), None)
        if shape is None:
            return no_curve()
        known = np.array([one is not None for one in self.fields])
        rho = np.array([np.zeros(shape) if one is None else one for one in self.fields])
        room = 1 << (2 * len(rho) - 1).bit_length()
        power = np.zeros(room)
        for wave, weight in enumerate(self.weights):
            spectrum = np.fft.fft(rho[:, wave], room, axis=0)
            power += weight * (np.abs(spectrum) ** 2).sum(axis=1)
        lags = len(rho) // 2 + 1
        counted = np.abs(np.fft.fft(known.astype(np.float64), room)) ** 2
        pairs = np.round(np.fft.ifft(counted).real[:lags])
        c = ratio(np.fft.ifft(power).real[:lags], pairs)
        if not c[0] > 0:
            return no_curve()
        return Curve(np.arange(lags) * time_step(self.times), c / c[0], pairs)


class Correlation(Fluctuations):
    def result(self) -> Curve:
        return self.correlation()


class RelaxationTime(Fluctuations):
    def result(self) -> Estimate:
        curve = self.correlation()
        tau = relaxation_of(curve)
        if not math.isfinite(tau):
            return NONE
        spans = float(2 * curve.x[-1] / tau)
        return Estimate(tau, math.nan, max(spans, 1.0), "fit", short=spans < 50)


@measure(
    "frames",
    unit="1",
    across="time lag, time",
    bounds="-1 to 1",
    definition="mean of dv_k(s) . dv_k(s + t)* / that at t = 0; dv_k = sum_i dv_i exp(-i k . x_i)",
    source=CAVAGNA,
    slow=True,
    collector=Correlation,
)
def spatiotemporal_correlation(
    frames: Iterable[Frame | FlockFrame], *, k: float | None = None, flock: str | None = None
) -> Curve:
    """C(k, t) = < 1/N sum_ij dv_i(s) . dv_j(s + t) exp(i k . (x_i(s) - x_j(s + t))) >, by its value
    at t = 0 (no unit): how long the velocity fluctuations dv = v - mean v of wave number k last.
    Positions are taken from the flock's centre, and the mean is over moments s and all directions
    of k, which is sin(k r) / k r in 3-D and J_0(k r) in 2-D. On a torus the mean
    displacement from frame to frame is taken off, and the waves are those that fit the box and are
    nearest to k.

    frames  at equal times, of one flock; of `Frame`s, the largest flock is taken
    k       the wave number, radians per length; unless given 1 / xi, xi the correlation length of
            the first frame that has one
    flock   the name of another flock

    Returns a Curve over time lags up to half of the frames; `count` is the number of moments.
    Without points where all fly alike, and where no k is given nor found. Cost: O(N) a frame and
    direction, of which there are some dozens (2-D) or hundreds (3-D). Raises MeasureError where
    frames are not at equal times, and for a k that is not above 0 or too large;
    CoarseFramesError where boids may have gone round the torus between frames, as
    `mean_squared_displacement` does.

    Source: Cavagna et al. 2017, doi:10.1038/nphys4153.
    """
    return collect(Correlation(k), frames, flock)


@measure(
    "frames",
    unit="time",
    bounds="above 0",
    definition="tau with: integral over t of sin(t / tau) / t C(k, t) = pi / 4",
    source=CAVAGNA,
    slow=True,
    collector=RelaxationTime,
)
def relaxation_time(
    frames: Iterable[Frame | FlockFrame], *, k: float | None = None, flock: str | None = None
) -> Estimate:
    """tau_k, how long velocity fluctuations of wave number k last, in units of time: the tau for
    which the integral of sin(t / tau) / t C(k, t) over all t > 0 is pi / 4. C = exp(-t / a) has
    tau = a; other forms, such as one that is flat at first, have a time by the same rule.

    Its error is not known from one run: take several, and `over_seeds`. `short` where the frames
    span less than 50 tau: it may then be far off. nan where C falls too little in half of the
    frames. `dynamic_exponent` takes the times of flocks of several sizes. Options, cost and errors
    are those of `spatiotemporal_correlation`.

    Source: Cavagna et al. 2017, doi:10.1038/nphys4153.
    """
    return collect(RelaxationTime(k), frames, flock)


def relaxation_of(curve: Curve) -> float:
    """tau of a correlation over time lags from 0 on, see `relaxation_time`. It is taken as straight
    between lags and 0 beyond the last one; nan where there is no such tau."""
    from scipy.optimize import brentq
    from scipy.special import sici

    known = np.isfinite(curve.y)
    t, c = curve.x[known], curve.y[known]
    if len(t) < 2:
        return math.nan
    steep = np.diff(c) / np.diff(t)
    start = c[:-1] - steep * t[:-1]

    def off(logarithm: float) -> float:
        tau = math.exp(logarithm)
        flat = (start * np.diff(sici(t / tau)[0])).sum()
        return float(flat - tau * (steep * np.diff(np.cos(t / tau))).sum()) - math.pi / 4

    # Each tau up to as long as was looked at; where several fit, the shortest.
    grid = np.linspace(math.log(t[1] / 20), math.log(t[-1]), 200)
    values = np.array([off(one) for one in grid])
    falls = np.flatnonzero((values[:-1] > 0) & (values[1:] <= 0))
    if not len(falls):
        return math.nan
    return math.exp(brentq(off, grid[falls[0]], grid[falls[0] + 1]))


def dynamic_exponent(k: np.ndarray, times: np.ndarray) -> Estimate:
    """The dynamic exponent z of tau ~ k^-z (no unit): a straight line of least squares through the
    logarithms. 2 for diffusion and the equilibrium ferromagnet's slow dynamics, 1 for sound.

    k      (n,) wave numbers, each 1 / xi of its flock
    times  (n,) relaxation times, numbers or Estimates; nan is left out

    Returns an Estimate with the error of the slope; nan below three times. Raises MeasureError for
    shapes that differ, and for numbers that are not above 0.

    Source: Cavagna et al. 2017, doi:10.1038/nphys4153 (1.12 +- 0.16 in swarms of midges).
    """
    waves = np.array([float(one) for one in k])
    taus = np.array([float(one) for one in times])
    if waves.shape != taus.shape:
        raise MeasureError(f"{len(waves)} wave numbers and {len(taus)} times: there must be as many"
                           )  # fmt: skip
    known = np.isfinite(taus)
    waves, taus = waves[known], taus[known]
    if not (waves > 0).all() or not (taus > 0).all():
        raise MeasureError("wave numbers and times must be numbers > 0")
    found = slope(np.log(waves), np.log(taus))
    return replace(found, value=-found.value)
