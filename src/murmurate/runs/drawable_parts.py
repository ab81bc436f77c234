"""Room in a live page for drawn obstacles, a goal, a path and predators.

A page has no compiler, so its modules are compiled with parts that are switched off: rules of
weight 0, a flock of no boids, and rows of the table of obstacles that the kernels do not visit. A
kernel takes the kind and the numbers of an obstacle from its row, so that a row serves for spheres,
boxes and walls.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from murmurate.errors import ModelError
from murmurate.frame import Frame
from murmurate.model.model import Model
from murmurate.runs.drawn_rules import (
    START_REACH,
    NewPredators,
    apply_values,
    avoidance_table,
    flock_speed,
    free_name,
    goal_table,
    is_predator,
    led_flocks,
    longest_side,
    moves_entry,
    new_predators,
    path_table,
    senses_obstacle,
)
from murmurate.runs.live_page_types import DrawingData, FoundedFlock, Role, SpareRule
from murmurate.show import scene

OBSTACLES = 12
POINTS = 16
SHAPES = ("sphere", "box", "wall")


@dataclass(frozen=True)
class SpareParts:
    """A model with room for drawn parts.

    model      the model that is compiled
    shapes     whether obstacles can be drawn
    rules      role -> name of the rule, for those that it has: 'flee', 'hunt', 'goal', 'path',
               'avoid' for the model's own flocks and 'predators-avoid' for new predators
    tables     name of such a rule -> its table, with the weight that it has when it is drawn
    speed      of the flocks that are led
    predators  the flock that drawn predators join; empty if there is none
    founded    that flock and its rules, if the model has no predators itself
    """

    model: Model
    shapes: bool = True
    rules: dict[Role, str] = field(default_factory=dict)
    tables: dict[str, dict[str, Any]] = field(default_factory=dict)
    speed: float = 0.0
    predators: str = ""
    founded: NewPredators | None = None

    @property
    def kinds(self) -> list[str]:
        """What can be drawn."""
        roles = [role for role in ("path", "goal") if role in self.rules]
        return [*(SHAPES if self.shapes else ()), *roles, *(["predator"] if self.predators else [])]


def spare_parts(model: Model, frame: Frame, draw: bool) -> SpareParts | None:
    """Return a model with room for drawn parts; None if they would change its kernels.

    model  the model of the page
    frame  its start, from which the numbers of drawn rules follow
    draw  whether parts are added that must be compiled. Otherwise there is room for obstacles in a
        model that has obstacles which all flocks sense, and for predators in a model that has some:
        both cost nothing.
    raises ModelError  with `draw`, for a model that cannot have obstacles or rules more
    """
    predators = _flock_of_predators(model)
    if draw:
        return _compiled_parts(model, frame, predators)
    blind = any(not _senses_all(model, name) for name in model.flocks)
    shapes = bool(model.obstacles) and not blind
    if not shapes and not predators:
        return None
    full = model.set(_obstacles(model)) if shapes else model
    return SpareParts(full, shapes, predators=predators)


def _compiled_parts(model: Model, frame: Frame, predators: str) -> SpareParts:
    """Return a model with room for all that can be drawn.

    Its rules are in the order in which they act and in which model files of the page have them.
    """
    middle = [a + s / 2 for a, s in zip(model.space.lower, model.space.size, strict=True)]
    led = led_flocks(model)
    speed = max(flock_speed(model, frame, flock) for flock in led)
    length, points = longest_side(model), [middle] * (POINTS - 1)
    points.append([middle[0] + length / 10, *middle[1:]])
    founded, names, tables = None, dict[Role, str](), dict[str, dict[str, Any]]()
    flocks: dict[str, Any] = {}

    def add(role: Role, name: str, table: dict[str, Any]) -> None:
        names[role] = free_name(name, [*model.rules, *tables])
        tables[names[role]] = table

    if not any(is_predator(model, name) for name in model.flocks):
        founded = new_predators(model, frame, middle)
        predators, path = founded.flock, f"flocks.{founded.flock}"
        flocks = {path: founded.tables[path] | {"count": 0}, **founded.moves}
        add("flee", founded.flee, founded.tables[f"rules.{founded.flee}"])
        add("hunt", founded.hunt, founded.tables[f"rules.{founded.hunt}"])
    add("goal", "goal", goal_table(model, frame, led, middle))
    add("path", "path", path_table(model, frame, led, points, False, length))
    if blind := [name for name in model.flocks if not _senses_all(model, name)]:
        add("avoid", "avoid-obstacles", avoidance_table(model, frame, blind))
    try:
        if founded is not None:
            hunted = apply_values(model, founded.tables | founded.moves)
            add("predators-avoid", "avoid-obstacles", avoidance_table(hunted, frame, [predators]))
        movers = moves_entry(model.set(flocks), led)
        off = {f"rules.{name}": movers | table | {"weight": 0.0} for name, table in tables.items()}
        full = apply_values(model, _obstacles(model) | flocks | off)
    except ModelError as error:
        raise ModelError(f"draw: got a model that cannot have drawn parts. {error}") from None
    return SpareParts(full, True, names, tables, speed, predators, founded)


def _flock_of_predators(model: Model) -> str:
    """Return the flock that a drawn predator joins, as in Python; empty if none can join."""
    for name, flock in model.flocks.items():
        if is_predator(model, name):
            return name if flock.start.kind != "given" else ""
    return ""


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


def describe(spares: SpareParts, schemas: dict[str, Any]) -> DrawingData:
    """Return the drawable parts of a page, with bounds by their schemas."""
    values, formulas = scene.values(spares.model), scene.formulas(spares.model)
    rules: dict[Role, SpareRule] = {}
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
        "obstacles": OBSTACLES if spares.shapes else 0,
        "points": POINTS,
        "speed": spares.speed,
        "shapes": _shape_schemas(spares.model, schemas) if spares.shapes else {},
        "rules": rules,
        "predators": {"flock": spares.predators, "founded": _founded(spares, values, schemas)},
    }


def _founded(
    spares: SpareParts, values: dict[str, Any], schemas: dict[str, Any]
) -> FoundedFlock | None:
    """Return the flock that the first drawn predator founds."""
    if spares.founded is None:
        return None
    path = f"flocks.{spares.founded.flock}"
    return {
        "table": spares.founded.tables[path],
        "values": {k: v for k, v in values.items() if k.startswith(f"{path}.")}
        | {f"{path}.count": 1},
        "schemas": {k: v for k, v in schemas.items() if k == path or k.startswith(f"{path}.")},
        "flock": next(f for f in scene.flocks(spares.model) if f["name"] == spares.founded.flock),
        "moves": spares.founded.moves,
        "only": next(iter(spares.model.flocks)) if len(spares.model.flocks) == 2 else "",
        "reach": START_REACH * longest_side(spares.model),
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
