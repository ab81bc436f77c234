"""Pack frames as a replay: compressed text with the metadata that a page needs.

    positions -> 65536 levels per side -> differences in time -> zigzag -> byte planes -> deflate
              -> base64

Pages unpack it, and so does `decode`. Packing is lossless after the first arrow: a decoded position
is less than 1/131072 of the box away from the true one.

Numbers are stored boid by boid, each through all its frames, one axis after the other. The high
bytes of all numbers come first, then the low bytes. Differences are taken 1, 2 or 3 times modulo
65536, so that crossing a periodic face is a small difference. The number of differences and the
strategy of deflate are chosen by packing a sample in each way.
"""

from __future__ import annotations

import base64
import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from murmurate.errors import OutputError, ShowError
from murmurate.frame import FlockFrame, Frame
from murmurate.measures.defaults import charted_measures
from murmurate.model.model import Model
from murmurate.model.population import first_ids
from murmurate.show.replay_boids import BoidNumbers, RowLayout, RowPlacer
from murmurate.show.replay_types import ReplayBoids, ReplayHead, ReplayScene, Series
from murmurate.show.scene import (
    BOIDS_CHART,
    WireLine,
    charts,
    flock_info,
    obstacle_info,
    path_lines,
    per_boid,
    shapes,
    space_info,
    three_floats,
    wire_tables,
)
from murmurate.show.scene_types import ObstacleInfo

Array = np.ndarray


MAX_COORDINATES = 100_000_000  # boids x frames x axes: about 120 MB, near the limit of browsers
COSTLY_BOIDS = 20_000  # number of boids; see ReplayBuilder
LEVELS = 65536  # quantisation levels along a side of the box
ORDERS = (2, 1, 3)  # numbers of times that differences are taken
STRATEGIES = (zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY)
LEVEL, MEMORY = 9, 9
BLOCK = 2_000_000  # numbers processed at a time, which bounds the memory
_SAMPLE = 300_000  # numbers packed in each way to choose the best


@dataclass(frozen=True)
class Replay:
    """Frames packed for a page.

    head  metadata as JSON values
    payload  positions as base64 text; see the docstring of the module
    """

    head: ReplayHead
    payload: str


