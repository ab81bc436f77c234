"""Registries: the kinds of rules and motions that model files may name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from pydantic import BaseModel, ValidationError

from murmurate.errors import ModelError
from murmurate.model.messages import format_errors, format_unknown
from murmurate.model.rule_functions import is_of_user

BUILT_IN = "murmurate.rules"
"""The package of the built-in rules and motions. A registry imports it when it first looks up a
kind, so that `import murmurate` and `murmurate --help` stay fast."""


def kind_of(cls: type) -> str:
    """Return the kind that model files give for a class: 'tend-to-place' for TendToPlace."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()


class Registry(dict[str, Any]):
    """Kind -> class; `what` is 'rule' or 'motion', for messages."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what

    def register(self, cls: type) -> None:
        """Add a class under its kind.

        A user's class may replace a user's class, so that a notebook cell can run again.

        raises ModelError  if it would replace a built-in class
        """
        kind = kind_of(cls)
        if is_of_user(cls):
            import_module(BUILT_IN)
        previous = self.get(kind)
        if previous is not None and not is_of_user(previous):
            raise ModelError(
                f"{self.what} {cls.__name__}: got the kind of a built-in {self.what}, {kind!r}; "
                "expected a new one. Give the class another name"
            )
        self[kind] = cls

    def find(self, kind: str) -> Any:
        """Return the class of a kind. Raises ModelError with the nearest kind."""
        import_module(BUILT_IN)
        if kind not in self:
            unknown = format_unknown(self.what, kind, self)
            raise ModelError(
                f"{unknown}{'' if unknown.endswith('?') else '.'} If it is in a Python file of "
                "your own, name that file: --rules FILE.py, or in Python mm.load_rules('FILE.py')"
            )
        return self[kind]


RULES = Registry("rule")
MOTIONS = Registry("motion")


@contextmanager
def restore_on_error() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Restore both registries after an exception in the body; yield copies of RULES and MOTIONS."""
    registries = (RULES, MOTIONS)
    before = dict(RULES), dict(MOTIONS)
    try:
        yield before
    except BaseException:
        for registry, copy in zip(registries, before, strict=True):
            registry.clear()
            registry.update(copy)
        raise


def parse_kinds(data: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Replace the tables of rules and motions by values of the classes that they name.

    Returns a copy of the data, and the error messages. The copy lacks rules with errors and has
    default motions in place of those with errors, so that the remaining parts can be checked.
    """
    problems: list[str] = []
    data = dict(data)
    if isinstance(rules := data.get("rules"), dict):
        parsed = {
            name: _parse(RULES, table, str(name), f"rules.{name}", problems)
            for name, table in rules.items()
        }
        data["rules"] = {name: rule for name, rule in parsed.items() if rule is not None}
    if isinstance(flocks := data.get("flocks"), dict):
        data["flocks"] = {
            name: _parse_motion(flock, f"flocks.{name}.motion", problems)
            for name, flock in flocks.items()
        }
    return data, problems


def _parse_motion(flock: Any, path: str, problems: list[str]) -> Any:
    if not isinstance(flock, dict):
        return flock
    motion = _parse(MOTIONS, flock.get("motion", {}), "add", path, problems)
    return {**flock, "motion": MOTIONS["add"]() if motion is None else motion}


def _parse(registry: Registry, table: Any, default: str, path: str, problems: list[str]) -> Any:
    """Return the value that a table describes; None after adding its errors to `problems`."""
    if not isinstance(table, dict):
        if isinstance(table, BaseModel):
            return table
        problems.append(f"{path}: got {table!r}; expected a table")
        return None
    kind = table.get("kind") or default
    try:
        cls = registry.find(str(kind))
    except ModelError as error:
        problems.append(f"{path}: {error}")
        return None
    try:
        return cls.model_validate({**table, "kind": kind})
    except ValidationError as error:
        problems.extend(format_errors(error, cls, table, prefix=path))
        return None
