"""Stills and films of frames, with no screen and no OpenGL: numpy, Pillow and PyAV.

The public names load when first used, so that `import murmurate` stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from murmurate.show.errors import OutputRefused, ShowError, WriteFailed
    from murmurate.show.film import FilmReport, write_film
    from murmurate.show.output import check_output, check_passes_output, check_view
    from murmurate.show.page import Page, check_page, page_of
    from murmurate.show.painter import Painter
    from murmurate.show.passes import check_passes
    from murmurate.show.paths import path_lines
    from murmurate.show.stills import write_still

__all__ = [
    "FilmReport",
    "OutputRefused",
    "Page",
    "Painter",
    "ShowError",
    "WriteFailed",
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

_HOMES = {
    "FilmReport": "film",
    "OutputRefused": "errors",
    "Page": "page",
    "Painter": "painter",
    "ShowError": "errors",
    "WriteFailed": "errors",
    "check_output": "output",
    "check_page": "page",
    "check_passes": "passes",
    "check_passes_output": "output",
    "check_view": "output",
    "page_of": "page",
    "path_lines": "paths",
    "write_film": "film",
    "write_still": "stills",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
