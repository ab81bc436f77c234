"""Read murmurate's own exports: tables with their columns file, arrays, and NetCDF.

They contain the space with its periodic axes, recorded velocities, times and flocks, which are read
exactly. Nothing is guessed if one of them is missing or does not match the numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.disk import open_regular, regular
from murmurate.errors import TracksError
from murmurate.model.space import Space
from murmurate.model.text_reader import TextError, read_json, read_toml
from murmurate.tracks.column_names import Column, Dialect
from murmurate.tracks.file_preview import TEXT, FilePreview
from murmurate.tracks.frame_table import (
    RowFrames,
    RowName,
    fill_frames,
    frames_from_numbers,
    infer_rate,
)
from murmurate.tracks.hdf5_file import check_hdf5, open_hdf5
from murmurate.tracks.numpy_file import read_npz
from murmurate.tracks.options import SPACE_EXAMPLE, ReadOptions
from murmurate.tracks.raw_tracks import RawTracks
from murmurate.tracks.table import TableData, group_animals
from murmurate.tracks.timestamps import frame_rate_of_rows

Array = np.ndarray
AXES = "xyz"
COLUMNS_ENDING = ".columns.json"  # as in murmurate.exports.tables
SCHEMA = "murmurate-recording"  # as in murmurate.record.schema, whose import needs zarr
MAX_COLUMNS_BYTES = 1 << 24
TIME_TOLERANCE = 1e-6  # relative deviation of a time from step times dt


# --- tables


def has_columns_file(preview: FilePreview) -> bool:
    """Return whether a table has a .columns.json in its folder, or in its metadata."""
    if preview.ending not in (*TEXT, ".parquet"):
        return False
    return _columns_path(preview.path).is_file() or "murmurate_columns" in _parquet_metadata(
        preview
    )


def read_table(preview: FilePreview, options: ReadOptions, layout: Dialect) -> RawTracks:
    """Read a table that murmurate exported.

    Raises TracksError if its description is missing or does not match the table, unless the
    user gives the space.
    """
    description, problem = _read_description(preview)
    names = [column.written for column in preview.columns]
    is_trackpy = "particle" in names
    if description:
        described = [str(column["name"]) for column in description["columns"]]
        if names != described:
            problem = _mismatch(preview, f"the columns {', '.join(described)}", ", ".join(names))
    if problem and (is_trackpy or not options.gives_space):
        raise TracksError(f"{preview.path}: {problem}")
    id_name = "particle" if is_trackpy else "id"
    try:
        raw = _read_rows(preview, options, {} if problem else description, id_name)
    except _Mismatch as error:
        if is_trackpy or not options.gives_space:
            raise
        problem = str(error).removeprefix(f"{preview.path}: ")
        raw = _read_rows(preview, options, {}, id_name)
    if not problem:
        return raw
    note = f"{problem.partition('; expected')[0]}; the given space is used"
    return replace(raw, notes=(*raw.notes, note))


class _Mismatch(TracksError):
    """The description of a table does not match the table."""


def _columns_path(path: Path) -> Path:
    return path.with_name(path.name + COLUMNS_ENDING)


def _parquet_metadata(preview: FilePreview) -> dict[str, str]:
    """Return murmurate's entries in the metadata of a Parquet file."""
    if preview.ending != ".parquet":
        return {}
    from pyarrow import parquet

    metadata = parquet.read_schema(regular(preview.path)).metadata or {}
    return {
        key.decode(): value.decode("utf-8", "replace")
        for key, value in metadata.items()
        if key.startswith(b"murmurate_")
    }


def _read_description(preview: FilePreview) -> tuple[dict[str, Any], str]:
    """Return the description of a table and '', or {} and its fault."""
    path = _columns_path(preview.path)
    text = _parquet_metadata(preview).get("murmurate_columns")
    if text is None and not path.is_file():
        return {}, (
            f"got no {path.name}, which murmurate writes with a table, and which says whether the "
            "space is periodic; expected both files. Put it into the folder of the table, or give "
            f"the space: {SPACE_EXAMPLE}, or --periodic none"
        )
    try:
        if text is None:
            with open_regular(path) as file:
                text = file.read(MAX_COLUMNS_BYTES).decode("utf-8")
        description = read_json(text)
        description["columns"] = [{"name": str(c["name"]), "type": str(c["type"])}
                                  for c in description["columns"]]  # fmt: skip
        description["flocks"] = {
            str(name): int(count) for name, count in description["flocks"].items()
        }
        optional = ["boid_rows"] if "boid_rows" in description else []
        for name in ("frames", "first_step", "last_step", "every", *optional):
            description[name] = int(description[name])
        description["dt"] = float(description["dt"])
        space = description["space"]
        if not 0 < description["dt"] < np.inf or description["every"] < 1:
            raise ValueError("dt and every must be above 0")
        boundary = space.get("boundary") or _boundary(space["periodic"])
        description["space"] = _make_space(space["lower"], space["size"], boundary)
        return description, ""
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        return {}, (
            f"{path.name}: cannot be read: {reason}; expected what murmurate writes with a table. "
            f"Export it again, or give the space: {SPACE_EXAMPLE}, or --periodic none"
        )


