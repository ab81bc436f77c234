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
from typing import TYPE_CHECKING, Any

from murmurate import display
from murmurate.deprecation import renamed_names
from murmurate.version import __version__ as __version__

logging.getLogger("murmurate").addHandler(logging.NullHandler())  # quiet unless someone listens

# What `from murmurate import *` brings: every public name but `open`, which would replace Python's.
__all__ = [
    "Add", "AddressError", "Alignment", "AlignmentTurn", "AlphaLattice", "Attraction",
    "AttractionTurn", "AvoidObstacles", "Borders", "Box", "BrakingAlignment", "BurstAndCoast",
    "Camera", "ClusterError", "CoarseFramesError", "Cohesion", "ConstantSpeed", "Cube", "Cycle",
    "DamagedRecordingError", "Directions", "EndOfRecordingError", "Expectation", "ExportError",
    "ExportOptionsError", "Exported", "Fit", "FitError", "Flee", "Flock", "FlockFrame",
    "Follow", "FollowPath", "Frame", "Given", "Graze", "Heading", "HeadingAlignment", "Herd",
    "Home", "Hunt", "InBall", "InBox", "InertialSpin", "InputError", "Interaction",
    "KeepHeading", "KernelError", "Line", "Look", "MeasureError", "MeasureTable",
    "MissingMeasureError", "Model", "ModelError", "Morse", "Motion", "MurmurateError",
    "NeighbourRule", "NotebookError", "OffScreen", "OnLattice", "OnRing", "OpenError",
    "OutputError", "Painter", "Panel", "Perching", "Points", "PoissonKicks", "Ramp",
    "RandomSteering", "RandomTurn", "RecordError", "Recording", "Replace", "Responding", "Rule",
    "RuleError", "RunError", "Sampled", "Scalar", "SelfPropelled", "SelfPropulsion", "Sensing",
    "Separation", "ShillObstacles", "ShillWalls", "ShowError", "Simulation", "Slabs", "Source",
    "Space", "SpeedRegulation", "Sphere", "Steps", "Still", "SweepError", "Tank",
    "TemplateError", "TendToPlace", "TendToVelocity", "Tracks", "TracksError", "Trefoil",
    "Vector", "VectorialNoise", "View", "Wall", "WallTurn", "WeightedAlignment", "Wind",
    "WriteError", "branch", "export", "film", "fit", "frames", "live", "load", "load_rules",
    "measure", "measures", "milling", "nearest_neighbour_distance", "open_tracks", "parse",
    "polarization", "quantity", "resume", "run", "still", "sweep", "to_html", "to_toml",
    "watch", "zoo",
]  # fmt: skip

# Where every public name lives. They are imported when first asked for, so that `import murmurate`
# and `murmurate --help` stay fast.
_HOMES = {
    "murmurate.model.model": ("Model", "Source"),
    "murmurate.model.results": ("Expectation", "Panel", "Line", "Points"),
    "murmurate.model.files": ("load", "parse", "to_toml", "zoo"),
    "murmurate.model.space": ("Space",),
    "murmurate.model.flock": ("Flock", "Perching", "Sensing"),
    "murmurate.model.start": (
        "InBox", "InBall", "OnRing", "OnLattice", "OffScreen", "Given", "Still", "Directions",
        "Cube", "Heading",
    ),
    "murmurate.model.obstacles": ("Sphere", "Box", "Wall", "Tank"),
    "murmurate.model.view": ("View", "Camera", "Look"),
    "murmurate.model.quantity": (
        "quantity", "Scalar", "Vector", "Ramp", "Steps", "Cycle", "Sampled",
    ),
    "murmurate.model.rule": ("Rule", "NeighbourRule", "Motion"),
    "murmurate.rules.rule_file": ("load_rules",),
    "murmurate.rules": (
        "Cohesion", "Alignment", "Separation", "Flee", "Hunt", "Interaction", "AvoidObstacles",
        "TendToPlace", "Wind", "Borders", "Home", "SpeedRegulation", "RandomSteering",
        "PoissonKicks", "Trefoil", "FollowPath", "Add", "Replace", "ConstantSpeed", "Responding",
        "BrakingAlignment", "ShillObstacles", "ShillWalls", "Graze", "Herd", "KeepHeading",
        "InertialSpin", "SelfPropelled", "HeadingAlignment", "VectorialNoise", "Attraction",
        "Follow", "SelfPropulsion", "Morse", "WeightedAlignment", "AlphaLattice", "TendToVelocity",
        "BurstAndCoast", "WallTurn", "RandomTurn", "AttractionTurn", "AlignmentTurn",
    ),
    "murmurate.runs.simulation": ("Simulation",),
    "murmurate.frame": ("Frame", "FlockFrame"),
    "murmurate.runs.films": ("film", "still", "frames"),
    "murmurate.runs.pages": ("to_html",),
    "murmurate.runs.recorded_run": ("run",),
    "murmurate.runs.resumed_run": ("resume",),
    "murmurate.runs.branched_run": ("branch",),
    "murmurate.record": (
        "open", "Recording",
    ),
    "murmurate.tracks": ("Tracks", "open_tracks"),
    "murmurate.exports": ("export", "Exported"),
    "murmurate.notebook.watch": ("watch",),
    "murmurate.notebook.flight_cell": ("live",),
    "murmurate.measures": (
        "polarization", "milling", "nearest_neighbour_distance",
    ),
    "murmurate.fitting": ("Fit", "fit"),
    "murmurate.analysis": ("MeasureTable", "measure"),
    "murmurate.show": ("Painter",),
    "murmurate.engines.slabs.slab_options": ("Slabs",),
    "murmurate.sweeps": ("sweep",),
    "murmurate.errors": (
        "AddressError", "CoarseFramesError", "ClusterError", "DamagedRecordingError",
        "EndOfRecordingError", "ExportError", "ExportOptionsError", "FitError", "InputError",
        "KernelError", "MeasureError", "MissingMeasureError", "ModelError", "MurmurateError",
        "NotebookError", "OpenError", "OutputError", "RecordError", "RuleError", "RunError",
        "ShowError", "SweepError", "TemplateError", "TracksError", "WriteError",
    ),
}  # fmt: skip
# What notebooks show of an object.
display.register("Simulation", "murmurate.notebook.preview", "preview_of_simulation")
display.register("Playback", "murmurate.notebook.preview", "preview_of_playback")
display.register("Recording", "murmurate.notebook.preview", "preview_of_recording")

