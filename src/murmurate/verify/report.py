"""Report: verdicts as a list that displays as a table, and results in words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

from murmurate.measures.estimate import ROUNDING, to_precision, with_error
from murmurate.model.results import Expectation
from murmurate.tables import to_html, to_lines
from murmurate.verify.verdict import Result

ORIGINS = ("exact", "published", "quoted", "claimed", "checked")
COLUMNS = ("verdict", "result", "expected", "statistic", "runs")


class Verdicts(list[Result]):
    """The results of `verify`, in the order of the model. It displays as a table."""

    @property
    def title(self) -> str:
        """The models, and the number of each verdict and each origin."""
        names = ", ".join(dict.fromkeys(result.model for result in self)) or "no model"
        text = describe_verdicts(self)
        origins = describe_origins(result.expected for result in self)
        return f"{names}: {text or 'no expectation'}" + (f" ({origins})" if origins else "")

    def cells(self) -> list[tuple[str, str, str, str, str]]:
        """Return a row per expectation: verdict, result, expected value, statistic and runs."""
        return [
            (
                "DIFFERS" if result.differs else result.verdict, describe_value(result),
                describe_bounds(result.expected), describe(result.expected), f"{result.flights}",
            )
            for result in self
        ]  # fmt: skip

    def __repr__(self) -> str:
        return "\n".join([self.title, *to_lines(COLUMNS, self.cells())])

    def _repr_html_(self) -> str:
        remarks = ["± standard errors over runs"] if any(r.flights > 1 for r in self) else []
        return to_html(COLUMNS, self.cells(), self.title, remarks)


def describe_verdicts(results: Iterable[Result]) -> str:
    """Return '12 agree, 1 known difference'; '' without results."""
    counts = Counter[str](result.verdict for result in results)
    several = {"agrees": "agree", "differs": "differ", "known difference": "known differences"}
    return ", ".join(
        f"{count} {several.get(verdict, verdict) if count > 1 else verdict}"
        for verdict, count in counts.items()
    )


def count_origins(expected: Iterable[Expectation]) -> dict[str, int]:
    """Return origin -> number of expectations with it, for all origins."""
    counts = Counter[str](expectation.origin for expectation in expected)
    return {origin: counts[origin] for origin in ORIGINS}


def describe_origins(expected: Iterable[Expectation]) -> str:
    """Return '4 exact, 2 published, 9 checked'; '' without expectations."""
    counts = count_origins(expected)
    return ", ".join(f"{count} {origin}" for origin, count in counts.items() if count)


def describe_value(result: Result) -> str:
    """Return '0.953 ± 0.004', or the value alone for no error but rounding."""
    if result.error > ROUNDING * abs(result.value):
        return with_error(result.value, result.error)
    digits = 10 if result.expected.kind == "trajectory" else 4
    return f"{result.value:.{digits}g}"


def describe_interval(result: Result) -> str:
    """Return ' (standard error; 95%: 0.943 to 0.963)', or '' for no error but rounding.

    The interval is the one that is compared with the bounds.
    """
    low, high = result.interval
    if not result.error > ROUNDING * abs(result.value) or not math.isfinite(low + high):
        return ""
    ends = " to ".join(to_precision(end, result.error) for end in (low, high))
    return f" (standard error; 95%: {ends})"


def describe(expected: Expectation) -> str:
    """Return 'polarization, step 60, motion.noise=2': measure, steps and settings.

    A share also states which runs it counts.
    """
    when = (
        f"step {expected.step}"
        if expected.since is None
        else f"steps {expected.since}-{expected.step}"
    )
    flock = "" if expected.flock == "boids" else f" of {expected.flock}"
    changes = [f"{_short_path(path)}={_short_value(value)}" for path, value in expected.set.items()]
    relative = ", relative" if expected.relative else ""
    text = f"{expected.measure}{flock}{relative}, {', '.join([when, *changes])}"
    if expected.kind == "share":
        limit = (
            f">= {expected.at_least:g}"
            if expected.at_least is not None
            else f"<= {expected.at_most:g}"
        )
        return f"share of runs with {limit}: {text}"
    return f"{expected.kind}: {text}" if expected.kind in ("median", "trajectory") else text


def _short_path(path: str) -> str:
    """Return the last two words of a path: 'orientation.radius'."""
    return ".".join(path.split(".")[-2:])


def _short_value(value: object) -> str:
    """Return a short text for the value of a setting."""
    if isinstance(value, dict):
        return str(value.get("kind", "..."))
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def describe_bounds(expected: Expectation) -> str:
    """Return '0.953 ± 0.03', '0.1 to 0.2' or '>= 0.5'."""
    if expected.value is not None:
        digits = 10 if expected.kind == "trajectory" else 6
        return f"{expected.value:.{digits}g} ± {expected.tolerance:g}"
    if expected.low is None:
        return f"<= {expected.high:g}"
    return (
        f">= {expected.low:g}"
        if expected.high is None
        else f"{expected.low:g} to {expected.high:g}"
    )
