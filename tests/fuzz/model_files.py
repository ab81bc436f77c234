"""Cases: model files with changed tokens, numbers, tables, names; shown, flown, written again."""

from __future__ import annotations

import tomllib
from pathlib import Path
from random import Random
from typing import Any

import tomli_w
import valid_files
from guard import Fault, Guard
from mutations import changed_bytes, changed_numbers, changed_text, changed_value

import murmurate as mm
import named_models
from murmurate.model.files import to_toml

MOST = 2000  # boids that the reference engine flies, and steps


def prepare(folder: Path) -> None:
    """Compiles the kernels that cases share, and collects names."""
    named_models.pool()
    valid_files.write_models(folder)


def case(dice: Random, valid: Path, guard: Guard) -> None:
    """One model file."""
    file, text = guard.folder / "model.toml", dice.choice(list(valid_files.MODELS.values()))
    way = dice.randrange(12)
    if way < 4:  # numbers alone: the same kernels
        table = changed_numbers(
            dice, tomllib.loads(text), kept=("view", "expect", "count", "source")
        )
        file.write_bytes(tomli_w.dumps(table).encode())
    elif way < 6:
        table = plain(changed_value(dice, tomllib.loads(text)))
        file.write_bytes(tomli_w.dumps(table if isinstance(table, dict) else {"a": table}).encode())
    elif way >= 10:
        file.write_bytes(tomli_w.dumps(renamed(dice, tomllib.loads(text))).encode())
    elif way < 9:
        file.write_bytes(changed_text(dice, text).encode(errors="replace"))
    else:
        file.write_bytes(changed_bytes(dice, text.encode()))
    guard.did(f"model.toml: {file.read_bytes()!r}")
    if guard.command("show", "model.toml", *dice.choice([(), ("--kernel",), ("--toml",)])) != 0:
        guard.command("run", "model.toml", "--steps", "1")
        return
    model = mm.load(file)
    if mm.parse(to_toml(model)) != model:
        raise Fault(f"written and read again it is another: {to_toml(model)}")
    if sum(flock.count for flock in model.flocks.values()) > MOST:
        return
    fast = ("--threads", "1", "--dtype", dice.choice(["float32", "float64"]))
    flown = fast if way < 4 else ("--engine", "reference")
    name, *more = dice.choice([("run", "--json"), ("run", "-o", "a.zarr"), ("still",), ("run",)])
    steps = ("--at" if name == "still" else "--steps", "4")
    if name == "still":
        more += ["--size", "64x64", "-o", "a.png"]
    guard.command(name, "model.toml", *steps, *more, *flown)


def renamed(dice: Random, table: dict[str, Any]) -> dict[str, Any]:
    """A model whose flocks and rules are called what texts of kernels and Python hold."""
    for what in ("flocks", "rules"):
        allowed = [name for name in named_models.pool() if named_models.may_name(what, name)]
        new = dict(zip(table[what], dice.sample(allowed, len(table[what])), strict=True))
        if what == "rules":
            for name, rule in table[what].items():
                rule.setdefault("kind", name)
        else:
            table = with_words(table, new)
        table[what] = {new.get(name, name): part for name, part in table[what].items()}
    return table


def with_words(value: Any, new: dict[str, str], key: str = "") -> Any:
    """A table in which flocks that are named as such have other names."""
    if isinstance(value, dict):
        return {k: with_words(item, new, k) for k, item in value.items()}
    if key in ("moves", "senses", "flock"):
        return [new.get(w, w) for w in value] if isinstance(value, list) else new.get(value, value)
    return [with_words(item, new) for item in value] if isinstance(value, list) else value


def plain(value: Any) -> Any:
    """A value as TOML can say it: no null, no number beyond 64 bits."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [plain(item) for item in value if item is not None]
    return "" if value is None else value
