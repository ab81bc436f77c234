"""The conducts: each rule's formula, source and parameters, one family a file."""

from murmurate.model.rule import KINDS, NeighbourRule, Rule
from murmurate.rules.forces import (
    AlphaLattice,
    Morse,
    SelfPropulsion,
    TendToVelocity,
    WeightedAlignment,
)
from murmurate.rules.headings import Attraction, Follow, HeadingAlignment, VectorialNoise
from murmurate.rules.motions import Add, ConstantSpeed, Replace, SelfPropelled
from murmurate.rules.noise import PoissonKicks, RandomSteering
from murmurate.rules.others import AvoidObstacles, Flee, Hunt, Interaction
from murmurate.rules.paths import FollowPath, Trefoil
from murmurate.rules.places import Borders, Home, SpeedRegulation, TendToPlace, Wind
from murmurate.rules.reynolds import Alignment, Cohesion, Separation

__all__ = [
    "KINDS",
    "Add",
    "Alignment",
    "AlphaLattice",
    "Attraction",
    "AvoidObstacles",
    "Borders",
    "Cohesion",
    "ConstantSpeed",
    "Flee",
    "Follow",
    "FollowPath",
    "HeadingAlignment",
    "Home",
    "Hunt",
    "Interaction",
    "Morse",
    "NeighbourRule",
    "PoissonKicks",
    "RandomSteering",
    "Replace",
    "Rule",
    "SelfPropelled",
    "SelfPropulsion",
    "Separation",
    "SpeedRegulation",
    "TendToPlace",
    "TendToVelocity",
    "Trefoil",
    "VectorialNoise",
    "WeightedAlignment",
    "Wind",
]
