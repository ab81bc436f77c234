"""The built-in rules and motions: formula, source and parameters of each, one family a file."""

from murmurate.model.rule import NeighbourRule, Rule
from murmurate.rules.diffusion import ActiveBrownian, Turning, WhiteNoise
from murmurate.rules.drones import BrakingAlignment, Responding, ShillObstacles, ShillWalls
from murmurate.rules.forces import (
    AlphaLattice,
    LennardJones,
    Morse,
    SelfPropulsion,
    TendToVelocity,
    WeightedAlignment,
)
from murmurate.rules.headings import (
    Attraction,
    Follow,
    HeadingAlignment,
    KeepHeading,
    VectorialNoise,
)
from murmurate.rules.herding import Graze, Herd
from murmurate.rules.individual import (
    Borders,
    FollowPath,
    Home,
    Perch,
    PoissonKicks,
    RandomSteering,
    SpeedRegulation,
    TendToPlace,
    Trefoil,
    Wind,
)
from murmurate.rules.interactions import (
    Alignment,
    AvoidObstacles,
    Cohesion,
    Flee,
    Hunt,
    Interaction,
    Separation,
)
from murmurate.rules.motions import (
    Add,
    BurstAndCoast,
    ConstantSpeed,
    InertialSpin,
    Polar,
    Replace,
    SelfPropelled,
)
from murmurate.rules.reynolds import FlockCentring, SteerToAvoid, VelocityMatching
from murmurate.rules.sensed_states import Alarm, Contagion, Skitter, Swarmalators
from murmurate.rules.turning import AlignmentTurn, AttractionTurn, RandomTurn, SocialTurn, WallTurn
from murmurate.rules.views import Projection, VisualField

__all__ = [
    "ActiveBrownian",
    "Add",
    "Alarm",
    "Alignment",
    "AlignmentTurn",
    "AlphaLattice",
    "Attraction",
    "AttractionTurn",
    "AvoidObstacles",
    "Borders",
    "BrakingAlignment",
    "BurstAndCoast",
    "Cohesion",
    "ConstantSpeed",
    "Contagion",
    "Flee",
    "FlockCentring",
    "Follow",
    "FollowPath",
    "Graze",
    "HeadingAlignment",
    "Herd",
    "Home",
    "Hunt",
    "InertialSpin",
    "Interaction",
    "KeepHeading",
    "LennardJones",
    "Morse",
    "NeighbourRule",
    "Perch",
    "PoissonKicks",
    "Polar",
    "Projection",
    "RandomSteering",
    "RandomTurn",
    "Replace",
    "Responding",
    "Rule",
    "SelfPropelled",
    "SelfPropulsion",
    "Separation",
    "ShillObstacles",
    "ShillWalls",
    "Skitter",
    "SocialTurn",
    "SpeedRegulation",
    "SteerToAvoid",
    "Swarmalators",
    "TendToPlace",
    "TendToVelocity",
    "Trefoil",
    "Turning",
    "VectorialNoise",
    "VelocityMatching",
    "VisualField",
    "WallTurn",
    "WeightedAlignment",
    "WhiteNoise",
    "Wind",
]
