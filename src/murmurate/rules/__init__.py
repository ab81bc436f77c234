"""The conducts: each rule's formula, source and parameters, one family a file."""

from murmurate.model.rule import KINDS, NeighbourRule, Rule
from murmurate.rules.motions import Add, ConstantSpeed, Replace
from murmurate.rules.noise import PoissonKicks, RandomSteering
from murmurate.rules.others import AvoidObstacles, Flee, Hunt, Interaction
from murmurate.rules.paths import FollowPath, Trefoil
from murmurate.rules.places import Borders, Home, SpeedRegulation, TendToPlace, Wind
from murmurate.rules.reynolds import Alignment, Cohesion, Separation

__all__ = [
    "KINDS",
    "Add",
    "Alignment",
    "AvoidObstacles",
    "Borders",
    "Cohesion",
    "ConstantSpeed",
    "Flee",
    "FollowPath",
    "Home",
    "Hunt",
    "Interaction",
    "NeighbourRule",
    "PoissonKicks",
    "RandomSteering",
    "Replace",
    "Rule",
    "Separation",
    "SpeedRegulation",
    "TendToPlace",
    "Trefoil",
    "Wind",
]
