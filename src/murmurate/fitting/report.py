"""Fit: the result of a fit: the best numbers, their ranges, and measures beside the target."""

from __future__ import annotations

import html
import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from murmurate.fitting.objective import ComparedMeasure
from murmurate.fitting.ranges import Varied, groups, remarks
from murmurate.measures.estimate import with_error
from murmurate.model.model import Model


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

    @property
    def not_determined(self) -> list[str]:
        """Paths of numbers that these measures do not determine: settings over most of the bounds
        are as good."""
        return [one.path for one in self.varied if one.undetermined]

    @property
    def determined_together(self) -> list[tuple[str, ...]]:
        """Groups of paths of which only a combination is determined."""
        return groups(self.varied)

    @property
    def remarks(self) -> list[str]:
        """What is to be said of the ranges, a line each: whether enough settings support them, and
        which numbers are not determined."""
        return remarks(self.varied)

    def __repr__(self) -> str:
        lines = [f"{self.name}: objective {self.objective:.3g} after {self.evaluations} settings"]
        wide = max(len(one.path) for one in self.varied)
        for one in self.varied:
            said = f"{one.path:<{wide}}  {one.best:<10.4g}"
            said += f"  as good: {one.as_good}" if one.has_range else ""
            lines.append(said + ("  at its bound" if one.at_bound else ""))
        lines += self.remarks
        wide = max(len(one.name) for one in self.met)
        lines.append("measures, theirs and ours ± standard errors, and z in errors of both:")
        for row in self.cells():
            lines.append(f"{row[0]:<{wide}}  {row[1]:<20}  {row[2]:<20}  {row[3]:>6}  {row[4]}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        heads = ("measure", "theirs ± standard error", "ours ± standard error", "z", "")
        head = "".join(f"<th>{word}</th>" for word in heads)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self.cells()
        )
        best = ", ".join(f"{one.path} = {one.best:.4g}" for one in self.varied)
        caption = html.escape(f"{self.name}: {best}")
        below = "".join(f"<p>{html.escape(line)}</p>" for line in self.remarks)
        return f"<table><caption>{caption}</caption><tr>{head}</tr>{body}</table>{below}"

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
                    "as_good": [one.from_, one.to] if one.has_range else None,
                    "supporting": one.supporting, "needed": one.needed,
                    "not_determined": one.undetermined, "no_limit": list(one.no_limit),
                    "together": list(one.together),
                    "at_bound": one.at_bound,
                }
                for one in self.varied
            },
            "remarks": self.remarks,
            "measures": {
                one.name: {
                    "theirs": number(one.theirs), "their_error": number(one.their_error),
                    "ours": number(one.ours), "our_error": number(one.our_error),
                    "z": number(one.z), "freedom": number(one.freedom),
                    "verdict": one.verdict, "fitted": one.fitted,
                }
                for one in self.met
            },
        }  # fmt: skip

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=2)
