"""Commands in this process parse their words three times as fast.

cyclopts reads the signature of a command, and pydantic makes a validator of each option, every time
that a command runs. A test process runs hundreds, so here both are made once. Commands in
processes of their own, as users run them, are not changed: cli/test_program.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import pydantic
from cyclopts.argument import ArgumentCollection

read = ArgumentCollection._from_callable
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


def install() -> None:
    """Replace both functions, until this process ends."""
    adapter, adapter_once = pydantic.TypeAdapter, cache(pydantic.TypeAdapter)

    def validator(kind: Any, *args: Any, **options: Any) -> Any:
        try:
            return adapter_once(kind, *args, **options)
        except TypeError:  # a type that has no hash
            return adapter(kind, *args, **options)

    ArgumentCollection._from_callable = staticmethod(read_once)  # type: ignore[method-assign]
    pydantic.TypeAdapter = validator  # type: ignore[misc,assignment]