def _mismatch(preview: FilePreview, described: str, got: str) -> str:
    return (
        f"{_columns_path(preview.path).name} does not match the table: it says {described}, and "
        f"got {got}; expected both from one export. Export it again, or remove that file and give "
        f"the space: {SPACE_EXAMPLE}, or --periodic none"
    )


def _read_rows(
    preview: FilePreview, options: ReadOptions, description: Mapping[str, Any], id_name: str
) -> RawTracks:
    """Read the rows of a table; `description` may be {}."""
    path, columns = preview.path, {column.written: column for column in preview.columns}
    axes = [axis for axis in AXES if axis in columns]
    velocities = [f"v{axis}" for axis in axes if f"v{axis}" in columns]
    when = "step" if id_name == "id" else "frame"
    types = {column["name"]: column["type"] for column in description.get("columns", ())}
    named = types.get(id_name) == "string"  # tracks of animals with names
    number_names = [when, *(["time"] if "time" in columns else []), *axes, *velocities]
    number_names += [] if named else [id_name]
    numbers: dict[str, Column] = {name: columns[name] for name in number_names}
    words = {name: columns[name] for name in ("flock", *([id_name] if named else []))
             if name in columns}  # fmt: skip
    data = preview.table().read(numbers, words, options.skip_bad)
    values = {name: data.number(name) for name in number_names}
    for name in (*axes, *velocities):
        if types.get(name) == "float32":  # its shortest decimal is another float64
            values[name] = values[name].astype(np.float32).astype(np.float64)
    ids = data.words[id_name].codes if named else values[id_name]
    _check_ids(ids, id_name, data.row_name, path)
    boids, boid_of = np.unique(ids, return_inverse=True)
    frames = frames_from_numbers(values[when], len(boids), data.row_name, path)
    flocks = _find_flocks(data, description, boid_of, path)
    if description:
        counts = {name: len(rows) for name, rows in flocks.items()}
        if "flock" not in data.words:
            counts = dict(description["flocks"])
        _check_match(preview, description, frames, values, len(boids), counts, when)
        flocks = {name: flocks[name] for name in description["flocks"]}
    names = data.words[id_name].names if named else [str(int(boid)) for boid in boids]
    stacked = np.stack([values[name] for name in (*axes, *velocities)], axis=1)
    arranged, duplicates = fill_frames(
        frames, boid_of, stacked, names, data.row_name, options.skip_bad, path
    )
    rate, every, start = None, int(frames.step), frames.start
    if description:
        rate = 1 / description["dt"]
        if when == "frame":
            every, start = description["every"], float(description["first_step"])
    elif "time" in values:
        rate = frame_rate_of_rows(values[when], values["time"])
    skipped = data.skipped + duplicates
    dims = len(axes)
    return RawTracks(
        arranged[..., :dims], rate, names, start=start, every=every, simulated=True,
        notes=(f"{skipped:,} unusable rows were left out",) if skipped else (),
        attrs={"time": f"a step lasts {description['dt']:g}"} if description else {},
        space=description.get("space"), space_from=_columns_path(path).name,
        velocities=arranged[..., dims:] if len(velocities) == dims else None,
        flocks=flocks or None,
    )  # fmt: skip


def _check_ids(ids: Array, id_name: str, row_name: RowName, path: Path) -> None:
    """Raise TracksError for an id that is not a whole number."""
    wrong = ~np.isfinite(ids) | (ids != np.round(ids))
    if wrong.any():
        raise TracksError(
            f"{path}: {id_name}: got no whole number in {row_name(int(np.argmax(wrong)))}; "
            "expected the boid's number. Take the table from a copy"
        )


