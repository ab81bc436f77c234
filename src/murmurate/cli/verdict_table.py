"""Print verdicts as a table or as JSON; describe expectations and results in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from murmurate.cli.terminal import print_line

if TYPE_CHECKING:
    from rich.console import Console

    from murmurate.model.results import Expectation
    from murmurate.verify import Result
    from murmurate.verify.verdict import Verdict

STYLED: dict[Verdict, tuple[str, str]] = {
    "agrees": ("agrees", "green"),
    "differs": ("DIFFERS", "bold red"),
    "not precise enough": ("not precise enough", "yellow"),
}


def print_table(out: Console, name: str, results: list[Result]) -> None:
    """Print a row for each verdict, with the expected and the measured value."""
    from rich.padding import Padding
    from rich.text import Text

    from murmurate.cli.terminal import make_table

    out.print(Text(name, "bold cyan"))
    verdicts = make_table("", "")
    verdicts.show_header = False
    verdicts.columns[0].width = max(len(word) for word, _ in STYLED.values() if " " not in word)
    for result in results:
        expected = result.expected
        flights = "1 flight" if result.flights == 1 else f"{result.flights} flights"
        text = Text.assemble(
            (describe_value(result), "bold"),
            f"{describe_interval(result)}, expected {describe_bounds(expected)}; {flights}\n",
            describe(expected),
            (f"\n{expected.why}" if expected.why else "", "dim"),
        )
        verdicts.add_row(Text(*STYLED[result.verdict]), text)
    out.print(Padding(verdicts, (0, 0, 1, 2), expand=False))


def describe_value(result: Result) -> str:
    """Return '0.953 ± 0.004'; the value alone if there is no error, or only rounding."""
    from murmurate.measures.estimate import ROUNDING, with_error

    if result.error > ROUNDING * abs(result.value):
        return with_error(result.value, result.error)
    digits = 10 if result.expected.kind == "trajectory" else 4
    return f"{result.value:.{digits}g}"


def describe_interval(result: Result) -> str:
    """Return ' (standard error; 95%: 0.943 to 0.963)'; '' if there is no error, or only rounding.

    The interval is the one that is compared with the bounds.
    """
    from murmurate.measures.estimate import ROUNDING, to_precision

    low, high = result.interval
    if not result.error > ROUNDING * abs(result.value) or not math.isfinite(low + high):
        return ""
    ends = " to ".join(to_precision(end, result.error) for end in (low, high))
    return f" (standard error; 95%: {ends})"


def describe(expected: Expectation) -> str:
    """Return 'polarization, step 60, motion.noise=2': measure, steps and settings.

    A share also states which flights it counts.
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
        return f"share of flights with {limit}: {text}"
    return f"trajectory: {text}" if expected.kind == "trajectory" else text


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


def print_json(results: list[Result]) -> None:
    """Print the results as a JSON array."""
    import json

    print_line(json.dumps([_json_row(result) for result in results], indent=2))


def _json_row(result: Result) -> dict[str, Any]:
    expected = result.expected
    low, high = expected.bounds()
    settings = {p: str(v) if isinstance(v, dict) else v for p, v in expected.set.items()}
    return {
        "model": result.model,
        "measure": expected.measure,
        "flock": expected.flock,
        "set": settings,
        "step": expected.step,
        "since": expected.since,
        "relative": expected.relative,
        "kind": expected.kind,
        "at_least": expected.at_least,
        "at_most": expected.at_most,
        "seeds": list(result.seeds),
        "flights": result.flights,
        "low": _finite(low),
        "high": _finite(high),
        "value": _finite(result.value),
        "error": _finite(result.error),
        "interval": [_finite(end) for end in result.interval],
        "verdict": result.verdict,
        "agrees": result.agrees,
        "tier": expected.tier,
        "origin": expected.origin,
        "why": expected.why,
    }


def _finite(value: float) -> float | None:
    """Return a number that JSON can hold; None for infinity and nan."""
    return value if math.isfinite(value) else None
