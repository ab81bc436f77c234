"""murmurate: the flocking simulator.

import murmurate as mm

model = mm.load("ucl")
sim = mm.Simulation(model, seed=1)
sim.step(50)
mm.polarization(sim.frame["boids"])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from murmurate.version import __version__ as __version__

# Every public name, and where it lives. They are imported when first asked for, so that
# `import murmurate` and `murmurate --help` stay fast.
_HOMES = {
    "murmurate.model.model": ("Model", "Source", "Expectation"),
    "murmurate.model.figure": ("Panel", "Line", "Points"),
    "murmurate.model.files": ("load", "parse", "to_toml", "zoo"),
    "murmurate.model.space": ("Space",),
    "murmurate.model.flock": ("Flock", "Perching"),
    "murmurate.model.sensing": ("Sensing",),
    "murmurate.model.start": (
        "InBox", "InBall", "OnRing", "OnLattice", "OffScreen", "Given",
        "Still", "Directions", "Cube", "Heading",
    ),
    "murmurate.model.obstacles": ("Sphere", "Box", "Wall"),
    "murmurate.model.schedule": ("Ramp", "Steps", "Cycle", "Sampled"),
    "murmurate.model.view": ("View", "Camera", "Look"),
    "murmurate.model.quantity": ("quantity", "Scalar", "Vector"),
    "murmurate.model.rule": ("Rule", "NeighbourRule"),
    "murmurate.model.motion": ("Motion",),
    "murmurate.rules": (
        "Cohesion", "Alignment", "Separation", "Flee", "Hunt", "Interaction", "AvoidObstacles",
        "TendToPlace", "Wind", "Borders", "Home", "SpeedRegulation", "RandomSteering",
        "PoissonKicks", "Trefoil", "FollowPath", "Add", "Replace", "ConstantSpeed",
        "Responding", "BrakingAlignment", "ShillObstacles", "ShillWalls", "Graze", "Herd",
        "KeepHeading", "InertialSpin",
        "SelfPropelled", "HeadingAlignment", "VectorialNoise", "Attraction", "Follow",
        "SelfPropulsion", "Morse", "WeightedAlignment", "AlphaLattice", "TendToVelocity",
    ),
    "murmurate.runs.simulation": ("Simulation",),
    "murmurate.frame": ("Frame", "FlockFrame"),
    "murmurate.runs.films": ("film", "still", "frames", "to_html"),
    "murmurate.runs.recorded_run": ("run", "resume", "branch"),
    "murmurate.recordings": ("open", "Recording"),
    "murmurate.record": ("open_tracks", "RecordError", "RecordingRefused", "RecordingDamaged"),
    "murmurate.exports": ("export", "Exported", "ExportError", "ExportRefused"),
    "murmurate.live.live_view": ("watch",),
    "murmurate.measures": (
        "Curve", "Estimate", "MEASURES", "MeasureError", "absolute_milling",
        "algebraic_connectivity", "angular_momentum", "anisotropy", "aspect_ratio", "asphericity",
        "autocorrelation", "autocorrelation_time", "bearings", "binder_cumulant", "border_to_core",
        "captures", "clark_evans", "cluster_count", "cluster_size_distribution", "cluster_sizes",
        "clusters", "collisions", "correlation_length", "density", "distance_to_centre",
        "elongation_along_motion", "extent", "frontness", "group_speed", "heading_autocorrelation",
        "kth_neighbour_distance", "largest_cluster", "local_density", "mean_and_error",
        "mean_squared_displacement", "measure_frames", "merges", "milling", "minimum_distance",
        "nearest_neighbour_distance", "neighbour_overlap", "nematic_order",
        "number_fluctuation_exponent", "number_fluctuations", "of_arrays", "of_tracks",
        "over_seeds", "pair_correlation", "polarization", "predator_distance", "radius_of_gyration",
        "regrouping_time", "relative_connectivity", "shape", "signed_milling", "speed",
        "speed_correlation", "speed_correlation_length", "speed_spread", "splits", "state",
        "susceptibility", "thickness", "track_clusters", "velocity_correlation", "voronoi_density",
    ),
    "murmurate.fitting": ("Fit", "fit"),
    "murmurate.analysis": ("Measured", "measure"),
    "murmurate.show": ("ShowError", "OutputRefused", "Painter"),
    "murmurate.sweeps": ("sweep", "SweepError"),
    "murmurate.errors": ("MurmurateError", "ModelError", "RuleError", "RunError"),
}  # fmt: skip
_HOME = {name: home for home, names in _HOMES.items() for name in names}
__all__ = sorted(_HOME)

if TYPE_CHECKING:
    from murmurate.analysis import Measured, measure
    from murmurate.errors import ModelError, MurmurateError, RuleError, RunError
    from murmurate.exports import Exported, ExportError, ExportRefused, export
    from murmurate.fitting import Fit, fit
    from murmurate.frame import FlockFrame, Frame
    from murmurate.live.live_view import watch
    from murmurate.measures import (
        MEASURES,
        Curve,
        Estimate,
        MeasureError,
        absolute_milling,
        algebraic_connectivity,
        angular_momentum,
        anisotropy,
        aspect_ratio,
        asphericity,
        autocorrelation,
        autocorrelation_time,
        bearings,
        binder_cumulant,
        border_to_core,
        captures,
        clark_evans,
        cluster_count,
        cluster_size_distribution,
        cluster_sizes,
        clusters,
        collisions,
        correlation_length,
        density,
        distance_to_centre,
        elongation_along_motion,
        extent,
        frontness,
        group_speed,
        heading_autocorrelation,
        kth_neighbour_distance,
        largest_cluster,
        local_density,
        mean_and_error,
        mean_squared_displacement,
        measure_frames,
        merges,
        milling,
        minimum_distance,
        nearest_neighbour_distance,
        neighbour_overlap,
        nematic_order,
        number_fluctuation_exponent,
        number_fluctuations,
        of_arrays,
        of_tracks,
        over_seeds,
        pair_correlation,
        polarization,
        predator_distance,
        radius_of_gyration,
        regrouping_time,
        relative_connectivity,
        shape,
        signed_milling,
        speed,
        speed_correlation,
        speed_correlation_length,
        speed_spread,
        splits,
        state,
        susceptibility,
        thickness,
        track_clusters,
        velocity_correlation,
        voronoi_density,
    )
    from murmurate.model.figure import Line, Panel, Points
    from murmurate.model.files import load, parse, to_toml, zoo
    from murmurate.model.flock import Flock, Perching
    from murmurate.model.model import Expectation, Model, Source
    from murmurate.model.motion import Motion
    from murmurate.model.obstacles import Box, Sphere, Wall
    from murmurate.model.quantity import Scalar, Vector, quantity
    from murmurate.model.rule import NeighbourRule, Rule
    from murmurate.model.schedule import Cycle, Ramp, Sampled, Steps
    from murmurate.model.sensing import Sensing
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
    from murmurate.record import (
        RecordError,
        RecordingDamaged,
        RecordingRefused,
        open_tracks,
    )
    from murmurate.recordings import Recording, open
    from murmurate.rules import (
        Add,
        Alignment,
        AlphaLattice,
        Attraction,
        AvoidObstacles,
        Borders,
        BrakingAlignment,
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
        WeightedAlignment,
        Wind,
    )
    from murmurate.runs.films import film, frames, still, to_html
    from murmurate.runs.recorded_run import branch, resume, run
    from murmurate.runs.simulation import Simulation
    from murmurate.show import OutputRefused, Painter, ShowError
    from murmurate.sweeps import SweepError, sweep


def __getattr__(name: str) -> Any:
    if name in _HOME:
        from importlib import import_module

        value = getattr(import_module(_HOME[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'murmurate' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
