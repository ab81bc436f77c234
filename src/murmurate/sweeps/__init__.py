"""Sweeps: a model simulated with many parameter sets and seeds; each finished run is stored."""

from murmurate.errors import SweepError
from murmurate.sweeps.run import sweep

__all__ = ["SweepError", "sweep"]
