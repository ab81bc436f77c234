"""Opacity: how much of a boid's view, or of a view of the flock, is covered by boids."""

from __future__ import annotations

import math

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.hull import hull_of, unrolled
from murmurate.measures.limits import at_most, counted, positive, whole
from murmurate.measures.registry import measure
from murmurate.measures.sample import sample
from murmurate.measures.valid_rows import valid_rows
from murmurate.neighbours.periodic import displacements

PEARCE = "10.1073/pnas.1402202111"
GOLDEN = math.pi * (3 - math.sqrt(5))
MOST = 100_000  # directions, or views
AT_ONCE = 2_000_000  # numbers that are held at a time


@measure(
    "number",
    unit="1",
    bounds="0 to 1",
    definition="mean over boids of the share of the view that is covered by the others",
    source=PEARCE,
    slow=True,
)
def opacity(
    flock: FlockFrame,
    *,
    size: float = 1.0,
    observers: int = 100,
    directions: int = 1000,
    seed: int = 0,
) -> float:
    """The internal opacity: the mean over boids of the share of their view, all around them, that
    the other boids cover, each a disc (in 3-D a ball) of diameter `size` (no unit): 0 where nobody
    is seen, 1 where there is no gap. One disc at distance d covers arcsin(size / 2 d) / pi in 2-D,
    one ball (1 - sqrt(1 - (size / 2 d)^2)) / 2 in 3-D; a boid within another one sees nothing else.

    size        the diameter of a boid, in length units; 1 unless given
    observers   of larger flocks so many are drawn, with `seed`; everyone is seen by them
    directions  in 3-D the covered ones of so many are counted, evenly spread over the sphere (a
                Fibonacci lattice) in a frame of the boid's own; a single view is off by about
                1 / directions^0.75. In 2-D the arcs are added up exactly

    On periodic axes the nearest image of each boid is seen. nan below 2 boids. Cost: O(observers N
    log N), in 3-D O(observers N directions). Raises MeasureError for options that are not allowed.

    Source: Pearce et al. 2014, doi:10.1073/pnas.1402202111.
    """
    positive(size, "size")
    observers, directions = whole(observers, "observers"), whole(directions, "directions")
    seed = whole(seed, "seed", 0)
    at_most(directions, MOST, f"{counted(directions)} directions", "Give fewer.")
    flock = valid_rows(flock)
    count = len(flock)
    if count < 2:
        return float("nan")
    sky = _sphere(directions) if flock.space.dims == 3 else None
    shares = []
    for i in sample(count, observers, seed):
        away = displacements(flock.positions, flock.positions[i], flock.space)
        away = np.delete(away, i, axis=0)
        far = np.sqrt(np.einsum("ij,ij->i", away, away))
        if far.min() <= size / 2:
            shares.append(1.0)
        elif sky is None:
            half = np.arcsin(size / 2 / far)
            middle = np.arctan2(away[:, 1], away[:, 0])
            shares.append(_round(middle - half, middle + half) / (2 * math.pi))
        else:
            ahead = np.asarray(flock.velocities[i], dtype=np.float64)
            frame = _frame(ahead, away.mean(axis=0))
            cosines = np.sqrt(1 - (size / 2 / far) ** 2)
            shares.append(_covered(sky @ frame, away / far[:, None], cosines))
    return float(np.mean(shares))


@measure(
    "number",
    unit="1",
    bounds="above 0, to 1",
    definition="share of the flock's outline that is covered by boids, from far outside",
    source=PEARCE,
    slow=True,
)
def outer_opacity(flock: FlockFrame, *, size: float = 1.0, views: int = 16) -> float:
    """The external opacity: of the flock's shadow on a far wall, the share of its outline that is
    dark, each boid a disc (in 3-D a ball) of diameter `size`; the mean over several views (no
    unit).

    In 2-D the shadow is a line, its outline the interval from the first to the last, and the
    shadows of the boids are added up exactly. In 3-D it is a picture, its outline the convex hull
    of the boids' discs, and 4,000 places in it are looked at: one view is off by about 0.01.

    size   the diameter of a boid, in length units; 1 unless given
    views  directions from which it is seen, evenly spread over half a circle (in 3-D half a sphere)
           along the axes of the flock's gyration tensor

    The flock is unrolled on periodic axes; one that fills a periodic side has no outside along it,
    and the value says nothing. nan for an empty flock. Cost: O(views N log N).
    Raises MeasureError for options that are not allowed.

    Source: Pearce et al. 2014, doi:10.1073/pnas.1402202111; in how its outline is drawn, and the
    mean over views, ours.
    """
    positive(size, "size")
    at_most(whole(views, "views"), MOST, f"{counted(views)} views", "Give fewer.")
    flock = valid_rows(flock)
    if not len(flock):
        return float("nan")
    points = unrolled(flock)
    axes = _own_axes(points, np.asarray(flock.velocities, dtype=np.float64).mean(axis=0))
    points = points @ axes.T
    if flock.space.dims == 2:
        angles = (np.arange(views) + 0.5) * math.pi / views
        shades = [_shade(points @ [math.cos(a), math.sin(a)], size / 2) for a in angles]
    else:
        sky = _sphere(2 * views)
        shades = [_picture(points, way, size / 2) for way in sky[sky[:, 2] > 0]]
    return float(np.mean(shades))


