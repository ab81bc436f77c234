"""Change numbers of a model in microseconds: only parts with a changed number are parsed and
checked again. `Model.set` makes all other changes, and words all messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from murmurate.errors import ModelError
from murmurate.model.check import check_numbers
from murmurate.model.distribution import is_individual
from murmurate.model.number_table import table_fields
from murmurate.model.quantity import Part, quantities
from murmurate.model.registry import MOTIONS, RULES
from murmurate.model.value import FrozenDict, put_plain, to_plain

DEPTHS = {"rules": 2, "obstacles": 2, "flocks": 3}
"""Tables of parts with numbers -> words in the path of a part, such as flocks.boids.motion."""


def with_numbers(model: Any, changes: Mapping[str, Any]) -> Any:
    """Return a Model with changed numbers of rules, motions and obstacles.

    None if a change is of another kind, or wrong.
    """
    tables: dict[tuple[str, ...], tuple[Any, dict[str, Any]]] = {}
    for path, value in changes.items():
        keys = path.split(".")
        depth = DEPTHS.get(keys[0], len(keys))
        owner = tuple(keys[:depth])
        if len(keys) <= depth or keys[1] not in getattr(model, keys[0]):
            return None
        if owner not in tables:
            part = getattr(model, keys[0])[keys[1]]
            if depth == 3:
                if keys[2] != "motion":
                    return None
                part = part.motion
            tables[owner] = part, to_plain(part) | {"kind": part.kind}
        try:
            put_plain(tables[owner][1], keys[depth:], to_plain(value))
        except ModelError:
            return None
    return _with_parts(model, tables)


def _with_parts(model: Any, tables: Mapping[tuple[str, ...], tuple[Any, dict[str, Any]]]) -> Any:
    """Return a Model with changed parts; None if one is wrong, or has other words.

    tables  path of a part -> the part, and its changed table
    """
    rules: dict[str, Any] = {}
    flocks: dict[str, Any] = {}
    obstacles: dict[str, Any] = {}
    for (table, name, *_), (part, plain) in tables.items():
        registry = {"rules": RULES, "flocks": MOTIONS}.get(table)
        try:
            cls: Any = registry.find(part.kind) if registry else type(part)
            changed = cls.model_validate(plain)
        except (ValidationError, ModelError):
            return None
        if type(changed) is not type(part) or not _only_numbers_differ(part, changed):
            return None
        if table == "rules":
            rules[name] = changed
        elif table == "obstacles":
            obstacles[name] = changed
        else:
            flocks[name] = model.flocks[name].model_copy(update={"motion": changed})
    update = {
        name: FrozenDict(getattr(model, name) | changed)
        for name, changed in (("flocks", flocks), ("rules", rules), ("obstacles", obstacles))
        if changed
    }
    result = model.model_copy(update=update)
    return None if check_numbers(result, rules, flocks, obstacles) else result


def _only_numbers_differ(a: Part, b: Part) -> bool:
    """Return whether two parts of a class differ in nothing but numbers that all boids share."""
    scalars, mine, others = quantities(type(a)), a.__dict__, b.__dict__
    for name, value in mine.items():
        other = others[name]
        if value is other or (name not in scalars and value == other):
            continue
        if name in table_fields(type(a)):
            continue
        if name not in scalars or any(map(is_individual, _numbers(value) + _numbers(other))):
            return False
    return True


def _numbers(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)
