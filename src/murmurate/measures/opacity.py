"""Opacity: how much of a boid's view, or of a view of the whole flock, boids cover."""

from __future__ import annotations

import math

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.flock_data import sample_rows, valid_rows
from murmurate.measures.geometry import convex_hull, unwrapped_offsets
from murmurate.measures.limits import check_count, check_integer, check_positive
from murmurate.measures.registry import measure
from murmurate.neighbours.periodic import displacements

GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))
MAX_DIRECTIONS = 100_000  # directions, or views
CHUNK = 2_000_000  # numbers in memory at a time
SAMPLES = 4000  # points in a picture of the flock


@measure(
    bounds="0 to 1",
    definition="mean over boids of the share of the view that is covered by the others",
    source="Pearce et al. 2014",
    slow=True,
    min_boids=2,
)
def opacity(
    flock: FlockFrame,
    *,
    size: float = 1.0,
    observers: int = 100,
    directions: int = 1000,
    seed: int = 0,
) -> float:
    """Return the internal opacity: the fraction of a boid's view that other boids cover.

    Each boid is a disc (in 3-D a ball) of diameter `size`, and its view extends in all directions.
    The value is the mean over observing boids.

    observers: Number of observing boids, drawn at random from larger flocks. They see all boids.
    directions: 3-D only: number of directions that are tested, on a Fibonacci lattice in the boid's
        own frame. A single view has an error of about 1 / directions^0.75. In 2-D arcs are added up
        exactly.
    seed: Seed of the random choice of observers.
    value: 0 if no boid is visible, 1 without gaps.

    A disc at distance d covers arcsin(size / 2 d) / pi in 2-D, a ball (1 - sqrt(1 - (size / 2
    d)^2)) / 2 in 3-D. A boid that overlaps another boid's centre has a completely covered view. On
    periodic axes the nearest image of each boid is visible. Cost: O(observers N log N), in 3-D
    O(observers N directions).
    """
    check_positive(size, "size")
    observers = check_integer(observers, "observers")
    directions = check_integer(directions, "directions")
    seed = check_integer(seed, "seed", 0)
    check_count(directions, MAX_DIRECTIONS, "directions", "", "Give fewer.")
    flock = valid_rows(flock)
    count = len(flock)
    if count < 2:
        return float("nan")
    sky = _sphere(directions) if flock.space.dims == 3 else None
    rows = sample_rows(count, observers, seed)
    return float(np.mean([_covered_view(flock, row, size, sky) for row in rows]))


def _covered_view(flock: FlockFrame, row: int, size: float, sky: np.ndarray | None) -> float:
    """Return the fraction of one boid's view that others cover; `sky` are directions in 3-D."""
    vectors = displacements(flock.positions, flock.positions[row], flock.space)
    vectors = np.delete(vectors, row, axis=0)
    distances = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    if distances.min() <= size / 2:
        return 1.0
    if sky is None:
        half = np.arcsin(size / 2 / distances)
        middle = np.arctan2(vectors[:, 1], vectors[:, 0])
        return _arc_union(middle - half, middle + half) / (2 * math.pi)
    heading = np.asarray(flock.velocities[row], dtype=np.float64)
    axes = _orthonormal_axes(heading, vectors.mean(axis=0))
    cosines = np.sqrt(1 - (size / 2 / distances) ** 2)
    return _covered_fraction(sky @ axes, vectors / distances[:, None], cosines)


@measure(
    bounds="above 0, to 1",
    definition="share of the flock's outline that is covered by boids, from far outside",
    source="Pearce et al. 2014",
    slow=True,
)
def outer_opacity(flock: FlockFrame, *, size: float = 1.0, views: int = 16) -> float:
    """Return the external opacity: the dark fraction of the flock's shadow on a far wall.

    Each boid is a disc (in 3-D a ball) of diameter `size`. The value is the dark fraction of the
    shadow's outline, averaged over several views.

    views: Number of viewing directions, evenly distributed over half a circle (in 3-D half a
        sphere) along the axes of the flock's gyration tensor.
    source: The definition of the outline, and the mean over views, are specific to this function.

    In 2-D the shadow is a line, its outline the interval from the first to the last boid, and the
    boids' shadows are added up exactly. In 3-D it is a picture, its outline the convex hull of the
    boids' discs, and 4,000 points in it are tested: one view has an error of about 0.01.

    The flock is unwrapped on periodic axes. One that fills a periodic side has no outside along it,
    and the value is meaningless. Cost: O(views N log N).
    """
    check_positive(size, "size")
    check_count(check_integer(views, "views"), MAX_DIRECTIONS, "views", "", "Give fewer.")
    flock = valid_rows(flock)
    if not len(flock):
        return float("nan")
    points = unwrapped_offsets(flock)
    axes = _gyration_axes(points, np.asarray(flock.velocities, dtype=np.float64).mean(axis=0))
    points = points @ axes.T
    if flock.space.dims == 2:
        angles = (np.arange(views) + 0.5) * math.pi / views
        dark = [_dark_line(points @ [math.cos(a), math.sin(a)], size / 2) for a in angles]
    else:
        sky = _sphere(2 * views)
        dark = [_dark_picture(points, direction, size / 2) for direction in sky[sky[:, 2] > 0]]
    return float(np.mean(dark))