def _round(starts: np.ndarray, ends: np.ndarray) -> float:
    """How much of the circle arcs cover, each shorter than half of it."""
    whole_turn = 2 * math.pi
    turns = np.floor(starts / whole_turn) * whole_turn
    starts, ends = starts - turns, ends - turns
    # An arc over the end of the circle is there at its beginning too.
    starts, ends = np.r_[starts, starts - whole_turn], np.r_[ends, ends - whole_turn]
    return _length(np.clip(starts, 0, whole_turn), np.clip(ends, 0, whole_turn))


def _length(starts: np.ndarray, ends: np.ndarray) -> float:
    """The length of a union of intervals."""
    order = np.argsort(starts)
    starts, ends = starts[order], ends[order]
    reached = np.maximum.accumulate(ends)
    gaps = np.maximum(starts[1:] - reached[:-1], 0.0).sum()
    return float(reached[-1] - starts[0] - gaps)


def _sphere(count: int) -> np.ndarray:
    """(count, 3) unit vectors, evenly spread: a Fibonacci lattice."""
    z = 1 - (2 * np.arange(count) + 1) / count
    a = GOLDEN * np.arange(count)
    flat = np.sqrt(1 - z * z)
    return np.stack([flat * np.cos(a), flat * np.sin(a), z], axis=1)


def _frame(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """(3, 3) orthonormal rows, right-handed: along the first vector, and in the plane of both. So
    a turned flock is looked at in turned directions; vectors without a way are replaced."""
    rows: list[np.ndarray] = []
    for vector in (first, second, *np.eye(3)):
        left = vector - sum(((row @ vector) * row for row in rows), np.zeros(3))
        length = float(np.linalg.norm(left))
        if length > 1e-9 * max(float(np.linalg.norm(vector)), 1e-300) and len(rows) < 2:
            rows.append(left / length)
    return np.array([*rows, np.cross(rows[0], rows[1])])


def _covered(sky: np.ndarray, ways: np.ndarray, cosines: np.ndarray) -> float:
    """The share of (M, 3) directions within one of N caps about (N, 3) ways."""
    dark = np.zeros(len(sky), dtype=bool)
    for some in np.array_split(np.arange(len(ways)), max(len(sky) * len(ways) // AT_ONCE, 1)):
        left = np.flatnonzero(~dark)
        dark[left] = (sky[left] @ ways[some].T >= cosines[some]).any(axis=1)
    return float(dark.mean())


def _own_axes(points: np.ndarray, ahead: np.ndarray) -> np.ndarray:
    """(D, D) the axes of the gyration tensor, longest first, right-handed and forward: those that
    a turned flock has turned."""
    axes = np.linalg.eigh(points.T @ points)[1].T[::-1]
    axes = np.where((axes @ ahead < 0)[:, None], -axes, axes)
    if np.linalg.det(axes) < 0:
        axes[-1] = -axes[-1]
    return axes


def _shade(along: np.ndarray, radius: float) -> float:
    """The share of the outline that intervals about those places cover."""
    return _length(along - radius, along + radius) / (float(np.ptp(along)) + 2 * radius)


def _picture(points: np.ndarray, way: np.ndarray, radius: float) -> float:
    """The share of the outline that the discs cover, seen along a way."""
    from scipy.spatial import cKDTree

    across, up, _ = _frame(np.array([-way[1], way[0], 0.0]), np.cross(way, [-way[1], way[0], 0.0]))
    flat = np.stack([points @ across, points @ up], axis=1)
    rim = radius * np.stack([f(np.arange(64) * math.pi / 32) for f in (np.cos, np.sin)], axis=1)
    hull = hull_of(flat)
    corners = flat if hull is None else flat[hull.vertices]
    outline = hull_of((corners[:, None] + rim).reshape(-1, 2))
    low, high = outline.min_bound, outline.max_bound
    n = np.arange(4000)
    places = low + (high - low) * np.stack([(n + 0.5) / 4000, n * (GOLDEN / 2 / math.pi) % 1], 1)
    inside = (outline.equations[:, :2] @ places.T <= -outline.equations[:, 2:]).all(axis=0)
    near = cKDTree(flat).query(places[inside])[0]
    return float((near <= radius).mean())
