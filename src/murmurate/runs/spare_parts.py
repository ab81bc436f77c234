"""Room in a live page for what its reader draws: obstacles, a goal and a path.

A page has no compiler, so its modules are compiled with parts that are switched off: rules of
weight 0, and rows of the table of obstacles that the kernels do not visit. A kernel takes the kind
and the numbers of an obstacle from its row, so that a row serves for spheres, boxes and walls.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from murmurate.errors import ModelError
from murmurate.frame import Frame
from murmurate.model.model import Model
from murmurate.runs.drawn_rules import (
    apply_values,
    avoidance_table,
    flock_speed,
    free_name,
    goal_table,
    led_flocks,
    longest_side,
    path_table,
    senses_obstacle,
)
from murmurate.show import scene

OBSTACLES = 12
POINTS = 16
SHAPES = ("sphere", "box", "wall")


@dataclass(frozen=True)
class SpareParts:
    """A model with room for drawn parts.

    model   the model that is compiled
    rules   'avoid', 'goal' or 'path' -> the name of the rule, for those that it has
    tables  name of such a rule -> its table, with the weight that it has when it is drawn
    speed   of the flocks that are led
    """

    model: Model
    rules: dict[str, str] = field(default_factory=dict)
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)
    speed: float = 0.0

    @property
    def kinds(self) -> list[str]:
        """What can be drawn."""
        return [*SHAPES, *(role for role in ("path", "goal") if role in self.rules)]


def spare_parts(model: Model, frame: Frame, draw: bool) -> SpareParts | None:
    """Return a model with room for drawn parts; None if they would change its kernels.

    Parameters
    ----------
    model : Model
        The model of the page.
    frame : Frame
        Its start, from which the numbers of drawn rules follow.
    draw : bool
        Whether parts are added that must be compiled. Otherwise there is room for obstacles alone,
        and only in a model that has obstacles which all flocks sense: this costs nothing.

    Raises
    ------
    ModelError
        With `draw`, for a model that cannot have obstacles or rules more.
    """
    spares = _obstacles(model)
    blind = [name for name in model.flocks if not _senses_all(model, name)]
    if not draw:
        if blind or not model.obstacles:
            return None
        return SpareParts(model.set(spares))
    middle = [a + s / 2 for a, s in zip(model.space.lower, model.space.size, strict=True)]
    led = led_flocks(model)
    speed = max(flock_speed(model, frame, flock) for flock in led)
    length, points = longest_side(model), [middle] * (POINTS - 1)
    points.append([middle[0] + length / 10, *middle[1:]])
    rules = {
        "goal": ("goal", goal_table(model, frame, led, middle)),
        "path": ("path", path_table(model, frame, led, points, False, length)),
    }
    if blind:
        rules["avoid"] = ("avoid-obstacles", avoidance_table(model, frame, blind))
    names = {role: free_name(name, model.rules) for role, (name, _) in rules.items()}
    tables = {names[role]: table for role, (_, table) in rules.items()}
    off = {f"rules.{name}": table | {"weight": 0.0} for name, table in tables.items()}
    try:
        full = apply_values(model, spares | off)
    except ModelError as error:
        raise ModelError(f"draw: got a model that cannot have drawn parts. {error}") from None
    return SpareParts(full, names, tables, speed)


def _obstacles(model: Model) -> dict[str, Any]:
    """Return spare obstacles by path."""
    middle = [a + s / 2 for a, s in zip(model.space.lower, model.space.size, strict=True)]
    table = {"kind": "sphere", "centre": middle, "radius": longest_side(model) / 20}
    names = [*model.obstacles, *model.flocks]
    values = {}
    for _ in range(OBSTACLES):
        names.append(free_name("spare", names))
        values[f"obstacles.{names[-1]}"] = table
    return values


def _senses_all(model: Model, flock: str) -> bool:
    """Return whether a flock would sense an obstacle that is drawn."""
    name = free_name("spare", [*model.obstacles, *model.flocks])
    sphere = {"kind": "sphere", "centre": list(model.space.lower), "radius": 1.0}
    return senses_obstacle(model.set({f"obstacles.{name}": sphere}), flock, name)


def describe(spares: SpareParts, schemas: dict[str, Any]) -> dict[str, Any]:
    """Return what a page needs to draw: see viewer/src/flight/drawn.ts.

    schemas  of all parts of the model with spare parts, with their bounds in a page
    """
    values, formulas = scene.values(spares.model), scene.formulas(spares.model)
    rules = {}
    for role, name in spares.rules.items():
        path = f"rules.{name}"
        own = {k: v for k, v in values.items() if k.startswith(f"{path}.")}
        own[f"{path}.weight"] = spares.tables[name]["weight"]
        rules[role] = {
            "path": path,
            "table": spares.tables[name],
            "values": own,
            "schema": schemas[path],
            "formula": formulas.get(path, ""),
        }
    return {
        "obstacles": OBSTACLES,
        "points": POINTS,
        "speed": spares.speed,
        "shapes": _shape_schemas(spares.model, schemas),
        "rules": rules,
    }


def _shape_schemas(model: Model, schemas: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of each kind of obstacle that can be drawn."""
    name = next(reversed(model.obstacles))
    lower, ones = list(model.space.lower), [1.0] * model.space.dims
    tables: dict[str, dict[str, Any]] = {
        "sphere": {"kind": "sphere", "centre": lower, "radius": 1.0},
        "box": {"kind": "box", "centre": lower, "size": ones},
        "wall": {"kind": "wall", "point": lower, "normal": ones},
    }
    path = f"obstacles.{name}"
    fixed = {"fixed": schemas[path]["properties"]["kind"]["fixed"]}
    result = {}
    for kind, table in tables.items():
        schema = scene.schemas(model.set({path: None}).set({path: table}))[path]
        properties = schema["properties"] | {"kind": schema["properties"]["kind"] | fixed}
        result[kind] = schema | {"properties": properties}
    return result
