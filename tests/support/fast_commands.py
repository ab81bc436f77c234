"""Commands in this process parse their words three times as fast, and read published flocks once.

cyclopts reads the signature of a command, and pydantic makes a validator of each option, every time
that a command runs. A test process runs hundreds, so here both are made once. Commands in
processes of their own, as users run them, are not changed: cli/test_program.py. Models are not
changed after they are made, so tests may share the published ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import cyclopts.core
import pydantic
from cyclopts.argument import ArgumentCollection

from murmurate.model import files
from murmurate.model.model import Model
from murmurate.model.registry import MOTIONS, RULES

read = ArgumentCollection._from_callable
parse = files.parse_texts
signatures: dict[tuple[Any, ...], ArgumentCollection] = {}


def read_once(
    command: Callable[..., Any], *defaults: Any, reserved: Iterable[str] = (), **options: Any
) -> ArgumentCollection:
    """Return the options of a command, none of which is given yet."""
    reserved = tuple(reserved)
    key = command, tuple(map(repr, defaults)), options.get("parse_docstring"), reserved
    if "<locals>" in command.__qualname__:
        return read(command, *defaults, reserved=reserved, **options)
    if key not in signatures:
        signatures[key] = read(command, *defaults, reserved=reserved, **options)
    return copied(signatures[key])


def copied(arguments: ArgumentCollection) -> ArgumentCollection:
    """Return a copy whose words can be set: an option may consist of others of the collection."""
    copies = arguments.copy(reset_tokens=True)
    by_original = {id(one): other for one, other in zip(arguments, copies, strict=True)}
    for one in copies:
        one.children = ArgumentCollection(by_original[id(child)] for child in one.children)
    return copies


@cache
def parsed(source: files.ModelText, kinds: tuple[type, ...]) -> Model:
    """Return the model of a text, with these classes of rules and motions."""
    return parse(source)


def parse_once(source: files.ModelText) -> Model:
    """Return the model of a text; a published one that was returned before."""
    if source.folder is not None or not source.verify:
        return parse(source)
    return parsed(source, (*RULES.values(), *MOTIONS.values()))


def install() -> None:
    """Replace these functions, until this process ends."""
    adapter, adapter_once = pydantic.TypeAdapter, cache(pydantic.TypeAdapter)

    def validator(kind: Any, *args: Any, **options: Any) -> Any:
        try:
            return adapter_once(kind, *args, **options)
        except TypeError:  # a type that has no hash
            return adapter(kind, *args, **options)

    files.parse_texts = parse_once
    cyclopts.core.validate_command = cache(cyclopts.core.validate_command)  # type: ignore[assignment]
    ArgumentCollection._from_callable = staticmethod(read_once)  # type: ignore[method-assign]
    pydantic.TypeAdapter = validator  # type: ignore[misc,assignment]
