"""Scene: the message with all that a page needs to show a model and to make its sliders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from murmurate.errors import ModelError
from murmurate.measures.defaults import chart_list
from murmurate.model.files import load, zoo
from murmurate.model.model import Model
from murmurate.model.obstacles import shape_at
from murmurate.model.quantity import Part, corners, quantities
from murmurate.model.registry import unknown
from murmurate.model.schedule import is_scheduled, number_at
from murmurate.model.value import plain


def parts(model: Model) -> Iterator[tuple[str, BaseModel]]:
    """The parts of a model that have sliders: dotted path, part."""
    for name, flock in model.flocks.items():
        yield f"flocks.{name}", flock
        yield f"flocks.{name}.motion", flock.motion
        if flock.perching is not None:
            yield f"flocks.{name}.perching", flock.perching
    for name, rule in model.rules.items():
        yield f"rules.{name}", rule
    for name, obstacle in model.obstacles.items():
        yield f"obstacles.{name}", obstacle


def values(model: Model) -> dict[str, Any]:
    """Dotted path -> value, of every number, word, vector and schedule of the parts."""
    found: dict[str, Any] = {"dt": model.dt, "order": model.order, "positions": model.positions}
    for path, part in parts(model):
        for name in type(part).model_fields:
            value = getattr(part, name)
            if isinstance(value, BaseModel) and not is_scheduled(value):
                continue
            found[f"{path}.{name}"] = plain(value)
    return found


def changed(before: Model, after: Model) -> dict[str, Any]:
    """The values that are not what they were."""
    old = values(before)
    return {path: v for path, v in values(after).items() if path not in old or old[path] != v}


def flocks(model: Model) -> list[dict[str, Any]]:
    """The flocks, in the order in which frames have them."""
    return [
        {"name": name, "count": f.count, **f.look.model_dump()} for name, f in model.flocks.items()
    ]


def three(numbers: Any, fill: float = 0.0) -> list[float]:
    """Three numbers, whatever the dimensions."""
    return [*(float(x) for x in numbers), fill, fill][:3]


def obstacles(model: Model, time: float) -> list[dict[str, Any]]:
    """The obstacles as they are at a time; in 2-D with a third number of 0."""
    out = []
    for name, shape in model.obstacles.items():
        now: Any = shape_at(shape, time)
        table: dict[str, Any] = {"name": name, "kind": now.kind}
        for key in quantities(type(now)):
            value = getattr(now, key)
            table[key] = three(value) if isinstance(value, tuple) else float(value)
        out.append(table)
    return out


def obstacles_message(model: Model, time: float) -> dict[str, Any]:
    """The obstacles message: where obstacles and handles are at a time."""
    return {
        "type": "obstacles",
        "obstacles": obstacles(model, time),
        "handles": handles(model, time),
    }


def handles(model: Model, time: float) -> list[dict[str, Any]]:
    """The places that can be dragged: vectors in length units without bounds (a size has bounds),
    of obstacles and of rules, unless a schedule moves them; the corners of paths."""
    found = []
    owners: list[tuple[str, str, Part]] = [
        *(("obstacle", f"obstacles.{name}", part) for name, part in model.obstacles.items()),
        *(("place", f"rules.{name}", part) for name, part in model.rules.items()),
    ]
    for kind, owner, part in owners:
        points = corners(part)
        for k, point in enumerate(points):
            found.append(
                {
                    "path": f"{owner}.points.{k}",
                    "label": f"{owner.partition('.')[2]} point {k + 1}",
                    "position": three(point),
                    "kind": kind,
                    "closes": k + 1 == len(points) and getattr(part, "closed", False),
                }
            )
        for key, about in quantities(type(part)).items():
            value = getattr(part, key)
            bounded = {"exclusiveMinimum", "minimum", "maximum"} & set(about)
            if about["unit"] != "length" or bounded or not isinstance(value, tuple):
                continue
            if any(is_scheduled(x) for x in value):
                continue
            found.append(
                {
                    "path": f"{owner}.{key}",
                    "label": f"{owner.partition('.')[2]} {key}",
                    "position": three(number_at(x, time) for x in value),
                    "kind": kind,
                }
            )
    return found


def moves(model: Model) -> bool:
    """Whether an obstacle is moved by a schedule."""
    for shape in model.obstacles.values():
        for key in quantities(type(shape)):
            value = getattr(shape, key)
            items = value if isinstance(value, tuple) else (value,)
            if any(is_scheduled(x) for x in items):
                return True
    return False


def schemas(model: Model) -> dict[str, Any]:
    """Path of a part -> the JSON schema of its class; "" for the model's own numbers."""
    own = _schema(Model)["properties"]
    found = {
        "": {"type": "object", "properties": {k: own[k] for k in ("dt", "order", "positions")}}
    }
    for path, part in parts(model):
        found[path] = _schema(type(part))
    return found


@lru_cache(maxsize=256)
def _schema(cls: type[BaseModel]) -> dict[str, Any]:
    return cls.model_json_schema()


def formulas(model: Model) -> dict[str, str]:
    """Path of a rule -> its formula, names of its numbers in braces."""
    found = {}
    for path, part in parts(model):
        if formula := getattr(part, "formula", ""):
            found[path] = re.sub(
                r"\{(\w+)\}",
                lambda word, part=part: (  # type: ignore[misc]
                    word[0] if word[1] in type(part).model_fields else str(getattr(part, word[1]))
                ),
                formula,
            )
    return found


@lru_cache(maxsize=1)
def published() -> tuple[dict[str, Any], ...]:
    """The zoo, for a menu."""
    return tuple(described(name, load(name)) for name in zoo())


def menu(home: Model, others: bool) -> list[dict[str, Any]]:
    """The menu of models: the first one, and those of the zoo if others may be opened."""
    rest = published() if others else ()
    return [described(home.name, home), *(item for item in rest if item["name"] != home.name)]


def model_of_menu(name: str, home: Model) -> Model:
    """The model of a menu's line. Raises ModelError for any other name; nothing is looked up on
    disk."""
    if name == home.name:
        return home
    flocks = zoo()
    if name not in flocks:
        raise ModelError(unknown("published flock", name, flocks))
    return load(name)


def described(name: str, model: Model) -> dict[str, Any]:
    """One line of the menu."""
    boids = sum(flock.count for flock in model.flocks.values())
    return {
        "name": name,
        "title": model.title or name,
        "dims": model.space.dims,
        "boids": boids,
    }


def scene(model: Model, loaded: Model, number: int, time: float) -> dict[str, Any]:
    """The scene message, but for what a session knows: the menu, switched-off rules, abilities."""
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
        "space": {
            "lower": three(space.lower),
            "upper": three(space.upper, 1.0 if space.dims == 2 else 0.0),
            "periodic": [*space.periodic, False][:3],
            "boundaries": list(space.boundaries),
        },
        "flocks": flocks(model),
        "view": view.decided(space).model_dump(),
        "model": model.to_dict(),
        "values": values(model),
        "schemas": schemas(model),
        "formulas": formulas(model),
        "defaults": values(loaded),
        "handles": handles(model, time),
        "obstacles": obstacles(model, time),
        "charts": chart_list(),
    }
