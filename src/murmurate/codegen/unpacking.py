"""Write the lines that unpack a kernel's arguments from the table, and find the names it uses.

Rendered templates are parsed. A name that a kernel reads before assigning it must be an argument, a
part of an argument, or a name of its module. Any other name raises an error with kernel and line.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from murmurate.codegen.arguments import ARGUMENTS, OFFSETS
from murmurate.codegen.candidates.search import Argument
from murmurate.codegen.phases import PHASES
from murmurate.codegen.templates import EMPTY, UNPACK, tidy
from murmurate.errors import TemplateError
from murmurate.language.names import is_template_name
from murmurate.syntax import syntax_tree

INTRINSICS = (
    "add_shared", "array1", "array2", "array3", "call", "call_opened", "collect8", "copy8",
    "exchange", "exponent_of", "fetch", "fetch_near", "float_of", "get_opened", "get_shared",
    "item_of", "item_within", "list_of", "mantissa_of", "masked", "natural", "number", "put_item",
    "put_opened", "put_within", "ranks8", "replace_shared", "set_float", "set_number", "set_shared",
    "table_of", "tuple_of", "two_to", "unsigned", "window",
)  # fmt: skip
CONSTANTS = frozenset(argument.constant for argument in ARGUMENTS) | PHASES.keys()
BUILTINS = frozenset(vars(builtins))
INPUTS = {argument.name: argument for argument in ARGUMENTS if not argument.out}
OUT = frozenset(argument.name for argument in ARGUMENTS if argument.out)
ROWS = {
    name: f"{name}_by_step[parameter_row]" for name in ("numbers", "obstacles", "next_obstacles")
}
ENDS = (ast.Return, ast.Continue, ast.Break)


@dataclass(frozen=True)
class Code:
    """The text of template functions, and the names of their module that they use."""

    text: str
    names: frozenset[str]


def unpack_arguments(
    code: str,
    parts: Mapping[str, str] | None = None,
    module: Collection[str] = (),
    issued: Collection[str] = (),
) -> Code:
    """Replace UNPACK in each function by lines that unpack the arguments that it reads.

    parts   part of an argument -> its expression, which may use earlier parts and those in ROWS
    module  names that the module defines or imports, besides the functions of the code
    issued  names made from a user's words

    Raises TemplateError for an unknown name, and for a variable of a template that has the form of
    a user's name.
    """
    tree, lines = syntax_tree(code), code.split("\n")
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    defined = {*module, *(function.name for function in functions), *INTRINSICS, *CONSTANTS}
    defined |= BUILTINS | {"math", "np", "real"}
    parts = {**ROWS, **(parts or {})}
    named: set[str] = set()
    for function in functions:
        reads = Reads(function)
        names = set(reads.first)
        if at := _unpack_line_number(function):
            names.discard(UNPACK)
            new_lines = _unpack_lines(names, parts)
            lines[at - 1] = "\n".join(f"    {line.text}" for line in new_lines) or EMPTY
            names -= {line.name for line in new_lines}
            names = names.union(*(line.names for line in new_lines))
        for name in sorted(names - defined - reads.stored):
            raise _unknown(function, name, reads.first[name], lines)
        for name in reads.stored:
            if not is_template_name(name) and name not in issued:
                raise _unknown(function, name, function.lineno, lines)
        named |= names - reads.stored - BUILTINS
    return Code("\n".join(lines), frozenset(named))


class Reads:
    """The names that a function may read before it assigns them.

    first   name -> the line where it is first read unassigned
    stored  the arguments and variables of the function
    """

    def __init__(self, function: ast.FunctionDef) -> None:
        self.first: dict[str, int] = {}
        self.stored = {argument.arg for argument in function.args.args}
        self._block(function.body, set(self.stored))

    def _block(self, body: Iterable[ast.stmt], bound: set[str]) -> bool:
        """Go through statements; return whether they always leave the block."""
        for statement in body:
            match statement:
                case ast.Assign(targets=targets, value=value):
                    self._read(value, bound)
                    for target in targets:
                        self._read(target, bound)
                case ast.AugAssign(target=target, value=value):
                    if isinstance(target, ast.Name):
                        self._read_name(target, bound)
                    self._read(value, bound)
                    self._read(target, bound)
                case ast.If(test=test, body=body, orelse=orelse):
                    self._read(test, bound)
                    then, other = set(bound), set(bound)
                    ends = self._block(body, then), self._block(orelse, other)
                    if all(ends):
                        return True
                    bound |= other if ends[0] else then if ends[1] else then & other
                case ast.For(target=target, iter=items, body=body):
                    self._read(items, bound)
                    inside = set(bound)
                    self._read(target, inside)
                    self._block(body, inside)
                case ast.While(test=test, body=body):
                    self._read(test, bound)
                    self._block(body, set(bound))
                case _:
                    self._read(statement, bound)
            if isinstance(statement, ENDS):
                return True
        return False

    def _read(self, node: ast.AST, bound: set[str]) -> None:
        """Record the names that an expression reads and stores."""
        stored = []
        for part in ast.walk(node):
            if isinstance(part, ast.Name):
                if isinstance(part.ctx, ast.Load):
                    self._read_name(part, bound)
                else:
                    stored.append(part.id)
        bound.update(stored)
        self.stored.update(stored)

    def _read_name(self, node: ast.Name, bound: set[str]) -> None:
        if node.id not in bound:
            self.first.setdefault(node.id, node.lineno)


def offset_lines(names: Collection[str], offsets: Mapping[str, int] = OFFSETS) -> list[str]:
    """Return the definitions of the table indices and phase numbers in use.

    offsets  argument -> index of its first word in the table
    """
    lines = [f"{a.upper()} = {offset}" for a, offset in offsets.items() if a.upper() in names]
    return lines + [f"{name} = {number}" for name, number in PHASES.items() if name in names]


def intrinsics_import(names: Collection[str]) -> str:
    """Return the line that imports the intrinsics in use, or ''."""
    own = ", ".join(name for name in INTRINSICS if name in names)
    return tidy(f"from murmurate.codegen.intrinsics import ({own})") if own else ""


@dataclass(frozen=True)
class _Line:
    """A line that unpacks an argument from the table.

    name   the variable that it assigns
    names  the names of the module that it uses
    """

    name: str
    text: str
    names: frozenset[str] = field(default=frozenset())


def _unpack_lines(reads: Collection[str], parts: Mapping[str, str]) -> list[_Line]:
    """Return the lines that unpack the names, arguments first."""
    names = set(reads)
    lines: list[_Line] = []
    for name in reversed(list(parts)):
        if name in names:
            lines.insert(0, _Line(name, f"{name} = {parts[name]}", _module_names(parts[name])))
            names |= _names(parts[name])
    if any(not argument.thread for name, argument in INPUTS.items() if name in names):
        names.add("shared")
    return [*(_line(argument) for argument in INPUTS.values() if argument.name in names), *lines]


def _names(expression: str) -> set[str]:
    """Return the names in the expression of a part."""
    if expression not in _NAMES:
        nodes = ast.walk(syntax_tree(expression))
        _NAMES[expression] = {node.id for node in nodes if isinstance(node, ast.Name)}
    return _NAMES[expression]


_NAMES: dict[str, set[str]] = {}


def _module_names(expression: str) -> frozenset[str]:
    return frozenset(_names(expression) & {"real"})


def _line(argument: Argument) -> _Line:
    """Return the line that unpacks an argument from the table of one thread or of all."""
    table = "table" if argument.thread else "shared"
    if argument.shape:
        how, example = f"array{len(argument.shape)}", {
            "real": "real(0.0)", "float64": "0.0", "int64": "np.int64(0)",
        }.get(argument.dtype, f"np.{argument.dtype}(0)")  # fmt: skip
        call = f"{how}({table}, {argument.constant}, {example})"
    else:
        how = {"float64": "float_of", "uint64": "unsigned"}.get(argument.dtype, "number")
        call = f"{how}({table}, {argument.constant})"
    text = f"{argument.name} = {call}  # {argument.about}"
    return _Line(argument.name, text, frozenset((how, argument.constant)))


def _unpack_line_number(function: ast.FunctionDef) -> int:
    """Return the line number of the statement UNPACK in a function, or 0."""
    for statement in function.body:
        match statement:
            case ast.Expr(value=ast.Name(id=name)) if name == UNPACK:
                return statement.lineno
    return 0


def _unknown(
    function: ast.FunctionDef, name: str, line: int, lines: Sequence[str]
) -> TemplateError:
    what = "is an output, which kernels cannot read" if name in OUT else (
        "is not a variable, argument, part of an argument, constant, intrinsic or function of its "
        "module"
    )  # fmt: skip
    return TemplateError(
        f"kernel {function.name}, line {line - function.lineno + 1}, `{lines[line - 1].strip()}`: "
        f"got the name {name}; it {what}"
    )
