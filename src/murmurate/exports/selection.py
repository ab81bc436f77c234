"""Select and read the frames and flocks of a recording that are exported.

They are read in pieces of bounded size, so that memory does not grow with the recording.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from murmurate.errors import ExportOptionsError
from murmurate.exports.exported_boids import FrameRows, IdChoice, trait_names
from murmurate.frame import FlockFrame, Frame
from murmurate.model.messages import did_you_mean
from murmurate.model.obstacles import ObstacleShape
from murmurate.model.space import Space
from murmurate.record.recording import Recording
from murmurate.record.schema import FRAME_FIELDS
from murmurate.record.store import concatenate_flocks

Array = np.ndarray


Progress = Callable[[int, int], object]
READ_FRAMES = 64  # frames that are read at a time to find out when boids are there
PIECE = 16 << 20  # bytes of positions and velocities in a piece, which has at least one frame


@dataclass(frozen=True)
class Piece:
    """Some of the exported frames, with the boids of the selected flocks in order of id.

    first  index of its first frame among the exported frames
    steps, times  (T,)
    positions  (T, N, D) length units
    velocities  (T, N, D) length units per time unit
    state  (T, N) other state of boids: 'perch_timer', int32, if a flock perches; 'memory_0', ... if
        boids store numbers
    frames  the same data as frames
    """

    first: int
    steps: Array
    times: Array
    positions: Array
    velocities: Array
    state: dict[str, Array]
    frames: list[Frame]


@dataclass(frozen=True)
class Lives:
    """The boids that are in some exported frame, and when. A boid that has left never returns.

    ids, flock_index  (N,) as in Selection
    first, last  (N,) indices of the first and of the last exported frame with the boid
    fullest  index of the exported frame with most boids
    ranges  range of each number that differs between boids, by its path, over all
        exported frames
    """

    ids: Array
    flock_index: Array
    first: Array
    last: Array
    fullest: int
    ranges: dict[str, tuple[float, float]] = field(default_factory=dict)


class Selection:
    """Frames and flocks of a recording.

    first_step, last_step, every, flocks, ids, progress  see `export`
    numbers  indices of the frames in the recording
    flocks  names of the flocks, in the order of the recording
    ids  (N,) ids of their boids, ascending, counted through all flocks of the recording. If boids
        come and go, of all that are in some exported frame.
    flock_index  (N,) index in `flocks` of the flock of each boid
    lives  when each boid is there; None if all boids are in all frames
    passes  number of times that the frames are read, for the progress
    raises ExportOptionsError  no frame or no boid is left, or a flock or step does not exist
    """

    def __init__(
        self,
        recording: Recording,
        *,
        first_step: int | None = None,
        last_step: int | None = None,
        every: int | None = None,
        flocks: Sequence[str] | None = None,
        ids: str | int | Sequence[int] | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.recording = recording
        self._choice = None if ids is None else IdChoice.of(ids)
        self.numbers = _numbers(recording, first_step, last_step, every)
        self.passes = 1
        self._done, self._progress = 0, progress
        counts: dict[str, int] = recording.header["counts"]
        self.flocks = _select_flocks(recording, counts, flocks)
        self.lives: Lives | None = None
        if getattr(recording, "changes_numbers", False):
            self.lives = self._find_lives()
            self.ids, self.flock_index = self.lives.ids, self.lives.flock_index
        else:
            ends = dict(zip(counts, np.cumsum(list(counts.values())).tolist(), strict=True))
            parts = [np.arange(ends[name] - counts[name], ends[name]) for name in self.flocks]
            self.ids = np.concatenate(parts)
            self.flock_index = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
            if self._choice is not None:
                chosen = self._choice.contains(self.ids)
                self.ids, self.flock_index = self.ids[chosen], self.flock_index[chosen]
        if self._choice is not None:
            self._choice.check(self.ids, recording.path)
        numbers = np.bincount(self.flock_index, minlength=len(self.flocks)).tolist()
        self.counts = dict(zip(self.flocks, numbers, strict=True))
        if not len(self.ids):
            raise ExportOptionsError(
                f"{recording.path}: got no boid; expected at least 1 to export"
            )

    def _find_lives(self) -> Lives:
        """Find when each boid is there. It reads all frames."""
        self.passes += 1
        births, lengths = ([np.zeros(0, np.int64)] * len(self.flocks) for _ in range(2))
        ids = [np.zeros(0, np.int64) for _ in self.flocks]
        max_boids, fullest = -1, 0
        ranges: dict[str, tuple[float, float]] = {}
        for numbers in self._ranges(READ_FRAMES):
            for number, frame in zip(numbers, self.frames(numbers), strict=True):
                index = self.numbers.index(number)
                if frame.n_boids > max_boids:
                    max_boids, fullest = frame.n_boids, index
                for k, flock in enumerate(frame.values()):
                    _widen(ranges, flock)
                    joined = flock.ids[
                        np.searchsorted(flock.ids, ids[k][-1:].max(initial=-1) + 1) :
                    ]
                    ids[k] = np.concatenate([ids[k], joined])
                    births[k] = np.concatenate([births[k], np.full(len(joined), index)])
                    lengths[k] = np.concatenate([lengths[k], np.zeros(len(joined), np.int64)])
                    lengths[k][np.searchsorted(ids[k], flock.ids)] += 1
            self._report(len(numbers))
        first = np.concatenate(births)
        flock_index = np.repeat(np.arange(len(ids)), [len(part) for part in ids])
        last = first + np.concatenate(lengths) - 1
        return Lives(np.concatenate(ids), flock_index, first, last, fullest, ranges)

    def __len__(self) -> int:
        """Return the number of frames."""
        return len(self.numbers)

    @property
    def gaps(self) -> bool:
        """Return whether boids may be unobserved in some frames (nan), as in tracks."""
        return bool(getattr(self.recording, "gaps", False))

    @property
    def names(self) -> list[str]:
        """Return names of boids by id, as tracks have them; empty if they are the ids."""
        names = list(getattr(self.recording, "names", ()))
        return [] if names == [str(k) for k in range(len(names))] else names

    @property
    def dims(self) -> int:
        """Return the number of dimensions."""
        return int(self.recording.header["dims"])

    @property
    def dtype(self) -> np.dtype:
        """Return the dtype of positions and velocities."""
        return np.dtype(self.recording.dtype)

    @property
    def space(self) -> Space:
        """Return the space."""
        return self.recording.scene.space

    @property
    def steps(self) -> range:
        """Return the step of each frame."""
        steps = self.recording.steps
        return range(
            steps[self.numbers[0]], steps[self.numbers[-1]] + 1, steps.step * self.numbers.step
        )

    @property
    def seconds(self) -> float:
        """Return the model time between frames."""
        return float(self.recording.header["dt"]) * self.steps.step

    @property
    def piece_frames(self) -> int:
        """Return the number of frames in each piece but the last: 1 to 7, or a multiple of 8."""
        boids = max(1, len(self.ids), sum(self.recording.header["counts"].values()))
        fit = max(1, PIECE // (boids * 2 * self.dims * self.dtype.itemsize))
        return fit if fit < 8 else min(fit, 8192) // 8 * 8

    @property
    def chunk_frames(self) -> int:
        """Return the number of frames in a chunk of chunked files, a part of a piece."""
        return max(1, self.piece_frames // 8)

    # --- reading

    def piece_numbers(self) -> Iterator[range]:
        """Yield the indices in the recording of the frames of each piece, and report progress."""
        for numbers in self._ranges(self.piece_frames):
            yield numbers
            self._report(len(numbers))

    def _ranges(self, frames: int) -> Iterator[range]:
        """Yield the indices in the recording of `frames` frames at a time."""
        for first in range(0, len(self), frames):
            yield self.numbers[first : first + frames]

    def _report(self, frames: int) -> None:
        self._done += frames
        if self._progress is not None:
            self._progress(self._done, self.passes * len(self))

    def __iter__(self) -> Iterator[Piece]:
        """Iterate over the pieces."""
        return map(self.read, self.piece_numbers())

    def frames(self, numbers: range) -> Iterator[Frame]:
        """Yield the frames with these indices in the recording, with the selected flocks."""
        rec = self.recording
        if self._changes:
            frames: Iterator[Frame] = (rec[number] for number in numbers)
        elif numbers.step == 1 or len(numbers) == 1:
            block = rec.read(numbers[0], numbers[-1] + 1)
            fields = {name: getattr(block, field, None) for name, field in FRAME_FIELDS.items()}
            arrays = {name: array for name, array in fields.items() if array is not None}
            frames = (
                rec.frame_of(number, {name: array[k] for name, array in arrays.items()})
                for k, number in enumerate(numbers)
            )
        else:
            frames = (rec[number] for number in numbers)  # decodes only these frames of a chunk
        for frame in frames:
            flocks = {name: frame[name] for name in self.flocks}
            if self._choice is not None:
                flocks = {name: self._choice.select(flock) for name, flock in flocks.items()}
            yield replace(frame, flocks=flocks)

    def rows_of_pieces(self) -> Iterator[list[FrameRows]]:
        """Yield the boids of the frames of each piece, only those that are there."""
        state, traits = list(self.state), self.traits
        for numbers in self.piece_numbers():
            first = self.numbers.index(numbers[0])
            yield [
                FrameRows.of(first + k, frame, state, traits)
                for k, frame in enumerate(self.frames(numbers))
            ]

    @cached_property
    def first_rows(self) -> FrameRows:
        """Return the boids of the first frame."""
        return FrameRows.of(0, self.first.frames[0], self.state, self.traits)

    @property
    def state(self) -> list[str]:
        """Return the names of other state of boids; see FrameRows."""
        return [*self.first.state, *(["birth"] if self.lives is not None else [])]

    @cached_property
    def traits(self) -> list[str]:
        """Return the names of the numbers that differ between boids."""
        return trait_names(self.first.frames[0])

    @property
    def first_ids(self) -> list[int]:
        """Return the id of the first boid of each flock."""
        counts: dict[str, int] = self.recording.header["counts"]
        before = dict(zip(counts, np.cumsum([0, *counts.values()]).tolist(), strict=False))
        first: dict[str, int] = self.recording.header.get("first_ids") or before
        return [first[name] for name in self.flocks]

    @cached_property
    def individuals(self) -> tuple[Array, Array]:
        """Return the births (N,) int64 and the traits (N, K) of all boids. It reads all frames."""
        births = np.zeros(len(self.ids), np.int64)
        traits = np.full((len(self.ids), len(self.traits)), np.nan)
        for numbers in self._ranges(READ_FRAMES):
            for frame in self.frames(numbers):
                rows = FrameRows.of(0, frame, ["birth"], self.traits)
                at = np.searchsorted(self.ids, rows.ids)
                births[at] = rows.state["birth"]
                for k, values in enumerate(rows.traits.values()):
                    traits[at, k] = values
        return births, traits

    @cached_property
    def numbers_of_boids(self) -> Array:
        """Return the number of boids of each flock in each frame, (T, F) int64."""
        frames, flocks = len(self), len(self.flocks)
        if self.lives is None:
            return np.tile(np.bincount(self.flock_index, minlength=flocks), (frames, 1))
        changes = np.zeros((frames + 1, flocks), np.int64)
        np.add.at(changes, (self.lives.first, self.flock_index), 1)
        np.add.at(changes, (self.lives.last + 1, self.flock_index), -1)
        return np.cumsum(changes, axis=0)[:-1]

    def read(self, numbers: range) -> Piece:
        """Read the frames with these indices in the recording as arrays."""
        frames = list(self.frames(numbers))
        state = {}
        if self.recording.header["perching"]:
            timers = self._stack(frames, "perch_timers", 0)
            state["perch_timer"] = timers.astype(np.int32)
        if self.recording.header.get("memory", 0):
            memory = self._stack(frames, "memory", np.nan)
            state |= {f"memory_{k}": memory[:, :, k] for k in range(memory.shape[2])}
        return Piece(
            self.numbers.index(numbers[0]),
            np.array([frame.step for frame in frames], np.int64),
            np.array([frame.time for frame in frames]),
            self._stack(frames, "positions", np.nan),
            self._stack(frames, "velocities", np.nan),
            state,
            frames,
        )

    def _stack(self, frames: Sequence[Frame], field: str, absent: float) -> Array:
        """Return an array of boids (T, N, ...), with `absent` for boids that are not there."""
        arrays = [concatenate_flocks(frame, field) for frame in frames]
        if self.lives is None:
            return np.stack(arrays)
        out = np.full((len(frames), len(self.ids), *arrays[0].shape[1:]), absent, arrays[0].dtype)
        for k, frame in enumerate(frames):
            out[k, self.rows(frame)] = arrays[k]
        return out

    def rows(self, frame: Frame) -> Array:
        """Return the rows (M,) of the boids of a frame in `ids`."""
        return np.searchsorted(self.ids, concatenate_flocks(frame, "ids"))

    @property
    def _changes(self) -> bool:
        return bool(getattr(self.recording, "changes_numbers", False))

    @cached_property
    def first(self) -> Piece:
        """Return the first frame as a piece."""
        return self.read(self.numbers[:1])

    @cached_property
    def fullest(self) -> Piece:
        """Return the frame with most boids as a piece; the first one if all have the same."""
        return (
            self.first if self.lives is None else self.read(self.numbers[self.lives.fullest :][:1])
        )

    @cached_property
    def middle(self) -> Piece:
        """Return the frame in the middle as a piece."""
        return self.read(self.numbers[len(self) // 2 :][:1])

    @cached_property
    def bounds(self) -> tuple[Array, Array]:
        """Return the smallest and the largest position in all frames, (D,) float64 each."""
        self.passes += 1
        low, high = np.full(self.dims, np.inf), np.full(self.dims, -np.inf)
        for piece in self:  # nan of unobserved boids is ignored
            low = np.fmin(low, np.fmin.reduce(piece.positions, axis=(0, 1)))
            high = np.fmax(high, np.fmax.reduce(piece.positions, axis=(0, 1)))
        return low.astype(float), high.astype(float)

    def obstacles(self, time: float) -> dict[str, ObstacleShape]:
        """Return the obstacles at a time."""
        from murmurate.model.obstacles import shape_at

        return {n: shape_at(shape, time) for n, shape in self.recording.scene.obstacles.items()}


def _widen(ranges: dict[str, tuple[float, float]], flock: FlockFrame) -> None:
    """Widen the ranges of numbers by those of a flock."""
    for path in (*flock.traits, *flock.state_names):
        values = flock.per_boid(path)
        values = values[np.isfinite(values)]
        if len(values):
            low, high = ranges.get(path, (np.inf, -np.inf))
            ranges[path] = min(low, float(values.min())), max(high, float(values.max()))


def _numbers(
    rec: Recording, first_step: int | None, last_step: int | None, every: int | None
) -> range:
    """Return the indices of the frames from a step to a step."""
    if not len(rec):
        raise ExportOptionsError(f"{rec.path}: got no frame; expected at least 1")
    every = rec.every if every is None else every
    if every < 1 or every % rec.every:
        raise ExportOptionsError(
            f"{rec.path}: every: got {every} steps; expected {rec.every} or a multiple of it, the "
            "steps between recorded frames"
        )
    for name, step in (("first", first_step), ("last", last_step)):
        if step is not None and step < 0:
            raise ExportOptionsError(f"{rec.path}: {name} step: got {step}; expected 0 or more")
    low, high = rec.steps[0], rec.steps[-1]
    first_step = low if first_step is None else first_step
    last_step = high if last_step is None else last_step
    first = max(0, -((low - first_step) // rec.every))
    last = min(len(rec) - 1, (last_step - low) // rec.every)
    if first > last:
        raise ExportOptionsError(
            f"{rec.path}: got no frame from step {first_step} to step {last_step}; expected steps "
            f"in {low} to {high}, every {rec.every}"
        )
    return range(first, last + 1, every // rec.every)


def _select_flocks(
    rec: Recording, counts: dict[str, int], names: Sequence[str] | None
) -> list[str]:
    for name in names or ():
        if name not in counts:
            raise ExportOptionsError(
                f"{rec.path}: flock: got {name!r}; expected {', '.join(counts)}"
                f"{did_you_mean(name, counts)}"
            )
    return [name for name in counts if not names or name in names]


def to_3d(vectors: Any, dtype: Any = None) -> Array:
    """Return (..., 2 or 3) vectors as (..., 3), with z = 0 for 2-D ones."""
    array = np.asarray(vectors, dtype)
    out = np.zeros((*array.shape[:-1], 3), array.dtype)
    out[..., : array.shape[-1]] = array
    return out
