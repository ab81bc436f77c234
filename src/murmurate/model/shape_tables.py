"""Tables of model files that name a text or an SVG file, whose outlines boids fill.

    start = { kind = "shape", text = "HELLO", width = 60 }
    place = { file = "logo.svg", height = 20 }

They are read together with the model, and become positions of kind 'given', or components of kind
'each'. So a model has points and no path, and texts from pages and recordings cannot read files.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from murmurate.errors import ModelError
from murmurate.model.messages import format_unknown, format_value
from murmurate.model.named_files import file_in
from murmurate.model.space import Space

KIND = "shape"
SHAPE_KEYS = ("text", "file", "font", "width", "height", "centre", "plane")
FILES = {"file": "an SVG file", "font": "a font, .ttf or .otf"}
STARTS = (*SHAPE_KEYS, "kind", "velocity")


class _Table(NamedTuple):
    """A table that names a shape."""

    path: str
    parent: dict[str, Any]
    key: str
    flock: Any  # the flock that fills it, as in the file
    is_start: bool


def read_shape_tables(data: dict[str, Any], folder: Path | None) -> list[str]:
    """Replace tables that name a text or an SVG file by points inside of its outlines.

    data    the tables of a model, which are changed
    folder  the folder of the model file, in which files must be; None if it may name none

    Returns error messages. Tables with errors are replaced by valid ones, so that all other parts
    can be checked.
    """
    problems: list[str] = []
    tables = [*_starts(data), *_vectors(data)]
    space = _space(data) if tables else None
    for table in tables:
        value, is_start = table.parent[table.key], table.is_start
        dims = space.dims if space is not None else 2
        table.parent[table.key] = {"kind": "box"} if is_start else [0.0] * dims
        if space is None:
            continue  # which has an error of its own
        try:
            points = _points(value, table, space, folder, STARTS if is_start else SHAPE_KEYS)
            if is_start:
                table.parent[table.key] = _listed_start(points, value, dims)
            else:
                table.parent[table.key] = [_component(x) for x in zip(*points, strict=True)]
        except ModelError as error:
            problems.append(f"{table.path}: {error}")
    return problems


def _starts(data: dict[str, Any]) -> Iterator[_Table]:
    """Yield the starts of flocks of kind 'shape'."""
    flocks = data.get("flocks")
    for name, flock in flocks.items() if isinstance(flocks, dict) else ():
        start = flock.get("start") if isinstance(flock, dict) else None
        if isinstance(start, dict) and start.get("kind") == KIND:
            yield _Table(f"flocks.{name}.start", flock, "start", flock, is_start=True)


def _vectors(data: dict[str, Any]) -> Iterator[_Table]:
    """Yield the parameters of rules that name a shape."""
    rules, flocks = data.get("rules"), data.get("flocks")
    for name, rule in rules.items() if isinstance(rules, dict) else ():
        for key, value in rule.items() if isinstance(rule, dict) else ():
            if isinstance(value, dict) and ("text" in value or "file" in value):
                flock = _flock_moved(rule, flocks)
                yield _Table(f"rules.{name}.{key}", rule, key, flock, is_start=False)


def _flock_moved(rule: dict[str, Any], flocks: Any) -> Any:
    """Return the table of the first flock that a rule moves.

    Numbers of each boid need a rule that moves one flock only, which is checked with the model.
    """
    moves = rule.get("moves") or list(flocks if isinstance(flocks, dict) else ())
    names = [moves] if isinstance(moves, str) else moves
    first = names[0] if isinstance(names, list) and names else ""
    return flocks.get(first) if isinstance(flocks, dict) and isinstance(first, str) else None


def _space(data: dict[str, Any]) -> Space | None:
    """Return the space of a model, or None if it is not valid."""
    try:
        return Space.model_validate(data.get("space", {}))
    except (ModelError, ValidationError):
        return None


def _points(
    table: dict[str, Any], owner: _Table, space: Space, folder: Path | None, keys: tuple[str, ...]
) -> list[list[float]]:
    """Return the points (N, D) of the shape that a table names. Raises ModelError."""
    from murmurate.model.shape_points import shape_points

    if others := [key for key in table if key not in keys]:
        raise ModelError(format_unknown("key of a shape", others[0], keys))
    if not isinstance(owner.flock, dict) or "count" not in owner.flock:
        raise ModelError("got a shape, but no flock with a count; expected one that fills it")
    options = {key: table[key] for key in SHAPE_KEYS if key in table}
    for key, what in FILES.items():
        if key in options:
            options[key] = _file(key, options[key], what, folder)
    centre = options.pop("centre", None)
    if centre is None:
        centre = [(a + b) / 2 for a, b in zip(space.lower, space.upper, strict=True)]
    if not isinstance(centre, list) or len(centre) != space.dims:
        raise ModelError(
            f"centre: got {format_value(centre)}; expected {space.dims} numbers, one for each axis"
        )
    points: list[list[float]] = shape_points(
        owner.flock["count"], centre=centre, **options
    ).tolist()
    return points


def _file(key: str, name: Any, what: str, folder: Path | None) -> Path:
    if folder is None:
        raise ModelError(
            f"{key}: got {format_value(name)}; expected points. Only model files on disk name "
            "files: load the model from its file, or give text without font"
        )
    return file_in(folder, key, name, what)


def _component(values: tuple[float, ...]) -> float | dict[str, Any]:
    """Return a component of a vector: the value of all boids, or a value for each."""
    if min(values) == max(values):
        return values[0]
    return {"kind": "each", "values": list(values)}


def _listed_start(points: list[list[float]], table: dict[str, Any], dims: int) -> dict[str, Any]:
    """Return a start of kind 'given'. Raises ModelError for a wrong velocity."""
    velocity = table.get("velocity", [0.0] * dims)
    numbers = isinstance(velocity, list) and all(
        isinstance(x, int | float) and not isinstance(x, bool) for x in velocity
    )
    if not numbers or len(velocity) != dims:
        raise ModelError(
            f"velocity: got {format_value(velocity)}; expected {dims} numbers, the same velocity "
            "for all boids"
        )
    start: dict[str, Any] = {"kind": "given", "positions": points}
    if any(velocity):
        start["velocities"] = [velocity] * len(points)
    return start
