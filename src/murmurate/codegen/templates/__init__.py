"""The templates of kernels, one loop nest each, and how they are filled in.

sequential  a step of a model with sequential or shuffled update, in cells or not
settle      the end of a step that evaluates the forces several times
chunks      how threads take chunks of the open phase
many_steps  many steps in one call, shared by threads; its parts: perceive, integrate, by_id, and
            how to call the kernels above
steering, steer, boid, accumulate   parts of these
worlds      many worlds in one call: threads take whole worlds

The templates of searches for candidates are in candidates/templates:

cells, all_pairs, nearest, visible, voronoi, totals, obstacles   candidates of one boid
sweep_cells      flocks in cells: runs of cells, with the slabs around them staged side by side
sweep_all_pairs  ungridded flocks: each boid is compared with all boids of a flock
sort_cells       sort boids into cells
add_up           totals over flocks
share_updates    a sequential step that threads share, by slabs of the grid
staging, around  parts of these

The header of each template lists the entries of the table of arguments that it reads and writes.
"""

from __future__ import annotations

import hashlib
import re
import sys
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from textwrap import wrap
from typing import Any

from murmurate.codegen.cache_folder import cached_file
from murmurate.codegen.candidates import cell_functions
from murmurate.codegen.phases import CONTROL

FOLDER = Path(__file__).parent
UNPACK = "take_arguments"
"""The statement in templates that is replaced by the lines that take arguments from the table."""


@lru_cache(maxsize=1)
def _environment() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    class CachedEnvironment(Environment):
        """Stores the Python text of templates, which takes a tenth of a second to write."""

        def compile(self, source: Any, name: Any = None, filename: Any = None, *_: Any) -> Any:
            def python() -> bytes:
                text: str = Environment.compile(self, source, name, filename, raw=True)
                return text.encode()

            inputs = "\0".join((version("jinja2"), sys.version, str(name), source))
            digest = hashlib.sha256(inputs.encode()).hexdigest()[:24]
            text = cached_file(f"template_{digest}.text", python).decode()
            return compile(text, filename or "<template>", "exec")

    environment = CachedEnvironment(
        loader=FileSystemLoader([FOLDER, FOLDER.parent / "candidates" / "templates"]),
        line_statement_prefix="%%",
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
        autoescape=False,
    )
    environment.filters["block"] = block
    environment.globals["unpack"] = UNPACK
    environment.globals["control"] = CONTROL
    environment.globals["cell_functions"] = cell_functions  # for indices in `grid`
    return environment


def filled(template: str, **words: Any) -> str:
    """Return a template, filled in."""
    text: str = _environment().get_template(f"{template}.py.j2").render(**words)
    return text


def filled_macro(template: str, macro: str, *values: Any, **words: Any) -> str:
    """Return a macro of a template, filled in."""
    module = _environment().get_template(f"{template}.py.j2").make_module(words)
    text: str = getattr(module, macro)(*values)
    return text


# --- the look of generated code

EMPTY = "# (nothing)"  # marks an empty block until `tidy` removes its line
WIDTH = 99


def block(text: str, width: int = 4) -> str:
    """Return a text of several lines at an indentation: a filter of templates."""
    lines = [line for line in text.split("\n") if line.strip()]
    return f"\n{' ' * width}".join(lines) if lines else EMPTY


def tidy(code: str) -> str:
    """Return code without the lines of empty blocks, with two empty lines between functions and
    long lines broken."""
    lines = [line.rstrip() for line in code.split("\n") if line.strip() != EMPTY]
    broken = "\n".join(part for line in lines for part in _broken(line))
    return re.sub(r"\n+(?=@|\n\n\n)", "\n\n\n", broken).strip("\n") + "\n"


def _broken(line: str, depth: int = 0) -> list[str]:
    """Return a line as several lines, if it is too long and has a bracket to break in."""
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
    """Return where to break a line: behind the last comma in a bracket, or else at an operator, or
    behind its only bracket."""
    comma, operator, index = -1, -1, 0
    for k, c in enumerate(line[:WIDTH]):
        depth += (c == "(") - (c == ")")
        index += (c == "[") - (c == "]")
        within = depth > 0 == index and line[:k].strip()
        if within and line.startswith(", ", k):
            comma = k + 2
        if within and line.startswith((" & ", " | ", " + ", " - ", " * "), k):
            operator = k + 3 if c == " " and line[k + 1] in "&|" else k + 1
    bracket = line.find("(", 0, WIDTH) + 1 if line.count("(") == 1 else 0
    return next((cut for cut in (comma, operator, bracket) if cut > 0), -1)
