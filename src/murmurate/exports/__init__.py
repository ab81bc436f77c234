"""Export a recording to one file that other tools open. See docs/file-formats.md.

    exporting   checks the options, writes a draft, renames it when it is complete
    formats     suffix -> the module that writes it, and the options it takes
    selection   which frames and flocks, read in pieces of bounded size
    boid_shapes, obstacle_shapes, solids, film_camera, surroundings, sky, appearance
                what is in a scene, USD or glTF
    the others  one format each: write(draft, selection, options); usd_ and gltf_ are parts of one

The public names load when first used, so that an installation without recordings has the errors.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from murmurate.exports.errors import ExportError, ExportRefused
    from murmurate.exports.exporting import Exported, export

_HOMES = {
    "ExportError": "errors",
    "ExportRefused": "errors",
    "Exported": "exporting",
    "export": "exporting",
}
__all__ = ["ExportError", "ExportRefused", "Exported", "export"]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
