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

from functools import lru_cache
from pathlib import Path
from typing import Any

from murmurate.codegen.cache_folder import cache_folder
from murmurate.codegen.phases import CONTROL
from murmurate.codegen.text_layout import block
from murmurate.codegen.unpacking import UNPACK

HERE = Path(__file__).parent


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