def check_size(boids: int, frames: int, dims: int) -> None:
    """Raise OutputError, with the sizes that fit, if a replay is too large for a browser."""
    numbers = boids * frames * dims
    if numbers <= MAX_COORDINATES:
        return
    max_frames = max(1, MAX_COORDINATES // (boids * dims))
    max_boids = MAX_COORDINATES // (frames * dims)
    raise OutputError(
        f"page: got {boids:,} boids in {frames:,} frames (about {numbers * 1.2e-6:,.0f} MB); "
        f"expected at most {max_frames:,} frames with {boids:,} boids, or {max_boids:,} boids in "
        f"{frames:,} frames. Give fewer steps, a larger 'every', or fewer boids; a film has no "
        "such limit"
    )


class ReplayBuilder:
    """Collect frames one by one; `build` packs them.

    Positions in periodic spaces are quantised at once. Otherwise the box is known at the end only,
    and positions are stored as they are.

    gaps  allow nan positions of boids that are not observed in some frames, as animals in tracks.
        The page hides them there.
    costly_boids  number of boids above which costly measures are computed for every tenth frame
        only
    changing  allow boids that join and leave. An id belongs to one boid in all frames.
    charts  measures that the page charts; the default ones if there are none
    """

    def __init__(
        self, gaps: bool = False, costly_boids: int = COSTLY_BOIDS, changing: bool = False,
        charts: Sequence[str] = (),
    ) -> None:  # fmt: skip
        self._charts = charted_measures(charts)
        self._gaps, self._costly_boids, self._changing = gaps, costly_boids, changing
        self._ids: list[list[Array]] = []
        self._n_ever: list[dict[str, int]] = []
        self._numbers = BoidNumbers()
        self._positions: list[Array] = []
        self._steps: list[int] = []
        self._times: list[float] = []
        self._space: Any = None
        self._counts: dict[str, int] = {}
        self._measures: dict[str, dict[str, list[float | None]]] = {}
        self._obstacles: list[dict[str, ObstacleInfo]] = []
        self._fastest = 0.0

    def __len__(self) -> int:
        return len(self._positions)

    def add(self, frame: Frame) -> None:
        """Add a frame.

        raises ShowError  the frame does not fit the others, or a position is not finite
        raises OutputError  the replay would be too large
        """
        counts = {name: len(flock) for name, flock in frame.items()}
        if not self._positions:
            self._space, self._counts = frame.space, counts
            self._measures = {name: {m.name: [] for m in self._charts} for name in counts}
        elif frame.space != self._space or (
            list(counts) != list(self._counts) if self._changing else counts != self._counts
        ):
            raise ShowError(
                f"step {frame.step}: got flocks {counts}; expected {self._counts}: a "
                "replay shows the same boids in one space from its first frame to its last"
            )
        dims = frame.space.dims
        check_size(frame.n_boids, len(self) + 1, dims)
        parts = [flock.positions for flock in frame.values()]
        positions = np.concatenate(parts) if parts else np.empty((0, dims))
        if not self._gaps and not np.isfinite(positions).all():
            raise ShowError(
                f"step {frame.step}: got a position that is not finite; expected numbers"
            )
        if all(frame.space.periodic) and not self._gaps:
            positions = quantize(positions, *self._box([]))
        self._positions.append(positions)
        self._steps.append(frame.step)
        self._times.append(frame.time)
        self._obstacles.append({n: obstacle_info(n, o) for n, o in frame.obstacles.items()})
        self._ids.append([flock.ids for flock in frame.values()])
        self._n_ever.append({name: flock.n_ever for name, flock in frame.items()})
        self._numbers.add(frame)
        for flock in frame.values():
            self._measure(flock)

    def build(
        self,
        model: Model | None = None,
        *,
        toml: str = "",
        comment: str = "",
        frames_per_second: float | None = None,
    ) -> Replay:
        """Pack the frames.

        model  gives names, looks and view
        comment  program and seed
        frames_per_second  playing speed; that of the model's view by default
        raises ShowError  there is no frame
        """
        if not self._positions:
            raise ShowError("replay: got no frame; expected at least 1")
        unseen = self._fill_gaps() if self._gaps else []
        lower, side, periodic = self._box(self._positions)
        for number, positions in enumerate(self._positions):
            if positions.dtype != np.uint16:
                self._positions[number] = quantize(positions, lower, side, periodic)
        layout = RowLayout.of_ids(self._ids) if self._changing and self._counts else None
        dims = self._space.dims
        if layout is not None:
            check_size(sum(layout.sizes), len(self), dims)
            self._positions = layout.spread(self._ids, self._positions)
        order, payload = encode(self._positions)
        rate = frames_per_second or (model.view.frames_per_second if model else 24.0)
        head: ReplayHead = {
            "version": 1,
            "dims": dims,
            "frames": len(self),
            "count": sum(layout.sizes if layout else self._counts.values()),
            "order": order,
            "lower": three_floats(lower),
            "side": three_floats(side, 1.0),
            "periodic": [*map(bool, periodic), False][:3],
            "every_seconds": 1.0 / rate,
            "times": _compact_series(self._times),
            "steps": _compact_series(self._steps),
            "fastest": float(self._fastest),
            "scene": self._scene(model),
            "measures": self._measures,
            "toml": toml,
            "comment": comment,
        }
        if unseen:
            head["unseen"] = unseen
        if layout is not None:
            head["boids"] = self._boids(layout, model)
        self._add_numbers(head, layout, model)
        return Replay(head, payload)

    def _boids(self, layout: RowLayout, model: Model | None) -> ReplayBoids:
        """Return who is in which row when, and how many boids there have ever been."""
        if model is None:
            by_flock = zip(*self._ids, strict=True)
            first = [
                min((int(own[0]) for own in flock if len(own)), default=0) for flock in by_flock
            ]
        else:
            first = list(first_ids(model, self._n_ever[0]).values())
        ever = {
            name: _compact_series([moment[name] for moment in self._n_ever])
            for name in self._counts
        }
        return {**layout.head(first), "ever": ever}

    def _add_numbers(self, head: ReplayHead, layout: RowLayout | None, model: Model | None) -> None:
        """Add the numbers of boids, and that colours may show them."""
        counts = self._counts
        if layout is not None:
            ever = np.bincount(layout.flocks, minlength=len(counts))
            counts = dict(zip(counts, map(int, ever), strict=True))
        colour_by = model.view.colour_by if model else ""
        numbers = self._numbers.pack(counts, RowPlacer(self._ids, layout), colour_by)
        if numbers is None:
            return
        head["numbers"] = numbers
        cyclic = {entry["name"]: entry["cyclic"] for entry in per_boid(model)} if model else {}
        head["scene"]["per_boid"] = [
            {
                "name": number["name"],
                "kind": number["kind"],
                "cyclic": cyclic.get(number["name"], False),
                "range": (number["low"], number["high"]),
            }
            for number in numbers["names"]
        ]

    def _fill_gaps(self) -> list[tuple[int, int, int]]:
        """Fill gaps with the last observed position, or the first one before it.

        Returns the boid, the first and the last frame of each gap. Raises ShowError if no position
        was observed.
        """
        positions = np.stack(self._positions)
        seen = np.isfinite(positions).all(axis=2)
        if not seen.any():
            raise ShowError(
                "replay: no boid is observed in any frame; expected at least 1 position"
            )
        number = np.where(seen, np.arange(len(seen))[:, None], -1)
        latest = np.maximum.accumulate(number, axis=0)
        latest = np.where(latest < 0, seen.argmax(axis=0), latest)
        filled = np.take_along_axis(positions, latest[..., None], axis=0)
        filled[:, ~seen.any(axis=0)] = positions[seen][0]  # never observed: any position
        self._positions = list(filled)
        edges = np.diff(np.pad(~seen, ((1, 1), (0, 0))).astype(np.int8), axis=0)
        starts, ends = np.argwhere(edges.T == 1), np.argwhere(edges.T == -1)
        return [
            (int(boid), int(first), int(last) - 1)
            for (boid, first), (_, last) in zip(starts, ends, strict=True)
        ]

    def _box(self, positions: Sequence[Array]) -> tuple[Array, Array, Array]:
        """Return lower corner, sides and periodicity of the box, (D,) each.

        It is the space, extended to boids outside of it; on open axes the bounds of all positions.
        """
        space = self._space
        lower, upper = np.array(space.lower, float), np.array(space.upper, float)
        periodic = np.array(space.periodic)
        if any(map(len, positions)) and not periodic.all():
            low = np.min([frame.min(axis=0) for frame in positions if len(frame)], axis=0)
            high = np.max([frame.max(axis=0) for frame in positions if len(frame)], axis=0)
            is_open = np.array([word == "open" for word in space.boundaries])
            bounded = periodic | ~is_open
            lower, upper = (
                np.where(periodic, lower, np.where(bounded, np.minimum(lower, low), low)),
                np.where(periodic, upper, np.where(bounded, np.maximum(upper, high), high)),
            )
        min_side = 1e-6 * np.array(space.size)  # for flocks in a plane
        return lower, np.maximum(upper - lower, min_side), periodic

    def _measure(self, flock: FlockFrame) -> None:
        for measure in self._charts:
            values = self._measures[flock.name][measure.name]
            if measure.costly and len(flock) > self._costly_boids and len(values) % 10:
                values.append(None)
                continue
            value = float(measure.function(flock))
            values.append(float(f"{value:.5g}") if math.isfinite(value) else None)
        if self._changing:
            self._measures[flock.name].setdefault(BOIDS_CHART["name"], []).append(len(flock))
        if len(flock):
            speeds = np.einsum("ij,ij->i", flock.velocities, flock.velocities)
            self._fastest = max(self._fastest, float(np.sqrt(np.fmax.reduce(speeds, initial=0.0))))

    def _first_count(self, name: str, model: Model | None) -> int:
        """Return the number of boids of a flock in all frames; if it changes, at step 0."""
        changing = self._changing and model is not None and name in model.flocks
        return model.flocks[name].count if changing and model else self._counts[name]

    def _scene(self, model: Model | None) -> ReplayScene:
        space = self._space
        scene: ReplayScene = {
            "name": model.name if model else "",
            "title": (model.title or model.name) if model else "",
            "about": model.about if model else "",
            "source": model.source.model_dump() if model else {},
            "dims": space.dims,
            "dt": model.dt if model else 1.0,
            "space": space_info(space),
            "flocks": [
                flock_info(name, self._first_count(name, model), model) for name in self._counts
            ],
            "view": model.view.decided(model.space).model_dump() if model else {},
            "obstacles": [
                *self._obstacles[0].values(),
                *(wire_tables(model) if model else ()),
            ],
            "shapes": shapes({shape["kind"] for shape in self._obstacles[0].values()}),
            "paths": [
                [three_floats(point) for point in line]
                for line in (path_lines(model) if model else ())
                if not isinstance(line, WireLine)
            ],
            "charts": charts(model),
        }
        if tracks := _changing_numbers(self._obstacles):
            scene["obstacle_tracks"] = tracks
        return scene


def _changing_numbers(
    frames: Sequence[Mapping[str, Mapping[str, Any]]],
) -> dict[str, dict[str, list[Any]]]:
    """Return the values per frame of each number that changes, by obstacle and number."""
    tracks: dict[str, dict[str, list[Any]]] = {}
    for name, shape in frames[0].items():
        for key in shape:
            values = [frame[name][key] for frame in frames]
            if any(value != values[0] for value in values):
                tracks.setdefault(name, {})[key] = values
    return tracks


def _compact_series(values: Sequence[float]) -> Series:
    """Return evenly spaced numbers as the first one and the spacing; others as a list."""
    first = values[0]
    each = (values[-1] - first) / max(1, len(values) - 1)
    each = round(each) if isinstance(first, int) else each
    even = all(
        math.isclose(first + k * each, value, rel_tol=1e-9, abs_tol=1e-12 * abs(each))
        for k, value in enumerate(values)
    )
    return {"first": first, "step": each} if even else list(values)


# --- packing


def quantize(positions: Array, lower: Array, side: Array, periodic: Array) -> Array:
    """Quantise positions in a box.

    positions  (N, D) length units
    lower, side  (D,) lower corner and sides of the box, length units; side > 0
    periodic  (D,) axes along which positions outside the box are wrapped; others are clipped
    returns  (N, D) levels from 0 at the lower corner
    """
    levels = np.floor((np.asarray(positions, np.float64) - lower) * (LEVELS / side))
    inside = np.where(periodic, levels % LEVELS, np.clip(levels, 0, LEVELS - 1))
    return inside.astype(np.uint16)


def dequantize(levels: Array, lower: Array, side: Array) -> Array:
    """Return the centres of levels (..., D) as float64 positions, length units."""
    return np.asarray(lower) + (levels.astype(np.float64) + 0.5) * (np.asarray(side) / LEVELS)


def encode(levels: Sequence[Array], block: int = BLOCK) -> tuple[int, str]:
    """Pack the levels of all frames.

    levels  (N, D) one array per frame, T >= 1
    block  numbers processed at a time
    order  number of times that differences were taken
    payload  Base64 text
    """
    order, strategy = _best_settings(levels, block)
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, zlib.MAX_WBITS, MEMORY, strategy)
    packed = [
        packer.compress(plane.tobytes())
        for shift in (8, 0)
        for numbers in _blocks(levels, block)
        for plane in [(_zigzag(numbers, order) >> shift).astype(np.uint8)]
    ]
    packed.append(packer.flush())
    return order, base64.b64encode(b"".join(packed)).decode("ascii")


