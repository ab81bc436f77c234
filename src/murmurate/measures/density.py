"""Density: boids per volume, border against core, and number fluctuations between boxes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame
from murmurate.measures.arrays import of_arrays
from murmurate.measures.curve import Curve, empty_curve, ratio
from murmurate.measures.flock_data import nearest_neighbours, valid_rows
from murmurate.measures.geometry import (
    outline,
    outline_volume,
    unit_ball_volume,
    unwrapped_offsets,
)
from murmurate.measures.limits import (
    check_count,
    check_integer,
    check_positive,
    format_value,
    is_number,
)
from murmurate.measures.per_animal import PathValues
from murmurate.measures.registry import measure, measure_over_frames
from murmurate.measures.zones import crosses_itself, parse_zone
from murmurate.model.space import Space
from murmurate.neighbours.periodic import periods
from murmurate.neighbours.voronoi import cell_volumes, limited_cell_areas

MAX_BOIDS = 50_000  # for Voronoi cells


@measure(
    unit="1/length^D",
    definition="N / volume of the convex hull, or of the box if the flock wraps around it",
    missing="the convex hull of the flock is flat, or has no more corners than space has axes",
)
def density(flock: FlockFrame) -> float:
    """Return the number of boids over the volume of their convex hull (2-D: area).

    value: A flock that fills a torus has exactly N over the volume of the box.

    A flock that spans half of a periodic side or more has no ends along it: the whole side counts,
    and the hull is that along the other axes. One that spans less than half of each side has its
    density in open space.

    In open space the hull is too small for small flocks, since boids at the surface count in full.
    For random points in a ball the density is 1.65 times too high at 100 boids, 1.16 times at
    1,000. The hull is too large for hollow or bent flocks. `voronoi_density` has smaller errors in
    both cases. Cost: O(N log N).
    """
    flock = valid_rows(flock, "positions")
    return len(flock) / outline_volume(flock) if len(flock) else float("nan")


@measure(
    unit="1/length^D",
    definition="1/N sum_i (k - 1) / (V_D r_ik^D), r_ik to the k-th neighbour, V_D the unit ball",
    min_boids="k",
)
def local_density(flock: FlockFrame, *, k: int = 7) -> float:
    """Return the mean density around a boid, from the distance to its k-th neighbour.

    k: Which neighbour, 2 or more.
    value: inf if boids coincide.

    k - 1 instead of k makes the value exact for random points. Boids at the border of a flock in
    open space have neighbours on one side only, and get too low a density. Cost: O(N k log N).
    """
    flock = valid_rows(flock, "positions")
    if len(flock) <= check_integer(k, "k", 2):
        return float("nan")
    distances = nearest_neighbours(flock, k)[0][:, -1]
    if not distances.all():
        return float("inf")
    dims = flock.space.dims
    return float(((k - 1) / (unit_ball_volume(dims) * distances**dims)).mean())


@measure(
    unit="1/length^D",
    definition="boids with a Voronoi cell within the hull / volume of those cells; torus: N / L^D",
    source="Cavagna et al. 2008a",
    slow=True,
    missing="no Voronoi cell lies within the hull, or two boids coincide",
)
def voronoi_density(flock: FlockFrame, *, radius: float | None = None, wall: Any = None) -> float:
    """Return the density from Voronoi cells: boids over the summed volume of their cells.

    Only boids whose cell lies within the flock's convex hull count. With `radius` or `wall` all do.

    radius: In 2-D: cells end at this distance from their boid. By default, they do not.
    wall: In 2-D: cells end at the outline of a circle, box or polygon, in the formats of `zone` of
        `time_in_zone`. A circle is a polygon of 256 sides and the same area.
    raises: For more than 50,000 boids, unless all axes are periodic. In 3-D for a radius or a wall,
        and for a wall in a periodic space or one that crosses itself.

    Cells of boids at the border extend beyond the flock, and are left out. Near the border small
    cells remain and large ones drop out, so the value is too high: for random points by 6 per cent
    in a disc of 100, 13 in a ball of 100 and 3 in a ball of 1,000. In an arena, give its `wall`.

    If all axes are periodic there is no border. The cells fill the box, and the density is exactly
    N over the volume of the box, whatever the positions; see `local_density` for the density around
    a boid. If some axes are periodic, images of boids along them cut the cells too, and the hull is
    that along the other axes. Cost: O(N log N); none on a torus.
    """
    flock = valid_rows(flock, "positions")
    if not len(flock):
        return float("nan")
    if all(flock.space.periodic) and radius is None and wall is None:
        return len(flock) / math.prod(flock.space.size)
    volumes = cell_sizes(flock, "voronoi_density", radius, wall)
    inner = np.isfinite(volumes)
    return float(inner.sum() / volumes[inner].sum()) if inner.any() else float("nan")


class VoronoiArea(PathValues):
    """Return the mean size of each animal's Voronoi cell: the points nearer to it than to others.

    radius: In 2-D: the cell ends at this distance from the animal. By default, it does not.
    wall: In 2-D: cells end at the outline of a circle, box or polygon, in the formats of `zone` of
        `time_in_zone`. A circle is a polygon of 256 sides and the same area.
    value: `counts` are frames in which the animal has a cell. Without `radius` and `wall`, only
        cells within the convex hull of the flock count, and animals at the border have none.
    raises: For more than 50,000 animals. In 3-D for a radius or a wall, and for a wall in a
        periodic space or one that crosses itself.
    source: There the cell is the domain of danger. Its cut at a radius is that of James, Bennett &
        Krause 2004.

    The mean is over frames in which the animal is seen. Animals that are not seen have no cell, and
    those beside them larger ones. A cell that a wall divides counts with all its parts. Cost: O(N
    log N) per frame, and O(N V) for a wall with V corners.
    """

    numbers = ("area", "cells")
    counted = "frames"

    def __init__(self, radius: float | None = None, wall: Any = None) -> None:
        super().__init__()
        self.radius = None if radius is None else check_positive(radius, "radius")
        self.wall = None if wall is None else parse_zone(wall, "wall")

    def follow(self, positions: np.ndarray, step: np.ndarray, space: Space) -> None:
        rows = np.flatnonzero(np.isfinite(positions).all(axis=1))
        if not len(rows):
            return
        flock = of_arrays(positions[rows], space=space)
        sizes = cell_sizes(flock, "voronoi_area", self.radius, self.wall)
        has_cell = np.isfinite(sizes)
        self.of["area"][rows[has_cell]] += sizes[has_cell]
        self.of["cells"][rows[has_cell]] += 1

    def values(self) -> tuple[np.ndarray, np.ndarray]:
        return ratio(self.of["area"], self.of["cells"]), self.of["cells"]


voronoi_area = measure_over_frames(
    VoronoiArea,
    "per animal",
    unit="length^D",
    definition="mean over frames of the size of each animal's Voronoi cell",
    source="Hamilton 1971",
    slow=True,
    missing="no animal has a cell within the hull, or two coincide",
)


def cell_sizes(flock: FlockFrame, name: str, radius: float | None, wall: Any) -> np.ndarray:
    """Return (N,) volumes of Voronoi cells, within a radius and walls; nan for boids without one.

    Raises MeasureError, in the name of the measure `name`.
    """
    points, sides = unwrapped_offsets(flock), periods(flock.space)
    if radius is None and wall is None:
        return _cell_volumes(points, sides, name)
    check_count(len(flock), MAX_BOIDS, name, "boids", "Use local_density.")
    if flock.space.dims != 2:
        raise MeasureError(f"{name}: got radius or wall in 3-D; expected 2-D. Leave them out")
    radius, corners = None if radius is None else check_positive(radius, "radius"), None
    if wall is not None:
        corners = parse_zone(wall, "wall").corners
        if any(flock.space.periodic):
            raise MeasureError(f"{name}: got a wall; expected none in a periodic space")
        if crosses_itself(corners):
            raise MeasureError(
                f"{name}: got a wall that crosses itself; expected one that does not"
            )
        points = flock.positions
    return limited_cell_areas(points, sides, radius, corners)


@measure(
    definition="Voronoi density of the outer / of the inner boids, by depth below the hull",
    source="Cavagna et al. 2008a",
    slow=True,
    missing="the border or the core of the flock has no boid, or the flock wraps around all axes",
)
def border_to_core(flock: FlockFrame, *, share: float = 0.5) -> float:
    """Return the Voronoi density of the flock's border over that of its core.

    Boids with a Voronoi cell within the convex hull are ranked by their depth below it. The outer
    `share` of them is the border, the rest the core. The density of each is its number of boids
    over the volume of their cells.

    share: Fraction of boids in the border, above 0 and below 1.
    value: Above 1 if boids crowd at the border, as starlings do.
    raises: More than 50,000 boids are refused too.
    source: Ranking by depth is specific to this function.

    The outermost boids have no cell within the hull, and belong to neither. Large cells near the
    border drop out more often, so random points have more than 1: 1.1 in a disc of 100, 1.25 in a
    ball of 100, 1.12 of 400, 1.05 of 1,000. Compare with the same number of random points.

    A flock that spans half of a periodic side or more has no border along it. Cost: as
    `voronoi_density` in open space.
    """
    if not is_number(share) or not 0 < share < 1:
        raise MeasureError(
            f"share: got {format_value(share)}; expected a number above 0 and below 1"
        )
    flock = valid_rows(flock, "positions")
    if not len(flock):
        return float("nan")
    points, sides = unwrapped_offsets(flock), periods(flock.space)
    surface = outline(points, sides)
    if surface.hull is None:
        return float("nan")
    open_sides = np.where(surface.wrapping, sides, np.inf)
    volumes = _cell_volumes(points, open_sides, "border_to_core")
    rows = np.flatnonzero(np.isfinite(volumes))
    if len(rows) < 2:
        return float("nan")
    order = rows[np.argsort(surface.depths(points[rows]), kind="stable")]
    border, core = np.split(order, [round(share * len(order))])
    if not len(border) or not len(core):
        return float("nan")
    return float(len(border) / volumes[border].sum() / (len(core) / volumes[core].sum()))


def _cell_volumes(points: np.ndarray, sides: np.ndarray, name: str) -> np.ndarray:
    """Return (N,) volumes of Voronoi cells; see `cell_volumes`."""
    check_count(len(points), MAX_BOIDS, name, "boids", "Use local_density.")
    return cell_volumes(points, sides)


@measure(
    "curve",
    unit="boids",
    across="mean number of boids in a box",
    definition="standard deviation of the number of boids over equal boxes",
    source="Ramaswamy, Simha & Toner 2003; Chate et al. 2008",
    missing="the flock has too few boids for samples of it",
)
def number_fluctuations(flock: FlockFrame, *, min_count: float = 2.0) -> Curve:
    """Return the standard deviation of the number of boids in a box over its mean.

    Boxes of several sizes are quarters, eighths and so on of the sides of a region.

    min_count: Smallest mean number of boids in a box, above 0.
    value: Largest boxes first, starting with 4 boxes per axis. `count` is the number of boxes.
        Random points have sqrt(n) on average. Without points also for a flat flock.
    source: The first predicts them for active nematics, the second measures them over time; here
        they are over boxes of one frame.

    Along a periodic axis the region is the whole side. Along the others it extends one standard
    deviation to either side of the centre: within the flock, if it is filled about uniformly. Boxes
    are cut about the flock's centre, along the axes of the space if one is periodic, else along
    those of the gyration tensor. Cost: O(N) per size.
    """
    min_count = max(check_positive(min_count, "min_count"), 1e-3)
    flock = valid_rows(flock, "positions")
    if len(flock) < 2:
        return empty_curve()
    coordinates = _region_coordinates(flock)
    dims = flock.space.dims
    means, deviations, boxes = [], [], []
    divisions = 4
    while coordinates is not None and len(coordinates) / divisions**dims >= min_count:
        cell = np.minimum((coordinates * divisions).astype(np.int64), divisions - 1)
        keys = np.ravel_multi_index(cell.T, (divisions,) * dims)
        counts = np.bincount(keys, minlength=divisions**dims)
        means.append(counts.mean())
        # Divided by boxes - 1: exact for random points with a fixed total.
        deviations.append(counts.std(ddof=1))
        boxes.append(len(counts))
        divisions *= 2
    return Curve(np.array(means), np.array(deviations), np.array(boxes, dtype=np.float64))


@measure(
    bounds="0.5: random; up to 1",
    definition="a of (standard deviation of n) ~ (mean n)^a over boxes",
    source="Ramaswamy, Simha & Toner 2003; Chate et al. 2008",
    missing="the flock has too few boids for samples of two sizes",
)
def number_fluctuation_exponent(flock: FlockFrame, *, min_count: float = 2.0) -> float:
    """Return the exponent a of number fluctuations: standard deviation of n ~ (mean n)^a.

    min_count: Smallest mean number of boids in a box, above 0.
    value: Above 0.5: 'giant' fluctuations (about 0.8 in 2-D for Vicsek's model, as quoted by
        others). Below: order, as in a lattice. nan on a torus below about 130 boids in 2-D and
        1,000 in 3-D, in open space below about 400 and 6,000.

    A straight line through the logarithms of `number_fluctuations`, each size weighted by its
    number of boxes.
    """
    curve = number_fluctuations(flock, min_count=min_count)
    some = curve.y > 0
    if some.sum() < 2:
        return float("nan")
    x, y = np.log(curve.x[some]), np.log(curve.y[some])
    weights = curve.count[some] - 1
    # The logarithm of a variance over m boxes is too small by 1/(m - 1) on average.
    y = y + 0.5 / weights
    x0, y0 = np.average(x, weights=weights), np.average(y, weights=weights)
    return float((weights * (x - x0) * (y - y0)).sum() / (weights * (x - x0) ** 2).sum())


def _region_coordinates(flock: FlockFrame) -> np.ndarray | None:
    """Return (n, D) coordinates from 0 to 1 of the boids in the region; None if it is flat."""
    vectors = unwrapped_offsets(flock)
    periodic = np.array(flock.space.periodic)
    if not periodic.any():
        vectors = vectors @ np.linalg.eigh(vectors.T @ vectors)[1]
    half = np.where(periodic, np.array(flock.space.size) / 2, vectors.std(axis=0))
    if not half.all():
        return None
    coordinates = vectors / (2 * half) + 0.5
    inside = ((coordinates >= 0) & (coordinates <= 1)).all(axis=1)
    return coordinates[inside]
