"""Draw stills, films and pages of frames without a screen: numpy, numba, Pillow and PyAV.

The public names are imported at first use, so that `import murmurate` stays fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from murmurate.show.film import FilmReport, write_film, write_still
    from murmurate.show.output import check_output, check_passes_output, check_view
    from murmurate.show.page import Page, check_page, page_of
    from murmurate.show.painter import Painter
    from murmurate.show.passes import check_passes
    from murmurate.show.scene import path_lines

__all__ = [
    "FilmReport",
    "Page",
    "Painter",
    "check_output",
    "check_page",
    "check_passes",
    "check_passes_output",
    "check_view",
    "page_of",
    "path_lines",
    "write_film",
    "write_still",
]

_MODULES = {
    "FilmReport": "film",
    "Page": "page",
    "Painter": "painter",
    "check_output": "output",
    "check_page": "page",
    "check_passes": "passes",
    "check_passes_output": "output",
    "check_view": "output",
    "page_of": "page",
    "path_lines": "scene",
    "write_film": "film",
    "write_still": "film",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
