"""TrackRecording: tracks with the interface of a recording, for films, pages and exports."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from murmurate.errors import ModelError
from murmurate.frame import FlockFrame, Frame
from murmurate.model.model import Model
from murmurate.model.names import usable_name
from murmurate.model.space import Space
from murmurate.tracks.tracks import Tracks

if TYPE_CHECKING:
    from murmurate.record.recording import Frames

Array = np.ndarray
FLOCK = "boids"  # the flock that the animals are
UNTIMED = 25.0  # pictures a second where nobody says how fast the frames are, or they are slower
SLOWEST, FASTEST = 1.0, 60.0  # pictures a second that a film has
MARGIN = 0.04  # of the larger side of where the animals were seen: left free around them
THIN = 0.05  # of the larger side: the least width of the space
CHANGED = ("view.", f"flocks.{FLOCK}.look.")  # paths in the model that may be changed


class TrackRecording:
    """Tracks as a recording with one frame per step, and one flock, 'boids'.

    tracks   the tracks
    factors  (D,) what positions are multiplied by, such as (1, -1) to turn y round
    path     of their file
    scene    a Model with the space, the flock and a view for pictures; `model` is the same
    space    a box around all positions with a margin, or the periodic space of the tracks

    An animal that is not seen has nan in its position and velocity.
    """

    every = 1
    seed = 0
    precision = None
    complete = True
    dtype = "float64"

    def __init__(self, tracks: Tracks, factors: Sequence[float] | None = None) -> None:
        """Raises ModelError for tracks without a frame, and where no animal is seen."""
        self.tracks, self.path = tracks, Path(tracks.path)
        dims = tracks.positions.shape[2]
        self.factors = np.array([1.0] * dims if factors is None else factors)
        if not len(tracks) or not np.isfinite(tracks.positions).all(axis=2).any():
            raise ModelError(f"{self.path}: got no position; expected an animal that is seen")
        self.counts = {FLOCK: tracks.positions.shape[1]}
        self.space = _space_of(tracks.space, self.factors)

    @classmethod
    def upright(cls, tracks: Tracks) -> TrackRecording:
        """Tracks as they are drawn: turned round where it is known that y grows downwards."""
        down = [1.0, -1.0, 1.0][: tracks.positions.shape[2]]
        return cls(tracks, down if tracks.y_down else None)

    @cached_property
    def scene(self) -> Model:
        return Model(
            name=usable_name(self.path.stem),
            title=self.path.name,
            space=self.space,
            dt=1.0 / self.tracks.rate,
            flocks={FLOCK: {"count": self.counts[FLOCK]}},
            view={
                "steps": len(self), "warm_up": 0, "box": any(self.space.periodic),
                "camera": {"follow": "space"},
            },
        )  # fmt: skip

    @property
    def model(self) -> Model:
        return self.scene

    @cached_property
    def header(self) -> dict[str, Any]:
        """What is said of all frames, as the header of a recording says it."""
        from murmurate.record.make_header import versions
        from murmurate.record.schema import SCHEMA, WITHOUT_BLOCKS

        dims = self.space.dims
        return {
            "schema": SCHEMA, "schema_version": WITHOUT_BLOCKS,
            "name": self.scene.name, "title": self.scene.title, "model": "", "fingerprint": "",
            "seed": 0, "engine": "", "dtype": self.dtype, "dims": dims, "dt": self.scene.dt,
            "every": 1, "first_step": 0, "counts": dict(self.counts), "perching": False,
            "memory": 0, "kept_names": {}, "precision": None, "velocity_precision": None,
            "steps_of": {}, "schedules": [], "measures": [], "measure_every": 1,
            "shard_bytes": 1 << 20, "block_boids": 1 << 20, "chunk_frames": 1,
            "versions": versions(), "command": "", "citations": [], "parent": {},
        }  # fmt: skip

    @property
    def steps(self) -> range:
        return range(len(self))

    @cached_property
    def gaps(self) -> bool:
        """Whether an animal is not seen in some frame."""
        return bool(np.isnan(self.tracks.positions).any())

    @property
    def names(self) -> list[str]:
        """Of the animals, by id."""
        return list(self.tracks.names or ())

    @property
    def units(self) -> str:
        """What lengths and times count, in words."""
        length = self.tracks.unit or "the unit of the file of tracks"
        return f"lengths are in {length}, times in {'s' if self.tracks.timed else 'frames'}"

    @property
    def times(self) -> Array:
        return self.tracks.times

    def __len__(self) -> int:
        return len(self.tracks)

    def __iter__(self) -> Iterator[Frame]:
        return (self[k] for k in range(len(self)))

    def __getitem__(self, number: int) -> Frame:
        number = range(len(self))[number]
        return self.frame_of(
            number,
            {
                "position": self.tracks.positions[number] * self.factors,
                "velocity": self.tracks.velocities[number] * self.factors,
            },
        )

    def read(self, first: int = 0, last: int | None = None) -> Frames:
        """Frames first, ..., last - 1 as arrays."""
        from murmurate.record.recording import Frames

        part = slice(first, len(self) if last is None else last)
        return Frames(
            np.arange(len(self))[part], self.times[part],
            self.tracks.positions[part] * self.factors, self.tracks.velocities[part] * self.factors,
            None,
        )  # fmt: skip

    def frame_of(self, number: int, arrays: Mapping[str, Array]) -> Frame:
        """A frame made of arrays: 'position', 'velocity'."""
        ids = np.arange(self.counts[FLOCK])
        flock = FlockFrame(
            FLOCK, ids, arrays["position"], arrays["velocity"], np.zeros(len(ids), np.int64),
            self.space,
        )  # fmt: skip
        return Frame(number, number / self.tracks.rate, self.space, {FLOCK: flock})

    def row(self, number: int, name: str) -> Array | None:
        """Nothing is measured beside the frames."""
        return None

    def view_of(self, changes: Mapping[str, Any], speed: float = 1.0) -> Model:
        """The model as it is shown: in real time times `speed`, unless the changes say otherwise.

        changes  dotted path -> value, of the view and of the flock's look
        Raises ModelError for other paths, for more steps than there are frames, and for a speed
        that is not above 0.
        """
        for name in changes:
            if not name.startswith(CHANGED):
                raise ModelError(
                    f"{name}: got a change of what moves; expected one of view.* or "
                    f"flocks.{FLOCK}.look.*, since {self.path} are tracks, and nothing is simulated"
                )
        if not 0 < speed < math.inf:
            raise ModelError(f"speed: got {speed:g}; expected a number above 0")
        model = self.scene.set(dict(changes)) if changes else self.scene
        more: dict[str, Any] = {}
        if "view.every" not in changes:
            more["view.every"] = min(_every(self.tracks, speed), model.view.steps)
        every = more.get("view.every", model.view.every)
        if "view.frames_per_second" not in changes:
            more["view.frames_per_second"] = _pictures_per_second(self.tracks, speed, every)
        if "view.trails" not in changes:
            rate = more.get("view.frames_per_second", model.view.frames_per_second)
            more["view.trails"] = int(np.clip(round(rate), 12, 60))
        if "view.steps" not in changes:
            more["view.steps"] = max(1, len(self) - model.view.warm_up)
        model = model.set(more) if more else model
        if model.view.warm_up + model.view.steps > len(self):
            raise ModelError(
                f"view.steps: got {model.view.steps} from frame {model.view.warm_up} on; expected "
                f"at most {len(self)} frames, which {self.path} has. Give fewer"
            )
        return model

    def speed_of(self, model: Model) -> float | None:
        """How many times faster than the animals a film is; None where nobody says how fast they
        were filmed."""
        if not self.tracks.timed:
            return None
        return model.view.frames_per_second * model.view.every / self.tracks.rate


def _every(tracks: Tracks, speed: float) -> int:
    """Frames from one picture to the next, so that there are at most 60 a second."""
    wanted = tracks.rate * speed if tracks.timed else UNTIMED * speed
    return max(1, math.ceil(wanted / FASTEST - 1e-9))


def _pictures_per_second(tracks: Tracks, speed: float, every: int) -> float:
    wanted = (tracks.rate if tracks.timed else UNTIMED) * speed / every
    if wanted >= SLOWEST or speed != 1.0:
        return float(np.clip(wanted, 0.01, 240.0))
    return UNTIMED  # real time would show a still for seconds


def _space_of(space: Space, factors: Array) -> Space:
    """The space of tracks after positions were multiplied; an open one with a margin around it."""
    corners = np.array([space.lower, space.upper]) * factors
    lower, upper = corners.min(axis=0), corners.max(axis=0)
    if any(space.periodic):
        size, origin = (upper - lower).tolist(), lower.tolist()
        return Space(size=tuple(size), origin=tuple(origin), boundary=space.boundary)
    middle, size = (lower + upper) / 2, upper - lower
    longest = float(size.max())
    size = np.maximum(size, THIN * longest) + 2 * MARGIN * longest
    return Space.around((middle - size / 2).tolist(), size.tolist())