def _find_flocks(
    data: TableData, description: Mapping[str, Any], boid_of: Array, path: Path
) -> dict[str, Array]:
    """Return name -> boids of each flock, by the column 'flock' or the description."""
    if "flock" in data.words:
        return _group_flocks(data, boid_of, path)
    if not description:
        return {}
    counts = description["flocks"]
    ends = np.cumsum(list(counts.values()))
    return dict(zip(counts, np.split(np.arange(ends[-1]), ends[:-1]), strict=True))


def _group_flocks(data: TableData, boid_of: Array, path: Path) -> dict[str, Array]:
    """Group boids by the column 'flock'. Raises TracksError for a boid in two flocks."""
    flock_of = np.array(
        group_animals(data, "flock", boid_of, int(boid_of.max(initial=-1)) + 1, path)
    )
    return {name: np.flatnonzero(flock_of == name) for name in data.words["flock"].names}


def _check_match(
    preview: FilePreview, description: Mapping[str, Any], frames: RowFrames,
    values: Mapping[str, Array], boids: int, counts: Mapping[str, int], when: str,
) -> None:  # fmt: skip
    """Raise _Mismatch if the description is of another table."""
    steps = values[when]
    described_boids = sum(description["flocks"].values())
    changes = "boid_rows" in description  # boids come and go, so frames may have none
    rows = description["boid_rows"] if changes else description["frames"] * described_boids
    pairs: list[tuple[str, Any, Any]] = [
        ("boids", described_boids, boids),
        ("rows", rows, len(steps)),
        ("boids of each flock", description["flocks"], dict(counts)),
        ("axes", description["space"].dims, sum(axis in values for axis in AXES)),
    ]
    if not changes:
        pairs.insert(1, ("frames", description["frames"], frames.count))
    if when == "step":
        if not changes:
            pairs += [
                ("first step", description["first_step"], int(frames.start)),
                ("last step", description["last_step"], int(steps.max(initial=0))),
            ]
        expected = steps * description["dt"]
        wrong = np.abs(values["time"] - expected) > TIME_TOLERANCE * np.abs(values["time"]) + 1e-12
        if wrong.any():
            k = int(wrong.argmax())
            pairs.append((f"time of step {int(steps[k])}", float(expected[k]),
                          float(values["time"][k])))  # fmt: skip
    for what, described, got in pairs:
        if described != got:
            text = _mismatch(preview, f"{_format(described)} for {what}", _format(got))
            raise _Mismatch(f"{preview.path}: {text}")


