"""Export a recording to one file that other tools open. See docs/file-formats.md.

exporting
    Checks the options, writes a draft and renames it when it is complete.
formats
    The table of formats: suffix, module and options.
selection
    The exported frames and flocks, read in pieces of bounded size.
tables, arrays, xyz, gsd_file, netcdf, vtkhdf
    Formats of data, each with write(draft, selection, options).
gltf, gltf_document, usd, usd_scene
    Formats of scenes.
boid_shapes, film_camera, surroundings, appearance
    Contents of scenes.

The public names are imported at first use, so that they are light without recordings.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from murmurate.exports.exporting import Exported, export
    from murmurate.exports.formats import ExportOptions

_MODULES = {"ExportOptions": "formats", "Exported": "exporting", "export": "exporting"}
__all__ = ["ExportOptions", "Exported", "export"]


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
