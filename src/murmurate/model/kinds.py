"""Rules and motions made from their tables, by the kind that each table names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pydantic import BaseModel, ValidationError

from murmurate.errors import ModelError
from murmurate.model.error_text import complaints
from murmurate.model.motion import MOTIONS
from murmurate.model.registry import Registry
from murmurate.model.rule import KINDS


@contextmanager
def kinds_restored() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Where what is done within goes wrong, rules and motions are known as they were before it;
    which is given."""
    registries = (KINDS, MOTIONS)
    before = dict(KINDS), dict(MOTIONS)
    try:
        yield before
    except BaseException:
        for registry, known in zip(registries, before, strict=True):
            registry.clear()
            registry.update(known)
        raise


def parse_kinds(data: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Rules and motions made from their tables by kind, with what was wrong with them.

    What was wrong is left out of the returned data, so that the rest can still be checked.
    """
    problems: list[str] = []
    data = dict(data)
    if isinstance(rules := data.get("rules"), dict):
        made = {
            name: _made(KINDS, table, str(name), f"rules.{name}", problems)
            for name, table in rules.items()
        }
        data["rules"] = {name: rule for name, rule in made.items() if rule is not None}
    if isinstance(flocks := data.get("flocks"), dict):
        data["flocks"] = {
            name: _with_motion(flock, f"flocks.{name}.motion", problems)
            for name, flock in flocks.items()
        }
    return data, problems


def _with_motion(flock: Any, path: str, problems: list[str]) -> Any:
    if not isinstance(flock, dict):
        return flock
    motion = _made(MOTIONS, flock.get("motion", {}), "add", path, problems)
    return {**flock, "motion": MOTIONS["add"]() if motion is None else motion}


def _made(registry: Registry, table: Any, kind: str, path: str, problems: list[str]) -> Any:
    """The value that a table describes, or None with the problem noted."""
    if not isinstance(table, dict):
        if isinstance(table, BaseModel):
            return table
        problems.append(f"{path}: must be a table, not {table!r}")
        return None
    try:
        cls = registry.find(str(table.get("kind") or kind))
    except ModelError as error:
        problems.append(f"{path}: {error}")
        return None
    try:
        return cls.model_validate({**table, "kind": table.get("kind") or kind})
    except ValidationError as error:
        problems.extend(complaints(error, cls, table, prefix=path))
        return None