_HOME = {name: home for home, names in _HOMES.items() for name in names}

# Names of 0.1.0 that live elsewhere now: they work, with a warning that says where they are.
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
_old_name = renamed_names("murmurate", _MOVED)

if TYPE_CHECKING:
    from murmurate import measures
    from murmurate.analysis import MeasureTable, measure
    from murmurate.engines.slabs.slab_options import Slabs
    from murmurate.errors import (
        AddressError,
        ClusterError,
        CoarseFramesError,
        DamagedRecordingError,
        EndOfRecordingError,
        ExportError,
        ExportOptionsError,
        FitError,
        InputError,
        KernelError,
        MeasureError,
        MissingMeasureError,
        ModelError,
        MurmurateError,
        NotebookError,
        OpenError,
        OutputError,
        RecordError,
        RuleError,
        RunError,
        ShowError,
        SweepError,
        TemplateError,
        TracksError,
        WriteError,
    )
    from murmurate.exports import Exported, export
    from murmurate.fitting import Fit, fit
    from murmurate.frame import FlockFrame, Frame
    from murmurate.measures import milling, nearest_neighbour_distance, polarization
    from murmurate.model.files import load, parse, to_toml, zoo
    from murmurate.model.flock import Flock, Perching, Sensing
    from murmurate.model.model import Model, Source
    from murmurate.model.obstacles import Box, Sphere, Tank, Wall
    from murmurate.model.quantity import Cycle, Ramp, Sampled, Scalar, Steps, Vector, quantity
    from murmurate.model.results import Expectation, Line, Panel, Points
    from murmurate.model.rule import Motion, NeighbourRule, Rule
    from murmurate.model.space import Space
    from murmurate.model.start import (
        Cube,
        Directions,
        Given,
        Heading,
        InBall,
        InBox,
        OffScreen,
        OnLattice,
        OnRing,
        Still,
    )
    from murmurate.model.view import Camera, Look, View
    from murmurate.notebook.flight_cell import live
    from murmurate.notebook.watch import watch
    from murmurate.record import Recording
    from murmurate.record import open as open
    from murmurate.rules import (
        Add,
        Alignment,
        AlignmentTurn,
        AlphaLattice,
        Attraction,
        AttractionTurn,
        AvoidObstacles,
        Borders,
        BrakingAlignment,
        BurstAndCoast,
        Cohesion,
        ConstantSpeed,
        Flee,
        Follow,
        FollowPath,
        Graze,
        HeadingAlignment,
        Herd,
        Home,
        Hunt,
        InertialSpin,
        Interaction,
        KeepHeading,
        Morse,
        PoissonKicks,
        RandomSteering,
        RandomTurn,
        Replace,
        Responding,
        SelfPropelled,
        SelfPropulsion,
        Separation,
        ShillObstacles,
        ShillWalls,
        SpeedRegulation,
        TendToPlace,
        TendToVelocity,
        Trefoil,
        VectorialNoise,
        WallTurn,
        WeightedAlignment,
        Wind,
    )
    from murmurate.rules.rule_file import load_rules
    from murmurate.runs.branched_run import branch
    from murmurate.runs.films import film, frames, still
    from murmurate.runs.pages import to_html
    from murmurate.runs.recorded_run import run
    from murmurate.runs.resumed_run import resume
    from murmurate.runs.simulation import Simulation
    from murmurate.show import Painter
    from murmurate.sweeps import sweep
    from murmurate.tracks import Tracks, open_tracks
else:

    def __getattr__(name: str) -> Any:
        """Imports a public name, or one of 0.1.0 that lives elsewhere now, when it is asked for."""
        from importlib import import_module

        if name == "measures":
            return import_module("murmurate.measures")
        if name in _HOME:
            value = getattr(import_module(_HOME[name]), name)
            globals()[name] = value
            return value
        return _old_name(name)


def __dir__() -> list[str]:
    return sorted([*__all__, "open", "__version__"])
