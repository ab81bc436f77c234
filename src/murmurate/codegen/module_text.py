"""A plan -> the text of one module with the kernels that fly it.

The text is meant to be read: `murmurate show MODEL --kernel` prints it. Rules stand in it as the
functions they are; the loops around them are the templates of templates/, a page each: cells, whole
sweeps, many steps of a small model, and the end of a step with several force evaluations.
"""

from __future__ import annotations

import hashlib
import inspect
import re
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from murmurate.codegen import intrinsics
from murmurate.codegen.arguments import ARGUMENTS, PLACES, Argument
from murmurate.codegen.cache_folder import cache_folder
from murmurate.codegen.function_library import Library
from murmurate.codegen.kernel_functions_text import functions_module, shared_functions
from murmurate.codegen.kernel_text import KernelText
from murmurate.codegen.layout import Layout, lay_out
from murmurate.codegen.module_header import header, with_constants
from murmurate.codegen.plan import Plan, word
from murmurate.codegen.text_layout import EMPTY, block, tidy

INTRINSICS = (
    "array1", "array2", "array3", "copy8", "exchange", "float_of", "next_of", "number", "set_float",
    "set_number", "unsigned", "window",
)  # fmt: skip
TUPLES = ("Herd", "Kept", "Me", "Other", "Random")
UNPACK = f"# {EMPTY}unpack"


@lru_cache(maxsize=1)
def _templates() -> Any:
    from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined

    folder = cache_folder()  # where it can be written: else templates are read each time
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        line_statement_prefix="%%",
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
        autoescape=False,
        bytecode_cache=FileSystemBytecodeCache(str(folder), "template_%s.bin"),
    )
    environment.filters["block"] = block
    return environment


def kernel_text(plan: Plan, dtype: str, layout: Layout | None = None) -> str:
    """The whole module. Raises RuleError for a rule function that cannot be compiled."""
    layout = layout or lay_out(plan)
    library = Library(shared_functions())
    text = KernelText(layout, library)
    text.unpack_here = UNPACK  # type: ignore[attr-defined]
    parts = [_filled("steering", text)]
    for stage in range(plan.stages):
        flocks = text.flocks_of_stage(stage)
        whole = [flock for flock in flocks if flock.flock not in layout.gridded]
        cells = [flock for flock in flocks if flock.flock in layout.gridded]
        if whole:
            parts.append(_filled("whole", text, stage=stage, flocks=whole))
        if cells:
            needs_ids = any(text.nearest_groups(flock) for flock in cells)
            parts.append(_filled("cells", text, stage=stage, flocks=cells, needs_ids=needs_ids))
    if plan.integrates:
        last = [flock for flock in plan.flocks if flock.last]
        parts.append(_filled("settle", text, flocks=last))
    elif not layout.gridded:
        parts.append(_filled("steps", text))
    code = tidy(_unpacked("".join(parts), text, dtype))
    code = f"{library.text()}\n\n\n{code}" if library.texts else code
    head = [header(_about(layout), dtype), _imports(code, library, dtype), *_names(code, text)]
    return with_constants("\n".join(head), code)


def _filled(template: str, text: KernelText, **more: Any) -> str:
    filled: str = _templates().get_template(f"{template}.py.j2").render(text=text, **more)
    return filled


def _about(layout: Layout) -> str:
    ranges = ", ".join(
        f"{name} {'in cells' if name in layout.gridded else 'swept whole'}"
        for name in layout.plan.counts
    )
    return f"Kernels of a model: {ranges}"


def _words(code: str) -> set[str]:
    """The names in some code, without its comments."""
    return set(re.findall(r"\w+", re.sub(r"#.*", "", code)))


def _imports(code: str, library: Library, dtype: str) -> str:
    """What the code takes from other modules."""
    # the digest makes the text another one when the intrinsics change
    digest = hashlib.sha256(inspect.getsource(intrinsics).encode()).hexdigest()[:12]
    words = _words(code)
    own = ", ".join(name for name in INTRINSICS if name in words)
    tuples = ", ".join(name for name in TUPLES if name in words)
    shared = sorted(words.intersection(shared_functions().values()))
    lines = [
        f"from murmurate.codegen.intrinsics import ({own})  # {digest}",
        f"from murmurate.model.rule_arguments import {tuples}",
    ]
    if shared:
        lines.append(f"from {functions_module(dtype)} import ({', '.join(shared)})")
    return tidy("\n".join(lines))


def _names(code: str, text: KernelText) -> list[str]:
    """Constants: places in the table of arguments, slots of numbers, tuples of a part's numbers."""
    words = _words(code)
    lines = ["", "# places in the table of arguments"]
    lines += [f"{a.constant} = {PLACES[a.name]}" for a in ARGUMENTS if a.constant in words]
    lines += ["", "# places in `numbers`"]
    lines += [f"{slot.name} = {k}" for k, slot in enumerate(text.plan.slots) if slot.name in words]
    lines.append("")
    for name, names in text.fields.items():
        fields = ", ".join(f'"{field}"' for field in names)
        lines.append(f'{name} = namedtuple("{name}", ({fields},))')
    return [tidy("\n".join(lines)), ""]


def _unpacked(code: str, text: KernelText, dtype: str) -> str:
    """The code, in which each kernel first takes what it names from the table."""
    functions = re.split(r"(?m)^(?=@kernel)", code)
    return "".join(
        re.sub(rf"(?m)^    {re.escape(UNPACK)}\n", lambda _, f=f: _arguments(f, text, dtype), f)
        for f in functions
    )


def _arguments(function: str, text: KernelText, dtype: str) -> str:
    """The lines that take a kernel's arguments from the table, and name their parts."""
    body: list[str] = []
    for k, axis in enumerate(text.axes):
        for letter, row in ((axis.upper(), k), ("UVW"[k], k + text.dims)):
            body.append(f"{letter} = now[{row}]")
    for k in text.periodic_axes:
        body.append(f"side{k} = upper[{k}] - lower[{k}]")
        body.append(f"half{k} = real(0.5) * side{k}")
    for kind, name in enumerate(text.flocks):
        for k, what in enumerate(("begin", "swept", "first", "size")):
            body.append(f"{what}_{word(name)} = flocks[{kind}, {k}]")
    rows = ["numbers = numbers_by_step[moment]", "obstacles = obstacles_by_step[moment]"]
    wanted = _needed([*rows, *body], function)
    words = _words("\n".join([function, *wanted]))
    lines = [
        f"{a.name} = {_taken(a, dtype)}  # {a.about}"
        for a in ARGUMENTS
        if a.name in words and not a.about.startswith("out:")
    ]
    return "".join(f"    {line}\n" for line in [*lines, *wanted])


def _needed(lines: list[str], function: str) -> list[str]:
    """Those of the lines whose name the function uses, or a needed line after them does."""
    found: list[str] = []
    words = _words(function)
    for line in reversed(lines):
        if line.split(" = ")[0] in words:
            found.insert(0, line)
            words |= _words(line)
    return found


def _taken(argument: Argument, dtype: str) -> str:
    """The expression that takes an argument from the table."""
    if argument.shape:
        example = {"real": "real(0.0)", "float64": "0.0", "int64": "np.int64(0)"}
        like = example.get(argument.dtype, f"np.{argument.dtype}(0)")
        return f"array{len(argument.shape)}(table, {argument.constant}, {like})"
    how = {"float64": "float_of", "uint64": "unsigned"}.get(argument.dtype, "number")
    return f"{how}(table, {argument.constant})"
