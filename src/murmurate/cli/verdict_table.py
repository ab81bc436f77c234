"""Print verdicts as a table or as JSON."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from murmurate.cli.terminal import print_line

if TYPE_CHECKING:
    from rich.console import Console

    from murmurate.verify import Result
    from murmurate.verify.verdict import Verdict

STYLED: dict[Verdict, tuple[str, str]] = {
    "agrees": ("agrees", "green"),
    "differs": ("DIFFERS", "bold red"),
    "not precise enough": ("not precise enough", "yellow"),
    "known difference": ("known difference", "yellow"),
}


def print_table(out: Console, name: str, results: list[Result]) -> None:
    """Print a row for each verdict, with the expected and the measured value."""
    from rich.padding import Padding
    from rich.text import Text

    from murmurate.cli.terminal import make_table
    from murmurate.verify.report import (
        describe,
        describe_bounds,
        describe_interval,
        describe_value,
    )

    out.print(Text(name, "bold cyan"))
    verdicts = make_table("", "")
    verdicts.show_header = False
    verdicts.columns[0].width = max(
        len(part) for word, _ in STYLED.values() for part in word.split()
    )
    for result in results:
        expected = result.expected
        runs = "1 run" if result.flights == 1 else f"{result.flights} runs"
        text = Text.assemble(
            (describe_value(result), "bold"),
            f"{describe_interval(result)}, expected {describe_bounds(expected)}; {runs}\n",
            describe(expected),
            *((f"\n{why}", "dim") for why in (expected.why, expected.known_difference) if why),
        )
        verdicts.add_row(Text(*STYLED[result.verdict]), text)
    out.print(Padding(verdicts, (0, 0, 1, 2), expand=False))


def print_json(results: list[Result]) -> None:
    """Print the results as a JSON object, with the numbers of verdicts and origins."""
    import json
    from collections import Counter

    from murmurate.verify.report import count_origins

    verdicts = Counter(result.verdict for result in results)
    document = {
        "verdicts": {verdict: verdicts[verdict] for verdict in STYLED},
        "origins": count_origins(result.expected for result in results),
        "results": [_json_row(result) for result in results],
    }
    print_line(json.dumps(document, indent=2))


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
        "known_difference": expected.known_difference,
    }


def _finite(value: float) -> float | None:
    """Return a number that JSON can hold; None for infinity and nan."""
    return value if math.isfinite(value) else None
