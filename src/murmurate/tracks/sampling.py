"""TrackSampling: how tracks sample the motion of animals, to measure simulated runs as they are.

Tracks have positions in some frames. Their velocities are differences between frames, and animals
are missing from some. A run that is compared with tracks is sampled likewise: positions at the
times of frames become `Tracks`, which estimate velocities, and boids are missing as animals are.
"""

from __future__ import annotations

import base64
import math
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from murmurate.errors import TracksError
from murmurate.frame import FlockFrame, Frame
from murmurate.tracks.tracks import Tracks, check_rate

UNSEEN, SEEN, BEGINS = 0, 1, 2  # an animal in a frame; BEGINS: seen, as the start of another track
MAX_SEEN = 1 << 30  # bytes of a table of detections
WHOLE = 1e-6  # of a step, within which a frame is at a step

StepTo = Callable[[int], Frame]
"""Advances a run to a step, never backwards, and returns its frame."""


@dataclass(frozen=True)
class TrackSampling:
    """Frames and detections of tracks.

    frames_per_second  frames per unit of time
    animals  largest number of animals that have a track at one time; 0 if unknown
    seen  which animals are seen in which frames, as compressed text (see `detections`); '' if all
        of them in all frames
    interpolated  whether positions are interpolated from detections at other times, or smoothed
    """

    frames_per_second: float
    animals: int = 0
    seen: str = ""
    interpolated: bool = False

    def __post_init__(self) -> None:
        check_rate(self.frames_per_second, "tracks")
        if self.seen and self.animals < 1:
            raise TracksError(f"animals: got {self.animals}; expected at least 1")

    @classmethod
    def of(cls, tracks: Tracks, flock: str | None = None) -> TrackSampling | None:
        """Return how tracks sample a flock, by default the largest.

        None for tracks that have recorded velocities, as simulations write them: their velocities
        are those of the model, and boids that are missing do not exist.
        """
        if tracks.recorded_velocities is not None:
            return None
        main = max(tracks.flocks, key=lambda name: len(tracks.flocks[name]))
        rows = tracks.flocks[flock or main]
        seen = np.isfinite(tracks.positions[:, rows]).all(axis=2)
        table = _pack_tracks(seen)
        text = "" if (table == SEEN).all() else _to_text(table)
        resampled = bool({"resampled", "smoothed"} & set(tracks.attrs))
        return cls(tracks.rate, table.shape[1], text, resampled)

    @property
    def detections(self) -> np.ndarray | None:
        """(T, animals) int8: UNSEEN, SEEN, or BEGINS for the first frame of another track.

        None if all animals are seen in all frames. Raises TracksError for damaged text.
        """
        return _from_text(self.seen, self.animals) if self.seen else None

    def frames_within(self, duration: float) -> int:
        """Return the number of frames from 0 to a time, both included."""
        return math.floor(duration * self.frames_per_second + WHOLE) + 1

    def stride(self, interval: float) -> int:
        """Return the number of frames in an interval of time, rounded, at least 1."""
        return max(1, round(interval * self.frames_per_second))

    def sample(
        self, step_to: StepTo, dt: float, first: int, last: int, stride: int
    ) -> Iterator[Frame]:
        """Yield the frames of a run as tracks of it have them.

        step_to  advances the run
        dt  time of a step, at most that from frame to frame
        first, last  steps between which frames lie
        stride  yield every frame whose number is a multiple of it
        yields  the main flock has float64 positions and velocities, nan for boids that are not
            seen. Between two steps boids move straight. If the flock has another number of boids
            than the tracks have animals, boid k is missing when animal k modulo their number is.
        """
        run = _SampledRun(step_to, first, 1.0 / (self.frames_per_second * dt))
        count, table = self.frames_within((last - first) * dt), self.detections
        for middle in range(0, count, stride):
            numbers = range(max(middle - 1, 0), min(middle + 2, count))
            window = [run.flock(number) for number in numbers]
            yield self._as_tracked(run.frames[middle], window, numbers, middle - numbers[0], table)

    def _as_tracked(
        self, frame: Frame, window: list[FlockFrame], numbers: range, middle: int,
        table: np.ndarray | None,
    ) -> Frame:  # fmt: skip
        """Return a frame with the positions and velocities of tracks of a few frames."""
        flock = window[middle]
        positions = np.stack([_rows_of(flock.ids, item) for item in window])
        if table is not None:
            positions[~_visible(table, numbers, middle, flock.ids)] = np.nan
        tracks = Tracks(positions, self.frames_per_second, space=flock.space)
        tracked = replace(
            flock, positions=tracks.positions[middle], velocities=tracks.velocities[middle]
        )
        return replace(frame, flocks={**frame.flocks, flock.name: tracked})