def _format(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {count}" for name, count in value.items())
    return f"{value:.10g}"


# --- arrays


def read_arrays(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read the arrays, settings and space of an .npz file."""
    path = preview.path
    arrays = read_npz(path, (
        "position", "velocity", "step", "time", "boid", "flock", "flock_name", "space_lower",
        "space_size", "space_boundary", "id",
    ))  # fmt: skip
    if "id" in arrays:
        arrays = _by_boid(arrays, path)
    position, time = arrays.get("position"), arrays.get("time")
    if position is None or time is None or position.shape[:1] != time.shape:
        raise TracksError(
            f"{path}: got arrays position and time of different lengths; expected a time per "
            "frame. Take the file from a copy"
        )
    boids = [str(boid) for boid in np.ravel(arrays.get("boid", np.arange(0))).tolist()]
    space, lacks_space = None, (
        "got no space, as in exports of murmurate up to 0.4; expected it with its periodic axes. "
        f"Export it again, or give it: {SPACE_EXAMPLE}, or --periodic none"
    )  # fmt: skip
    if position.ndim == 3 and {"space_lower", "space_size", "space_boundary"} <= set(arrays):
        lower, size, boundary = (np.ravel(arrays[f"space_{part}"]).tolist()
                                 for part in ("lower", "size", "boundary"))  # fmt: skip
        space = stored_space(lower, size, boundary, position.shape[2], path)
        lacks_space = ""
    flock, flocks = arrays.get("flock"), None
    if flock is not None and position.ndim == 3 and flock.shape == position.shape[1:2]:
        default = np.arange(flock.max(initial=-1) + 1)
        names = np.ravel(arrays.get("flock_name", default)).tolist()
        flocks = {str(name): np.flatnonzero(flock == k) for k, name in enumerate(names)}
        if sum(map(len, flocks.values())) != len(flock):
            raise TracksError(
                f"{path}: flock: got boids of a flock without a name; expected a name for each. "
                "Take the file from a copy"
            )
    start, every, rate = _find_steps(arrays.get("step"), time.astype(np.float64), path)
    velocity = arrays.get("velocity")
    if velocity is not None and velocity.shape != position.shape:
        raise TracksError(
            f"{path}: got velocity of shape {velocity.shape} and position of shape "
            f"{position.shape}; expected equal shapes. Take the file from a copy"
        )
    return RawTracks(
        position, rate, boids if len(boids) == position.shape[1] else None, start=start,
        every=every, simulated=True, space=space, space_from="the file", lacks_space=lacks_space,
        velocities=None if velocity is None else velocity.astype(np.float64), flocks=flocks,
    )  # fmt: skip


def _by_boid(arrays: dict[str, Array], path: Path) -> dict[str, Array]:
    """Return arrays with a column for each boid, of a file whose rows have any boid by its id."""
    ids, flock = arrays["id"], arrays.get("flock")
    shape = arrays["position"].shape if "position" in arrays else ()
    if ids.dtype.kind not in "iu" or ids.shape != shape[:2]:
        raise TracksError(
            f"{path}: got ids of shape {ids.shape} for positions of shape {shape}; expected one "
            "for each row and frame. Take the file from a copy"
        )
    frames, rows = np.nonzero(ids >= 0)
    boids, first, columns = np.unique(ids[frames, rows], return_index=True, return_inverse=True)
    out = dict(arrays)
    for name in ("position", "velocity"):
        if name in arrays and arrays[name].shape == shape:
            values = np.full((len(ids), len(boids), *shape[2:]), np.nan)
            values[frames, columns.reshape(-1)] = arrays[name][frames, rows]
            out[name] = values
    if flock is not None and flock.shape == shape[1:2]:
        out["flock"] = flock[rows[first]]
    return out | {"boid": boids}


def stored_space(lower: Any, size: Any, boundary: Any, dims: int, path: Path) -> Space:
    """Return the space that a file of murmurate stores. Raises TracksError for another one."""
    try:
        space = _make_space(lower, size, boundary)
        if space.dims != dims:
            raise ValueError(f"{space.dims} axes for {dims}-D positions")
    except (TypeError, ValueError) as error:
        raise TracksError(
            f"{path}: its space cannot be read: {' '.join(str(error).split())[:200]}; expected "
            f"what murmurate writes. Export it again, or give it: {SPACE_EXAMPLE}"
        ) from None
    return space


def _make_space(lower: Sequence[float], size: Sequence[float], boundary: Sequence[str]) -> Space:
    return Space(size=tuple(map(float, size)), origin=tuple(map(float, lower)),
                 boundary=tuple(boundary))  # type: ignore[arg-type]  # fmt: skip


def _boundary(periodic: Sequence[Any]) -> list[str]:
    return ["periodic" if flag is True else "open" for flag in periodic]


def _find_steps(steps: Array | None, times: Array, path: Path) -> tuple[float, int, float | None]:
    """Return the first step, the steps per frame, and the steps per unit of time."""
    rate = infer_rate(times, path)
    if steps is None or steps.shape != times.shape or steps.dtype.kind not in "iu":
        return 0.0, 1, rate
    intervals = np.unique(np.diff(steps))
    if len(steps) < 2:
        step = int(steps[0]) if len(steps) else 0
        return float(step), 1, (float(step / times[0]) if step and times[0] > 0 else None)
    if len(intervals) > 1 or intervals[0] < 1 or rate is None:
        raise TracksError(
            f"{path}: step: got frames that are {intervals.min()} to {intervals.max()} steps "
            "apart; expected equal intervals. Export it again with one --every"
        )
    every = int(intervals[0])
    return float(steps[0]), every, rate * every


# --- NetCDF


def is_netcdf(preview: FilePreview) -> bool:
    """Return whether a file is NetCDF with the attributes of a recording."""
    if preview.ending not in (".nc", ".h5", ".hdf5") or not preview.datasets:
        return False
    with open_hdf5(preview.path) as file:
        schema = file.attrs.get("schema")
        return schema in (SCHEMA, SCHEMA.encode())


def read_netcdf(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read any of the layouts of `murmurate export`: movement, native, cf."""
    import xarray

    path = preview.path
    check_hdf5(path)
    with xarray.open_dataset(regular(path), decode_times=False) as data:
        data = _by_individual(data, path)
        position, velocity, names = _read_layout(data, path)
        try:
            model = read_toml(str(data.attrs["model"]))
            counts = _flock_counts(data, list(model["flocks"]), names)
            dt = float(data.attrs["dt"])
            space = Space.model_validate(model["space"])
            if not 0 < dt < np.inf:
                raise ValueError(f"dt is {dt:g}")
        except (KeyError, TypeError, AttributeError, ValueError, TextError) as error:
            raise TracksError(
                f"{path}: its attributes cannot be read: {' '.join(str(error).split())[:200]}; "
                "expected those that murmurate writes. Export it again"
            ) from None
        times = np.asarray(data["time"].values, np.float64)
    if space.dims != position.shape[2] or sum(counts.values()) != position.shape[1]:
        raise TracksError(
            f"{path}: its attributes do not match its arrays: they say {sum(counts.values())} "
            f"boids in {space.dims}-D, and got {position.shape[1]} in {position.shape[2]}-D; "
            "expected those of one export. Export it again"
        )
    ends = np.cumsum(list(counts.values()))
    flocks = dict(zip(counts, np.split(np.arange(position.shape[1]), ends[:-1]), strict=True))
    rate = infer_rate(times, path)
    every = max(1, round(1 / (rate * dt))) if rate else 1
    return RawTracks(
        position, rate * every if rate else 1 / dt, names,
        start=float(round(times[0] / dt)) if len(times) else 0.0, every=every, simulated=True,
        attrs={"time": f"a step lasts {dt:g}"}, space=space, space_from="the file's attributes",
        velocities=velocity, flocks=flocks,
    )  # fmt: skip


def _by_individual(data: Any, path: Path) -> Any:
    """Return a Dataset with a column for each boid, also if its rows have changing boids."""
    if "id" not in data.variables or "n_boids" not in data.variables:
        return data
    try:
        from murmurate.record.changing_datasets import by_individual

        return by_individual(data)
    except (KeyError, ValueError, TypeError) as error:
        raise TracksError(
            f"{path}: its ids cannot be read: {' '.join(str(error).split())[:200]}; expected those "
            "that murmurate writes. Export it again"
        ) from None


def _flock_counts(data: Any, flocks: list[str], names: list[str]) -> dict[str, int]:
    """Return the number of columns of each flock, by the settings of the recording.

    If numbers of boids change, columns are those who are in any frame. The layout movement has
    names such as 'prey_12', and the others have ids, of which those of a flock follow each other.
    """
    settings = read_json(str(data.attrs["settings"]))
    if not settings.get("rows"):
        counts = settings["counts"]
        return {name: int(counts[name]) for name in flocks if name in counts}
    flocks = [name for name in flocks if name in settings["rows"]]
    if "individual" in data.dims or "individuals" in data.dims:
        of_boid = [name.rpartition("_")[0] for name in names]
        return {name: of_boid.count(name) for name in flocks}
    starts = [int(settings["first_ids"][name]) for name in flocks]
    of_id = np.searchsorted(starts, [int(name) for name in names], side="right") - 1
    return {name: int((of_id == k).sum()) for k, name in enumerate(flocks)}


def _read_layout(data: Any, path: Path) -> tuple[Array, Array, list[str]]:
    """Return positions and velocities (time, boid, axis), and the names of the boids."""
    from murmurate.tracks.movement import rename_to_singular

    try:
        if "position" not in data:  # cf
            axes = [axis for axis in AXES if axis in data]
            dims = ("time", "trajectory")
            position, velocity = (
                np.stack([data[f"{prefix}{axis}"].transpose(*dims).values for axis in axes], axis=2)
                for prefix in ("", "velocity_")
            )
            return position, velocity, [str(name) for name in data["trajectory"].values.tolist()]
        arrays = [data["position"], data["velocity"]]
        if "boid" in arrays[0].dims:  # native
            position, velocity = (x.transpose("time", "boid", "axis").values for x in arrays)
            return position, velocity, [str(name) for name in data["boid"].values.tolist()]
        arrays = [rename_to_singular(array) for array in arrays]
        if any(array.sizes["keypoint"] != 1 for array in arrays):
            raise ValueError("keypoint: one is expected")
        position, velocity = (
            array.isel(keypoint=0).transpose("time", "individual", "space").values
            for array in arrays
        )
        return position, velocity, [str(name) for name in arrays[1]["individual"].values]
    except (KeyError, ValueError) as error:
        raise TracksError(
            f"{path}: cannot be read: {' '.join(str(error).split())[:200]}; expected one of the "
            "layouts of murmurate export. Export it again"
        ) from None
