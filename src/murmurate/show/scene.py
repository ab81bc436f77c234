"""Build the scene message, by which a page shows a model and makes its sliders."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel

from murmurate.errors import MeasureError, ModelError
from murmurate.frame import Frame
from murmurate.measures.defaults import charted_measures
from murmurate.model.check import names_that_match, numbers_of_boids
from murmurate.model.distribution import is_individual
from murmurate.model.files import load, zoo
from murmurate.model.messages import format_unknown
from murmurate.model.model import Model
from murmurate.model.obstacles import SHAPES, ObstacleShape, shape_at
from murmurate.model.population import first_ids
from murmurate.model.quantity import Part, corners, is_scheduled, may_differ, number_at, quantities
from murmurate.model.shapes.shape import Shape
from murmurate.model.space import Space
from murmurate.model.value import json_schema, to_plain
from murmurate.model.wires import Wire, wire_point, wires
from murmurate.show.scene_types import (
    ChartInfo,
    FlockInfo,
    HandleInfo,
    MenuEntry,
    ModelScene,
    ObstacleInfo,
    ObstaclesMessage,
    PerBoid,
    ShapeInfo,
    SpaceInfo,
)

GOAL, GOAL_CORNERS = 0.05, 36  # radius of the circle around a goal, relative to the space
DIGITS = 5  # of the profiles of shapes
CYCLIC_WORDS = ("phase", "angle")  # in the name of per-boid state that is cyclic
BOIDS_CHART: ChartInfo = {
    "name": "boids",
    "label": "boids",
    "unit": "boids",
    "about": "number of boids of the flock",
}

WIRE_PIECES = 24  # of a wire in pictures
Line = Sequence[Sequence[float]]  # corners of a polyline


class WireLine(list[tuple[float, ...]]):
    """Corners of a wire, from the foot of one pole to that of the other: a solid line, while paths
    are dashed.
    """


def parts(model: Model) -> Iterator[tuple[str, BaseModel]]:
    """Yield the dotted path and the object of each part of a model that has sliders."""
    for name, flock in model.flocks.items():
        yield f"flocks.{name}", flock
        yield f"flocks.{name}.motion", flock.motion
        if flock.perching is not None:
            yield f"flocks.{name}.perching", flock.perching
    for name, rule in model.rules.items():
        yield f"rules.{name}", rule
    for name, obstacle in model.obstacles.items():
        yield f"obstacles.{name}", obstacle
    for name, entry in model.population.items():
        yield f"population.{name}", entry


def values(model: Model) -> dict[str, Any]:
    """Return every number, word, vector, schedule and distribution of the parts, by dotted path."""
    result: dict[str, Any] = {"dt": model.dt, "order": model.order, "positions": model.positions}
    for path, part in parts(model):
        for name in type(part).model_fields:
            if not type(part).model_fields[name].repr:
                continue  # too long, and no page changes it
            value = getattr(part, name)
            if isinstance(value, BaseModel) and not (is_scheduled(value) or is_individual(value)):
                continue
            result[f"{path}.{name}"] = to_plain(value)
    return result


def changed_values(before: Model, after: Model) -> dict[str, Any]:
    """Return the new values that differ from the old ones, by dotted path."""
    old = values(before)
    return {path: v for path, v in values(after).items() if path not in old or old[path] != v}


def flocks(model: Model) -> list[FlockInfo]:
    """Describe the flocks, in the order of frames."""
    result = [flock_info(name, flock.count, model) for name, flock in model.flocks.items()]
    if model.changes_numbers:
        for entry in result:
            entry["max_boids"] = model.max_boids(entry["name"])
    return result


def flock_info(name: str, count: int, model: Model | None) -> FlockInfo:
    """Describe a flock by the look that a model gives it."""
    if model is None or name not in model.flocks:
        return {"name": name, "count": count, "colour": "", "scale": 1.0}
    look = model.flocks[name].look
    entry: FlockInfo = {"name": name, "count": count, **look.model_dump()}  # type: ignore[typeddict-item]
    if model.flocks[name].perching:
        entry["perches"] = True
    return entry


def indices(model: Model, frame: Frame) -> list[np.ndarray] | None:
    """Return the index of each boid within its flock, for each flock of a frame.

    None if no boid can join or leave: the indices are then 0, 1, 2 and so on.
    """
    if not model.changes_numbers:
        return None
    first = first_ids(model, {name: flock.n_ever for name, flock in frame.items()})
    return [flock.ids - first[name] for name, flock in frame.items()]


def row_of(model: Model, frame: Frame, flock: str, index: int) -> int | None:
    """Return the row of a boid in a frame, by its index within its flock; None if it is not there.

    A flock that is not in the frame has no boids there.
    """
    if flock not in frame.flocks:
        return None
    if not model.changes_numbers:
        return index if 0 <= index < len(frame[flock]) else None
    first = first_ids(model, {name: each.n_ever for name, each in frame.items()})[flock]
    ids = frame[flock].ids
    row = int(np.searchsorted(ids, first + index))
    return row if row < len(ids) and ids[row] == first + index else None


def per_boid(model: Model) -> list[PerBoid]:
    """Describe the numbers that boids may be coloured by: those that differ, and per-boid state."""
    names = dict.fromkeys(name for names in numbers_of_boids(model).values() for name in names)
    traits = {name for flock in model.flocks for name in model.traits_of(flock)}
    return [
        {
            "name": name,
            "kind": "trait" if name in traits else "state",
            "cyclic": _is_cyclic(model, name),
        }
        for name in names
    ]


def _is_cyclic(model: Model, name: str) -> bool:
    """Return whether a number is shown by a circle of colours, unless the view says otherwise."""
    last = name.rpartition(".")[2]
    if names_that_match([name], model.view.colour_by):
        return model.view.colour_map == "cyclic"
    return any(word in CYCLIC_WORDS for word in last.split("_"))


def three_floats(numbers: Any, fill: float = 0.0) -> list[float]:
    """Return three floats; missing ones are filled."""
    return [*(float(x) for x in numbers), fill, fill][:3]


def obstacles(model: Model, time: float) -> list[ObstacleInfo]:
    """Describe the obstacles at a time, and wires as their paths."""
    own = [obstacle_info(n, shape_at(shape, time)) for n, shape in model.obstacles.items()]
    return own + wire_tables(model)


def obstacle_info(name: str, shape: ObstacleShape) -> ObstacleInfo:
    """Describe an obstacle whose fields are numbers."""
    _, x, y, z, *numbers = shape.row(0.0)
    table: ObstacleInfo = {
        "name": name, "kind": shape.kind, "position": [x, y, z], "numbers": numbers,
    }  # fmt: skip
    if shape.turned is None and not shape.unbounded:
        origin = {shape.position_field: (0.0, 0.0, 0.0)}
        table |= _own_triangles(shape.model_copy(update=origin))  # type: ignore[typeddict-item]
    return table


@lru_cache(maxsize=32)
def _own_triangles(shape: ObstacleShape) -> dict[str, str]:
    """Return the vertices, float32, and the faces, uint32, of an outline, in base64."""
    corners = shape.outline().corners.astype("<f4").reshape(-1, 3)
    vertices, faces = np.unique(corners, axis=0, return_inverse=True)
    tables = {"vertices": vertices, "faces": faces.astype("<u4")}
    return {key: base64.b64encode(array.tobytes()).decode() for key, array in tables.items()}


def shapes(kinds: Iterable[str] = tuple(SHAPES)) -> dict[str, ShapeInfo]:
    """Describe shapes of obstacles by kind: by default all."""
    return {kind: _shape_info(SHAPES[kind]) for kind in kinds}


def _shape_info(shape: type[Shape]) -> ShapeInfo:
    profile, sides, lines = shape.turned or ((), 0, 0)
    return {
        **shape.row_table(),
        "encloses": shape.encloses,
        "axes": list(shape.axes),
        "profile": [[round(x, DIGITS) for x in corner] for corner in profile],
        "sides": sides,
        "lines": lines,
    }  # type: ignore[typeddict-item]


def wire_tables(model: Model) -> list[ObstacleInfo]:
    """Describe the wires on which boids perch; the name of each is the path of its rule."""
    return [
        {
            "name": f"rules.{name}",
            "kind": "wire",
            "start": list(start),
            "end": list(end),
            "sag": sag,
        }
        for name, start, end, sag in wires(model)
    ]


def obstacles_message(model: Model, time: float) -> ObstaclesMessage:
    """Return the message with the positions of obstacles and handles at a time."""
    return {
        "type": "obstacles",
        "obstacles": obstacles(model, time),
        "handles": handles(model, time),
    }


def handles(model: Model, time: float) -> list[HandleInfo]:
    """Return the points of obstacles and rules that can be dragged.

    They are unbounded vectors in length units (a size has bounds) that no schedule moves, and the
    corners of paths.
    """
    result: list[HandleInfo] = []
    owners: list[tuple[Literal["obstacle", "place"], str, Part]] = [
        *(("obstacle", f"obstacles.{name}", part) for name, part in model.obstacles.items()),
        *(("place", f"rules.{name}", part) for name, part in model.rules.items()),
    ]
    for kind, owner, part in owners:
        points = corners(part)
        for k, point in enumerate(points):
            result.append(
                {
                    "path": f"{owner}.points.{k}",
                    "label": f"{owner.partition('.')[2]} point {k + 1}",
                    "position": three_floats(point),
                    "kind": kind,
                    "closes": k + 1 == len(points) and getattr(part, "closed", False),
                }
            )
        for key, about in quantities(type(part)).items():
            value = getattr(part, key)
            bounded = {"exclusiveMinimum", "minimum", "maximum"} & set(about)
            if about["unit"] != "length" or bounded or not isinstance(value, tuple):
                continue
            if any(is_scheduled(x) or is_individual(x) for x in value):
                continue
            result.append(
                {
                    "path": f"{owner}.{key}",
                    "label": f"{owner.partition('.')[2]} {key}",
                    "position": three_floats(number_at(x, time) for x in value),
                    "kind": kind,
                }
            )
    return result


def has_moving_obstacles(model: Model) -> bool:
    """Return whether a schedule moves an obstacle."""
    for shape in model.obstacles.values():
        for key in quantities(type(shape)):
            value = getattr(shape, key)
            items = value if isinstance(value, tuple) else (value,)
            if any(is_scheduled(x) for x in items):
                return True
    return False


def schemas(model: Model) -> dict[str, Any]:
    """Return the JSON schema of each part by its path; "" has the numbers of the model.

    `may_differ` in the schema of a part states that its numbers may differ between boids.
    """
    properties = json_schema(Model)["properties"]
    schemas: dict[str, Any] = {
        "": {
            "type": "object",
            "properties": {k: properties[k] for k in ("dt", "order", "positions")},
        }
    }
    for path, part in parts(model):
        schema = {**json_schema(type(part))}
        schema.pop("$defs", None)  # pages know schedules and distributions
        if learned := getattr(type(part), "learned", ()):
            properties = schema["properties"].items()
            schema["properties"] = {k: v for k, v in properties if k not in learned}
        schemas[path] = schema | ({"may_differ": True} if may_differ(type(part)) else {})
    return schemas


def formulas(model: Model) -> dict[str, str]:
    """Return the formula of each rule by its path, with the names of its numbers in braces."""
    formulas = {}
    for path, part in parts(model):
        if formula := getattr(part, "formula", ""):
            formulas[path] = re.sub(
                r"\{(\w+)\}",
                lambda word, part=part: (  # type: ignore[misc]
                    word[0] if word[1] in type(part).model_fields else str(getattr(part, word[1]))
                ),
                formula,
            )
    return formulas


@lru_cache(maxsize=1)
def zoo_entries() -> tuple[MenuEntry, ...]:
    """Return the menu entries of the published flocks."""
    return tuple(menu_entry(name, load(name)) for name in zoo())


def menu(home: Model, others: bool) -> list[MenuEntry]:
    """Return the menu of models: `home`, and the published ones if others may be opened."""
    rest = zoo_entries() if others else ()
    return [menu_entry(home.name, home), *(item for item in rest if item["name"] != home.name)]


def open_menu_entry(name: str, home: Model) -> Model:
    """Return the model of a menu entry. Only names of the menu are opened, never other files.

    Raises ModelError for any other name.
    """
    if name == home.name:
        return home
    flocks = zoo()
    if name not in flocks:
        raise ModelError(format_unknown("published flock", name, flocks))
    return load(name)


def menu_entry(name: str, model: Model) -> MenuEntry:
    """Return one entry of the menu."""
    boids = sum(flock.count for flock in model.flocks.values())
    return {
        "name": name,
        "title": model.title or name,
        "dims": model.space.dims,
        "boids": boids,
    }


def scene(model: Model, loaded: Model, number: int, time: float) -> ModelScene:
    """Return the scene message without parts of a session: menu, disabled rules, abilities."""
    space, view = model.space, model.view
    return {
        "type": "scene",
        "scene": number,
        "name": model.name,
        "title": model.title,
        "about": model.about,
        "source": model.source.model_dump(),
        "tries": list(model.tries),
        "dims": space.dims,
        "dt": model.dt,
        "space": space_info(space),
        "flocks": flocks(model),
        "view": view.decided(space).model_dump(),
        "model": model.to_dict(),
        "values": values(model),
        "schemas": schemas(model),
        "formulas": formulas(model),
        "defaults": values(loaded),
        "handles": handles(model, time),
        "obstacles": obstacles(model, time),
        "shapes": shapes(),
        "charts": charts(model),
        "per_boid": per_boid(model),
    }


def space_info(space: Space) -> SpaceInfo:
    """Describe a space; the third axis of a 2-D one has side 1."""
    return {
        "lower": three_floats(space.lower),
        "upper": three_floats(space.upper, 1.0 if space.dims == 2 else 0.0),
        "periodic": [*space.periodic, False][:3],
        "boundaries": list(space.boundaries),
    }


def charts(model: Model | None) -> list[ChartInfo]:
    """Return the charts of a model: its measures, and numbers of boids if they change.

    Raises MeasureError for measures that cannot be charted.
    """
    names = model.view.charts if model is not None else ()
    changes = model is not None and model.changes_numbers
    listed: list[ChartInfo] = [
        {"name": m.name, "label": m.label, "unit": m.unit, "about": m.about}
        for m in charted_measures(names)
    ]
    return listed + ([BOIDS_CHART] if changes else [])


def check_charts(model: Model, computed: Sequence[str] = ()) -> None:
    """Raise ModelError for charts of a model that are unknown or cannot be shown.

    `computed` are the measures that a page computes itself; none stands for all.
    """
    try:
        charted_measures(model.view.charts)
    except MeasureError as error:
        raise ModelError(f"charts: {str(error).removeprefix('measure: ')}") from None
    for name in model.view.charts:
        if computed and name not in computed:
            raise ModelError(
                f"charts: got {name!r} for a live page; expected one of {', '.join(computed)}, "
                "which it computes. Make a replay, or watch the model"
            )


def path_lines(model: Model) -> list[list[tuple[float, ...]]]:
    """Return the path of each rule that has one, as its corners (D,) in order.

    A closed path repeats its first corner at the end. The target to which a flock is herded is a
    circle, unless it moves. Wires come last, as `WireLine`.
    """
    lines: list[list[tuple[float, ...]]] = []
    for rule in model.rules.values():
        points = list(corners(rule))
        if points:
            lines.append([*points, *points[: 1 if getattr(rule, "closed", False) else 0]])
        goal = getattr(rule, rule.goal) if rule.goal else ()
        if goal and not any(is_scheduled(x) for x in goal):
            lines.append(_circle([float(number_at(x, 0.0)) for x in goal], model))
    return lines + [_wire_line(wire, model) for wire in wires(model)]


def _wire_line(wire: Wire, model: Model) -> WireLine:
    """Return the corners of a wire between the feet of its poles."""
    dims, (_, start, end, sag) = model.space.dims, wire
    points = [
        wire_point(k / WIRE_PIECES, dims, start, end, sag)[:dims] for k in range(WIRE_PIECES + 1)
    ]
    feet = [(*points[k][: dims - 1], model.space.lower[dims - 1]) for k in (0, -1)]
    return WireLine([feet[0], *points, feet[1]])


def _circle(centre: list[float], model: Model) -> list[tuple[float, ...]]:
    """Return a level circle around a goal as corners, the first one again at the end."""
    radius = GOAL * max(model.space.size)
    angles = [2 * math.pi * k / GOAL_CORNERS for k in range(GOAL_CORNERS + 1)]
    x, y, *rest = centre
    return [(x + radius * math.cos(a), y + radius * math.sin(a), *rest) for a in angles]


def jsonable(value: Any) -> Any:
    """Convert a value to JSON types: infinities to "inf" and "-inf" as in TOML, nan to None."""
    if isinstance(value, dict):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(item) for item in value]
    if isinstance(value, float):
        if math.isnan(value):
            return None
        if math.isinf(value):
            return "inf" if value > 0 else "-inf"
    return value
