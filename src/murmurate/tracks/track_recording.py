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
from murmurate.model.view import View
from murmurate.tracks.tracks import Tracks

if TYPE_CHECKING:
    from murmurate.record.recording import Frames

Array = np.ndarray
FLOCK = "boids"  # the flock that the animals form
DEFAULT_RATE = 25.0  # images per second if the frame rate is unknown, or too slow
MIN_RATE, MAX_RATE = 1.0, 60.0  # images per second of a film
MARGIN = 0.04  # of the longest side, left free around all positions
MIN_ASPECT = 0.05  # of the longest side: the minimum width of the space
CHANGEABLE = ("view.", f"flocks.{FLOCK}.look.")  # paths in the model


class TrackRecording:
    """Tracks as a recording with one frame per step and one flock, 'boids'.

    An animal that is not seen has nan in its position and velocity.

    factors  factors for positions, such as (1, -1) to flip y; ones by default
    scene, model  the space, the flock and a view for pictures
    space  a box around all positions with a margin, or the periodic space of the tracks
    raises ModelError  for tracks without a frame, or without any position
    """

    every = 1
    seed = 0
    precision = None
    complete = True
    dtype = "float64"

    def __init__(self, tracks: Tracks, factors: Sequence[float] | None = None) -> None:
        self.tracks, self.path = tracks, Path(tracks.path)
        dims = tracks.positions.shape[2]
        self.factors = np.array([1.0] * dims if factors is None else factors)
        if not len(tracks) or not np.isfinite(tracks.positions).all(axis=2).any():
            raise ModelError(f"{self.path}: got no position; expected an animal that is seen")
        self.counts = {FLOCK: tracks.positions.shape[1]}
        self.space = _scale_space(tracks.space, self.factors)

    @classmethod
    def upright(cls, tracks: Tracks) -> TrackRecording:
        """Return tracks as they are drawn: flipped if y is known to grow downwards."""
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

    @property
    def view(self) -> View:
        return self.scene.view

    @cached_property
    def header(self) -> dict[str, Any]:
        """The properties of all frames, as in the header of a recording."""
        from murmurate.record.header import versions
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
        """Names of the animals, by id."""
        return list(self.tracks.names or ())

    @property
    def units(self) -> str:
        """The units of lengths and times, in words."""
        length = self.tracks.unit or "the unit of the file of tracks"
        return f"lengths are in {length}, times in {'s' if self.tracks.timed else 'frames'}"

    @property
    def times(self) -> Array:
        """(T,) times, see Tracks.times."""
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
        """Return frames first, ..., last - 1 as arrays."""
        from murmurate.record.recording import Frames

        part = slice(first, len(self) if last is None else last)
        return Frames(
            np.arange(len(self))[part], self.times[part],
            self.tracks.positions[part] * self.factors, self.tracks.velocities[part] * self.factors,
            None,
        )  # fmt: skip

    def frame_of(self, number: int, arrays: Mapping[str, Array]) -> Frame:
        """Return a frame made of the arrays 'position' and 'velocity', (N, D) each."""
        ids = np.arange(self.counts[FLOCK])
        flock = FlockFrame(
            FLOCK, ids, arrays["position"], arrays["velocity"], np.zeros(len(ids), np.int64),
            self.space,
        )  # fmt: skip
        return Frame(number, number / self.tracks.rate, self.space, {FLOCK: flock})

    def row(self, number: int, name: str) -> Array | None:
        """Return None: tracks have no measures stored with the frames."""
        return None

    def view_of(self, changes: Mapping[str, Any], speed: float = 1.0) -> Model:
        """Return the model with the view for a film or page.

        changes  dotted path -> value, of the view and of the flock's look
        speed  multiple of real time, unless the changes set the frame rates
        raises ModelError  for other paths, more steps than there are frames, and a speed that is
            not positive
        """
        for name in changes:
            if not name.startswith(CHANGEABLE):
                raise ModelError(
                    f"{name}: got a change of the simulation; expected one of view.* or "
                    f"flocks.{FLOCK}.look.*, since {self.path} are tracks"
                )
        if not 0 < speed < math.inf:
            raise ModelError(f"speed: got {speed:g}; expected a number above 0")
        model = self.scene.set(dict(changes)) if changes else self.scene
        defaults: dict[str, Any] = {}
        if "view.every" not in changes:
            defaults["view.every"] = min(_frames_per_image(self.tracks, speed), model.view.steps)
        every = defaults.get("view.every", model.view.every)
        if "view.frames_per_second" not in changes:
            defaults["view.frames_per_second"] = _images_per_second(self.tracks, speed, every)
        if "view.trails" not in changes:
            rate = defaults.get("view.frames_per_second", model.view.frames_per_second)
            defaults["view.trails"] = int(np.clip(round(rate), 12, 60))
        if "view.steps" not in changes:
            defaults["view.steps"] = max(1, len(self) - model.view.warm_up)
        model = model.set(defaults) if defaults else model
        if model.view.warm_up + model.view.steps > len(self):
            raise ModelError(
                f"view.steps: got {model.view.steps} from frame {model.view.warm_up} on; expected "
                f"at most {len(self)} frames, which {self.path} has. Give fewer"
            )
        return model

    def speed_of(self, model: Model) -> float | None:
        """Return a film's multiple of real time, None if the frame rate is unknown."""
        if not self.tracks.timed:
            return None
        return model.view.frames_per_second * model.view.every / self.tracks.rate


def _frames_per_image(tracks: Tracks, speed: float) -> int:
    """Return the frames from one image to the next, for at most MAX_RATE images per second."""
    rate = tracks.rate * speed if tracks.timed else DEFAULT_RATE * speed
    return max(1, math.ceil(rate / MAX_RATE - 1e-9))


def _images_per_second(tracks: Tracks, speed: float, every: int) -> float:
    rate = (tracks.rate if tracks.timed else DEFAULT_RATE) * speed / every
    if rate >= MIN_RATE or speed != 1.0:
        return float(np.clip(rate, 0.01, 240.0))
    return DEFAULT_RATE  # real time would show each image for seconds


def _scale_space(space: Space, factors: Array) -> Space:
    """Return the space of positions times `factors`; an open one gets a margin."""
    corners = np.array([space.lower, space.upper]) * factors
    lower, upper = corners.min(axis=0), corners.max(axis=0)
    if any(space.periodic):
        size, origin = (upper - lower).tolist(), lower.tolist()
        return Space(size=tuple(size), origin=tuple(origin), boundary=space.boundary)
    middle, size = (lower + upper) / 2, upper - lower
    longest = float(size.max())
    size = np.maximum(size, MIN_ASPECT * longest) + 2 * MARGIN * longest
    return Space.around((middle - size / 2).tolist(), size.tolist())
