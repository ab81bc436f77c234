"""Fit: the result of a fit, with the best numbers, their ranges, and compared measures."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from murmurate.fitting.objective import ComparedMeasure
from murmurate.fitting.ranges import Varied, groups, remarks
from murmurate.measures.estimate import with_error
from murmurate.model.model import Model
from murmurate.tables import finite, to_html


@dataclass(frozen=True, repr=False)
class Fit:
    """The result of a fit. It displays as a table.

    Attributes
    ----------
    name : str
        Name of the model.
    model : Model
        The model with the best numbers.
    varied : list of Varied
        Each number that was varied.
    met : list of ComparedMeasure
        Each measure of the target and of the model, from runs with seeds of their own.
    objective : float
        Sum of squared z of these runs, over the measures to reproduce.
    evaluations, runs : int
        Settings that were tried, and runs of them.
    folder : Path or None
        Where the fit is stored; None for a temporary folder.
    history : list of float
        Smallest objective after each setting.
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
        """Path -> best value."""
        return {item.path: item.best for item in self.varied}

    @property
    def not_determined(self) -> list[str]:
        """Paths of numbers that these measures do not determine.

        Settings over most of their bounds are as good as the best item.
        """
        return [item.path for item in self.varied if item.undetermined]

    @property
    def determined_together(self) -> list[tuple[str, ...]]:
        """Groups of paths of which only a combination is determined."""
        return groups(self.varied)

    @property
    def remarks(self) -> list[str]:
        """Remarks on the ranges, one line each.

        They state whether enough settings support the ranges, and which numbers are not determined.
        """
        return remarks(self.varied)

    def __repr__(self) -> str:
        lines = [f"{self.name}: objective {self.objective:.3g} after {self.evaluations} settings"]
        width = max(len(number.path) for number in self.varied)
        for number in self.varied:
            line = f"{number.path:<{width}}  {number.best:<10.4g}"
            line += f"  as good: {number.as_good}" if number.has_range else ""
            lines.append(line + ("  at its bound" if number.at_bound else ""))
        lines += self.remarks
        width = max(len(measure.name) for measure in self.met)
        lines.append("measures, theirs and ours ± standard errors, and z in errors of both:")
        for row in self.cells():
            lines.append(f"{row[0]:<{width}}  {row[1]:<20}  {row[2]:<20}  {row[3]:>6}  {row[4]}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        columns = ("measure", "theirs ± standard error", "ours ± standard error", "z", "")
        best = ", ".join(f"{item.path} = {item.best:.4g}" for item in self.varied)
        return to_html(columns, self.cells(), f"{self.name}: {best}", self.remarks)

    def cells(self) -> list[tuple[str, str, str, str, str]]:
        """Return a row per measure: name, theirs, ours, z and verdict."""
        return [
            (
                item.name,
                with_error(item.theirs, item.their_error),
                with_error(item.ours, item.our_error),
                f"{item.z:+.1f}" if math.isfinite(item.z) else "-",
                item.verdict + ("" if item.fitted else ", only checked"),
            )
            for item in self.met
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return all results as plain numbers and text; None for a missing number."""
        return {
            "model": self.name,
            "objective": finite(self.objective),
            "evaluations": self.evaluations,
            "runs": self.runs,
            "varied": {
                item.path: {
                    "best": item.best, "low": item.low, "high": item.high,
                    "as_good": [item.from_, item.to] if item.has_range else None,
                    "supporting": item.supporting, "needed": item.needed,
                    "not_determined": item.undetermined, "no_limit": list(item.no_limit),
                    "together": list(item.together),
                    "at_bound": item.at_bound,
                }
                for item in self.varied
            },
            "remarks": self.remarks,
            "measures": {
                item.name: {
                    "theirs": finite(item.theirs), "their_error": finite(item.their_error),
                    "ours": finite(item.ours), "our_error": finite(item.our_error),
                    "z": finite(item.z), "freedom": finite(item.freedom),
                    "verdict": item.verdict, "fitted": item.fitted,
                }
                for item in self.met
            },
        }  # fmt: skip

    def to_json(self) -> str:
        """Return `to_dict` as JSON text."""
        return json.dumps(self.to_dict(), indent=2)
