"""Dotted paths: every number of a model has one, the same in TOML, --set and Python."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from typing import Any

from murmurate.errors import ModelError
from murmurate.model.error_text import cut
from murmurate.model.registry import unknown
from murmurate.model.text_reader import DEEPEST
from murmurate.model.value import plain

# In these tables the names are the user's: a path must name one that is there.
NAMED = ("flocks", "rules", "obstacles")


def with_changes(
    data: dict[str, Any], changes: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """The plain tables of a model with values put at dotted paths, and what is wrong with paths
    into tables that are not there; whether the last key and the value are allowed is for the model
    to say. None at the path of a flock, rule or obstacle takes it out.
    """
    data = copy.deepcopy(data)
    problems = []
    for path, value in changes.items():
        try:
            _put(data, path.split("."), plain(value), path)
        except ModelError as error:
            problems.append(f"{cut(path)}: {error}")
    return data, problems


def _put(data: dict[str, Any], keys: list[str], value: Any, path: str) -> None:
    if len(keys) > DEEPEST:
        raise ModelError(f"has {len(keys):,} parts: a path may have {DEEPEST}")
    if keys[0] in NAMED:
        table = data.get(keys[0], {})
        if len(keys) == 2 and value is None:
            if keys[1] not in table:
                raise ModelError(unknown(keys[0].removesuffix("s"), keys[1], table))
            del table[keys[1]]
            return
        if len(keys) < 3 and not isinstance(value, dict):
            raise ModelError(f"is a whole table; name a number in it, such as {path}.NAME")
        if len(keys) > 1 and keys[1] not in table and len(keys) > 2:
            raise ModelError(unknown(keys[0].removesuffix("s"), keys[1], table))
    here: Any = data
    for key in keys[:-1]:
        here = here[_index(here, key)] if isinstance(here, list) else here.setdefault(key, {})
        if not isinstance(here, dict | list):
            raise ModelError(f"{key} is a number, not a table")
    if isinstance(here, list):
        here[_index(here, keys[-1])] = value
    else:
        here[keys[-1]] = value


def _index(items: list[Any], key: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", key) or int(key) >= len(items):
        raise ModelError(f"{cut(key)} is not one of the places 0 to {len(items) - 1}")
    return int(key)
