"""murmurate: the flocking simulator.

import murmurate as mm

model = mm.load("ucl")
sim = mm.Simulation(model, seed=1)
sim.step(50)
mm.polarization(sim.frame["boids"])
mm.measures.anisotropy(sim.frame["boids"])
"""

from __future__ import annotations

import logging
from typing import Any

import lazy_loader

from murmurate import display
from murmurate.deprecation import renamed_names
from murmurate.version import __version__ as __version__

logging.getLogger("murmurate").addHandler(logging.NullHandler())  # quiet by default

# Public names are declared in __init__.pyi and imported when first used, so that `import murmurate`
# and `murmurate --help` stay fast.
_import_name, __dir__, _names = lazy_loader.attach_stub(__name__, __file__)
# `open` would replace Python's in `from murmurate import *`.
__all__ = sorted({*_names} - {"open", "__version__"})

# Notebook output of objects.
display.register("Model", "murmurate.notebook.model_card", "model_card")
display.register("FilmReport", "murmurate.notebook.film_card", "film_card")
display.register("Simulation", "murmurate.runs.page", "preview")
display.register("Playback", "murmurate.runs.page", "html_of_playback")
display.register("Recording", "murmurate.runs.page", "html_of_recording")

# Names of 0.1.0 that have moved: they work, with a warning that has the new place.
_MEASURES = [
    "Curve", "Estimate", "MEASURES", "absolute_milling", "algebraic_connectivity",
    "angular_momentum", "anisotropy", "aspect_ratio", "asphericity", "autocorrelation",
    "autocorrelation_time", "bearings", "binder_cumulant", "border_to_core", "captures",
    "clark_evans", "cluster_count", "cluster_size_distribution", "cluster_sizes", "clusters",
    "collisions", "correlation_length", "density", "distance_to_centre", "elongation_along_motion",
    "extent", "frontness", "group_speed", "heading_autocorrelation", "kth_neighbour_distance",
    "largest_cluster", "local_density", "mean_and_error", "mean_squared_displacement",
    "measure_frames", "merges", "minimum_distance", "neighbour_overlap", "nematic_order",
    "number_fluctuation_exponent", "number_fluctuations", "of_arrays", "of_tracks", "over_seeds",
    "pair_correlation", "predator_distance", "radius_of_gyration", "regrouping_time",
    "relative_connectivity", "shape", "signed_milling", "speed", "speed_correlation",
    "speed_correlation_length", "speed_spread", "splits", "state", "susceptibility", "thickness",
    "track_clusters", "velocity_correlation", "voronoi_density",
]  # fmt: skip
_MOVED = {name: ("murmurate.measures", name) for name in _MEASURES}
_MOVED["Measured"] = ("murmurate.analysis", "MeasureTable")
_RENAMED_ERRORS = {
    "ExportRefused": "ExportOptionsError", "OutputRefused": "OutputError",
    "RecordingDamaged": "DamagedRecordingError", "RecordingRefused": "OpenError",
}  # fmt: skip
_MOVED |= {old: ("murmurate.errors", new) for old, new in _RENAMED_ERRORS.items()}
_MOVED["Still"] = ("murmurate.model.start", "Stationary")
_old_name = renamed_names("murmurate", _MOVED)


def __getattr__(name: str) -> Any:
    """Import a public or a deprecated name when it is first used."""
    if name in _names:
        return _import_name(name)
    return _old_name(name)
