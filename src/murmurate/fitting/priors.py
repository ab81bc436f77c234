"""Prior: the probability of a number of a model before the data, within the bounds of a fit.

The posterior is computed in unit coordinates: the quantile of each number under its prior. There
every prior is uniform in [0, 1], which needs neither scales nor transformations of its own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from murmurate.errors import FitError
from murmurate.sweeps.study import values_by_path

PriorKind = Literal["uniform", "log-uniform", "normal"]
KINDS = ("uniform", "log-uniform", "normal")
FORMS = "uniform, log-uniform or normal:MEAN:SD, such as normal:5:1"


@dataclass(frozen=True)
class Prior:
    """The prior distribution of a number.

    kind  a normal distribution is cut at the bounds
    low, high  bounds. Both are int for a number that the model counts; then every value is whole.
    mean, sd  mean and standard deviation of a normal distribution, before it is cut
    """

    kind: PriorKind
    low: float
    high: float
    mean: float = math.nan
    sd: float = math.nan

    @property
    def is_count(self) -> bool:
        """True if values are whole numbers."""
        return isinstance(self.low, int) and isinstance(self.high, int)

    def value(self, quantile: float) -> float | int:
        """Return the value at a quantile, an int for a whole number. JSON preserves it."""
        value = float(self.values(np.array([quantile]))[0])
        return round(value) if self.is_count else value

    def values(self, quantiles: np.ndarray) -> np.ndarray:
        """Return the values at quantiles between 0 and 1. Whole numbers have equal shares."""
        q = np.asarray(quantiles, dtype=float)
        low, high = self._ends
        if self.kind == "log-uniform":
            x = low * (high / low) ** q
        elif self.kind == "normal":
            from scipy.special import ndtri

            first, last = self._cut
            x = self.mean + self.sd * ndtri(first + q * (last - first))
        else:
            x = low + q * (high - low)
        x = np.clip(x, low, high)
        return np.clip(np.round(x), self.low, self.high) if self.is_count else x

    def quantiles(self, values: np.ndarray) -> np.ndarray:
        """Return the quantiles of values: the inverse of `values`."""
        x = np.clip(np.asarray(values, dtype=float), *self._ends)
        low, high = self._ends
        if self.kind == "log-uniform":
            q = np.log(x / low) / math.log(high / low)
        elif self.kind == "normal":
            from scipy.special import ndtr

            first, last = self._cut
            q = (ndtr((x - self.mean) / self.sd) - first) / (last - first)
        else:
            q = (x - low) / (high - low)
        return np.clip(q, 0.0, 1.0)

    def text(self) -> str:
        """Return the prior as text, such as 'uniform, 0 to 5'."""
        about = f" {self.mean:g} ± {self.sd:g}" if self.kind == "normal" else ""
        return f"{self.kind}{about}, {self.low:g} to {self.high:g}"

    @property
    def _ends(self) -> tuple[float, float]:
        """Bounds of the distribution. Half a unit more for whole numbers, which are rounded."""
        return (self.low - 0.5, self.high + 0.5) if self.is_count else (self.low, self.high)

    @property
    def _cut(self) -> tuple[float, float]:
        """Probabilities of the normal distribution below each bound."""
        from scipy.special import ndtr

        low, high = self._ends
        first, last = ndtr((low - self.mean) / self.sd), ndtr((high - self.mean) / self.sd)
        return float(first), float(last)


def make_prior(path: str, bounds: tuple[Any, Any], form: Any = "uniform") -> Prior:
    """Return the prior of a number from its bounds and its form.

    path  path of the number, for error messages
    bounds  (low, high)
    form  'uniform', 'log-uniform', ('normal', mean, sd) or 'normal:MEAN:SD'
    raises FitError  for another form, a log-uniform prior of numbers that are not positive, a
        standard deviation that is not positive, and a normal prior without probability between the
        bounds
    """
    kind, *words = form.split(":") if isinstance(form, str) else list(form)
    try:
        numbers = [float(word) for word in words]
    except (TypeError, ValueError):
        kind, numbers = "", []
    if kind not in KINDS or len(numbers) != (2 if kind == "normal" else 0):
        raise FitError(f"{path}: got the prior {form!r}; expected {FORMS}")
    prior = Prior(kind, *bounds, *numbers)  # type: ignore[arg-type]
    if kind == "log-uniform" and not prior._ends[0] > 0.0:
        raise FitError(
            f"{path}: got a log-uniform prior from {bounds[0]:g}; expected bounds above 0. Give "
            "--vary a lower bound above 0, or use a uniform prior"
        )
    if kind == "normal":
        if not (math.isfinite(prior.mean) and 0.0 < prior.sd < math.inf):
            raise FitError(f"{path}: got the prior {form!r}; expected finite MEAN and SD, SD > 0")
        first, last = prior._cut
        if not last - first > 1e-6:
            raise FitError(
                f"{path}: got a normal prior at {prior.mean:g} ± {prior.sd:g}; expected one with "
                f"probability between the bounds {bounds[0]:g} and {bounds[1]:g}. Widen --vary"
            )
    return prior


def split_priors(
    vary: Mapping[str, Sequence[Any]],
) -> tuple[dict[str, tuple[Any, Any]], dict[str, str]]:
    """Return path -> bounds, and path -> prior as text, such as 'normal:5:1'.

    Bounds may be followed by a prior: (low, high, 'log-uniform') or (low, high, ('normal', 5, 1)).
    """
    bounds: dict[str, Any] = {}
    priors: dict[str, str] = {}
    for path, words in values_by_path(vary, FitError).items():
        bounds[path] = words
        if len(words) == 3 and isinstance(words[2], str | tuple | list):
            form = words[2]
            bounds[path] = words[:2]
            priors[path] = form if isinstance(form, str) else ":".join(map(str, form))
    return bounds, priors


def settings_at(priors: Mapping[str, Prior], quantiles: np.ndarray) -> list[dict[str, Any]]:
    """Return the settings, path -> value, at (n, D) quantiles."""
    return [
        {path: prior.value(q) for (path, prior), q in zip(priors.items(), row, strict=True)}
        for row in quantiles
    ]


def quantiles_of(priors: Mapping[str, Prior], settings: Sequence[Mapping[str, Any]]) -> np.ndarray:
    """Return the (n, D) quantiles of settings."""
    return np.column_stack([
        prior.quantiles(np.array([float(values[path]) for values in settings]))
        for path, prior in priors.items()
    ])  # fmt: skip
