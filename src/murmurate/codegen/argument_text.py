"""How a kernel's text takes its arguments from the table: only those that it names."""

from __future__ import annotations

import hashlib
import inspect
import re
from collections.abc import Mapping, Sequence

from murmurate.codegen import intrinsics
from murmurate.codegen.arguments import ARGUMENTS, PLACES, Argument
from murmurate.codegen.text_layout import EMPTY, tidy

UNPACK = f"# {EMPTY}unpack"
"""Stands in a template where a kernel takes its arguments."""

INTRINSICS = (
    "array1", "array2", "array3", "below8", "call", "collect8", "copy8", "exchange",
    "exponent_of", "fetch", "float_of", "get_shared", "mantissa_of", "masked", "natural", "next_of",
    "number", "set_float", "set_number", "set_shared", "two_to", "unsigned", "window",
)  # fmt: skip
ROWS = [f"{name} = {name}_by_step[moment]" for name in ("numbers", "obstacles", "next_obstacles")]


def words_of(code: str) -> set[str]:
    """The names in some code, without its comments."""
    return set(re.findall(r"\w+", re.sub(r"#.*", "", code)))


def unpacked(code: str, parts: list[str], arguments: Sequence[Argument] = ARGUMENTS) -> str:
    """The code, in which each function that asks for it first takes what it names from the table.

    parts      lines that give names to parts of arguments; those that a kernel needs follow
    arguments  what stands in the table
    """
    functions = re.split(r"(?m)^(?=@)", code)
    return "".join(
        re.sub(rf"(?m)^    {re.escape(UNPACK)}\n", lambda _, f=f: _taken(f, parts, arguments), f)
        for f in functions
    )


def places(code: str, places: Mapping[str, int] = PLACES) -> list[str]:
    """The lines that define the places of the table which the code names.

    places  argument -> its first word in the table
    """
    words = words_of(code)
    return [f"{a.upper()} = {place}" for a, place in places.items() if a.upper() in words]


def intrinsics_import(code: str) -> str:
    """The line that imports the intrinsics which the code names; with a digest, so that the text is
    another one when they change."""
    digest = hashlib.sha256(inspect.getsource(intrinsics).encode()).hexdigest()[:12]
    own = ", ".join(name for name in INTRINSICS if name in words_of(code))
    return tidy(f"from murmurate.codegen.intrinsics import ({own})  # {digest}")


def _taken(function: str, parts: list[str], arguments: Sequence[Argument]) -> str:
    """The lines that take a kernel's arguments from the table, and name their parts."""
    wanted = _needed([*ROWS, *parts], function)
    words = words_of("\n".join([function, *wanted]))
    lines = [
        f"{a.name} = {_expression(a)}  # {a.about}"
        for a in arguments
        if a.name in words and not a.about.startswith("out:")
    ]
    return "".join(f"    {line}\n" for line in [*lines, *wanted])


def _needed(lines: list[str], function: str) -> list[str]:
    """Those of the lines whose name the function uses, or a needed line after them does."""
    found: list[str] = []
    words = words_of(function)
    for line in reversed(lines):
        if line.split(" = ")[0] in words:
            found.insert(0, line)
            words |= words_of(line)
    return found


def _expression(argument: Argument) -> str:
    """The expression that takes an argument from the table."""
    if argument.shape:
        example = {"real": "real(0.0)", "float64": "0.0", "int64": "np.int64(0)"}
        like = example.get(argument.dtype, f"np.{argument.dtype}(0)")
        return f"array{len(argument.shape)}(table, {argument.constant}, {like})"
    how = {"float64": "float_of", "uint64": "unsigned"}.get(argument.dtype, "number")
    return f"{how}(table, {argument.constant})"
