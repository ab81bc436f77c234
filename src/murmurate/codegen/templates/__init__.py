"""The templates of kernels, a loop nest a page, and how they are filled in.

in_turn    a step of a model whose boids move one after the other, in cells or not
settle     the end of a step with several force evaluations
chunks     how threads take chunks of the open phase
many_steps many steps in one call, shared by threads; its parts:
           perceive, integrate, by_id, and how the kernels above are called
steering, boid, accumulate   what they are made of

The pages that find the boids that may be sensed are in candidates/pages:

cells, all_pairs, nearest, voronoi, totals, obstacles   candidates of one boid
sweep_cells   flocks in cells: rows of cells, with the slabs around them staged side by side
sweep_whole   flocks in no cells: every boid is compared with every other
sort_cells    boids sorted into cells
add_up        totals over flocks
share_turns   a step whose turns threads share, by slabs of the grid
staging, around   what these are made of
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from textwrap import wrap
from typing import Any

from murmurate.codegen.cache_folder import cache_folder
from murmurate.codegen.phases import CONTROL

HERE = Path(__file__).parent
UNPACK = "take_arguments"
"""The statement in templates that is replaced by the lines that take arguments from the table."""


@lru_cache(maxsize=1)
def _environment() -> Any:
    from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader([HERE, HERE.parent / "candidates" / "pages"]),
        line_statement_prefix="%%",
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
        autoescape=False,
        bytecode_cache=FileSystemBytecodeCache(str(cache_folder()), "template_%s.bin"),
    )
    environment.filters["block"] = block
    environment.globals["unpack"] = UNPACK
    environment.globals["control"] = CONTROL
    return environment


def filled(template: str, **words: Any) -> str:
    """A template, filled in."""
    text: str = _environment().get_template(f"{template}.py.j2").render(**words)
    return text


# --- the look of generated code

EMPTY = "# (nothing)"  # stands where a block had nothing to say, until its line is taken out
WIDTH = 99


def block(text: str, width: int = 4) -> str:
    """A template's filter: a text of several lines at this indentation."""
    lines = [line for line in text.split("\n") if line.strip()]
    return f"\n{' ' * width}".join(lines) if lines else EMPTY


def tidy(code: str) -> str:
    """The code without the lines of empty blocks, with two empty lines between functions, and long
    lines broken."""
    lines = [line.rstrip() for line in code.split("\n") if line.strip() != EMPTY]
    broken = "\n".join(part for line in lines for part in _broken(line))
    return re.sub(r"\n+(?=@|\n\n\n)", "\n\n\n", broken).strip("\n") + "\n"


def _broken(line: str, depth: int = 0) -> list[str]:
    """A line as several, where it is too long and holds a bracket to break in."""
    if len(line) <= WIDTH:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()))
    if line.lstrip().startswith("# "):
        return wrap(line.strip(), WIDTH, initial_indent=indent, subsequent_indent=f"{indent}# ")
    code, _, comment = line.rpartition("  # ")
    if code.strip():
        return [f"{indent}# {comment}", *_broken(code)]
    cut = _last_comma(line, depth)
    if cut < 0:
        return [line]
    further = "" if depth else "    "
    depth += line.count("(", 0, cut) - line.count(")", 0, cut)
    return [line[:cut].rstrip(), *_broken(f"{indent}{further}{line[cut:].lstrip()}", depth)]


def _last_comma(line: str, depth: int) -> int:
    """Where to break a line: behind the last comma within a bracket, or else an operator."""
    comma, operator, index = -1, -1, 0
    for k, c in enumerate(line[:WIDTH]):
        depth += (c == "(") - (c == ")")
        index += (c == "[") - (c == "]")
        within = depth > 0 == index and line[:k].strip()
        if within and line.startswith(", ", k):
            comma = k + 2
        if within and line.startswith((" & ", " | ", " + ", " - ", " * "), k):
            operator = k + 3 if c == " " and line[k + 1] in "&|" else k + 1
    return comma if comma >= 0 else operator
