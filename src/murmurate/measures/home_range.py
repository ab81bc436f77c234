"""Home ranges, per animal: the minimum convex polygon, and the kernel density estimate."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.arrays import of_arrays
from murmurate.measures.hull import hull_of, unrolled, wound
from murmurate.measures.limits import MeasureError, is_number, shown
from murmurate.measures.over_frames import collect
from murmurate.measures.per_animal import PerAnimal
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows
from murmurate.neighbours.periodic import periods

MOHR = "10.2307/2421652"
WORTON = "10.2307/1938423"
LEAST = 5  # positions from which a density is estimated
PART = 5_000  # positions whose kernels are added at once
CELLS = 400  # of the grid, at most, along each axis
REACH = 4.0  # bandwidths from the outermost position to the end of the grid
FINE = 3.0  # cells per bandwidth


class HomeRange:
    """Keeps the positions of all animals, and takes their areas at the end."""

    def __init__(self, percent: float = 95.0) -> None:
        if not is_number(percent) or not 0 < percent <= 100:
            raise MeasureError(f"percent is {shown(percent)}: it must be a number above 0, and at "
                               "most 100")  # fmt: skip
        self.percent = float(percent)
        self.frames: list[FlockFrame] = []

    def add(self, flock: FlockFrame, time: float) -> None:
        self.frames.append(valid_rows(flock, "positions"))

    def result(self) -> PerAnimal:
        ids = np.concatenate([one.ids for one in self.frames] or [np.empty(0, np.int64)])
        order = np.argsort(ids, kind="stable")
        animals, counts = np.unique(ids, return_counts=True)
        values = np.full(len(animals), np.nan)
        if len(animals):
            places = np.concatenate([one.positions for one in self.frames]).astype(np.float64)
            parts = np.split(places[order], np.cumsum(counts)[:-1])
            values[:] = [self._of_animal(part) for part in parts]
        return PerAnimal(animals, values, counts, "frames")

    def _of_animal(self, places: np.ndarray) -> float:
        """The area of one animal, of its (n, D) positions; nan for one that goes round a periodic
        axis."""
        space = self.frames[-1].space
        points = unrolled(of_arrays(places, space=space)) if any(space.periodic) else places
        if wound(points, periods(space))[:2].any():
            return float("nan")
        return self.area(points[:, :2] - points[:, :2].mean(axis=0))

    def area(self, points: np.ndarray) -> float:
        """Of (n, 2) points about their mean."""
        if len(points) < 3:
            return float("nan")
        keep = int(np.ceil(self.percent / 100 * len(points) - 1e-9))
        near = np.argsort(np.hypot(*points.T), kind="stable")[:keep]
        hull = hull_of(points[near])
        return 0.0 if hull is None else float(hull.volume)


class KernelHomeRange(HomeRange):
    """The same by a kernel density estimate."""

    def __init__(self, percent: float = 95.0) -> None:
        super().__init__(percent)
        if percent == 100:
            raise MeasureError("percent is 100: it must be below 100, since a normal density has "
                               "no end")  # fmt: skip

    def area(self, points: np.ndarray) -> float:
        """Of (n, 2) points about their mean."""
        n = len(points)
        if n < LEAST:
            return float("nan")
        widths, axes = np.linalg.eigh(np.cov(points.T))
        if not widths[0] > 1e-12 * widths[1]:
            return float("nan")
        # Along its own axes, in units of its standard deviations, the cloud and the kernel are
        # round, and the kernel is a product of one along each axis.
        units, factor = points @ axes / np.sqrt(widths), n ** (-1 / 6)
        sides = [_cells(along, factor) for along in units.T]
        heights = np.zeros((len(sides[0]), len(sides[1])))
        for first in range(0, n, PART):
            one, other = (
                np.exp(-0.5 * ((along[first : first + PART, None] - side) / factor) ** 2)
                for along, side in zip(units.T, sides, strict=True)
            )
            heights += one.T @ other
        cell = np.prod([side[1] - side[0] for side in sides]) * np.sqrt(widths.prod())
        return float(_cells_that_hold(self.percent / 100, heights.ravel()) * cell)


def _cells(along: np.ndarray, bandwidth: float) -> np.ndarray:
    """The middles of the cells of a grid over (n,) positions."""
    low, high = along.min() - REACH * bandwidth, along.max() + REACH * bandwidth
    return np.linspace(low, high, int(min(CELLS, np.ceil(FINE * (high - low) / bandwidth))))


def _cells_that_hold(share: float, heights: np.ndarray) -> float:
    """How many cells, the highest first, hold a share of the sum of all; the last one in part."""
    held = np.cumsum(np.sort(heights)[::-1]) / heights.sum()
    k = int(np.searchsorted(held, share))
    below = held[k - 1] if k else 0.0
    return float(k + (share - below) / (held[k] - below))


@measure(
    "per animal",
    unit="length^2",
    bounds="0 up",
    definition="area of the convex hull of the `percent` % of positions nearest their mean",
    source=MOHR,
    collector=HomeRange,
)
def home_range(
    frames: Iterable[Frame | FlockFrame], *, percent: float = 95.0, flock: str | None = None
) -> PerAnimal:
    """The home range of each animal as its minimum convex polygon, in length units squared: the
    area of the convex hull of those `percent` % of its positions that lie nearest their mean.

    frames   of one flock; of `Frame`s, the largest flock is taken
    percent  above 0, at most 100. Of n positions the ceil(percent n / 100) nearest to the mean of
             all are kept, so 95 leaves out the five in a hundred that lie farthest from it
    flock    the name of another flock

    In 3-D it is the area on the ground, of x and y. Gaps: frames in which an animal is not seen are
    left out; `counts` are the others. nan below three positions, 0 where they lie on a line. On
    periodic axes positions are taken to the nearest image about their circular mean; nan for an
    animal that spans half a side or more, which has no outline there.

    Returns PerAnimal (N values, `counts` are frames). All positions are kept in memory.
    Cost: O(T log T) an animal for T frames.
    Raises MeasureError for another percentage.

    Source: Mohr 1947, doi:10.2307/2421652.
    """
    return collect(HomeRange(percent), frames, flock)


@measure(
    "per animal",
    unit="length^2",
    bounds="above 0",
    definition="area of the smallest region that holds `percent` % of a kernel density",
    source=WORTON,
    collector=KernelHomeRange,
)
def kernel_home_range(
    frames: Iterable[Frame | FlockFrame], *, percent: float = 95.0, flock: str | None = None
) -> PerAnimal:
    """The home range of each animal by a kernel density, in length units squared: the area of the
    smallest region that holds `percent` % of a normal kernel density estimate of its positions.

    frames   of one flock; of `Frame`s, the largest flock is taken
    percent  above 0, below 100: 95 for the home range, 50 for its core
    flock    the name of another flock

    The bandwidth is the reference bandwidth of n positions: the kernel has the covariance
    n^(-1/3) C, C that of the positions, as that of scipy's gaussian_kde with Scott's factor. For a
    round cloud of standard deviation s that is h_ref = s n^(-1/6); Worton's h_ref takes a round
    kernel of the mean variance for any cloud. It is the best for one normal cloud, to whose area it
    adds a share of n^(-1/3), and smooths away what is smaller than it in others. It takes positions
    as independent, which those of neighbouring frames are not: thin them (`every`) where that
    matters.

    The density is summed on a grid of cells of a third of a bandwidth, at most 400 x 400 of them,
    which ends four bandwidths outside of the positions.

    In 3-D it is the area on the ground, of x and y. Gaps and periodic axes as for `home_range`. nan
    below five positions, and where they lie on a line.

    Returns PerAnimal (N values, `counts` are frames). All positions are kept in memory.
    Cost: O(T) an animal for T frames, 10 ms for a thousand.
    Raises MeasureError for another percentage.

    Source: Worton 1989, doi:10.2307/1938423.
    """
    return collect(KernelHomeRange(percent), frames, flock)
