"""Home ranges per animal: the minimum convex polygon, and the kernel density estimate."""

from __future__ import annotations

import numpy as np

from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame
from murmurate.measures.arrays import of_arrays
from murmurate.measures.flock_data import valid_rows
from murmurate.measures.geometry import convex_hull, unwrapped_offsets, wraps_around
from murmurate.measures.limits import format_value, is_number
from murmurate.measures.per_animal import PerAnimal
from murmurate.measures.registry import measure_over_frames
from murmurate.neighbours.periodic import periods

MIN_POSITIONS = 5  # for a density estimate
CHUNK = 5_000  # positions whose kernels are added at a time
MAX_CELLS = 400  # of the grid along each axis
MARGIN = 4.0  # bandwidths from the outermost position to the end of the grid
CELLS_PER_BANDWIDTH = 3.0


class HomeRange:
    """Return the home range of each animal as the area of its minimum convex polygon.

    percent: Above 0, at most 100. Of n positions the ceil(percent n / 100) nearest to the mean of
        all are used, so 95 leaves out the farthest five in a hundred.
    value: `counts` are the frames in which an animal is seen. nan for an animal with fewer than
        three positions, 0 for positions on a line.

    In 3-D it is the area on the ground, of x and y. On periodic axes positions are taken at the
    nearest image around their circular mean. nan for an animal that spans half a side or more,
    which has no outline there. All positions are kept in memory. Cost: O(T log T) per animal for T
    frames.
    """

    def __init__(self, percent: float = 95.0) -> None:
        if not is_number(percent) or not 0 < percent <= 100:
            raise MeasureError(
                f"percent: got {format_value(percent)}; expected a number above 0, at most 100"
            )
        self.percent = float(percent)
        self.frames: list[FlockFrame] = []

    def add(self, flock: FlockFrame, time: float) -> None:
        self.frames.append(valid_rows(flock, "positions"))

    def result(self) -> PerAnimal:
        ids = np.concatenate([flock.ids for flock in self.frames] or [np.empty(0, np.int64)])
        order = np.argsort(ids, kind="stable")
        animals, counts = np.unique(ids, return_counts=True)
        values = np.full(len(animals), np.nan)
        if len(animals):
            positions = np.concatenate([f.positions for f in self.frames]).astype(np.float64)
            parts = np.split(positions[order], np.cumsum(counts)[:-1])
            values[:] = [self._animal_area(part) for part in parts]
        return PerAnimal(animals, values, counts, "frames")

    def _animal_area(self, positions: np.ndarray) -> float:
        """Return the area of one animal with (n, D) positions; nan if it wraps around an axis."""
        space = self.frames[-1].space
        points = positions
        if any(space.periodic):
            points = unwrapped_offsets(of_arrays(positions, space=space))
        if wraps_around(points, periods(space))[:2].any():
            return float("nan")
        return self.area(points[:, :2] - points[:, :2].mean(axis=0))

    def area(self, points: np.ndarray) -> float:
        """Return the area of (n, 2) points around their mean."""
        if len(points) < 3:
            return float("nan")
        count = int(np.ceil(self.percent / 100 * len(points) - 1e-9))
        nearest = np.argsort(np.hypot(*points.T), kind="stable")[:count]
        hull = convex_hull(points[nearest])
        return 0.0 if hull is None else float(hull.volume)


class KernelHomeRange(HomeRange):
    """Return the home range of each animal by a kernel density estimate.

    The estimate is a normal kernel density of the animal's positions.

    percent: Above 0, below 100: 95 for the home range, 50 for its core.
    value: `counts` are the frames in which an animal is seen. nan for an animal with fewer than
        five positions, or with all of them on a line.

    The bandwidth is the reference bandwidth: for n positions with covariance C the kernel has the
    covariance n^(-1/3) C, as in scipy's gaussian_kde with Scott's factor. For a round cloud of
    standard deviation s that is h_ref = s n^(-1/6). Worton's h_ref uses a round kernel of the mean
    variance for any cloud. The bandwidth is optimal for a single normal cloud, to whose area it
    adds a fraction of n^(-1/3). In other clouds it smooths away smaller details. It treats
    positions as independent, which those of successive frames are not: thin them (`every`) if that
    matters.

    The density is summed on a grid with cells of a third of a bandwidth, at most 400 x 400, which
    extends four bandwidths beyond the positions. In 3-D it is the area on the ground, of x and y.
    Periodic axes as for `home_range`. All positions are kept in memory. Cost: O(T) per animal for T
    frames, 10 ms for a thousand.
    """

    def __init__(self, percent: float = 95.0) -> None:
        super().__init__(percent)
        if percent == 100:
            raise MeasureError(
                "percent: got 100; expected a number below 100, since a normal density has no end"
            )

    def area(self, points: np.ndarray) -> float:
        """Return the area of (n, 2) points around their mean."""
        n = len(points)
        if n < MIN_POSITIONS:
            return float("nan")
        widths, axes = np.linalg.eigh(np.cov(points.T))
        if not widths[0] > 1e-12 * widths[1]:
            return float("nan")
        # Along the principal axes, in units of its standard deviations, the cloud and the kernel
        # are round, and the kernel is a product of one factor per axis.
        scaled, bandwidth = points @ axes / np.sqrt(widths), n ** (-1 / 6)
        grids = [_grid(coordinates, bandwidth) for coordinates in scaled.T]
        heights = np.zeros((len(grids[0]), len(grids[1])))
        for first in range(0, n, CHUNK):
            x, y = (
                np.exp(-0.5 * ((c[first : first + CHUNK, None] - grid) / bandwidth) ** 2)
                for c, grid in zip(scaled.T, grids, strict=True)
            )
            heights += x.T @ y
        cell = np.prod([grid[1] - grid[0] for grid in grids]) * np.sqrt(widths.prod())
        return float(_cells_with_share(self.percent / 100, heights.ravel()) * cell)


def _grid(coordinates: np.ndarray, bandwidth: float) -> np.ndarray:
    """Return the cell centres of a grid over (n,) coordinates."""
    low, high = coordinates.min() - MARGIN * bandwidth, coordinates.max() + MARGIN * bandwidth
    cells = min(MAX_CELLS, np.ceil(CELLS_PER_BANDWIDTH * (high - low) / bandwidth))
    return np.linspace(low, high, int(cells))


def _cells_with_share(share: float, heights: np.ndarray) -> float:
    """Return how many of the highest cells contain a share of the total, the last one in part."""
    sums = np.cumsum(np.sort(heights)[::-1]) / heights.sum()
    k = int(np.searchsorted(sums, share))
    below = sums[k - 1] if k else 0.0
    return float(k + (share - below) / (sums[k] - below))


home_range = measure_over_frames(
    HomeRange,
    "per animal",
    unit="length^2",
    definition="area of the convex hull of the `percent` % of positions nearest their mean",
    source="Mohr 1947",
    missing="no animal has three positions, or each spans half a side of the space or more",
)


kernel_home_range = measure_over_frames(
    KernelHomeRange,
    "per animal",
    unit="length^2",
    bounds="above 0",
    definition="area of the smallest region that contains `percent` % of a kernel density",
    source="Worton 1989",
    missing="no animal has five positions that are not on a line",
)
