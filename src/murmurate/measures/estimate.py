"""Estimate: a number with its standard error and interval.

The intervals call scipy.special. scipy.stats takes half a second to import, and its
`binomtest(...).proportion_ci` finds the same bounds by bisection: to nine digits, 600 times slower.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from murmurate.errors import MeasureError
from murmurate.measures.limits import format_value, is_number

ROUNDING = 2.0**-23  # relative to the value: smaller errors are the rounding of float32


@dataclass(frozen=True)
class Estimate:
    """A value with its standard error.

    Attributes
    ----------
    value : float
        The number; nan if there is none.
    error : float
        Standard error (one sigma); nan if unknown.
    independent : float
        Effective number of independent samples.
    method : str
        Source of the error: 'autocorrelation', 'blocking', 'seeds', 'animals', 'counting' (a number
        of events), 'rate' (of `independent` events), 'share' (of `independent` draws) or 'fit'.
    short : bool
        True if the series is too short for a reliable error, which may be far too small.
    freedom : float
        Degrees of freedom of the error, for Student's t: n - 1 for n runs. inf if the error is
        exact, nan if unknown, as for the mean of one value.
    """

    value: float
    error: float
    independent: float
    method: str
    short: bool = False
    freedom: float = math.nan

    def __repr__(self) -> str:
        has_error = math.isfinite(self.value) and math.isfinite(self.error)
        remarks = {"standard error": has_error, "too short to say": self.short}
        notes = [note for note, holds in remarks.items() if holds]
        text = "nan" if math.isnan(self.value) else with_error(self.value, self.error)
        return f"{text} ({', '.join(notes)})" if notes else text

    def __float__(self) -> float:
        return float(self.value)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return the confidence interval of the true value.

        Parameters
        ----------
        confidence : float, default 0.95
            Probability that the interval contains the true value, above 0 and below 1.

        Returns
        -------
        low, high : float
            For a mean value -+ t error, with t the quantile of Student's t at `freedom`. For a
            number or a rate of events Garwood's exact interval, for a share that of Clopper and
            Pearson.
            (-inf, inf) if the error or its degrees of freedom are unknown.

        Raises
        ------
        MeasureError
            If `confidence` is out of range.

        Notes
        -----
        With 8 runs t is 2.36 at 95%. A factor of 1.96 would contain the true value in only 91 of
        100 cases.

        Source: Student 1908, doi:10.1093/biomet/6.1.1; Garwood 1936, doi:10.1093/biomet/28.3-4.437;
        Clopper & Pearson 1934, doi:10.1093/biomet/26.4.404.
        """
        if not is_number(confidence) or not 0.0 < confidence < 1.0:
            raise MeasureError(
                f"confidence: got {format_value(confidence)}; expected a number above 0 and below "
                "1. Give 0.95 for 95%."
            )
        alpha = 1.0 - confidence
        if self.method == "counting" and math.isfinite(self.value):
            return garwood(round(self.value), alpha)
        if self.method == "rate" and math.isfinite(self.value):
            events = round(self.independent)
            low, high = garwood(events, alpha)
            scale = self.error / math.sqrt(max(events, 1))
            return low * scale, high * scale
        if self.method == "share" and math.isfinite(self.value):
            n = round(self.independent)
            return clopper_pearson(round(self.value * n), n, alpha)
        half_width = t_factor(self.freedom, alpha) * self.error
        if math.isnan(half_width):
            return -math.inf, math.inf
        return self.value - half_width, self.value + half_width

    def agrees(self, expected: float, sigmas: float = 4.0) -> bool:
        """Return True if `expected` lies within `sigmas` standard errors of the value.

        With few degrees of freedom the tolerance is wider, by Student's t: it is exceeded as rarely
        as `sigmas` standard deviations of a normal variable.
        """
        alpha = math.erfc(sigmas / math.sqrt(2.0))
        factor = t_factor(self.freedom, alpha) if self.freedom < math.inf else sigmas
        return abs(self.value - expected) <= factor * self.error


def t_factor(freedom: float, alpha: float) -> float:
    """Return the 1 - alpha / 2 quantile of Student's t.

    Source: Student 1908, doi:10.1093/biomet/6.1.1.

    freedom  degrees of freedom, not necessarily whole
    alpha  probability that an interval of this many standard errors misses the mean
    returns  the quantile; nan if `freedom` is nan, inf if it is 0 or below
    """
    from scipy.special import ndtri, stdtrit

    if math.isnan(freedom):
        return math.nan
    if freedom <= 0.0:
        return math.inf
    return -float(ndtri(alpha / 2) if math.isinf(freedom) else stdtrit(freedom, alpha / 2))


def clopper_pearson(hits: int, n: int, alpha: float) -> tuple[float, float]:
    """Return the interval of a share, from `hits` among n draws; (0, 1) without draws.

    It misses the share with a probability of at most `alpha`.

    Source: Clopper & Pearson 1934, doi:10.1093/biomet/26.4.404.
    """
    from scipy.special import betaincinv

    low = float(betaincinv(hits, n - hits + 1, alpha / 2)) if hits > 0 else 0.0
    high = float(betaincinv(hits + 1, n - hits, 1.0 - alpha / 2)) if hits < n else 1.0
    return low, high


def garwood(events: int, alpha: float) -> tuple[float, float]:
    """Return the interval of the expected number of rare events, of which `events` occurred.

    It misses the expected number with a probability of at most `alpha`.

    Source: Garwood 1936, doi:10.1093/biomet/28.3-4.437.
    """
    from scipy.special import gammaincinv

    low = float(gammaincinv(events, alpha / 2)) if events > 0 else 0.0
    return low, float(gammaincinv(events + 1, 1.0 - alpha / 2))


def to_precision(value: float, error: float) -> str:
    """Format a number with the decimals that its standard error supports.

    Such as an end of an interval. Four digits if the error is unknown.
    """
    if not (math.isfinite(value) and math.isfinite(error)) or error <= ROUNDING * abs(value):
        return f"{value:.4g}"
    return f"{value:.{min(6, max(_decimals(error)[0], 0))}f}"


def _decimals(error: float) -> tuple[int, int]:
    """Return the decimals and the digits of an error: one digit, or two if the first is a 1."""
    digits = 2 if f"{error:.1e}"[0] == "1" else 1
    return digits - 1 - int(f"{error:.{digits - 1}e}".split("e")[1]), digits


def with_error(value: float, error: float) -> str:
    """Format a value and its standard error, such as '0.953 ± 0.004'.

    The error has one digit, or two if the first is a 1; the value has as many decimals. An error
    within the rounding of float32, in which most runs are, is shown as 0. '-' if there is no value.
    """
    if not math.isfinite(value):
        return "-" if math.isnan(value) else f"{value}"
    if not math.isfinite(error):
        return f"{value:.4g} ± ?"
    if error <= ROUNDING * abs(value):
        return f"{value:.6g} ± 0"
    decimals, digits = _decimals(error)
    if decimals > 6 or decimals < -6:
        exponent = int(f"{max(abs(value), error):e}".split("e")[1])
        mantissa = max(decimals + exponent, 0)
        if mantissa > 7:  # more digits than anybody reads
            return f"{value:.8g} ± {error:.0e}"
        return f"{value:.{mantissa}e} ± {error:.{digits - 1}e}"
    printed = max(decimals, 0)
    return f"{round(value, decimals):.{printed}f} ± {round(error, decimals):.{printed}f}"
