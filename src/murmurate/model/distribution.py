"""Numbers that differ between boids: distributions, and one number for each boid.

A number of a rule or motion may be one of these values in place of a number or a schedule:

    weight = { kind = "normal", mean = 1, sd = 0.2, min = 0 }

Each boid has its own number, which it keeps. It is the quantile of a uniform random number that
depends on the seed, the flock, the boid's index and the path of the number alone, see
murmurate.engines.individual_numbers. Quantiles of normal distributions reach 8.2 standard
deviations to both sides, since a random number has 53 bits.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from statistics import NormalDist
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, Field, FiniteFloat, Strict, model_validator

from murmurate.model.number import MAX_NUMBER, Number, check_size
from murmurate.model.value import Value

if TYPE_CHECKING:
    import numpy as np

MIN_SHARE = 1e-9
"""The smallest share of a distribution that `min` and `max` may leave."""
SUM_TOLERANCE = 1e-6
"""The largest difference of a sum of probabilities from 1."""
SMALLEST_UNIFORM = 2.0**-53
"""The smallest uniform random number; the largest is 1 minus this."""
MAX_LISTED = 4  # values that a text lists
STANDARD = NormalDist()


def _check_bound(number: float) -> float:
    if math.isnan(number):
        raise ValueError("got nan; expected a number, or leave it out")
    return check_size(number)


Bound = Annotated[float, Strict(), AfterValidator(_check_bound)]
DrawName = Annotated[str, Field(max_length=64)]
Deviation = Annotated[Number, Field(ge=0)]
Share = Annotated[FiniteFloat, Strict(), Field(ge=0, le=1)]


class Distribution(Value):
    """The base class of numbers that differ between boids."""

    @abstractmethod
    def extent(self) -> tuple[float, float]:
        """Return bounds of all numbers, or -inf and inf."""

    @abstractmethod
    def quantiles(self, u: np.ndarray) -> np.ndarray:
        """Return the quantiles of (N,) probabilities between 0 and 1: (N,) float64."""

    @property
    @abstractmethod
    def mean_value(self) -> float:
        """The mean."""

    @property
    @abstractmethod
    def sd_value(self) -> float:
        """The standard deviation."""

    @property
    @abstractmethod
    def text(self) -> str:
        """A short text, such as 'normal(1, 0.2)'."""


class Normal(Distribution):
    """A normal distribution. With `min` or `max` it is truncated: drawn again until it fits."""

    kind: Literal["normal"] = "normal"
    mean: Number
    """The mean, before truncation."""
    sd: Deviation
    """The standard deviation, before truncation."""
    min: Bound = -math.inf
    """The smallest value; none unless given."""
    max: Bound = math.inf
    """The largest value; none unless given."""
    draw: DrawName = ""
    """A name. Numbers with the same name have the same quantile in a boid, so that they go
    together. Unless given, each number is drawn by itself."""

    @model_validator(mode="after")
    def _check(self) -> Normal:
        _check_order(self.min, self.max)
        _check_mean(self.mean, self.sd, self.min, self.max)
        _check_share(*self._standard_bounds())
        _check_ends(self.mean + self.sd * end for end in _ends(*self._standard_bounds()))
        return self

    def _standard_bounds(self) -> tuple[float, float]:
        """Return `min` and `max` in standard deviations from the mean."""
        sd = self.sd or 1.0
        return (self.min - self.mean) / sd, (self.max - self.mean) / sd

    def extent(self) -> tuple[float, float]:
        """Return `min` and `max`; the mean twice if `sd` is 0."""
        return (self.min, self.max) if self.sd > 0.0 else (self.mean, self.mean)

    def quantiles(self, u: np.ndarray) -> np.ndarray:
        """Return the quantiles of (N,) probabilities between 0 and 1: (N,) float64."""
        values = self.mean + self.sd * _standard_quantiles(u, *self._standard_bounds())
        clipped: np.ndarray = values.clip(self.min, self.max)
        return clipped

    @property
    def mean_value(self) -> float:
        """The mean of the truncated distribution."""
        return self.mean + self.sd * _standard_mean_and_sd(*self._standard_bounds())[0]

    @property
    def sd_value(self) -> float:
        """The standard deviation of the truncated distribution."""
        return self.sd * _standard_mean_and_sd(*self._standard_bounds())[1]

    @property
    def text(self) -> str:
        """A short text, such as 'normal(1, 0.2, from 0)'."""
        return f"normal({_short(self.mean)}, {_short(self.sd)}{_range(self.min, self.max)})"


class Uniform(Distribution):
    """A uniform distribution between two numbers."""

    kind: Literal["uniform"] = "uniform"
    min: Number
    """The smallest value."""
    max: Number
    """The largest value."""
    draw: DrawName = ""
    """A name. Numbers with the same name have the same quantile in a boid, so that they go
    together. Unless given, each number is drawn by itself."""

    @model_validator(mode="after")
    def _check(self) -> Uniform:
        if self.min > self.max:
            raise ValueError(f"min: got {self.min:g}; expected at most max, {self.max:g}")
        return self

    def extent(self) -> tuple[float, float]:
        """Return `min` and `max`."""
        return self.min, self.max

    def quantiles(self, u: np.ndarray) -> np.ndarray:
        """Return the quantiles of (N,) probabilities between 0 and 1: (N,) float64."""
        values: np.ndarray = (self.min + (self.max - self.min) * u).clip(self.min, self.max)
        return values

    @property
    def mean_value(self) -> float:
        """The mean."""
        return (self.min + self.max) / 2

    @property
    def sd_value(self) -> float:
        """The standard deviation."""
        return (self.max - self.min) / math.sqrt(12)

    @property
    def text(self) -> str:
        """A short text, such as 'uniform(0, 2)'."""
        return f"uniform({_short(self.min)}, {_short(self.max)})"


class Lognormal(Distribution):
    """A lognormal distribution: the logarithm of the values is normal, and all are above 0.

    With `min` or `max` it is truncated: drawn again until it fits.
    """

    kind: Literal["lognormal"] = "lognormal"
    mean: Annotated[Number, Field(gt=0)]
    """The mean of the values themselves, before truncation."""
    sd: Deviation
    """The standard deviation of the values themselves, before truncation."""
    min: Bound = 0.0
    """The smallest value."""
    max: Bound = math.inf
    """The largest value; none unless given."""
    draw: DrawName = ""
    """A name. Numbers with the same name have the same quantile in a boid, so that they go
    together. Unless given, each number is drawn by itself."""

    @model_validator(mode="after")
    def _check(self) -> Lognormal:
        if self.min < 0.0:
            raise ValueError(f"min: got {self.min:g}; expected at least 0, as all values are > 0")
        _check_order(self.min, self.max)
        _check_mean(self.mean, self.sd, self.min, self.max)
        _check_share(*self._standard_bounds())
        _check_ends(map(self._at, _ends(*self._standard_bounds())))
        return self

    def _of_logarithm(self) -> tuple[float, float]:
        """Return mean and standard deviation of the logarithm."""
        variance = math.log1p((self.sd / self.mean) ** 2)
        return math.log(self.mean) - variance / 2, math.sqrt(variance)

    def _standard_bounds(self) -> tuple[float, float]:
        """Return the logarithms of the bounds in standard deviations from their mean."""
        mu, sigma = self._of_logarithm()
        low, high = (
            -math.inf if bound == 0.0 else (math.log(bound) - mu) / (sigma or 1.0)
            for bound in (self.min, self.max)
        )
        return low, high

    def _at(self, z: float) -> float:
        """Return the value whose logarithm is z standard deviations above its mean."""
        mu, sigma = self._of_logarithm()
        return math.exp(min(mu + sigma * z, 700.0))

    def extent(self) -> tuple[float, float]:
        """Return the smallest number that can be drawn, and `max`; the mean twice if sd is 0."""
        if self.sd == 0.0:
            return self.mean, self.mean
        return self.min or self._at(_ends(*self._standard_bounds())[0]), self.max

    def quantiles(self, u: np.ndarray) -> np.ndarray:
        """Return the quantiles of (N,) probabilities between 0 and 1: (N,) float64."""
        import numpy as np

        mu, sigma = self._of_logarithm()
        values = np.exp(mu + sigma * _standard_quantiles(u, *self._standard_bounds()))
        clipped: np.ndarray = values.clip(*self.extent())
        return clipped

    @property
    def mean_value(self) -> float:
        """The mean of the truncated distribution."""
        return self._moment(1)

    @property
    def sd_value(self) -> float:
        """The standard deviation of the truncated distribution."""
        return math.sqrt(max(0.0, self._moment(2) - self._moment(1) ** 2))

    def _moment(self, power: int) -> float:
        """Return the mean of a power of the values."""
        mu, sigma = self._of_logarithm()
        low, high = self._standard_bounds()
        shift = power * sigma
        part = _share(low - shift, high - shift) / _share(low, high) if sigma > 0.0 else 1.0
        return math.exp(power * mu + shift * shift / 2) * part

    @property
    def text(self) -> str:
        """A short text, such as 'lognormal(1, 0.2, to 3)'."""
        low = self.min or -math.inf
        return f"lognormal({_short(self.mean)}, {_short(self.sd)}{_range(low, self.max)})"


class Choice(Distribution):
    """One of some values, each with its probability."""

    kind: Literal["choice"] = "choice"
    values: Annotated[tuple[Number, ...], Field(min_length=1)]
    """The values."""
    probabilities: tuple[Share, ...] = ()
    """A probability for each value; they add up to 1. All are equal unless given."""
    draw: DrawName = ""
    """A name. Numbers with the same name have the same quantile in a boid, so that they go
    together. Unless given, each number is drawn by itself."""

    @model_validator(mode="after")
    def _check(self) -> Choice:
        if not self.probabilities:
            return self
        if len(self.probabilities) != len(self.values):
            raise ValueError(
                f"probabilities: got {len(self.probabilities)} for {len(self.values)} values; "
                "expected one for each value"
            )
        total = math.fsum(self.probabilities)
        if abs(total - 1.0) > SUM_TOLERANCE:
            remedy = f"Divide each by {total:g}" if total > 0.0 else "Increase them"
            raise ValueError(f"probabilities: got a sum of {total:g}; expected 1. {remedy}")
        return self

    @property
    def shares(self) -> tuple[float, ...]:
        """The probability of each value."""
        if not self.probabilities:
            return (1.0 / len(self.values),) * len(self.values)
        total = math.fsum(self.probabilities)
        return tuple(share / total for share in self.probabilities)

    def extent(self) -> tuple[float, float]:
        """Return the smallest and the largest value with a probability above 0."""
        drawn = [x for x, share in zip(self.values, self.shares, strict=True) if share > 0.0]
        return min(drawn), max(drawn)

    def quantiles(self, u: np.ndarray) -> np.ndarray:
        """Return the value in whose part of [0, 1) each of (N,) numbers lies: (N,) float64."""
        import numpy as np

        ends = np.cumsum(self.shares)
        chosen = np.searchsorted(ends / ends[-1], u, side="right")
        values: np.ndarray = np.array(self.values, float)[chosen]
        return values

    @property
    def mean_value(self) -> float:
        """The mean."""
        return math.fsum(x * p for x, p in zip(self.values, self.shares, strict=True))

    @property
    def sd_value(self) -> float:
        """The standard deviation."""
        mean, pairs = self.mean_value, zip(self.values, self.shares, strict=True)
        return math.sqrt(math.fsum((x - mean) ** 2 * p for x, p in pairs))

    @property
    def text(self) -> str:
        """A short text, such as 'choice(0: 0.9, 1: 0.1)'."""
        if len(self.values) > MAX_LISTED:
            return f"choice({len(self.values)} values{_from_to(self)})"
        shares = [f": {_short(share)}" for share in self.probabilities] or [""] * len(self.values)
        pairs = zip(self.values, shares, strict=True)
        return f"choice({', '.join(_short(x) + share for x, share in pairs)})"


class Each(Distribution):
    """A number for each boid, in the order of their indices. In Python an array will do."""

    kind: Literal["each"] = "each"
    values: Annotated[tuple[Annotated[FiniteFloat, Strict()], ...], Field(min_length=1)]
    """The numbers: as many as the flock has boids."""

    @model_validator(mode="after")
    def _check(self) -> Each:
        for number in self.extent():
            check_size(number)
        return self

    def extent(self) -> tuple[float, float]:
        """Return the smallest and the largest value."""
        return min(self.values), max(self.values)

    def quantiles(self, u: np.ndarray) -> np.ndarray:
        """Return the quantiles of the values: (N,) float64. Boids take theirs by index."""
        import numpy as np

        rows = (u * len(self.values)).astype(int)
        values: np.ndarray = np.sort(np.array(self.values, float))[rows]
        return values

    @property
    def mean_value(self) -> float:
        """The mean of the values."""
        return math.fsum(self.values) / len(self.values)

    @property
    def sd_value(self) -> float:
        """The standard deviation of the values."""
        mean = self.mean_value
        return math.sqrt(math.fsum((x - mean) ** 2 for x in self.values) / len(self.values))

    @property
    def text(self) -> str:
        """A short text, such as 'each(50 values from 0.1 to 3)'."""
        if len(self.values) <= MAX_LISTED:
            return f"each({', '.join(map(_short, self.values))})"
        return f"each({len(self.values):,} values{_from_to(self)})"


DISTRIBUTIONS = (Normal, Uniform, Lognormal, Choice, Each)


def is_individual(value: object) -> bool:
    """Return whether a value is a number that differs between boids."""
    return isinstance(value, Distribution)


def same_numbers(a: object, b: object) -> bool:
    """Return whether two numbers of one flock are equal in every boid."""
    if a != b:
        return False
    return not isinstance(a, Distribution) or isinstance(a, Each) or bool(a.draw)  # type: ignore[attr-defined]


# --- checks


def _check_order(low: float, high: float) -> None:
    if low > high:
        raise ValueError(f"min: got {low:g}; expected at most max, {high:g}")
    if low == math.inf:
        raise ValueError("min: got inf; expected a finite number, or leave it out")
    if high == -math.inf:
        raise ValueError("max: got -inf; expected a finite number, or leave it out")


def _check_mean(mean: float, sd: float, low: float, high: float) -> None:
    """Check that a distribution of equal values is within its bounds."""
    if sd == 0.0 and not low <= mean <= high:
        raise ValueError(
            f"mean: got {mean:g} with sd 0; expected a number from {low:g} to {high:g}, min and max"
        )


def _check_share(low: float, high: float) -> None:
    """Check that bounds, in standard deviations from the mean, leave enough of a distribution."""
    if (share := _share(low, high)) < MIN_SHARE:
        raise ValueError(
            f"min, max: got bounds that leave {share:.1g} of the distribution; expected at least "
            f"{MIN_SHARE:g}. Move the bounds towards the mean, or use kind 'uniform'"
        )


def _check_ends(ends: Any) -> None:
    """Check the size of the smallest and the largest number that can be drawn."""
    for end in ends:
        if abs(end) > MAX_NUMBER:
            side = "min" if end < 0.0 else "max"
            raise ValueError(
                f"sd: got a distribution with numbers to {end:g}; expected numbers from "
                f"-{MAX_NUMBER:,.0f} to {MAX_NUMBER:,.0f}. Give {side}, or use larger units"
            )


# --- the standard normal distribution between two bounds


def _share(low: float, high: float) -> float:
    """Return the probability of the numbers between two bounds."""
    if low > 0.0:  # in the upper tail 1 - cdf has no digits
        low, high = -high, -low
    return _cdf(high) - _cdf(low)


def _cdf(z: float) -> float:
    return 0.5 * math.erfc(-z / math.sqrt(2.0))


def _density(z: float) -> float:
    return math.exp(-z * z / 2.0) / math.sqrt(2.0 * math.pi)


def _ends(low: float, high: float) -> tuple[float, float]:
    """Return the smallest and the largest quantile of uniform random numbers."""
    smallest = STANDARD.inv_cdf(SMALLEST_UNIFORM)
    return max(low, smallest), min(high, -smallest)


def _standard_quantiles(u: np.ndarray, low: float, high: float) -> np.ndarray:
    """Return the quantiles of (N,) probabilities, between two bounds: (N,) float64."""
    from scipy.special import ndtr, ndtri

    if low > 0.0:
        return -_standard_quantiles(1.0 - u, -high, -low)
    first, last = float(ndtr(low)), float(ndtr(high))
    quantiles: np.ndarray = ndtri(first + u * (last - first))
    return quantiles


def _standard_mean_and_sd(low: float, high: float) -> tuple[float, float]:
    """Return mean and standard deviation between two bounds (Johnson, Kotz and Balakrishnan 1994).

    Continuous Univariate Distributions, volume 1, section 13.10.
    """
    share = _share(low, high)
    mean = (_density(low) - _density(high)) / share
    ends = (0.0 if math.isinf(z) else z * _density(z) for z in (low, high))
    below, above = ends
    return mean, math.sqrt(max(0.0, 1.0 + (below - above) / share - mean * mean))


# --- texts


def _short(number: float) -> str:
    return f"{number:.4g}" if abs(number) < 1e4 else f"{number:g}"


def _range(low: float, high: float) -> str:
    below = f" from {_short(low)}" if math.isfinite(low) else ""
    above = f" to {_short(high)}" if math.isfinite(high) else ""
    return f",{below}{above}" if below or above else ""


def _from_to(value: Choice | Each) -> str:
    low, high = value.extent()
    return f" from {_short(low)} to {_short(high)}"
