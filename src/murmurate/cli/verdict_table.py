"""Verdicts as a table or as JSON, and the words for an expectation and its outcome."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

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
    """A verdict a row, with what was expected and measured, and what that says."""
    from rich.padding import Padding
    from rich.text import Text

    from murmurate.cli.terminal import make_table

    out.print(Text(name, "bold cyan"))
    made = make_table("", "")
    made.show_header = False
    made.columns[0].width = max(len(said) for said, _ in STYLED.values() if " " not in said)
    for result in results:
        one = result.expected
        flights = "1 flight" if result.flights == 1 else f"{result.flights} flights"
        said = Text.assemble(
            (measured(result), "bold"), f"{interval(result)}, expected {bounds(one)}; {flights}\n",
            what(one),
            (f"\n{one.why}" if one.why else "", "dim"),
        )  # fmt: skip
        made.add_row(Text(*STYLED[result.verdict]), said)
    out.print(Padding(made, (0, 0, 1, 2), expand=False))


def measured(result: Result) -> str:
    """'0.953 ± 0.004'; the value alone where there is no error, or only rounding."""
    from murmurate.measures.estimate import with_error

    if result.error > 1e-9 * abs(result.value):
        return with_error(result.value, result.error)
    digits = 10 if result.expected.kind == "trajectory" else 4
    return f"{result.value:.{digits}g}"


def interval(result: Result) -> str:
    """' (standard error; 95%: 0.943 to 0.963)': what the error is, and the interval that is
    compared with the bounds; nothing where there is no error, or only rounding."""
    low, high = result.interval
    if not result.error > 1e-9 * abs(result.value) or not math.isfinite(low + high):
        return ""
    return f" (standard error; 95%: {low:.4g} to {high:.4g})"


def what(one: Expectation) -> str:
    """'polarization, step 60, motion.noise=2': the measure, when, and the settings it is under; a
    share says of which flights."""
    when = f"step {one.step}" if one.since is None else f"steps {one.since}-{one.step}"
    flock = "" if one.flock == "boids" else f" of {one.flock}"
    changes = [f"{_end(path)}={short(value)}" for path, value in one.set.items()]
    relative = ", relative" if one.relative else ""
    text = f"{one.measure}{flock}{relative}, {', '.join([when, *changes])}"
    if one.kind == "share":
        limit = f">= {one.at_least:g}" if one.at_least is not None else f"<= {one.at_most:g}"
        return f"share of flights with {limit}: {text}"
    return f"trajectory: {text}" if one.kind == "trajectory" else text


def _end(path: str) -> str:
    """The last two words of a path: 'orientation.radius'."""
    return ".".join(path.split(".")[-2:])


def short(value: object) -> str:
    """A setting's value in few letters."""
    if isinstance(value, dict):
        return str(value.get("kind", "..."))
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def bounds(one: Expectation) -> str:
    """'0.953 ± 0.03', '0.1 to 0.2', '> 0.5'."""
    if one.value is not None:
        digits = 10 if one.kind == "trajectory" else 6
        return f"{one.value:.{digits}g} ± {one.tolerance:g}"
    if one.low is None:
        return f"<= {one.high:g}"
    return f">= {one.low:g}" if one.high is None else f"{one.low:g} to {one.high:g}"


def print_json(results: list[Result]) -> None:
    import json

    def number(value: float) -> float | None:
        return value if math.isfinite(value) else None

    rows = []
    for result in results:
        one = result.expected
        low, high = one.bounds()
        rows.append(
            {
                "model": result.model,
                "measure": one.measure,
                "flock": one.flock,
                "set": {path: str(v) if isinstance(v, dict) else v for path, v in one.set.items()},
                "step": one.step,
                "since": one.since,
                "relative": one.relative,
                "kind": one.kind,
                "at_least": one.at_least,
                "at_most": one.at_most,
                "seeds": list(result.seeds),
                "flights": result.flights,
                "low": number(low),
                "high": number(high),
                "value": number(result.value),
                "error": number(result.error),
                "interval": [number(end) for end in result.interval],
                "verdict": result.verdict,
                "agrees": result.agrees,
                "tier": one.tier,
                "origin": one.origin,
                "why": one.why,
            }
        )
    print_line(json.dumps(rows, indent=2))
