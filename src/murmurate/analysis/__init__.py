"""Measured: every measure of a model, a recording or real animals' tracks, as a table.

mm.measure("couzin-2002", ["polarization", "milling"])
mm.measure("flock.zarr")
mm.measure("fish.npy", frames_per_second=32)
"""

from murmurate.analysis.measuring import measure
from murmurate.analysis.result import Measured

__all__ = ["Measured", "measure"]
