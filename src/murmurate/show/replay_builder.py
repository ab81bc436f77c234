"""ReplayBuilder: collects frames and packs them as a replay, with the metadata a page needs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.defaults import DEFAULTS, NAMES, chart_list
from murmurate.model.model import Model
from murmurate.model.obstacles import ObstacleShape
from murmurate.show.errors import OutputRefused, ShowError
from murmurate.show.paths import path_lines
from murmurate.show.replay_codec import encode, quantize

Array = np.ndarray

LARGEST = 100_000_000  # boids x frames x axes: a page of some 120 MB, near what browsers can hold
MANY = 20_000  # boids from which costly measures are taken of every tenth frame only


@dataclass(frozen=True)
class Replay:
    """Frames packed for a page.

    head     everything besides the positions, as plain JSON values
    payload  the positions: base64 text, see murmurate.show.replay_codec
    """

    head: dict[str, Any]
    payload: str


def check_size(boids: int, frames: int, dims: int) -> None:
    """Raises OutputRefused where a replay would be too large for a browser; says what fits."""
    many = boids * frames * dims
    if many <= LARGEST:
        return
    fewer = max(1, LARGEST // (boids * dims))
    raise OutputRefused(
        f"{boids:,} boids in {frames:,} frames are too many for one page (about "
        f"{many * 1.2e-6:,.0f} MB): at most {fewer:,} frames of so many boids, or "
        f"{LARGEST // (frames * dims):,} boids in so many frames. Give fewer steps, a larger "
        "'every', or fewer boids; a film has no such limit"
    )


class ReplayBuilder:
    """Takes frames one by one; `build()` packs them.

    Positions on axes that are not open are brought to 16 bits at once; on open ones the box is only
    known in the end, and until then they are kept as they come.

    gaps  whether boids may be unseen in some frames, with nan in their positions, as animals in
          tracks: the page hides them there

    Raises ShowError for a frame that does not fit the others, and when it grows too large.
    """

    def __init__(self, gaps: bool = False) -> None:
        self._gaps = gaps
        self._positions: list[Array] = []
        self._steps: list[int] = []
        self._times: list[float] = []
        self._space: Any = None
        self._counts: dict[str, int] = {}
        self._measures: dict[str, dict[str, list[float | None]]] = {}
        self._obstacles: list[dict[str, dict[str, Any]]] = []
        self._fastest = 0.0

    def __len__(self) -> int:
        return len(self._positions)

    def add(self, frame: Frame) -> None:
        counts = {flock.name: len(flock) for flock in frame}
        if not self._positions:
            self._space, self._counts = frame.space, counts
            self._measures = {name: {measure: [] for measure in NAMES} for name in counts}
        elif counts != self._counts or frame.space != self._space:
            raise ShowError(
                f"step {frame.step}: the flocks changed from {self._counts} to {counts}: a replay "
                "shows the same boids in one space from its first frame to its last"
            )
        dims = frame.space.dims
        check_size(len(frame), len(self) + 1, dims)
        parts = [flock.positions for flock in frame]
        where = np.concatenate(parts) if parts else np.empty((0, dims))
        if not self._gaps and not np.isfinite(where).all():
            raise ShowError(f"step {frame.step}: a boid's position is not a finite number")
        if all(frame.space.periodic) and not self._gaps:
            where = quantize(where, *self._box([]))
        self._positions.append(where)
        self._steps.append(frame.step)
        self._times.append(frame.time)
        self._obstacles.append({name: _shape(o) for name, o in frame.obstacles.items()})
        for flock in frame:
            self._measure(flock)

    def build(
        self,
        model: Model | None = None,
        *,
        toml: str = "",
        comment: str = "",
        frames_per_second: float | None = None,
    ) -> Replay:
        """The replay.

        model              whose flight it is: its names, looks and view go into the head
        toml               its text, for who wants to fly it
        comment            which program and seed made it
        frames_per_second  how fast it plays; as the model's view says unless given
        Raises ShowError when there is no frame.
        """
        if not self._positions:
            raise ShowError("there was no frame, so there is nothing to replay")
        unseen = self._fill_gaps() if self._gaps else []
        lower, side, periodic = self._box(self._positions)
        for number, where in enumerate(self._positions):
            if where.dtype != np.uint16:
                self._positions[number] = quantize(where, lower, side, periodic)
        order, payload = encode(self._positions)
        dims = self._space.dims
        rate = frames_per_second or (model.view.frames_per_second if model else 24.0)
        head = {
            "version": 1,
            "dims": dims,
            "frames": len(self),
            "count": sum(self._counts.values()),
            "order": order,
            "lower": _three_numbers(lower, 0.0),
            "side": _three_numbers(side, 1.0),
            "periodic": [*map(bool, periodic), False][:3],
            "every_seconds": 1.0 / rate,
            "times": _compact_series(self._times, "step"),
            "steps": _compact_series(self._steps, "every"),
            "fastest": float(self._fastest),
            "scene": self._scene(model),
            "measures": self._measures,
            "toml": toml,
            "comment": comment,
        }
        if unseen:
            head["unseen"] = unseen
        return Replay(head, payload)

    def _fill_gaps(self) -> list[list[int]]:
        """Puts boids that are not seen where they were seen last, or will be seen first; the number
        of the boid, the first and the last frame of each gap. Raises ShowError where no boid is
        ever seen."""
        positions = np.stack(self._positions)
        seen = np.isfinite(positions).all(axis=2)
        if not seen.any():
            raise ShowError("no boid is seen in any frame, so there is nothing to replay")
        number = np.where(seen, np.arange(len(seen))[:, None], -1)
        latest = np.maximum.accumulate(number, axis=0)
        latest = np.where(latest < 0, seen.argmax(axis=0), latest)
        filled = np.take_along_axis(positions, latest[..., None], axis=0)
        filled[:, ~seen.any(axis=0)] = positions[seen][0]  # never seen: anywhere
        self._positions = list(filled)
        edges = np.diff(np.pad(~seen, ((1, 1), (0, 0))).astype(np.int8), axis=0)
        starts, ends = np.argwhere(edges.T == 1), np.argwhere(edges.T == -1)
        return [
            [int(boid), int(first), int(last) - 1]
            for (boid, first), (_, last) in zip(starts, ends, strict=True)
        ]

    def _box(self, positions: Sequence[Array]) -> tuple[Array, Array, Array]:
        """Lower corner (D,), sides (D,) and which are periodic (D,): the space, and on axes that
        are open the bounds of all positions; wider than the space where boids left it."""
        space = self._space
        lower, upper = np.array(space.lower, float), np.array(space.upper, float)
        periodic = np.array(space.periodic)
        if len(positions) and len(positions[0]) and not periodic.all():
            least = np.min([where.min(axis=0) for where in positions], axis=0)
            most = np.max([where.max(axis=0) for where in positions], axis=0)
            opened = np.array([word == "open" for word in space.boundaries])
            keep = periodic | ~opened
            lower, upper = (
                np.where(periodic, lower, np.where(keep, np.minimum(lower, least), least)),
                np.where(periodic, upper, np.where(keep, np.maximum(upper, most), most)),
            )
        thin = 1e-6 * np.array(space.size)  # so that a flock in a plane has a box too
        return lower, np.maximum(upper - lower, thin), periodic

    def _measure(self, flock: FlockFrame) -> None:
        for measure in DEFAULTS:
            values = self._measures[flock.name][measure.name]
            if measure.costly and len(flock) > MANY and len(values) % 10:
                values.append(None)
                continue
            value = float(measure.function(flock))
            values.append(float(f"{value:.5g}") if math.isfinite(value) else None)
        if len(flock):
            speeds = np.einsum("ij,ij->i", flock.velocities, flock.velocities)
            self._fastest = max(self._fastest, float(np.sqrt(np.fmax.reduce(speeds, initial=0.0))))

    def _scene(self, model: Model | None) -> dict[str, Any]:
        space = self._space
        scene: dict[str, Any] = {
            "name": model.name if model else "",
            "title": (model.title or model.name) if model else "",
            "about": model.about if model else "",
            "source": model.source.model_dump() if model else {},
            "dims": space.dims,
            "dt": model.dt if model else 1.0,
            "space": {
                "lower": _three_numbers(space.lower, 0.0),
                "upper": _three_numbers(space.upper, 1.0),
                "periodic": [*space.periodic, False][:3],
                "boundaries": list(space.boundaries),
            },
            "flocks": [
                {"name": name, "count": count, **_look(model, name)}
                for name, count in self._counts.items()
            ],
            "view": model.view.decided(model.space).model_dump() if model else {},
            "obstacles": [{"name": n, **shape} for n, shape in self._obstacles[0].items()],
            "paths": [
                [_three_numbers(point, 0.0) for point in line]
                for line in (path_lines(model) if model else ())
            ],
            "charts": chart_list(),
        }
        if tracks := _changing_numbers(self._obstacles):
            scene["obstacle_tracks"] = tracks
        return scene


def _look(model: Model | None, name: str) -> dict[str, Any]:
    if model is None or name not in model.flocks:
        return {"colour": "", "scale": 1.0}
    return model.flocks[name].look.model_dump()


def _shape(obstacle: ObstacleShape) -> dict[str, Any]:
    """Its kind and numbers; vectors with a third number of 0 in 2-D."""
    return {
        key: _three_numbers(value, 0.0) if isinstance(value, tuple) else value
        for key, value in obstacle.model_dump().items()
    }


def _changing_numbers(
    moments: Sequence[Mapping[str, Mapping[str, Any]]],
) -> dict[str, dict[str, list[Any]]]:
    """Obstacle -> number that changes -> its values, one a frame."""
    found: dict[str, dict[str, list[Any]]] = {}
    for name, shape in moments[0].items():
        for key in shape:
            values = [moment[name][key] for moment in moments]
            if any(value != values[0] for value in values):
                found.setdefault(name, {})[key] = values
    return found


def _compact_series(values: Sequence[float], step: str) -> dict[str, float] | list[float]:
    """Evenly spaced numbers as the first and the distance; others as they are."""
    first = values[0]
    each = (values[-1] - first) / max(1, len(values) - 1)
    each = round(each) if isinstance(first, int) else each
    even = all(
        math.isclose(first + k * each, value, rel_tol=1e-9, abs_tol=1e-12 * abs(each))
        for k, value in enumerate(values)
    )
    return {"first": first, step: each} if even else list(values)


def _three_numbers(values: Sequence[float] | Array, third: float) -> list[float]:
    return [*map(float, values), third][:3]
