"""Points spread evenly inside the outlines of a text or an SVG file.

They approach a centroidal Voronoi tessellation by Lloyd's method (1982,
doi:10.1109/TIT.1982.1056489): neighbouring points are about equally far apart, without a lattice.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from murmurate.errors import ModelError
from murmurate.model.messages import format_value, shorten
from murmurate.model.outlines import Area, svg_areas, text_areas

Array = np.ndarray
Plane = Literal["xy", "xz", "yz"]

MAX_POINTS = 20_000
SAMPLES = 24  # of the area, for each point
ROUNDS = 8  # of Lloyd's method
ROWS = 256  # scan lines with which the area is estimated, besides those between corners
MAX_CORNERS = 2000  # between which there are scan lines
MAX_ROWS = 20_000  # scan lines of samples
DIGITS = 5  # decimals of coordinates, in units of the larger side of the shape
GOLDEN = (math.sqrt(5) - 1) / 2
PLANES = {"xy": (0, 1), "xz": (0, 2), "yz": (1, 2)}


def shape_points(
    count: int,
    *,
    text: str = "",
    file: str | Path = "",
    font: str | Path = "",
    width: float | None = None,
    height: float | None = None,
    centre: Sequence[float] = (0.0, 0.0),
    plane: Plane | None = None,
) -> Array:
    """Return points spread evenly inside the outlines of a text or an SVG file.

    Parameters
    ----------
    count : int
        Number of points, 1 to 20,000.
    text : str, default ""
        A text of at most 200 characters, in one line or several. Give this or `file`.
    file : str or Path, default ""
        An SVG file. Its filled elements count, whatever their colour; lines have no area.
    font : str or Path, default ""
        A .ttf or .otf file for `text`; the font of Pillow unless given, which has Latin letters
        without accents.
    width, height : float, optional
        Size of the bounding box of the outlines, length units. Give one of the two; the other
        follows.
    centre : sequence of 2 or 3 floats, default (0, 0)
        Centre of this box, length units.
    plane : {"xy", "xz", "yz"}, optional
        Plane of a shape in 3-D, by default "xz", upright: it reads from left to right for someone
        who looks along +y. "yz" does so along -x, "xy" from above.

    Returns
    -------
    ndarray of shape (count, D), float64
        Points in order of their position along the shape, from left to right. The same arguments
        give the same points.

    Raises
    ------
    ModelError
        An argument is not valid, a file cannot be read, or fontTools is not installed.

    Examples
    --------
    >>> import murmurate as mm
    >>> mm.shape_points(500, text="HELLO", width=60, centre=(50, 25)).shape
    (500, 2)
    """
    _check_arguments(count, text, file, font, centre, plane)
    scale_by = _size(width, height)
    areas = svg_areas(Path(file)) if file else text_areas(text, Path(font) if font else None)
    corners = np.concatenate([polygon for area in areas for polygon in area.polygons])
    lower, upper = corners.min(axis=0), corners.max(axis=0)
    sides = upper - lower
    if not (sides > 1e-9 * sides.max()).all():
        raise ModelError(f"{_what(text, file)}: got a shape without area; expected a filled one")
    unit = sides.max()  # the larger side becomes 1
    middle = (lower + upper) / 2
    scaled = [Area([(p - middle) / unit for p in a.polygons], a.even_odd) for a in areas]
    points = _spread(scaled, count, _what(text, file))
    points = points[np.lexsort((points[:, 1], points[:, 0]))].round(DIGITS)
    factor = unit * scale_by[1] / sides[scale_by[0]]
    result = np.tile(np.array(centre, float), (count, 1))
    result[:, PLANES[plane or ("xy" if len(centre) == 2 else "xz")]] += factor * points
    return result


def _what(text: str, file: str | Path) -> str:
    return Path(file).name if file else f"text {format_value(text)}"


def _check_arguments(
    count: int,
    text: str,
    file: str | Path,
    font: str | Path,
    centre: Sequence[float],
    plane: str | None,
) -> None:
    """Raise ModelError for arguments that are not valid."""
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MAX_POINTS:
        raise ModelError(
            f"count: got {format_value(count)}; expected a whole number from 1 to {MAX_POINTS:,}, "
            "a point for each boid of one flock"
        )
    for name, value in (("text", text), ("file", file), ("font", font)):
        if not isinstance(value, str if name == "text" else str | Path):
            raise ModelError(f"{name}: got {format_value(value)}; expected text in quotes")
    if bool(text) == bool(file):
        amount = "both" if text else "neither"
        raise ModelError(f"text, file: got {amount}; expected one of the two")
    if font and file:
        raise ModelError(f"font: got {shorten(str(font))} with a file; expected it with a text")
    numbers = all(
        isinstance(x, int | float) and not isinstance(x, bool) and math.isfinite(x) for x in centre
    )
    if len(centre) not in (2, 3) or not numbers:
        raise ModelError(f"centre: got {format_value(centre)}; expected 2 or 3 numbers")
    allowed = (None, "xy") if len(centre) == 2 else (None, *PLANES)
    if plane not in allowed:
        planes = ", ".join(PLANES) if len(centre) == 3 else "xy, the plane of a 2-D space"
        raise ModelError(f"plane: got {format_value(plane)}; expected {planes}")


def _size(width: float | None, height: float | None) -> tuple[int, float]:
    """Return the axis whose size is given, and the size. Raises ModelError."""
    if (width is None) == (height is None):
        amount = "neither" if width is None else "both"
        raise ModelError(f"width, height: got {amount}; expected one of the two")
    name, value = ("width", width) if width is not None else ("height", height)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e15:
        raise ModelError(f"{name}: got {format_value(value)}; expected a length above 0")
    return (0 if name == "width" else 1), float(value)


# --- points inside


def _spread(areas: list[Area], count: int, what: str) -> Array:
    """Return (count, 2) points spread evenly inside areas, the larger side of which is 1."""
    from scipy.spatial import cKDTree

    corners = np.unique(np.concatenate([p[:, 1] for area in areas for p in area.polygons]))
    low, high = corners[0], corners[-1]
    some = np.linspace(0, len(corners) - 1, min(len(corners), MAX_CORNERS)).astype(int)
    bounds = np.union1d(corners[some], np.linspace(low, high, ROWS + 1))
    heights = np.diff(bounds)
    rows = _scan(areas, bounds[:-1] + heights / 2)
    size = sum(float(np.diff(spans).sum()) * heights[k] for k, spans in rows)
    samples = np.zeros((0, 2))
    if size > SAMPLES * count * ((high - low) / MAX_ROWS) ** 2:
        spacing = min(math.sqrt(size / (SAMPLES * count)), 1.0 / ROWS)
        samples = _samples(areas, low, high, spacing)
    if len(samples) < 4 * count:
        raise ModelError(
            f"{what}: got a shape whose parts are too thin for {count:,} boids; expected a shape "
            "with a larger area. Thicken its strokes, or use another font"
        )
    points = np.array([part.mean(axis=0) for part in _divide(samples, count)])
    for _ in range(ROUNDS):
        _, owner = cKDTree(points).query(samples)
        members = np.bincount(owner, minlength=count)
        sums = np.stack([np.bincount(owner, x, count) for x in samples.T], axis=1)
        filled = members > 0
        points[filled] = sums[filled] / members[filled, None]
    _, nearest = cKDTree(samples).query(points)
    used, first = np.unique(nearest, return_index=True)
    if len(used) == count:
        return np.asarray(samples[nearest])
    free = np.setdiff1d(np.arange(len(samples)), used)  # points that share a sample
    shared = np.setdiff1d(np.arange(count), first)
    nearest[shared] = free[np.linspace(0, len(free) - 1, len(shared)).astype(int)]
    return np.asarray(samples[nearest])


def _divide(samples: Array, count: int) -> Iterator[Array]:
    """Yield samples (M, 2) in `count` compact parts of about equal size."""
    if count == 1:
        yield samples
        return
    first = count // 2
    cut = len(samples) * first // count
    x = samples[:, np.argmax(np.ptp(samples, axis=0))]
    order = np.argsort(x, kind="stable")
    yield from _divide(samples[order[:cut]], first)
    yield from _divide(samples[order[cut:]], count - first)


def _samples(areas: list[Area], low: float, high: float, spacing: float) -> Array:
    """Return (M, 2) points on scan lines, `spacing` apart."""
    parts = [np.zeros((0, 2))]
    rows = low + (np.arange(math.ceil((high - low) / spacing)) + 0.5) * spacing
    for k, (row, spans) in enumerate(_scan(areas, rows)):
        first = np.ceil(spans[:, 0] / spacing - k * GOLDEN).astype(int)
        last = np.ceil(spans[:, 1] / spacing - k * GOLDEN).astype(int)
        for a, b in zip(first.tolist(), last.tolist(), strict=True):
            x = (np.arange(a, b) + k * GOLDEN) * spacing
            parts.append(np.stack([x, np.full(len(x), rows[row])], axis=1))
    return np.concatenate(parts)


def _scan(areas: list[Area], rows: Array) -> Iterator[tuple[int, Array]]:
    """Yield the index of each scan line, of those at y in `rows`, that is inside, and its spans.

    Spans are the disjoint intervals (S, 2) of x that are inside.
    """
    edges = [(_edges(area.polygons), area.even_odd) for area in areas]
    for k, y in enumerate(rows.tolist()):
        spans = np.concatenate([_spans(e, y, even_odd) for e, even_odd in edges])
        if len(spans):
            yield k, _union(spans)


def _edges(polygons: list[Array]) -> Array:
    """Return edges (E, 5) that go up: x, y of the lower and the upper end, and 1 or -1."""
    ends = np.concatenate([np.hstack([p, np.roll(p, -1, axis=0)]) for p in polygons])
    ends = ends[ends[:, 1] != ends[:, 3]]
    down = ends[:, 1] > ends[:, 3]
    ends[down] = ends[down][:, [2, 3, 0, 1]]
    return np.hstack([ends, np.where(down, -1.0, 1.0)[:, None]])


def _spans(edges: Array, y: float, even_odd: bool) -> Array:
    """Return the intervals (S, 2) of x in which a scan line is inside."""
    x0, y0, x1, y1, turn = edges[(edges[:, 1] <= y) & (y < edges[:, 3])].T
    x = x0 + (y - y0) / (y1 - y0) * (x1 - x0)
    order = np.argsort(x, kind="stable")
    winding = np.cumsum(turn[order])
    inside = (winding % 2 != 0 if even_odd else winding != 0)[:-1]
    x = x[order]
    return np.stack([x[:-1][inside], x[1:][inside]], axis=1)


def _union(spans: Array) -> Array:
    """Return the union of intervals (S, 2), sorted and disjoint."""
    spans = spans[np.argsort(spans[:, 0], kind="stable")]
    reach = np.maximum.accumulate(spans[:, 1])
    starts = np.concatenate([[True], spans[1:, 0] > reach[:-1]])
    ends = np.concatenate([starts[1:], [True]])
    return np.stack([spans[starts, 0], reach[ends]], axis=1)
