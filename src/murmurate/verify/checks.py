"""Checks of a model's [[expect]] and [[figure]] tables, before anything is simulated: unknown
measures, flocks and settings, all at once and each with its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from murmurate.errors import ModelError
from murmurate.model.messages import format_unknown
from murmurate.model.model import Model
from murmurate.model.results import Line, Panel
from murmurate.verify.statistics import check, check_curve


def wrong_expectations(model: Model) -> list[str]:
    """Measures, flocks and settings of [[expect]] tables that are not there, a line each."""
    found: list[str] = []
    for number, one in enumerate(model.expect):
        place = f"expect.{number}"
        found += _measure(f"{place}.measure", one.measure)
        changed, wrong = _changed(model, one.set)
        found += [f"{place}.set: {line}" for line in wrong]
        found += _flock(f"{place}.flock", one.flock, changed)
    return found


def wrong_figures(model: Model) -> list[str]:
    """Measures, flocks and settings of [[figure]] tables that are not there, a line each."""
    found = [
        problem
        for number, panel in enumerate(model.figure)
        for k, line in enumerate(panel.lines())
        for problem in _wrong_line(model, panel, line, f"figure.{number}", k)
    ]
    return list(dict.fromkeys(found))  # what lines take from the panel is wrong once


def settings(line: Line) -> list[dict[str, Any]]:
    """What each point of a line changes."""
    if not line.vary:
        return [line.set]
    rows = zip(*line.vary.values(), strict=True)
    return [{**line.set, **dict(zip(line.vary, row, strict=True))} for row in rows]


def _wrong_line(model: Model, panel: Panel, line: Line, place: str, k: int) -> Iterator[str]:
    own = panel.line[k] if panel.line else Line()
    tables: list[tuple[str, Any]] = [(f"{place}.line.{k}", own), (place, panel)]
    checked = check_curve if panel.shows == "profile" else check
    yield from _measure(_said_at("measure", tables), line.measure, checked)
    changed: Model | None = None
    for point in settings(line):
        changed, wrong = _changed(model, point)
        for problem in wrong:
            yield f"{_cause(problem, tables) or tables[not panel.line][0]}: {problem}"
    yield from _flock(_said_at("flock", tables), line.flock, changed)


def _said_at(key: str, tables: list[tuple[str, Any]]) -> str:
    """The place of a key: in the line, or in its panel where the line does not say it."""
    panel, _ = tables[-1]
    return f"{next((place for place, table in tables if getattr(table, key)), panel)}.{key}"


def _cause(problem: str, tables: list[tuple[str, Any]]) -> str:
    """The key that gives what a complaint is about; '' where it is about the model as a whole."""
    for place, table in tables:
        for key in ("vary", "set"):
            if _about(problem, getattr(table, key)):
                return f"{place}.{key}"
    return ""


def _about(problem: str, paths: Mapping[str, Any]) -> bool:
    """Whether a complaint begins with one of these paths."""
    return any(problem.startswith((f"{path}:", f"{path}.")) for path in paths)


def _measure(place: str, name: str, checked: Callable[[str], None] = check) -> list[str]:
    try:
        checked(name)
    except ModelError as error:
        return [f"{place}: {error}"]
    return []


def _changed(model: Model, changes: Mapping[str, Any]) -> tuple[Model | None, list[str]]:
    """The model with the changes, and nothing wrong; or None, and what is."""
    try:
        return (model.set(changes) if changes else model), []
    except ModelError as error:
        return None, str(error).splitlines()


def _flock(place: str, name: str, model: Model | None) -> list[str]:
    """What is wrong with a flock's name; nothing is said where the model itself is wrong."""
    if model is None or name in (*model.flocks, "all"):
        return []
    return [f"{place}: {format_unknown('flock', name, [*model.flocks, 'all'])}"]
