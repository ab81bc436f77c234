"""Fits of interactions with given coefficients."""

from __future__ import annotations

import numpy as np

from murmurate.interactions.basis import Basis
from murmurate.interactions.regression import Regression


def regression(basis: Basis, coefficients: np.ndarray) -> Regression:
    """Return a fit with these coefficients, and draws that differ from them in one each."""
    eye, none = np.eye(basis.size), np.zeros((2, basis.size))
    draws = coefficients + 0.1 * eye
    return Regression(coefficients, draws, eye, 0.5, np.full(5, 0.5), 20, none, basis)
