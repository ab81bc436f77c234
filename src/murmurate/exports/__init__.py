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
flight
    Flights of drones, with their certificate.

The public names are imported at first use, so that they are light without recordings.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
