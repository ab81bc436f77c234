"""Fitting: finds a model's numbers with which it measures as a recording or real animals do.

mm.fit(model, "fish.npy", ["polarization", "milling"], {"rules.alignment.weight": (0.0, 1.0)})
"""

from murmurate.fitting.report import Fit
from murmurate.fitting.run import fit

__all__ = ["Fit", "fit"]