def decode(payload: str, frames: int, count: int, dims: int, order: int = 2) -> Array:
    """Unpack the bytes of `encode`, as (T, N, D) uint16.

    Raises ValueError for text that is not a replay of `frames` frames, `count` boids and `dims`
    axes.
    """
    try:
        data = zlib.decompress(base64.b64decode(payload, validate=True))
    except (zlib.error, ValueError) as error:
        raise ValueError(f"replay: cannot be unpacked: {error}") from None
    size = 2 * frames * count * dims
    if len(data) != size:
        raise ValueError(f"replay: got {len(data)} bytes; expected {size}")
    planes = np.frombuffer(data, np.uint8).reshape(2, dims, count, frames)
    folded = planes[0].astype(np.uint16) << 8 | planes[1]
    numbers = folded >> 1 ^ -(folded & 1)  # uint16 wraps
    for _ in range(order):
        numbers = np.cumsum(numbers, axis=-1, dtype=np.uint16)
    return np.ascontiguousarray(numbers.transpose(2, 1, 0))


def _blocks(levels: Sequence[Array], block: int) -> Iterator[Array]:
    """Yield blocks (n, T) uint16: n boids on one axis, through all frames."""
    count, dims = levels[0].shape
    step = max(1, block // len(levels))
    for axis in range(dims):
        for first in range(0, count, step):
            yield np.stack([frame[first : first + step, axis] for frame in levels], axis=1)


def _zigzag(numbers: Array, order: int) -> Array:
    """Take differences along the last axis `order` times, and map 0, -1, 1, -2 to 0, 1, 2, 3."""
    for _ in range(order):
        differences = numbers.copy()
        differences[:, 1:] -= numbers[:, :-1]
        numbers = differences
    signed = numbers.view(np.int16)
    return ((signed << 1) ^ (signed >> 15)).view(np.uint16)


def _best_settings(levels: Sequence[Array], block: int) -> tuple[int, int]:
    """Return the order of differences and the deflate strategy that pack a sample smallest."""
    count, dims = levels[0].shape
    boids = max(1, _SAMPLE // (len(levels) * dims))
    sample = [frame[:: max(1, -(-count // boids))] for frame in levels]
    sizes = {}
    for order in ORDERS:
        folded = np.concatenate(
            [_zigzag(part, order) for part in _blocks(sample, block)] or [sample[0]]
        )
        data = (folded >> 8).astype(np.uint8).tobytes() + (folded & 255).astype(np.uint8).tobytes()
        for strategy in STRATEGIES:
            packer = zlib.compressobj(LEVEL, zlib.DEFLATED, zlib.MAX_WBITS, MEMORY, strategy)
            sizes[order, strategy] = len(packer.compress(data)) + len(packer.flush())
    return min(sizes, key=lambda setting: sizes[setting])
