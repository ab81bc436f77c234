"""One run of a sweep: flown, measured, reduced to a record."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

from murmurate.model.registry import unknown
from murmurate.sweeps.design import SweepError
from murmurate.sweeps.plan import Task

if TYPE_CHECKING:
    from murmurate.measures.registry import Measure
    from murmurate.model.model import Model


def parse_measure(text: str, model: Model) -> tuple[Measure, str | None]:
    """'polarization' or 'polarization@falcons' -> the measure and the flock; None is the largest.
    Raises SweepError for a measure that is not one number a frame, or needs to be told more."""
    import murmurate.measures
    from murmurate.measures.registry import MEASURES

    assert murmurate.measures  # which fills the table
    name, at, flock = text.partition("@")
    numbers = {k: m for k, m in MEASURES.items() if m.kind == "number" and not m.required}
    if name not in numbers:
        kind = MEASURES[name].kind if name in MEASURES else ""
        what = f"{name} is a {kind}, not one number a frame" if kind else ""
        raise SweepError(what or unknown("measure", name, sorted(numbers)))
    if at and flock not in model.flocks:
        raise SweepError(unknown("flock", flock, model.flocks))
    return numbers[name], flock or None


def fly_one(task: Task) -> dict[str, Any]:
    """Flies a run; returns its record: what it was, and each measure's mean over the run with its
    error bar. Raises whatever goes wrong."""
    from murmurate.measures.errorbars import mean_and_error
    from murmurate.model.files import parse
    from murmurate.simulation import Simulation

    begin = time.perf_counter()
    for file in task.rules:
        _run_rules(file)
    model = parse(task.model, f"{task.name}.toml")
    model = model.set(task.values) if task.values else model
    measures = {text: parse_measure(text, model) for text in task.measures}
    simulation = Simulation(model, task.seed, dtype=_dtype(task.dtype), threads=task.threads)
    simulation.step(task.burn_in)
    series: dict[str, list[float]] = {text: [] for text in measures}
    for _ in range((task.steps - task.burn_in) // task.every):
        frame = simulation.step(task.every).frame
        for text, (measure, flock) in measures.items():
            seen = frame[flock] if flock else frame.main
            series[text].append(float(measure.function(seen)))
    simulation.step((task.steps - task.burn_in) % task.every)
    found = {}
    for text, values in series.items():
        estimate = mean_and_error(values)  # type: ignore[arg-type]
        found[text] = {
            "mean": estimate.value,
            "error": estimate.error,
            "independent": estimate.independent,
            "short": bool(estimate.short),
            "last": values[-1],
        }
    return {
        "index": task.index,
        "point": task.point,
        "repeat": task.repeat,
        "seed": task.seed,
        "values": task.values,
        "steps": task.steps,
        "measures": {text: _without_nan(numbers) for text, numbers in found.items()},
        "seconds": time.perf_counter() - begin,
    }


def _without_nan(numbers: dict[str, Any]) -> dict[str, Any]:
    """JSON knows no nan: such a number is null."""
    return {k: v if not isinstance(v, float) or math.isfinite(v) else None
            for k, v in numbers.items()}  # fmt: skip


def _dtype(word: str) -> Any:
    return word


def _run_rules(file: str) -> None:
    from pathlib import Path

    from murmurate.cli.rulefile import run_rule_file

    run_rule_file(Path(file))
