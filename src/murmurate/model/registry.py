"""Registries: which kinds of rules and motions model files may name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from pydantic import BaseModel, ValidationError

from murmurate.errors import ModelError
from murmurate.model.messages import complaints, unknown


def kind_of(cls: type) -> str:
    """The word for a class in model files: TendToPlace -> tend-to-place."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()


# Where the built-in rules and motions are. They are imported when a kind is first asked for, so
# that `import murmurate` and `murmurate --help` stay fast.
BUILT_IN = "murmurate.rules"


class Registry(dict[str, Any]):
    """kind -> class."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what

    def register(self, cls: type) -> None:
        """A user's class may replace a user's, so that a notebook cell can run again; nobody's may
        replace a built-in one."""
        kind = kind_of(cls)
        if not cls.__module__.startswith("murmurate."):
            import_module(BUILT_IN)
        known = self.get(kind)
        if known is not None and known.__module__.startswith("murmurate."):
            raise ModelError(
                f"a {self.what} named {cls.__name__} would replace the built-in {kind!r}: "
                "give it another name"
            )
        self[kind] = cls

    def find(self, kind: str) -> Any:
        """The class of a kind, or a ModelError with the nearest name."""
        import_module(BUILT_IN)
        if kind not in self:
            raise ModelError(
                f"{unknown(self.what, kind, self)}. Is it in a Python file of your own? Name that "
                "file: --rules FILE.py, or in Python mm.load_rules('FILE.py')"
            )
        return self[kind]


RULES = Registry("rule")
MOTIONS = Registry("motion")


@contextmanager
def kinds_restored() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Where what is done within goes wrong, rules and motions are known as they were before it;
    which is given."""
    registries = (RULES, MOTIONS)
    before = dict(RULES), dict(MOTIONS)
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
            name: _made(RULES, table, str(name), f"rules.{name}", problems)
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
