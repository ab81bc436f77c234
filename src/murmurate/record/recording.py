"""Recording: frames on disk, read on demand."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from murmurate.display import html_of
from murmurate.dtypes import Dtype
from murmurate.frame import FlockFrame, Frame
from murmurate.model.files import parse
from murmurate.model.model import Model
from murmurate.model.names import usable_name
from murmurate.model.obstacles import shape_at
from murmurate.model.text_reader import read_toml
from murmurate.record.block_reader import BlockReader, core_count, ranges, read_small_file
from murmurate.record.codec import Array
from murmurate.record.errors import RecordingRefused
from murmurate.record.recovery import Recovered, recover
from murmurate.record.schema import ROWS, boid_arrays, frame_arrays

if TYPE_CHECKING:
    import xarray

SCENE = ("title", "about", "source", "space", "dt", "obstacles", "view")
FLOCK = ("count", "look")  # of each flock
STRETCH = 64 << 20  # bytes read at a time when all frames are gone through


@dataclass(frozen=True)
class Frames:
    """A stretch of frames as arrays, boids of all flocks in id order.

    steps        (T,) int64
    times        (T,) float64
    positions    (T, N, D), length units
    velocities   (T, N, D), length units per time unit
    perch_timers (T, N) int32, steps left on the ground; None where no flock perches
    memory       (T, N, M), what boids carry besides (see FlockFrame); None where they do not
    """

    steps: Array
    times: Array
    positions: Array
    velocities: Array
    perch_timers: Array | None
    memory: Array | None = None


class Recording:
    """A recording on disk: frames, the model they came from, and how they were made.

        rec = mm.open("flock.zarr")
        rec[0], rec[-1], rec.frame_at(500)      single frames
        for frame in rec: ...                   all of them, read ahead in stretches
        rec.read(100, 200).positions            arrays of many frames, the fastest way

    It may be read while another process writes it; refresh() finds frames that came since.
    Nothing is written. Files are closed when it is deleted, or by close() or a `with`.
    """

    def __init__(self, path: str | os.PathLike[str], found: Recovered | None = None) -> None:
        """Raises RecordingRefused for what is no recording or of a newer schema, RecordingDamaged
        where nothing can be read."""
        self.path = Path(path)
        self._take(found or recover(self.path))

    def _take(self, found: Recovered) -> None:
        self.header, self.target, self.notes = found.header, found.target, found.notes
        self._frames = found.frames
        self._readers = {
            array.name: BlockReader(
                self.path, array, "int32" if array.name == "perch_timer" else self.header["dtype"]
            )
            for array in boid_arrays(self.header)
        }

    def refresh(self) -> Recording:
        """Takes in what was recorded since it was opened."""
        self._take(recover(self.path))
        return self

    def close(self) -> None:
        for reader in self._readers.values():
            reader.clear()

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        boids = sum(self.header["counts"].values())
        last = f", up to step {self.steps[-1]}" if len(self) else ""
        return (
            f"<Recording {str(self.path)!r}: {self.header['name']}, {boids} boids, "
            f"{len(self)} frames{last}>"
        )

    def _repr_html_(self) -> str | None:
        """What a notebook shows: a replay of the recording."""
        return html_of(self)

    # --- what it is

    @cached_property
    def model(self) -> Model:
        """The model. Raises ModelError where it names rules that are not known yet: import the
        Python file that defines them first (--rules FILE on the command line)."""
        return parse(self.header["model"], f"{self.path}: model")

    @property
    def counts(self) -> dict[str, int]:
        """How many boids each flock has."""
        return self.header["counts"]  # type: ignore[no-any-return]

    @property
    def seed(self) -> int:
        return int(self.header["seed"])

    @property
    def every(self) -> int:
        """Steps from one frame to the next."""
        return int(self.header["every"])

    @property
    def dtype(self) -> Dtype:
        """The precision that it was flown in."""
        return self.header["dtype"]  # type: ignore[no-any-return]

    @property
    def precision(self) -> float | None:
        """The largest error of a position, in length units; None: lossless."""
        return self.header["precision"]  # type: ignore[no-any-return]

    @property
    def steps(self) -> range:
        """The step of each frame."""
        first = self.header["first_step"]
        return range(first, first + len(self) * self.every, self.every)

    @property
    def times(self) -> Array:
        """(T,) float64: the time of each frame, step * dt."""
        return np.array(self.steps, float) * self.header["dt"]

    @property
    def complete(self) -> bool:
        """Whether it was flown to the step that was asked for."""
        return bool(self.steps) and self.steps[-1] + self.every > self.target

    @property
    def citations(self) -> list[str]:
        """The references of the model's sources, and murmurate's."""
        return list(self.header["citations"])

    def info(self) -> dict[str, Any]:
        """What `murmurate info` prints: plain words and numbers."""
        from murmurate.record.info import info

        return info(
            self.path,
            self.header,
            frames=len(self),
            target=self.target,
            notes=self.notes,
            row=self.row,
        )

    # --- its frames

    def __len__(self) -> int:
        """Frames."""
        return self._frames

    @overload
    def __getitem__(self, number: int) -> Frame: ...
    @overload
    def __getitem__(self, number: slice) -> list[Frame]: ...
    def __getitem__(self, number: int | slice) -> Frame | list[Frame]:
        """Frame 0, 1, ..., or counted from the end. Raises IndexError; RecordingDamaged where its
        bytes are not what was written."""
        if isinstance(number, slice):
            return [self[k] for k in range(*number.indices(len(self)))]
        k = number + len(self) if number < 0 else number
        if not 0 <= k < len(self):
            raise IndexError(f"frame {number}: {self.path} has {len(self)} frames, from 0 on")
        return self.frame_of(k, {name: r.frame(k) for name, r in self._readers.items()})

    def __iter__(self) -> Iterator[Frame]:
        boids = max(1, sum(self.header["counts"].values()))
        most = max(1, STRETCH // (boids * (2 * self.header["dims"] * 8 + 4)))
        for first, last in ranges(0, len(self), most):
            block = self.read(first, last)
            for k in range(last - first):
                arrays = {"position": block.positions[k], "velocity": block.velocities[k]}
                if block.perch_timers is not None:
                    arrays["perch_timer"] = block.perch_timers[k]
                if block.memory is not None:
                    arrays["memory"] = block.memory[k]
                yield self.frame_of(first + k, arrays)

    def frame_at(self, step: int) -> Frame:
        """The frame after so many steps. Raises RecordingRefused for one that is not recorded."""
        if step not in self.steps:
            raise RecordingRefused(
                f"{self.path}: step {step} is not recorded: frames are every {self.every} steps "
                f"from {self.steps[0]} to {self.steps[-1]}"
            )
        return self[self.steps.index(step)]

    def read(self, first: int = 0, last: int | None = None) -> Frames:
        """Frames first, ..., last - 1 (all that follow unless given) as arrays."""
        last = len(self) if last is None else last
        if not 0 <= first <= last <= len(self):
            raise IndexError(f"frames {first} to {last}: {self.path} has {len(self)} frames")
        steps = np.array(self.steps[first:last], np.int64)
        with ThreadPoolExecutor(core_count()) as pool:
            arrays = {name: r.read(first, last, pool) for name, r in self._readers.items()}
        return Frames(
            steps,
            steps * self.header["dt"],
            arrays["position"],
            arrays["velocity"],
            arrays.get("perch_timer"),
            arrays.get("memory"),
        )

    def frame_of(self, number: int, arrays: Mapping[str, Array]) -> Frame:
        """A frame made of arrays of all boids: 'position', 'velocity', 'perch_timer', 'memory'."""
        step, scene = self.steps[number], self.scene
        time = step * self.header["dt"]
        flocks, first = {}, 0
        for name, count in self.counts.items():
            part = slice(first, first + count)
            its = {what: values[part] for what, values in arrays.items()}
            flocks[name] = self._flock(name, first, its)
            first += count
        obstacles = {name: shape_at(shape, time) for name, shape in scene.obstacles.items()}
        return Frame(step, time, scene.space, flocks, obstacles)

    def flock_rows(self, number: int, name: str, rows: slice) -> FlockFrame:
        """Some boids of a flock in frame `number`, those from rows.start to rows.stop - 1 of it.
        Only these are held in memory. Raises RecordingDamaged."""
        names = list(self.counts)
        first = sum(self.counts[before] for before in names[: names.index(name)]) + rows.start
        last = first + rows.stop - rows.start
        read = {what: reader.boids(number, first, last) for what, reader in self._readers.items()}
        return self._flock(name, first, read)

    def check_frame(self, number: int) -> None:
        """Raises RecordingDamaged where the bytes of frame `number` are not what was written."""
        for reader in self._readers.values():
            reader.check(number)

    def _flock(self, name: str, first: int, arrays: Mapping[str, Array]) -> FlockFrame:
        """Boids of a flock, of which the first has that id."""
        count, timers = len(arrays["position"]), arrays.get("perch_timer")
        return FlockFrame(
            name,
            np.arange(first, first + count),
            arrays["position"],
            arrays["velocity"],
            np.zeros(count, np.int64) if timers is None else timers.astype(np.int64),
            self.scene.space,
            arrays.get("memory"),  # type: ignore[arg-type]
            tuple(self.header.get("kept_names", {}).get(name, ())),
        )

    @cached_property
    def scene(self) -> Model:
        """Space, flocks, obstacles and view of the model, its rules and motions left out: known
        even where those of one's own are not."""
        data = read_toml(self.header["model"])
        kept = {key: data[key] for key in SCENE if key in data}
        flocks = {
            name: {key: flock[key] for key in FLOCK if key in flock}
            for name, flock in data["flocks"].items()
        }
        return Model(name=usable_name(self.header["name"]), flocks=flocks, **kept)

    # --- numbers beside the frames

    def row(self, number: int, name: str) -> Array | None:
        """What a small array (a measure, schedule) has for a frame; None where it is lost."""
        values = self._rows(name, number // ROWS)
        return None if values is None else values[number % ROWS]

    def column(self, name: str) -> Array:
        """(T, flocks) a measure, or (T, scheduled) 'schedule'; nan where it was not measured."""
        parts = []
        array = next((a for a in frame_arrays(self.header) if a.name == name), None)
        if array is None:
            names = [a.name for a in frame_arrays(self.header)]
            raise KeyError(f"{name}: {self.path} has {', '.join(names)}")
        for first, last in ranges(0, len(self), ROWS):
            values = self._rows(name, first // ROWS)
            width = (array.width,) if array.width else ()
            lost = np.full((ROWS, *width), np.nan)
            parts.append((lost if values is None else values)[: last - first])
        return np.concatenate(parts)

    def _rows(self, name: str, part: int) -> Array | None:
        array = next(a for a in frame_arrays(self.header) if a.name == name)
        return array.rows(read_small_file(self.path / array.file(part)))

    def to_xarray(
        self,
        layout: Literal["native", "movement", "cf"] = "native",
        *,
        legacy_names: bool = False,
    ) -> xarray.Dataset:
        """The recording as an xarray.Dataset; what is not used is not read.

        layout  'native': position(time, boid, axis), as on disk
                'movement': position(time, space, keypoint, individual), for the movement package
                'cf': x, y, z(trajectory, time), as the CF conventions have trajectories
        legacy_names  movement before 0.17 says 'keypoints' and 'individuals'
        """
        from murmurate.record.layouts import to_xarray

        return to_xarray(self.path, self.dtype, len(self), layout, legacy_names)
