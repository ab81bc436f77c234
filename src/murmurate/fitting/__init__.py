"""Fitting: find numbers of a model that reproduce the measures of a recording or real animals.

mm.fit(model, "fish.npy", ["polarization", "milling"], {"rules.alignment.weight": (0.0, 1.0)})
"""

from murmurate.fitting.report import Fit
from murmurate.fitting.run import fit

__all__ = ["Fit", "fit"]
