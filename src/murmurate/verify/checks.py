"""Find mistakes in [[expect]] and [[figure]] tables before the first run, all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from murmurate.errors import ModelError
from murmurate.model.messages import format_unknown
from murmurate.model.model import Model
from murmurate.model.results import Line, Panel
from murmurate.verify.statistics import check_curve, check_statistic


def expectation_mistakes(model: Model) -> list[str]:
    """Return a line for each unknown measure, flock and setting of the [[expect]] tables."""
    mistakes: list[str] = []
    for number, expectation in enumerate(model.expect):
        table = f"expect.{number}"
        mistakes += _measure_mistakes(f"{table}.measure", expectation.measure)
        changed, problems = _change(model, expectation.set)
        mistakes += [f"{table}.set: {problem}" for problem in problems]
        mistakes += _flock_mistakes(f"{table}.flock", expectation.flock, changed)
    return mistakes


def figure_mistakes(model: Model) -> list[str]:
    """Return a line for each unknown measure, flock and setting of the [[figure]] tables."""
    mistakes = [
        mistake
        for number, panel in enumerate(model.figure)
        for k, line in enumerate(panel.lines())
        for mistake in _line_mistakes(model, panel, line, f"figure.{number}", k)
    ]
    return list(dict.fromkeys(mistakes))  # lines share what they take from the panel


def settings_of(line: Line) -> list[dict[str, Any]]:
    """Return the settings of each point of a line."""
    if not line.vary:
        return [line.set]
    rows = zip(*line.vary.values(), strict=True)
    return [{**line.set, **dict(zip(line.vary, row, strict=True))} for row in rows]


def _line_mistakes(model: Model, panel: Panel, line: Line, path: str, k: int) -> Iterator[str]:
    own = panel.line[k] if panel.line else Line()
    tables: list[tuple[str, Any]] = [(f"{path}.line.{k}", own), (path, panel)]
    check = check_curve if panel.shows == "profile" else check_statistic
    yield from _measure_mistakes(_path_of("measure", tables), line.measure, check)
    changed: Model | None = None
    for settings in settings_of(line):
        changed, problems = _change(model, settings)
        for problem in problems:
            yield f"{_cause(problem, tables) or tables[not panel.line][0]}: {problem}"
    yield from _flock_mistakes(_path_of("flock", tables), line.flock, changed)


def _path_of(key: str, tables: list[tuple[str, Any]]) -> str:
    """Return the path of a key: in the line, or in its panel if the line lacks it."""
    panel, _ = tables[-1]
    return f"{next((path for path, table in tables if getattr(table, key)), panel)}.{key}"


def _cause(problem: str, tables: list[tuple[str, Any]]) -> str:
    """Return the key whose settings cause a problem; '' if it concerns the model as a whole."""
    for path, table in tables:
        for key in ("vary", "set"):
            if _concerns(problem, getattr(table, key)):
                return f"{path}.{key}"
    return ""


def _concerns(problem: str, settings: Mapping[str, Any]) -> bool:
    """Return True if a message begins with the path of one of the settings."""
    return any(problem.startswith((f"{path}:", f"{path}.")) for path in settings)


def _measure_mistakes(
    path: str, name: str, check: Callable[[str], None] = check_statistic
) -> list[str]:
    try:
        check(name)
    except ModelError as error:
        return [f"{path}: {error}"]
    return []


def _change(model: Model, settings: Mapping[str, Any]) -> tuple[Model | None, list[str]]:
    """Return (changed model, []), or (None, problems)."""
    try:
        return (model.set(settings) if settings else model), []
    except ModelError as error:
        return None, str(error).splitlines()


def _flock_mistakes(path: str, name: str, model: Model | None) -> list[str]:
    """Return a line for an unknown flock; none if the model itself has mistakes."""
    if model is None or name in (*model.flocks, "all"):
        return []
    return [f"{path}: {format_unknown('flock', name, [*model.flocks, 'all'])}"]
