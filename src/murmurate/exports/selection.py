"""Selection: the frames and flocks of a recording that are exported.

It is read in pieces of bounded size, so that memory does not grow with the recording.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from murmurate.exports.errors import ExportRefused
from murmurate.frame import Frame
from murmurate.model.obstacles import ObstacleShape
from murmurate.model.space import Space
from murmurate.record.recording import Recording
from murmurate.record.store import concatenate_flocks

Array = np.ndarray
Progress = Callable[[int, int], object]
PIECE = 16 << 20  # bytes of positions and velocities in a piece, or one frame where that is more


@dataclass(frozen=True)
class Piece:
    """A stretch of the frames that are exported, boids of the chosen flocks in id order.

    first        number of its first frame among those that are exported
    steps, times (T,) int64 and float64
    positions    (T, N, D), length units
    velocities   (T, N, D), length units per time unit
    state        name -> (T, N): what boids carry besides. 'perch_timer', int32, where a flock
                 perches; 'memory_0', ... where boids remember something
    frames       the same as (T) frames
    """

    first: int
    steps: Array
    times: Array
    positions: Array
    velocities: Array
    state: dict[str, Array]
    frames: list[Frame]


class Selection:
    """Frames and flocks of a recording.

    numbers  the frames' numbers in the recording
    flocks   names of the flocks, in the recording's order
    ids      (N,) int64, ids of their boids, through all flocks of the recording
    flock_index  (N,) int64, the flock of each: its index in `flocks`
    passes   how often the frames are gone through, so that progress can say how far it is
    """

    def __init__(
        self,
        recording: Recording,
        *,
        first_step: int | None = None,
        last_step: int | None = None,
        every: int | None = None,
        flocks: Sequence[str] | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Raises ExportRefused where that leaves no frame or no boid, or asks for what there is
        not."""
        self.recording = recording
        self.numbers = _numbers(recording, first_step, last_step, every)
        counts: dict[str, int] = recording.header["counts"]
        self.flocks = _known(recording, counts, flocks)
        ends = dict(zip(counts, np.cumsum(list(counts.values())).tolist(), strict=True))
        parts = [np.arange(ends[name] - counts[name], ends[name]) for name in self.flocks]
        self.ids = np.concatenate(parts)
        self.flock_index = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        self.counts = {name: counts[name] for name in self.flocks}
        if not len(self.ids):
            raise ExportRefused(f"{recording.path}: there is no boid to export")
        self.passes = 1
        self._done, self._progress = 0, progress

    def __len__(self) -> int:
        """Frames."""
        return len(self.numbers)

    @property
    def gaps(self) -> bool:
        """Whether a boid is not seen in some frame, as in tracks: it has nan there."""
        return bool(getattr(self.recording, "gaps", False))

    @property
    def names(self) -> list[str]:
        """Names of boids by id, as those of tracks; empty where they go by their ids."""
        found = list(getattr(self.recording, "names", ()))
        return [] if found == [str(k) for k in range(len(found))] else found

    @property
    def dims(self) -> int:
        return int(self.recording.header["dims"])

    @property
    def dtype(self) -> np.dtype:
        return np.dtype(self.recording.dtype)

    @property
    def space(self) -> Space:
        return self.recording.scene.space

    @property
    def steps(self) -> range:
        """The step of each frame."""
        steps = self.recording.steps
        return range(
            steps[self.numbers[0]], steps[self.numbers[-1]] + 1, steps.step * self.numbers.step
        )

    @property
    def seconds(self) -> float:
        """Model time from one frame to the next."""
        return float(self.recording.header["dt"]) * self.steps.step

    @property
    def piece_frames(self) -> int:
        """Frames in each piece but the last: 1, ..., 7, or a multiple of 8."""
        boids = sum(self.recording.header["counts"].values())
        fit = max(1, PIECE // (boids * 2 * self.dims * self.dtype.itemsize))
        return fit if fit < 8 else min(fit, 8192) // 8 * 8

    @property
    def chunk_frames(self) -> int:
        """Frames in a chunk of a file that is made of chunks: a part of a piece."""
        return max(1, self.piece_frames // 8)

    # --- reading

    def stretches(self) -> Iterator[range]:
        """The frames' numbers in the recording, a piece at a time; reports the progress."""
        for first in range(0, len(self), self.piece_frames):
            numbers = self.numbers[first : first + self.piece_frames]
            yield numbers
            self._done += len(numbers)
            if self._progress is not None:
                self._progress(self._done, self.passes * len(self))

    def __iter__(self) -> Iterator[Piece]:
        """The frames, a piece at a time."""
        return map(self.read, self.stretches())

    def frames(self, numbers: range) -> Iterator[Frame]:
        """The frames with these numbers in the recording, with the chosen flocks."""
        rec = self.recording
        if numbers.step == 1 or len(numbers) == 1:
            block = rec.read(numbers[0], numbers[-1] + 1)
            names = {"position": "positions", "velocity": "velocities",
                     "perch_timer": "perch_timers", "memory": "memory"}  # fmt: skip
            found = {name: getattr(block, field, None) for name, field in names.items()}
            arrays = {name: array for name, array in found.items() if array is not None}
            every = (
                rec.frame_of(number, {name: array[k] for name, array in arrays.items()})
                for k, number in enumerate(numbers)
            )
        else:
            every = (rec[number] for number in numbers)  # of each chunk it unpacks what it needs
        for frame in every:
            yield replace(frame, flocks={name: frame[name] for name in self.flocks})

    def read(self, numbers: range) -> Piece:
        """The frames with these numbers in the recording, as arrays."""
        frames = list(self.frames(numbers))
        state = {}
        if self.recording.header["perching"]:
            timers = np.stack([concatenate_flocks(frame, "perch_timers") for frame in frames])
            state["perch_timer"] = timers.astype(np.int32)
        if self.recording.header.get("memory", 0):
            memory = np.stack([concatenate_flocks(frame, "memory") for frame in frames])
            state |= {f"memory_{k}": memory[:, :, k] for k in range(memory.shape[2])}
        return Piece(
            self.numbers.index(numbers[0]),
            np.array([frame.step for frame in frames], np.int64),
            np.array([frame.time for frame in frames]),
            np.stack([concatenate_flocks(frame, "positions") for frame in frames]),
            np.stack([concatenate_flocks(frame, "velocities") for frame in frames]),
            state,
            frames,
        )

    @cached_property
    def first(self) -> Piece:
        """The first frame alone."""
        return self.read(self.numbers[:1])

    @cached_property
    def middle(self) -> Piece:
        """The frame in the middle alone."""
        return self.read(self.numbers[len(self) // 2 :][:1])

    @cached_property
    def bounds(self) -> tuple[Array, Array]:
        """(D,) float64 each: the smallest and largest position, of all frames. It goes through all
        of them."""
        self.passes += 1
        low, high = np.full(self.dims, np.inf), np.full(self.dims, -np.inf)
        for piece in self:  # those that are not seen count for nothing
            low = np.fmin(low, np.fmin.reduce(piece.positions, axis=(0, 1)))
            high = np.fmax(high, np.fmax.reduce(piece.positions, axis=(0, 1)))
        return low.astype(float), high.astype(float)

    def obstacles(self, time: float) -> dict[str, ObstacleShape]:
        """The obstacles as they are at that time."""
        from murmurate.model.obstacles import shape_at

        return {n: shape_at(shape, time) for n, shape in self.recording.scene.obstacles.items()}


def _numbers(
    rec: Recording, first_step: int | None, last_step: int | None, every: int | None
) -> range:
    """Numbers of the frames from a step to a step, every so many steps."""
    if not len(rec):
        raise ExportRefused(f"{rec.path}: it has no frame yet")
    every = rec.every if every is None else every
    if every < 1 or every % rec.every:
        raise ExportRefused(
            f"{rec.path}: every {every} steps: frames are recorded every {rec.every}, so it must "
            f"be {rec.every} or a multiple of it"
        )
    for name, step in (("first", first_step), ("last", last_step)):
        if step is not None and step < 0:
            raise ExportRefused(f"{rec.path}: the {name} step is {step}: steps count from 0")
    low, high = rec.steps[0], rec.steps[-1]
    first_step = low if first_step is None else first_step
    last_step = high if last_step is None else last_step
    first = max(0, -((low - first_step) // rec.every))
    last = min(len(rec) - 1, (last_step - low) // rec.every)
    if first > last:
        raise ExportRefused(
            f"{rec.path}: no frame from step {first_step} to step {last_step}: there are steps "
            f"{low} to {high}, every {rec.every}"
        )
    return range(first, last + 1, every // rec.every)


def _known(rec: Recording, counts: dict[str, int], asked: Sequence[str] | None) -> list[str]:
    for name in asked or ():
        if name not in counts:
            close = difflib.get_close_matches(name, counts, n=1)
            hint = f" (did you mean {close[0]}?)" if close else ""
            raise ExportRefused(f"{rec.path}: no flock {name!r}: it has {', '.join(counts)}{hint}")
    return [name for name in counts if not asked or name in asked]
