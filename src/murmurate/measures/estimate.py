"""Estimate: a number with its error bar."""

from __future__ import annotations

import math
from dataclasses import dataclass

from murmurate.measures.limits import MeasureError, is_number, shown

ROUNDING = 1e-12  # of a value: smaller differences come from floats


@dataclass(frozen=True)
class Estimate:
    """A value and how well it is known.

    value        the number; nan where there is none
    error        its standard error (one sigma); nan where it is not known
    independent  how many independent samples it stands on, as far as one can tell
    how          where the error comes from: 'autocorrelation', 'blocking', 'seeds', 'animals',
                 'counting' (a number of events), 'share' (of `independent` draws), 'fit'
    short        True where the series is too short to trust the error: it may be far too small
    freedom      degrees of freedom of the error, for Student's t: n - 1 of n runs; inf where the
                 error is known exactly, nan where nobody knows, as of the mean of one value
    """

    value: float
    error: float
    independent: float
    how: str
    short: bool = False
    freedom: float = math.nan

    def __repr__(self) -> str:
        known = math.isfinite(self.value) and math.isfinite(self.error)
        said = {"standard error": known, "too short to say": self.short}
        notes = [note for note, holds in said.items() if holds]
        text = with_error(self.value, self.error)
        return f"{text} ({', '.join(notes)})" if notes else text

    def __float__(self) -> float:
        return float(self.value)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """The interval that holds the true value with this probability, (low, high).

        Of a mean value -+ t error, t the quantile of Student's t at `freedom`: with 8 runs 2.36 at
        95%, where 1.96 would hold it in 91 of 100 cases. Of a number of events Garwood's exact
        interval, of a share Clopper and Pearson's. (-inf, inf) where the error or its freedom is
        not known. Raises MeasureError unless 0 < confidence < 1.

        Source: Student 1908, doi:10.1093/biomet/6.1.1; Garwood 1936, doi:10.1093/biomet/28.3-4.437;
        Clopper & Pearson 1934, doi:10.1093/biomet/26.4.404.
        """
        if not is_number(confidence) or not 0.0 < confidence < 1.0:
            raise MeasureError(
                f"confidence: got {shown(confidence)}; expected a number above 0 and below 1. "
                "Give 0.95 for 95%."
            )
        doubt = 1.0 - confidence
        if self.how == "counting" and math.isfinite(self.value):
            return garwood(round(self.value), doubt)
        if self.how == "share" and math.isfinite(self.value):
            n = round(self.independent)
            return clopper_pearson(round(self.value * n), n, doubt)
        reach = t_factor(self.freedom, doubt) * self.error
        if math.isnan(reach):
            return -math.inf, math.inf
        return self.value - reach, self.value + reach

    def agrees(self, expected: float, sigmas: float = 4.0) -> bool:
        """Whether a number lies within so many standard errors of the value. Of few runs it may lie
        farther, by Student's t: as seldom beyond as beyond so many sigmas of a normal value."""
        doubt = math.erfc(sigmas / math.sqrt(2.0))
        factor = t_factor(self.freedom, doubt) if self.freedom < math.inf else sigmas
        return abs(self.value - expected) <= factor * self.error


def t_factor(freedom: float, doubt: float) -> float:
    """How many standard errors around a mean miss the true value with a probability of `doubt`: the
    quantile 1 - doubt / 2 of Student's t of so many degrees of freedom, also broken ones. nan where
    freedom is nan, inf where it is 0 or less.

    Source: Student 1908, doi:10.1093/biomet/6.1.1.
    """
    from scipy.special import ndtri, stdtrit

    if math.isnan(freedom):
        return math.nan
    if freedom <= 0.0:
        return math.inf
    return -float(ndtri(doubt / 2) if math.isinf(freedom) else stdtrit(freedom, doubt / 2))


def clopper_pearson(hits: int, n: int, doubt: float) -> tuple[float, float]:
    """The interval for a share of which there were `hits` among n draws, that misses it with a
    probability of at most `doubt`; 0 to 1 without draws.

    Source: Clopper & Pearson 1934, doi:10.1093/biomet/26.4.404.
    """
    from scipy.special import betaincinv

    low = float(betaincinv(hits, n - hits + 1, doubt / 2)) if hits > 0 else 0.0
    high = float(betaincinv(hits + 1, n - hits, 1.0 - doubt / 2)) if hits < n else 1.0
    return low, high


def garwood(events: int, doubt: float) -> tuple[float, float]:
    """The interval for the expected number of rare events, of which there were `events`, that
    misses it with a probability of at most `doubt`.

    Source: Garwood 1936, doi:10.1093/biomet/28.3-4.437.
    """
    from scipy.special import gammaincinv

    low = float(gammaincinv(events, doubt / 2)) if events > 0 else 0.0
    return low, float(gammaincinv(events + 1, 1.0 - doubt / 2))


def with_error(value: float, error: float) -> str:
    """'0.953 ± 0.004': the error to one digit, or two where the first is a 1, the value as far. An
    error that is the rounding of floats is 0."""
    if not math.isfinite(value):
        return f"{value}"
    if not math.isfinite(error):
        return f"{value:.4g} ± ?"
    if error <= ROUNDING * abs(value):
        return f"{value:.6g} ± 0"
    digits = 2 if f"{error:.1e}"[0] == "1" else 1
    places = digits - 1 - int(f"{error:.{digits - 1}e}".split("e")[1])
    if places > 6 or places < -6:
        exponent = int(f"{max(abs(value), error):e}".split("e")[1])
        shown = max(places + exponent, 0)
        if shown > 7:  # more digits than anybody reads
            return f"{value:.8g} ± {error:.0e}"
        return f"{value:.{shown}e} ± {error:.{digits - 1}e}"
    shown = max(places, 0)
    return f"{round(value, places):.{shown}f} ± {round(error, places):.{shown}f}"
