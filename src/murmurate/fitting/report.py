"""Fit: the result of a fit: the best numbers, their ranges, and measures beside the target."""

from __future__ import annotations

import html
import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from murmurate.fitting.objective import ComparedMeasure
from murmurate.measures.estimate import with_error
from murmurate.model.model import Model


@dataclass(frozen=True)
class Varied:
    """A number that was varied.

    best       its best value
    low, high  the bounds it was sought in
    from_, to  the least and largest value among settings that are as good: whose objective in the
               search was at most 1 above that of the best. The true range may be wider
    """

    path: str
    best: float
    low: float
    high: float
    from_: float
    to: float

    @property
    def at_bound(self) -> bool:
        """Whether the best lies within a hundredth of a bound: what is sought may lie beyond."""
        return min(self.best - self.low, self.high - self.best) <= 0.01 * (self.high - self.low)


@dataclass(frozen=True, repr=False)
class Fit:
    """What a fit found. It shows itself as a table.

    model        the model with the best numbers
    varied       each number that was varied
    met          each measure of theirs beside ours, of runs with seeds of their own
    objective    the sum of squared z of these runs, over the measures to be met
    evaluations  settings that were tried; runs of them
    folder       where it is stored; None where it was in a temporary one
    """

    name: str
    model: Model
    varied: list[Varied]
    met: list[ComparedMeasure]
    objective: float
    evaluations: int
    runs: int
    folder: Path | None = None
    history: list[float] = field(default_factory=list)

    @property
    def best(self) -> dict[str, float]:
        """path -> best value."""
        return {one.path: one.best for one in self.varied}

    def __repr__(self) -> str:
        lines = [f"{self.name}: objective {self.objective:.3g} after {self.evaluations} settings"]
        wide = max(len(one.path) for one in self.varied)
        lines += [f"{one.path:<{wide}}  {one.best:<10.4g} as good: {one.from_:.4g} to {one.to:.4g}"
                  + ("  at its bound" if one.at_bound else "") for one in self.varied]  # fmt: skip
        wide = max(len(one.name) for one in self.met)
        for row in self.cells():
            lines.append(f"{row[0]:<{wide}}  {row[1]:<20}  {row[2]:<20}  {row[3]:>6}  {row[4]}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        heads = ("measure", "theirs", "ours", "z", "")
        head = "".join(f"<th>{word}</th>" for word in heads)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self.cells()
        )
        best = ", ".join(f"{one.path} = {one.best:.4g}" for one in self.varied)
        caption = html.escape(f"{self.name}: {best}")
        return f"<table><caption>{caption}</caption><tr>{head}</tr>{body}</table>"

    def cells(self) -> list[tuple[str, str, str, str, str]]:
        """A row a measure: its name, theirs, ours, z, the verdict."""
        return [
            (
                one.name,
                with_error(one.theirs, one.their_error),
                with_error(one.ours, one.our_error),
                f"{one.z:+.1f}" if math.isfinite(one.z) else "-",
                one.verdict + ("" if one.fitted else ", only checked"),
            )
            for one in self.met
        ]

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain numbers and words; None where there is no number."""

        def number(value: float) -> float | None:
            return float(value) if math.isfinite(value) else None

        return {
            "model": self.name,
            "objective": number(self.objective),
            "evaluations": self.evaluations,
            "runs": self.runs,
            "varied": {
                one.path: {
                    "best": one.best, "low": one.low, "high": one.high,
                    "as_good": [one.from_, one.to], "at_bound": one.at_bound,
                }
                for one in self.varied
            },
            "measures": {
                one.name: {
                    "theirs": number(one.theirs), "their_error": number(one.their_error),
                    "ours": number(one.ours), "our_error": number(one.our_error),
                    "z": number(one.z), "verdict": one.verdict, "fitted": one.fitted,
                }
                for one in self.met
            },
        }  # fmt: skip

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=2)
