"""The true response of a model to one neighbour, to compare learned responses with."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from murmurate.errors import MeasureError
from murmurate.measures.limits import check_positive
from murmurate.model.files import model_of
from murmurate.model.model import Model
from murmurate.rules.motions import Polar
from murmurate.runs.worlds import Worlds


def probe_response(
    model: Model | str | os.PathLike[str],
    distance: Any,
    bearing: Any = 90.0,
    relative_heading: Any = 0.0,
    *,
    speed: float,
    flock: str | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the changes of velocity of a boid in response to one neighbour.

    Parameters
    ----------
    model : Model, str or path
        A model, the name of a published flock or the path of a model file, without noise. Other
        flocks are where they start.
    distance, bearing, relative_heading : array_like
        Of the neighbour, broadcast to (P,): its distance, its direction in degrees from the heading
        of the boid, and its heading in degrees from that; positive to the left.
    speed : float
        Speed of both boids.
    flock : str, optional
        Flock of both boids. The default is the first.

    Returns
    -------
    turning : (P,) array
        Angle in radians by which the boid turns in a step, positive to the left; with motion
        'burst-and-coast', at a kick.
    speeding : (P,) array
        Change of its speed in a step, minus that of a boid alone.

    Raises
    ------
    MeasureError
        For an unknown flock, and for speeds or distances that are not above 0.
    """
    model = model_of(model)
    name = next(iter(model.flocks)) if flock is None else flock
    if name not in model.flocks:
        raise MeasureError(f"flock: got {name!r}; expected one of {', '.join(model.flocks)}")
    check_positive(speed, "speed")
    r, b, h = np.broadcast_arrays(*(np.atleast_1d(np.asarray(v, float))
                                    for v in (distance, bearing, relative_heading)))  # fmt: skip
    if not (r > 0).all():
        raise MeasureError(f"distance: got {r.min()}; expected numbers above 0")
    dims = model.space.dims
    positions, velocities = np.zeros((2, len(r), 2, dims))
    positions += np.asarray(model.space.lower) + np.asarray(model.space.size) / 2
    positions[:, 1, :2] += (r * np.array([np.cos(np.radians(b)), np.sin(np.radians(b))])).T
    velocities[:, 0, 0] = speed
    velocities[:, 1, :2] = speed * np.array([np.cos(np.radians(h)), np.sin(np.radians(h))]).T
    after = _stepped(model, name, positions, velocities)
    alone = _stepped(model, name, positions[:1, :1], velocities[:1, :1])
    turning = np.arctan2(after[:, 1], after[:, 0])
    return turning, np.linalg.norm(after, axis=1) - np.linalg.norm(alone, axis=1)


def _stepped(model: Model, name: str, positions: np.ndarray, velocities: np.ndarray) -> np.ndarray:
    """Return velocities of the first boids after a step, (P, D)."""
    worlds, count = positions.shape[:2]
    model = model.set({f"flocks.{name}.count": count})
    if model.flocks[name].motion.kind == "burst-and-coast":  # steering is the angle of a kick
        moves = model.flocks[name].model_copy(update={"motion": Polar()})
        speed = float(np.linalg.norm(velocities[0, 0]))
        model = model.model_copy(update={"flocks": {**model.flocks, name: moves}, "dt": speed})
    start = {name: (positions, velocities)}
    out: np.ndarray = Worlds(model, worlds, start=start, dtype="float64").step(1)[name].velocities
    return out[:, 0]
