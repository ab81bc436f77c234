"""Which arguments a rule's function takes, and a neighbour as rules are given it."""

from __future__ import annotations

import inspect
import math
from typing import Any

import numpy as np

from murmurate.engine.reference_math import three
from murmurate.model.rule_arguments import Herd as Herd
from murmurate.model.rule_arguments import Kept as Kept
from murmurate.model.rule_arguments import Me as Me
from murmurate.model.rule_arguments import Other as Other
from murmurate.model.rule_arguments import Random as Random

NEAR2 = 1e-18  # the squared distance that rules are given of boids at the same place


def takes_kept(motion: Any) -> bool:
    """Whether a motion keeps numbers from step to step."""
    return "kept" in inspect.signature(type(motion).turn).parameters


def takes_herd(function: Any) -> bool:
    """Whether a rule's function is told of a herd."""
    return "herd" in inspect.signature(function).parameters


def takes_chance(function: Any) -> bool:
    """Whether a rule's or a motion's function is given random numbers."""
    return "random" in inspect.signature(function).parameters


def seen_at(away: np.ndarray, velocity: np.ndarray) -> Other:
    """A neighbour as rules see it."""
    r2 = max(float(away @ away), NEAR2)
    return Other(*three(away), r2, math.sqrt(r2), *three(velocity))
