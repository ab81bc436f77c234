"""Fitting: the posterior of numbers of a model, from measures of a recording or real animals.

mm.fit(model, "fish.npy", ["polarization", "milling"], {"rules.alignment.weight": (0.0, 1.0)})
"""

from murmurate.fitting.calibration import Calibration, calibrate
from murmurate.fitting.comparison import ModelComparison, compare_models
from murmurate.fitting.posterior import Posterior
from murmurate.fitting.report import Fit
from murmurate.fitting.run import fit

__all__ = [
    "Calibration",
    "Fit",
    "ModelComparison",
    "Posterior",
    "calibrate",
    "compare_models",
    "fit",
]
