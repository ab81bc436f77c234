"""The built-in rules and motions: formula, source and parameters of each, one family a file."""

from murmurate.model.rule import KINDS, NeighbourRule, Rule
from murmurate.rules.burst_and_coast import BurstAndCoast
from murmurate.rules.drones import BrakingAlignment, Responding, ShillObstacles, ShillWalls
from murmurate.rules.forces import (
    AlphaLattice,
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
from murmurate.rules.motions import Add, ConstantSpeed, Replace, SelfPropelled
from murmurate.rules.noise import PoissonKicks, RandomSteering
from murmurate.rules.others import AvoidObstacles, Flee, Hunt, Interaction
from murmurate.rules.paths import FollowPath, Trefoil
from murmurate.rules.places import Borders, Home, SpeedRegulation, TendToPlace, Wind
from murmurate.rules.reynolds import Alignment, Cohesion, Separation
from murmurate.rules.spin import InertialSpin
from murmurate.rules.turns import AlignmentTurn, AttractionTurn, RandomTurn, WallTurn

__all__ = [
    "KINDS",
    "Add",
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
    "Flee",
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
    "Morse",
    "NeighbourRule",
    "PoissonKicks",
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
    "SpeedRegulation",
    "TendToPlace",
    "TendToVelocity",
    "Trefoil",
    "VectorialNoise",
    "WallTurn",
    "WeightedAlignment",
    "Wind",
]
