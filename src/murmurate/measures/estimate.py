"""Estimate: a number with its error bar."""

from __future__ import annotations

import math
from dataclasses import dataclass

ROUNDING = 1e-12  # of a value: smaller differences come from floats


@dataclass(frozen=True)
class Estimate:
    """A value and how well it is known.

    value        the number; nan where there is none
    error        its standard error (one sigma); nan where it is not known
    independent  how many independent samples it stands on, as far as one can tell
    how          where the error comes from: 'autocorrelation', 'blocking', 'seeds',
                 'counting', 'fit'
    short        True where the series is too short to trust the error: it may be far too small
    """

    value: float
    error: float
    independent: float
    how: str
    short: bool = False

    def __repr__(self) -> str:
        text = with_error(self.value, self.error)
        return f"{text} (too short to say)" if self.short else text

    def __float__(self) -> float:
        return float(self.value)

    def agrees(self, expected: float, sigmas: float = 4.0) -> bool:
        """Whether a number lies within so many standard errors of the value."""
        return abs(self.value - expected) <= sigmas * self.error


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