class _SampledRun:
    """The main flock of a run at the times of frames.

    frames  number of a frame -> the run's frame at the last step before it, for the latest numbers
    """

    def __init__(self, step_to: StepTo, first: int, steps: float) -> None:
        self.first, self.steps = first, steps  # steps per frame
        self._step_to = step_to
        self._at: dict[int, Frame] = {}  # step -> frame of the run
        self._flocks: dict[int, FlockFrame] = {}
        self.frames: dict[int, Frame] = {}

    def flock(self, number: int) -> FlockFrame:
        """Return the main flock in frame `number`; its positions are float64."""
        if number not in self._flocks:
            for old in [k for k in self._flocks if k < number - 2]:
                del self._flocks[old], self.frames[old]
            exact = number * self.steps
            step = math.floor(exact + WHOLE)
            self.frames[number] = self._frame(self.first + step)
            self._flocks[number] = self._between(number, exact - step)
        return self._flocks[number]

    def _frame(self, step: int) -> Frame:
        if step not in self._at:
            for old in [k for k in self._at if k < step - 1]:
                del self._at[old]
            self._at[step] = self._step_to(step)
        return self._at[step]

    def _between(self, number: int, part: float) -> FlockFrame:
        """Return the flock after a part of the step that follows frame `number`."""
        frame = self.frames[number]
        flock = frame.main
        assert flock is not None
        if part <= WHOLE:
            return flock
        after = self._frame(frame.step + 1)[flock.name]
        moved = flock.space.minimum_image(_rows_of(flock.ids, after) - flock.positions)
        return replace(flock, positions=flock.space.wrap(flock.positions + part * moved))


def _rows_of(ids: np.ndarray, flock: FlockFrame) -> np.ndarray:
    """Return (n, D) float64 positions of the boids with these ids; nan for those not in a flock."""
    rows = np.searchsorted(flock.ids, ids)
    rows[rows == len(flock)] = 0
    positions = np.full((len(ids), flock.positions.shape[1]), np.nan)
    if len(flock):
        present = flock.ids[rows] == ids
        positions[present] = flock.positions[rows[present]]
    return positions


def _visible(table: np.ndarray, numbers: range, middle: int, ids: np.ndarray) -> np.ndarray:
    """Return (len(numbers), n) bool: which boids are seen, on the track that they have in
    `middle`."""
    frames = np.array(numbers) % len(table)
    states = table[frames][:, ids % table.shape[1]]
    visible = states != UNSEEN
    if middle:
        visible[middle - 1] &= states[middle] != BEGINS
    if middle + 1 < len(states):
        visible[middle + 1] &= states[middle + 1] != BEGINS
    visible &= visible[middle]
    return visible


def _pack_tracks(seen: np.ndarray) -> np.ndarray:
    """Return the (T, S) table of detections of (T, N) tracks.

    Tracks that do not overlap in time share a column, so S is the largest number of tracks at one
    time: pieces of an interrupted track may belong to one animal. Columns are in the order of their
    first tracks.
    """
    spans = [
        (int(frames[0]), int(frames[-1]), track)
        for track in range(seen.shape[1]) if len(frames := np.flatnonzero(seen[:, track]))
    ]  # fmt: skip
    ends: list[int] = []
    columns: list[list[int]] = []  # the tracks of each
    for begin, end, track in sorted(spans):
        free = next((k for k, last in enumerate(ends) if last < begin), len(ends))
        if free == len(ends):
            ends.append(end)
            columns.append([])
        ends[free] = end
        columns[free].append(track)
    table = np.full((len(seen), len(columns)), UNSEEN, np.int8)
    for column, tracks in enumerate(sorted(columns)):
        for number, track in enumerate(tracks):
            frames = np.flatnonzero(seen[:, track])
            table[frames, column] = SEEN
            if number:
                table[frames[0], column] = BEGINS
    return table


def _to_text(table: np.ndarray) -> str:
    return base64.b64encode(zlib.compress(table.tobytes(), 9)).decode()


@lru_cache(maxsize=16)
def _from_text(text: str, animals: int) -> np.ndarray:
    """Return a table of detections from text. Raises TracksError for damaged text."""
    try:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(base64.b64decode(text, validate=True), MAX_SEEN)
        if not unpacker.eof:
            raise ValueError("it does not end")
        table = np.frombuffer(data, np.int8).reshape(-1, animals)
        if not len(table) or table.min() < UNSEEN or table.max() > BEGINS:
            raise ValueError("it has other numbers")
    except (ValueError, zlib.error) as error:
        raise TracksError(
            f"seen: got damaged text ({error}); expected what a fit has written. Begin the fit "
            "again in another folder"
        ) from None
    return table
