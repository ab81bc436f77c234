"""Analysis: measures of a model, a recording or tracks of real animals, as a table.

mm.measure("couzin-2002", ["polarization", "milling"])
mm.measure("flock.zarr")
mm.measure(mm.open_tracks("fish.npy", 32))
"""

from murmurate.analysis.measure_table import MeasureTable
from murmurate.analysis.run_measures import measure

__all__ = ["MeasureTable", "measure"]
