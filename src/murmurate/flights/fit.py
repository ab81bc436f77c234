"""Fit smooth paths to frames: splines of degree 5 with as few pieces as the tolerance allows."""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np

from murmurate.errors import FlightError
from murmurate.flights.bernstein import Array, from_powers

DEGREE = 5
GROWTH = 1.3  # of the number of pieces until the fit is near enough


def fit(times: Array, values: Array, tolerance: float) -> tuple[Array, Array]:
    """Return the ends of pieces (P + 1,), and control points (P, 6, N, 3), of paths at rest at
    both ends.

    Positions have four continuous derivatives, which are zero at both ends.

    Parameters
    ----------
    times : (T,) array
        Rising, evenly spaced.
    values : (T, N, 3) array
        Positions, metres.
    tolerance : float
        Largest distance of a fitted position from these, metres.

    Raises
    ------
    FlightError
        No spline of these times is within the tolerance.
    """
    begin, end = float(times[0]), float(times[-1])
    pieces, error = 2 * DEGREE, np.inf
    flat = values.reshape(len(times), -1)
    while pieces < len(times) - DEGREE:
        ends = np.linspace(begin, end, pieces + 1)
        spline = _least_squares(times, flat, ends)
        error = float(np.linalg.norm((spline(times) - flat).reshape(values.shape), axis=2).max())
        if error <= tolerance:
            return ends, _bezier(spline, ends, values.shape[1:])
        pieces = int(np.ceil(pieces * GROWTH))
    raise FlightError(
        f"tolerance: got {tolerance:g} m; expected at least {error:.3g} m for these frames. Record "
        "more frames, or allow a larger tolerance"
    )


def _least_squares(times: Array, values: Array, breaks: Array) -> Any:
    """Return the spline with these breaks that is nearest to the values, at rest at both ends.

    The first and the last DEGREE control values equal the ends, so that derivatives are zero there.
    """
    from scipy.interpolate import BSpline
    from scipy.sparse.linalg import splu

    knots = np.concatenate([[breaks[0]] * DEGREE, breaks, [breaks[-1]] * DEGREE])
    design = BSpline.design_matrix(times, knots, DEGREE).tocsc()
    count = design.shape[1]
    coefficients = np.empty((count, values.shape[1]))
    coefficients[:DEGREE], coefficients[-DEGREE:] = values[0], values[-1]
    inner, free = np.arange(DEGREE, count - DEGREE), design[:, DEGREE:-DEGREE]
    outer = np.r_[:DEGREE, count - DEGREE : count]
    rest = values - design[:, outer] @ coefficients[outer]
    coefficients[inner] = splu((free.T @ free).tocsc()).solve(free.T @ rest)
    return BSpline(knots, coefficients, DEGREE)


def _bezier(spline: Any, ends: Array, shape: tuple[int, ...]) -> Array:
    """Return the control points of the pieces of a spline between its breaks."""
    powers = [spline(ends[:-1], nu=k) / factorial(k) for k in range(DEGREE + 1)]
    points = from_powers(np.stack(powers, axis=1), np.diff(ends))
    points[1:, 0] = points[:-1, -1]
    return points.reshape(len(points), DEGREE + 1, *shape)
