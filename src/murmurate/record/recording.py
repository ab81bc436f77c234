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

from murmurate.display import render
from murmurate.dtypes import Dtype
from murmurate.engines.options import cores
from murmurate.errors import ModelError, OpenError
from murmurate.frame import FlockFrame, Frame
from murmurate.model.check import WORDS_OF_COLOURS
from murmurate.model.files import parse
from murmurate.model.model import Model
from murmurate.model.names import usable_name
from murmurate.model.obstacles import shape_at
from murmurate.model.text_reader import read_toml
from murmurate.model.view import View
from murmurate.record.block_reader import (
    BlockReader,
    RowReader,
    StoredBlocks,
    ranges,
    read_small_file,
)
from murmurate.record.codec import Array
from murmurate.record.information import recording_info
from murmurate.record.input_log import InputLog
from murmurate.record.recovery import Recovered, recover
from murmurate.record.row_ranges import FlockRows, rows_of
from murmurate.record.schema import (
    EMPTY,
    FRAME_FIELDS,
    ROWS,
    boid_arrays,
    frame_arrays,
    row_count,
    value_type,
)
from murmurate.record.trait_reader import TraitReader

if TYPE_CHECKING:
    import xarray

SCENE_KEYS = ("title", "about", "source", "space", "dt", "obstacles", "view")
FLOCK_KEYS = ("count", "look")
RANGE_BYTES = 64 << 20  # read at a time in a loop over all frames


@dataclass(frozen=True)
class Frames:
    """Consecutive frames as arrays, with the boids of all flocks in id order.

    steps        (T,) int64
    times        (T,) float64, the model's time unit
    positions    (T, N, D), length units
    velocities   (T, N, D), length units per time unit
    perch_timers (T, N) int32, steps left on the ground; None if no flock perches
    memory       (T, N, M), further state of the boids (see FlockFrame); None if they have none
    ids          (T, N) int64, the boid in each column; -1 where a frame has none, whose positions,
                 velocities and memory are nan. None if numbers of boids do not change: then the
                 columns are the ids
    births       (T, N) int64, the step at which that boid joined its flock; -1 or None like `ids`
    flocks       (N,) int64, the flock of each column, by its number in the recording

    If numbers of boids change, each flock has as many columns as it has boids in the fullest of
    these frames. They are filled from the first one, in id order, so a boid may change its column.
    """

    steps: Array
    times: Array
    positions: Array
    velocities: Array
    perch_timers: Array | None
    memory: Array | None = None
    ids: Array | None = None
    births: Array | None = None
    flocks: Array | None = None


def open(path: str | os.PathLike[str]) -> Recording:
    """Open a recording for reading.

    Parameters
    ----------
    path : path
        The folder of the recording.

    Returns
    -------
    Recording

    Raises
    ------
    OpenError
        If it is not a recording, or has a newer schema.
    DamagedRecordingError
        If nothing can be recovered.
    """
    return Recording(path)


def frames_of(
    path: str | os.PathLike[str], first: int = 0, last: int | None = None, every: int = 1
) -> Iterator[Frame]:
    """Yield frames first, first + every, ..., below last, of a recording."""
    recording = Recording(path)
    last = len(recording) if last is None else min(last, len(recording))
    if every == 1 and first == 0 and last == len(recording):
        yield from recording
        return
    for number in range(first, last, every):
        yield recording[number]