def _arc_union(starts: np.ndarray, ends: np.ndarray) -> float:
    """Return the angle that arcs cover together, each shorter than half of the circle."""
    circle = 2 * math.pi
    rounds = np.floor(starts / circle) * circle
    starts, ends = starts - rounds, ends - rounds
    # An arc that crosses the end of the circle also covers its beginning.
    starts, ends = np.r_[starts, starts - circle], np.r_[ends, ends - circle]
    return _interval_union(np.clip(starts, 0, circle), np.clip(ends, 0, circle))


def _interval_union(starts: np.ndarray, ends: np.ndarray) -> float:
    """Return the length of a union of intervals."""
    order = np.argsort(starts)
    starts, ends = starts[order], ends[order]
    reached = np.maximum.accumulate(ends)
    gaps = np.maximum(starts[1:] - reached[:-1], 0.0).sum()
    return float(reached[-1] - starts[0] - gaps)


def _sphere(count: int) -> np.ndarray:
    """Return (count, 3) evenly distributed unit vectors: a Fibonacci lattice."""
    z = 1 - (2 * np.arange(count) + 1) / count
    a = GOLDEN_ANGLE * np.arange(count)
    flat = np.sqrt(1 - z * z)
    return np.stack([flat * np.cos(a), flat * np.sin(a), z], axis=1)


def _orthonormal_axes(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return (3, 3) right-handed orthonormal rows: along `first`, and in the plane of both.

    A rotated flock is thus seen in rotated directions. Vectors without a direction are replaced.
    """
    rows: list[np.ndarray] = []
    for vector in (first, second, *np.eye(3)):
        rest = vector - sum(((row @ vector) * row for row in rows), np.zeros(3))
        length = float(np.linalg.norm(rest))
        if length > 1e-9 * max(float(np.linalg.norm(vector)), 1e-300) and len(rows) < 2:
            rows.append(rest / length)
    return np.array([*rows, np.cross(rows[0], rows[1])])


def _covered_fraction(sky: np.ndarray, directions: np.ndarray, cosines: np.ndarray) -> float:
    """Return the fraction of (M, 3) directions within one of N caps around (N, 3) directions."""
    dark = np.zeros(len(sky), dtype=bool)
    chunks = max(len(sky) * len(directions) // CHUNK, 1)
    for rows in np.array_split(np.arange(len(directions)), chunks):
        light = np.flatnonzero(~dark)
        dark[light] = (sky[light] @ directions[rows].T >= cosines[rows]).any(axis=1)
    return float(dark.mean())


def _gyration_axes(points: np.ndarray, heading: np.ndarray) -> np.ndarray:
    """Return (D, D) axes of the gyration tensor, longest first, right-handed and forward.

    The axes of a rotated flock are rotated in the same way.
    """
    axes = np.linalg.eigh(points.T @ points)[1].T[::-1]
    axes = np.where((axes @ heading < 0)[:, None], -axes, axes)
    if np.linalg.det(axes) < 0:
        axes[-1] = -axes[-1]
    return axes


def _dark_line(x: np.ndarray, radius: float) -> float:
    """Return the fraction of the outline that intervals around the coordinates x cover."""
    return _interval_union(x - radius, x + radius) / (float(np.ptp(x)) + 2 * radius)


def _dark_picture(points: np.ndarray, direction: np.ndarray, radius: float) -> float:
    """Return the fraction of the outline that discs cover, seen along a direction."""
    from scipy.spatial import cKDTree

    horizontal = np.array([-direction[1], direction[0], 0.0])
    across, up, _ = _orthonormal_axes(horizontal, np.cross(direction, horizontal))
    flat = np.stack([points @ across, points @ up], axis=1)
    rim = radius * np.stack([f(np.arange(64) * math.pi / 32) for f in (np.cos, np.sin)], axis=1)
    hull = convex_hull(flat)
    corners = flat if hull is None else flat[hull.vertices]
    outline = convex_hull((corners[:, None] + rim).reshape(-1, 2))
    low, high = outline.min_bound, outline.max_bound
    n = np.arange(SAMPLES)
    unit = np.stack([(n + 0.5) / SAMPLES, n * (GOLDEN_ANGLE / 2 / math.pi) % 1], 1)
    samples = low + (high - low) * unit
    inside = (outline.equations[:, :2] @ samples.T <= -outline.equations[:, 2:]).all(axis=0)
    nearest = cKDTree(flat).query(samples[inside])[0]
    return float((nearest <= radius).mean())
