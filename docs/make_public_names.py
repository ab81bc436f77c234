"""Write the list of all that murmurate promises to keep: docs/public-names.txt.

    python docs/make_public_names.py           # new names are "next", until the next release
    python docs/make_public_names.py --check   # exit code 1 if the list is out of date

Each line has the kind of a name, the name, and the first version that promises it:

    python     a name that docs/api documents, its arguments and its members
    command    a command, and each of its options
    model      a key of model files, and the field of that name in Python
    recording  a setting of a recording's header, and an array
    message    a message between pages and the live view, and each of its keys
    variable   a variable of the environment
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter

import murmurate as mm
from murmurate.cli.app import COMMANDS, arguments_of, make_app
from murmurate.codegen.cache_folder import CHOICE
from murmurate.live_view.messages import AnyMessage
from murmurate.live_view.server_messages import ServerMessage
from murmurate.model.files import model_of
from murmurate.record.header import make_header
from murmurate.record.schema import boid_arrays, fixed_arrays, frame_arrays
from murmurate.schema import schema_text
from murmurate.version import __version__

LIST = Path(__file__).parent / "public-names.txt"
PAGES = LIST.parent / "api"
ENTRY = re.compile(r"^\.\. (\w+):: ([\w.]+)$(?:\n   :members:(.*)$)?", re.MULTILINE)
"""A directive of Sphinx, its name, and the members that it documents."""
RECORDED = ("p5", "parker-perch", "river", "jolles-2017")
"""Models that have between them all arrays of recordings."""


def public_names() -> Iterator[tuple[str, str]]:
    """Yield kind and name of all that is public."""
    for page in sorted(PAGES.glob("*.rst")):
        for name in of_page(page.read_text("utf-8")):
            yield "python", name
    app = make_app(list_commands=False)
    for command in COMMANDS:
        yield "command", command
        for argument in arguments_of(app, command):
            yield from (("command", f"{command} {option}") for option in argument.names)
    for name in of_schema(json.loads(schema_text()), "file"):
        yield "model", name
    for name in of_recordings():
        yield "recording", name
    for sender, messages in (("page", AnyMessage), ("server", ServerMessage)):
        for name in of_schema(TypeAdapter(messages).json_schema(), sender):
            yield "message", name
    yield "variable", CHOICE


def of_page(page: str) -> Iterator[str]:
    """Yield the names of a page of docs/api: what Sphinx documents is what users may rely on."""
    module = mm
    for kind, name, members in ENTRY.findall(page):
        if kind == "currentmodule":
            module = import_module(name)
        elif kind in ("autofunction", "autoclass", "autodata", "data"):
            prefix = module.__name__.removeprefix("murmurate").lstrip(".")
            item, name = getattr(module, name), f"{prefix}.{name}" if prefix else name
            yield name
            if inspect.isclass(item) or inspect.isfunction(item):
                yield from arguments(name, item)
            if members is not None and inspect.isclass(item):
                yield from of_class(name, item, members.replace(",", " ").split())


def of_class(name: str, item: type, listed: list[str]) -> Iterator[str]:
    """Yield the methods and properties of a class with a docstring, or those its page lists."""
    if missing := [key for key in listed if not hasattr(item, key)]:
        raise SystemExit(f"docs/api: {name} has no {', '.join(missing)}")
    for key, value in vars(item).items():
        function = getattr(value, "__func__", value)  # of class methods
        is_member = inspect.isroutine(function) or isinstance(value, property | cached_property)
        if key in listed or (not (listed or key.startswith("_")) and is_member and value.__doc__):
            yield f"{name}.{key}"
            if inspect.isfunction(function):
                yield from arguments(f"{name}.{key}", function)


def arguments(name: str, item: Any) -> Iterator[str]:
    """Yield the arguments of a function or class; fields of models are listed as their keys."""
    if inspect.isclass(item) and issubclass(item, Exception | BaseModel):
        return
    for parameter in inspect.signature(item).parameters:
        if parameter not in ("self", "cls"):
            yield f"{name}({parameter})"


def of_schema(schema: Mapping[str, Any], name: str) -> Iterator[str]:
    """Yield the keys of a JSON schema and of its definitions."""
    for key in keys_of(schema):
        yield f"{name}: {key}"
    for part, definition in {**schema.get("$defs", {}), **schema.get("definitions", {})}.items():
        for key in keys_of(definition):
            yield f"{name} {part}: {key}"


def keys_of(schema: Mapping[str, Any]) -> Iterator[str]:
    yield from schema.get("properties", {})
    for word in ("anyOf", "oneOf", "allOf"):
        for choice in schema.get(word, ()):
            yield from keys_of(choice)


def of_recordings() -> Iterator[str]:
    for name in RECORDED:
        model = model_of(name)
        first = mm.Simulation(model, engine="reference").frame
        header = make_header(model, first, seed=0, every=1, dtype="float64", inputs=True)
        yield from (f"header {key}" for key in header)
        for arrays in (boid_arrays, fixed_arrays, frame_arrays):
            yield from (f"array {getattr(array, 'name', array)}" for array in arrays(header))


def version_of_new_names(version: str = __version__) -> str:
    """Return the first version that promises what is new in a checkout of `version`.

    Nothing was promised before 1.0.0. Later, .ci/set_version.py puts the next version for "next".
    """
    return "1.0.0" if version.startswith("0.") else "next"


def text_of_list(old: str) -> str:
    """Return the list: names that `old` has keep their versions."""
    since, new = {}, version_of_new_names()
    for line in old.splitlines():
        kind, name, version = re.fullmatch(r"(\w+)\s+(.+?)\s+(\S+)", line).groups()  # type: ignore[union-attr]
        since[kind, name] = version
    rows = dict.fromkeys(public_names())
    width = max(len(name) for _, name in rows)
    return "".join(
        f"{kind:<10} {name:<{width}} {since.get((kind, name), new)}\n"
        for kind, name in sorted(rows)
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    old = LIST.read_text("utf-8") if LIST.exists() else ""
    text = text_of_list(old)
    if parser.parse_args().check:
        return int(text != old)
    LIST.write_text(text, "utf-8")
    print(f"{LIST.name}: {len(text.splitlines()):,} names")
    return 0


if __name__ == "__main__":
    sys.exit(main())