class Recording:
    """A recording on disk: frames, their model, and how they were made.

        rec = mm.open("flock.zarr")
        rec[0], rec[-1], rec.frame_at(500)      single frames
        for frame in rec: ...                   all frames, read ahead in ranges
        rec.read(100, 200).positions            arrays of many frames, the fastest way

    It can be read while another process writes it; refresh() finds new frames. Nothing is written.
    Files are closed when it is deleted, by close(), or at the end of a `with`.

    Raises
    ------
    OpenError
        If it is not a recording, or has a newer schema.
    DamagedRecordingError
        If nothing can be read.
    """

    gaps = False  # whether positions may be nan

    def __init__(self, path: str | os.PathLike[str], recovered: Recovered | None = None) -> None:
        self.path = Path(path)
        self._load(recovered or recover(self.path))

    def _load(self, recovered: Recovered) -> None:
        self.header, self.target = recovered.header, recovered.target
        self.notes = recovered.notes
        self._frames = recovered.frames
        self.__dict__.pop("inputs", None)
        self._traits = TraitReader(self.path, self.header)
        self._flock_rows = rows_of(self.header)
        self._readers: dict[str, BlockReader] = {}
        self._row_readers: dict[str, RowReader] = {}
        for array in sorted(boid_arrays(self.header), key=lambda array: array.empty is not None):
            dtype = value_type(array.name, self.header["dtype"])
            if array.empty is None:
                self._readers[array.name] = BlockReader(self.path, array, dtype)
            elif self._flock_rows is not None:
                numbers = self._readers["n_boids"]
                stored = StoredBlocks(array, self._flock_rows, numbers, self._frames)
                self._row_readers[array.name] = RowReader(self.path, array, dtype, stored)

    def refresh(self) -> Recording:
        """Find frames that were recorded since it was opened; return the recording itself."""
        self._load(recover(self.path))
        return self

    def close(self) -> None:
        """Close its files."""
        for reader in (*self._readers.values(), *self._row_readers.values()):
            reader.clear()

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        boids = str(sum(self.header["counts"].values()))
        if self.changes_numbers and len(self):
            first, last_number = (int(self.numbers(k).sum()) for k in (0, len(self) - 1))
            boids = f"from {first} to {last_number}"
        last = f", up to step {self.steps[-1]}" if len(self) else ""
        return (
            f"<Recording {str(self.path)!r}: {self.header['name']}, {boids} boids, "
            f"{len(self)} frames{last}>"
        )

    def _repr_html_(self) -> str | None:
        """Return a replay of the recording, for notebooks."""
        html: str | None = render(self)
        return html

    # --- properties

    @cached_property
    def inputs(self) -> InputLog:
        """Inputs of the simulation from outside while it was recorded, oldest first."""
        return InputLog(self.path, exists=self.header.get("inputs", False))

    def model_at(self, step: int) -> Model:
        """Return the model in the frame of a step, with numbers and rules that were set before.

        Raises ModelError as `model`, and DamagedRecordingError for a damaged log of inputs.
        """
        self.inputs.check(self.steps.index(step) + 1 if step in self.steps else len(self))
        return self.inputs.model_at(step, self.model)

    @cached_property
    def model(self) -> Model:
        """The model; that of the first frame if numbers were set later, see `model_at`.

        Raises ModelError if it uses rules that are not registered: first import the Python file
        that defines them (--rules FILE on the command line).
        """
        return parse(self.header["model"], f"{self.path}: model")

    @property
    def counts(self) -> dict[str, int]:
        """Number of boids in each flock; in the first frame if numbers change, see `numbers`."""
        return self.header["counts"]  # type: ignore[no-any-return]

    @property
    def changes_numbers(self) -> bool:
        """Whether boids may join or leave a flock."""
        return self._flock_rows is not None

    def numbers(self, number: int) -> Array:
        """Return the number of boids of each flock in a frame, (F,) int64.

        Raises DamagedRecordingError.
        """
        if self._flock_rows is None:
            return np.array([*self.counts.values()], np.int64)
        return self._readers["n_boids"].frame(number)

    def occupied_rows(self, number: int) -> Array:
        """Return the rows (N,) of the arrays that boids occupy in a frame, ascending."""
        if self._flock_rows is None:
            return np.arange(sum(self.counts.values()))
        return self._flock_rows.occupied(self.numbers(number))

    def stored_blocks(self, name: str) -> StoredBlocks | None:
        """Return which blocks of a boid array are stored; None if all are."""
        return self._row_readers[name].stored if name in self._row_readers else None

    @property
    def seed(self) -> int:
        return int(self.header["seed"])

    @property
    def every(self) -> int:
        """Steps from one frame to the next."""
        return int(self.header["every"])

    @property
    def dtype(self) -> Dtype:
        """The floating-point type of the computation."""
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
        """Whether it reaches the step that was requested."""
        return bool(self.steps) and self.steps[-1] + self.every > self.target

    @property
    def citations(self) -> list[str]:
        """The references of the model's sources, and murmurate's."""
        return list(self.header["citations"])

    def info(self) -> dict[str, Any]:
        """Return the content of `murmurate info`: plain words and numbers.

        A measure that a flock is too small for is None.
        """
        return recording_info(self)

    # --- frames

    def __len__(self) -> int:
        """Return the number of frames."""
        return self._frames

    @overload
    def __getitem__(self, number: int) -> Frame: ...
    @overload
    def __getitem__(self, number: slice) -> list[Frame]: ...
    def __getitem__(self, number: int | slice) -> Frame | list[Frame]:
        """Return a frame, or a list of frames for a slice. Negative numbers count from the end.

        Raises IndexError, and DamagedRecordingError for a damaged frame.
        """
        if isinstance(number, slice):
            return [self[k] for k in range(*number.indices(len(self)))]
        k = number + len(self) if number < 0 else number
        if not 0 <= k < len(self):
            raise IndexError(
                f"frame: got {number}; expected one of the {len(self)} frames of {self.path}, from "
                "0 on"
            )
        return self.frame_of(k, self._arrays(k))

    def _arrays(self, number: int) -> dict[str, Array]:
        """Return the arrays of a frame by name."""
        arrays = {name: reader.frame(number) for name, reader in self._readers.items()}
        if self._row_readers:
            rows = self.occupied_rows(number)
            arrays |= {
                name: reader.frame_rows(number, rows) for name, reader in self._row_readers.items()
            }
        return arrays

    def __iter__(self) -> Iterator[Frame]:
        for first, last in ranges(0, len(self), frames_per_range(self.header)):
            block = self.read(first, last)
            numbers = [self._number_arrays(k) for k in range(first, last)]
            for k in range(last - first):
                arrays = dict(numbers[k])
                present = slice(None) if block.ids is None else block.ids[k] >= 0
                for name, field in FRAME_FIELDS.items():
                    values = getattr(block, field)
                    if values is not None:
                        arrays[name] = values[k][present]
                yield self.frame_of(first + k, arrays)

    def _number_arrays(self, number: int) -> dict[str, Array]:
        """Return n_boids and n_ever of a frame if numbers change, else nothing."""
        if not self._row_readers:
            return {}
        return {name: self._readers[name].frame(number) for name in ("n_boids", "n_ever")}

    def frame_at(self, step: int) -> Frame:
        """Return the frame of a step. Raises OpenError if it is not recorded."""
        if step not in self.steps:
            raise OpenError(
                f"{self.path}: step {step} is not recorded: frames are every {self.every} steps "
                f"from {self.steps[0]} to {self.steps[-1]}"
            )
        return self[self.steps.index(step)]

    def read(self, first: int = 0, last: int | None = None) -> Frames:
        """Return frames first, ..., last - 1 as arrays; all following frames by default.

        Raises IndexError, and DamagedRecordingError for damaged frames.
        """
        last = len(self) if last is None else last
        if not 0 <= first <= last <= len(self):
            raise IndexError(
                f"frames: got {first} to {last}; expected a range of the {len(self)} frames of "
                f"{self.path}"
            )
        steps = np.array(self.steps[first:last], np.int64)
        extra: dict[str, Array] = {}
        with ThreadPoolExecutor(cores()) as pool:
            if self._flock_rows is None:
                arrays = {name: r.read(first, last, pool) for name, r in self._readers.items()}
            else:
                arrays, extra = self._read_rows(self._flock_rows, first, last, pool)
        return Frames(
            steps,
            steps * self.header["dt"],
            arrays["position"],
            arrays["velocity"],
            arrays.get("perch_timer"),
            arrays.get("memory"),
            **extra,
        )

    def _read_rows(
        self, flock_rows: FlockRows, first: int, last: int, pool: ThreadPoolExecutor
    ) -> tuple[dict[str, Array], dict[str, Array]]:
        """Return arrays of frames whose numbers change; ids, births and flocks are the second."""
        numbers = self._readers["n_boids"].read(first, last, pool)
        fullest = numbers.max(axis=0) if last > first else np.zeros(len(self.counts), np.int64)
        rows = flock_rows.occupied(fullest)
        flocks = np.repeat(np.arange(len(fullest)), fullest)
        empty = rows - flock_rows.starts[flocks] >= numbers[:, flocks]
        arrays = {}
        for name, reader in self._row_readers.items():
            values = reader.range_rows(first, last, rows, pool)
            values[empty] = np.nan if values.dtype.kind == "f" else EMPTY
            arrays[name] = values
        return arrays, {"ids": arrays["id"], "births": arrays["birth"], "flocks": flocks}

    def frame_of(self, number: int, arrays: Mapping[str, Array]) -> Frame:
        """Return a frame of arrays by name: 'position', 'velocity', 'perch_timer', 'memory'.

        If numbers change, also 'id', 'birth', and 'n_boids' and 'n_ever' (F,); the others then have
        rows of present boids only.
        """
        step, scene = self.steps[number], self.scene
        time = step * self.header["dt"]
        flocks, first = {}, 0
        counts = arrays["n_boids"].tolist() if self.changes_numbers else [*self.counts.values()]
        for k, (name, count) in enumerate(zip(self.counts, counts, strict=True)):
            part = slice(first, first + count)
            flock_arrays = {
                field: values[k] if field in ("n_boids", "n_ever") else values[part]
                for field, values in arrays.items()
            }
            flocks[name] = self._make_flock(name, first, flock_arrays)
            first += count
        obstacles = {name: shape_at(shape, time) for name, shape in scene.obstacles.items()}
        return Frame(step, time, scene.space, flocks, obstacles)

    def flock_rows(self, number: int, name: str, rows: slice) -> FlockFrame:
        """Return boids rows.start, ..., rows.stop - 1 of a flock in frame `number`.

        Only these are held in memory. Raises DamagedRecordingError.
        """
        k = list(self.counts).index(name)
        first = int(self.numbers(number)[:k].sum()) + rows.start
        last = first + rows.stop - rows.start
        if self._flock_rows is None:
            arrays = {
                field: reader.boids(number, first, last) for field, reader in self._readers.items()
            }
        else:
            occupied = self.occupied_rows(number)[first:last]
            arrays = {
                field: reader.frame_rows(number, occupied)
                for field, reader in self._row_readers.items()
            }
            arrays |= {name: values[k] for name, values in self._number_arrays(number).items()}
        return self._make_flock(name, first, arrays)

    def check_frame(self, number: int) -> None:
        """Raise DamagedRecordingError if frame `number` is damaged."""
        for reader in (*self._readers.values(), *self._row_readers.values()):
            reader.check(number)

    def check_frames(self, first: int, last: int) -> None:
        """Raise DamagedRecordingError if one of frames first, ..., last - 1 is damaged."""
        self.read(first, last)
        for name in ("n_boids", "n_ever") if self.changes_numbers else ():
            self._readers[name].read(first, last)

    def _make_flock(self, name: str, first: int, arrays: Mapping[str, Array]) -> FlockFrame:
        """Return boids of a flock, with ids from `first` on unless they are among the arrays."""
        count, timers = len(arrays["position"]), arrays.get("perch_timer")
        memory, own = arrays.get("memory"), self.header.get("kept_names", {})
        names = tuple(own.get(name, ()))
        if memory is not None and own:  # flocks with fewer names are padded
            memory = memory[:, : memory.shape[1] - max(map(len, own.values())) + len(names)]
        if memory is None and not count:  # an exact state without boids does not say its width
            memory = np.zeros((0, self.header.get("memory", 0)), arrays["position"].dtype)
        ids = arrays.get("id", np.arange(first, first + count))
        return FlockFrame(
            name,
            ids,
            arrays["position"],
            arrays["velocity"],
            np.zeros(count, np.int64) if timers is None else timers.astype(np.int64),
            self.scene.space,
            memory,  # type: ignore[arg-type]
            names,
            traits=self._flock_traits(name, ids),
            births=arrays.get("birth"),  # type: ignore[arg-type]
            n_ever=int(arrays.get("n_ever", self.counts[name])),
        )

    def _flock_traits(self, name: str, ids: Array) -> Mapping[str, Array]:
        """Return the traits of boids; none if they need rules that are not registered."""
        if self._flock_rows is not None:
            first = self._flock_rows.first_ids[name]
        else:
            names = list(self.counts)
            first = sum(self.counts[before] for before in names[: names.index(name)])
        try:
            return self._traits.of(name, ids - first)
        except ModelError:
            return {}

    @cached_property
    def scene(self) -> Model:
        """Space, flocks, obstacles and view of the model, without its rules and motions.

        It is available even if the model uses rules that are not registered.
        """
        data = read_toml(self.header["model"])
        scene = {key: data[key] for key in SCENE_KEYS if key in data}
        flocks = {
            name: {key: flock[key] for key in FLOCK_KEYS if key in flock}
            for name, flock in data["flocks"].items()
        }
        if "view" in scene:  # colours may show numbers of rules, which a scene has not
            scene["view"] = {k: v for k, v in scene["view"].items() if k != "colour_by"}
            if self.view.colour_by in WORDS_OF_COLOURS:
                scene["view"]["colour_by"] = self.view.colour_by
        return Model(name=usable_name(self.header["name"]), flocks=flocks, **scene)

    @cached_property
    def view(self) -> View:
        """Settings of pictures of the model, also if it uses rules that are not registered."""
        return View(**read_toml(self.header["model"]).get("view", {}))

    # --- numbers per frame

    def row(self, number: int, name: str) -> Array | None:
        """Return the values of a frame array (a measure, schedule) for a frame, None if damaged."""
        values = self._rows(name, number // ROWS)
        return None if values is None else values[number % ROWS]

    def column(self, name: str) -> Array:
        """Return a measure (T, flocks), or 'schedule' (T, scheduled), nan where not measured.

        If numbers of boids change, also 'n_boids' and 'n_ever' (T, flocks): the boids in each
        flock, and those that have ever been in it.

        Raises KeyError for another name, and DamagedRecordingError for damaged numbers of boids.
        """
        parts = []
        array = next((a for a in frame_arrays(self.header) if a.name == name), None)
        numbers = [n for n in ("n_boids", "n_ever") if n in self._readers]
        if name in numbers:
            return self._readers[name].read(0, len(self))
        if array is None:
            names = [*(a.name for a in frame_arrays(self.header)), *numbers]
            raise KeyError(f"{name}: {self.path} has {', '.join(names)}")
        for first, last in ranges(0, len(self), ROWS):
            values = self._rows(name, first // ROWS)
            width = (array.width,) if array.width else ()
            missing = np.full((ROWS, *width), np.nan)
            parts.append((missing if values is None else values)[: last - first])
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
        """Return the recording as an xarray.Dataset, whose data are read on demand.

        Parameters
        ----------
        layout : {"native", "movement", "cf"}, default "native"
            "native": position(time, boid, axis), as on disk; "movement": position(time, space,
            keypoint, individual), for the package movement; "cf": x, y, z(trajectory, time), by the
            CF conventions for trajectories. If numbers of boids change, "native" has the boids of a
            frame in its first rows, their ids in `id`, and nan in the others; "movement" and "cf"
            have a column for each boid that is in any frame, with nan where it is absent.
        legacy_names : bool, default False
            Use the names of movement before 0.17, 'keypoints' and 'individuals'.

        Raises
        ------
        OpenError
            For another layout, damaged metadata, if xarray is not installed, and if the columns of
            all boids take more than 4 GiB.
        """
        from murmurate.record.datasets import to_xarray

        return to_xarray(self.path, self.dtype, len(self), layout, legacy_names, self._traits.of)


def frames_per_range(header: Mapping[str, Any]) -> int:
    """Return the number of frames that a loop over all frames reads at a time."""
    boids = max(1, row_count(dict(header)))
    return max(1, RANGE_BYTES // (boids * (2 * header["dims"] * 8 + 4)))
