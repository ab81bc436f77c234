"""murmurate: the flocking simulator.

import murmurate as mm

model = mm.load("ucl")
sim = mm.Simulation(model, seed=1)
sim.step(50)
mm.polarization(sim.frame["boids"])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Every public name, and where it lives. They are imported when first asked for, so that
# `import murmurate` and `murmurate --help` stay fast.
_HOMES = {
    "murmurate.model.model": ("Model", "Source", "Expectation"),
    "murmurate.model.files": ("load", "parse", "to_toml", "zoo"),
    "murmurate.model.space": ("Space",),
    "murmurate.model.flock": ("Flock", "Perching"),
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
    ),
    "murmurate.simulation": ("Simulation",),
    "murmurate.frame": ("Frame", "FlockFrame"),
    "murmurate.run": ("film", "still", "frames"),
    "murmurate.measures": (
        "polarization", "milling", "nearest_neighbour_distance", "speed",
    ),
    "murmurate.show": ("ShowError", "OutputRefused", "Painter"),
    "murmurate.errors": ("MurmurateError", "ModelError", "RuleError", "RunError"),
}  # fmt: skip
_HOME = {name: home for home, names in _HOMES.items() for name in names}
__all__ = sorted(_HOME)

if TYPE_CHECKING:
    from murmurate.errors import ModelError, MurmurateError, RuleError, RunError
    from murmurate.frame import FlockFrame, Frame
    from murmurate.measures import milling, nearest_neighbour_distance, polarization, speed
    from murmurate.model.files import load, parse, to_toml, zoo
    from murmurate.model.flock import Flock, Perching
    from murmurate.model.model import Expectation, Model, Source
    from murmurate.model.motion import Motion
    from murmurate.model.obstacles import Box, Sphere, Wall
    from murmurate.model.quantity import Scalar, Vector, quantity
    from murmurate.model.rule import NeighbourRule, Rule
    from murmurate.model.schedule import Cycle, Ramp, Sampled, Steps
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
    from murmurate.rules import (
        Add,
        Alignment,
        AvoidObstacles,
        Borders,
        Cohesion,
        ConstantSpeed,
        Flee,
        FollowPath,
        Home,
        Hunt,
        Interaction,
        PoissonKicks,
        RandomSteering,
        Replace,
        Separation,
        SpeedRegulation,
        TendToPlace,
        Trefoil,
        Wind,
    )
    from murmurate.run import film, frames, still
    from murmurate.show import OutputRefused, Painter, ShowError
    from murmurate.simulation import Simulation


def __getattr__(name: str) -> Any:
    if name in _HOME:
        from importlib import import_module

        value = getattr(import_module(_HOME[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'murmurate' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
