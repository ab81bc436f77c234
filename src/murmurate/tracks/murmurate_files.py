"""murmurate's own exports, read back: tables with the file beside them, arrays, and NetCDF.

They say what they hold: the space with its periodic axes, recorded velocities, times and flocks.
All of it is taken as it is. Where it is missing, or does not fit the numbers, nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.disk import open_regular, regular
from murmurate.model.space import Space
from murmurate.model.text_reader import TextError, read_json, read_toml
from murmurate.record.errors import RecordingRefused
from murmurate.tracks.column_names import Column
from murmurate.tracks.file_head import TEXT, Head
from murmurate.tracks.given_space import EXAMPLE
from murmurate.tracks.grid import filled, frames_of_numbers
from murmurate.tracks.hdf5_file import check_hdf5, open_hdf5
from murmurate.tracks.layouts import Layout
from murmurate.tracks.moments import rate_of_frames
from murmurate.tracks.npz_file import read_npz
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.reading import Reading
from murmurate.tracks.timeline import rate_of_times

Array = np.ndarray
AXES = "xyz"
BESIDE_TABLE = ".columns.json"  # as murmurate.exports.tables ends its names
SCHEMA = "murmurate-recording"  # as murmurate.record.schema has it, whose import needs zarr
LONGEST = 1 << 24  # bytes of the file beside a table
OFF = 1e-6  # of a time: how far it may lie from step times dt


# --- tables


def has_columns_file(head: Head) -> bool:
    """Whether it is a table with a .columns.json beside it, or in its metadata."""
    if head.ending not in (*TEXT, ".parquet"):
        return False
    return _beside(head.path).is_file() or "murmurate_columns" in _in_parquet(head)


def read_table(head: Head, options: ReadOptions, layout: Layout) -> Reading:
    """A table that murmurate exported. Raises RecordingRefused where what should be said of it is
    missing or does not fit, unless the user gives the space."""
    said, lacks = _said(head)
    names = [column.written for column in head.columns]
    trackpy = "particle" in names
    if said and names != (there := [str(one["name"]) for one in said["columns"]]):
        lacks = _misfit(head, f"the columns {', '.join(there)}", ", ".join(names))
    if lacks and not options.space.said:
        raise RecordingRefused(f"{head.path}: {lacks}")
    said = {} if lacks else said
    if trackpy and not said:
        raise RecordingRefused(f"{head.path}: {lacks}")
    id_name = "particle" if trackpy else "id"
    try:
        reading = _rows(head, options, said, id_name)
    except _Misfit as error:
        if trackpy or not options.space.said:
            raise
        lacks = str(error).removeprefix(f"{head.path}: ")
        reading = _rows(head, options, {}, id_name)
    if not lacks:
        return reading
    note = f"{lacks.partition('; expected')[0]}; the space is taken as given"
    return replace(reading, notes=(*reading.notes, note))


class _Misfit(RecordingRefused):
    """What is said of a table is not of this table."""


def _beside(path: Path) -> Path:
    return path.with_name(path.name + BESIDE_TABLE)


def _in_parquet(head: Head) -> dict[str, str]:
    """murmurate's entries of a Parquet file's metadata."""
    if head.ending != ".parquet":
        return {}
    from pyarrow import parquet

    found = parquet.read_schema(regular(head.path)).metadata or {}
    return {
        key.decode(): value.decode("utf-8", "replace")
        for key, value in found.items()
        if key.startswith(b"murmurate_")
    }


def _said(head: Head) -> tuple[dict[str, Any], str]:
    """What is said of a table, and what is wrong with that: one of them is empty."""
    path, inside = _beside(head.path), _in_parquet(head).get("murmurate_columns")
    if inside is None and not path.is_file():
        return {}, (
            f"{path.name} is missing, which murmurate writes beside a table: it says whether the "
            "space is periodic; expected both files. Put it back beside the table, or give the "
            f"space: {EXAMPLE}, or --periodic none"
        )
    try:
        if inside is None:
            with open_regular(path) as file:
                inside = file.read(LONGEST).decode("utf-8")
        found = read_json(inside)
        found["columns"] = [{"name": str(c["name"]), "type": str(c["type"])}
                            for c in found["columns"]]  # fmt: skip
        found["flocks"] = {str(name): int(count) for name, count in found["flocks"].items()}
        for name in ("frames", "first_step", "last_step", "every"):
            found[name] = int(found[name])
        found["dt"] = float(found["dt"])
        space = found["space"]
        if not 0 < found["dt"] < np.inf or found["every"] < 1:
            raise ValueError("dt and every must be above 0")
        found["space"] = _space(space["lower"], space["size"],
                                space.get("boundary") or _words(space["periodic"]))  # fmt: skip
        return found, ""
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        text = " ".join(str(error).split())[:200]
        return {}, (
            f"{path.name}: cannot be read: {text}; expected what murmurate writes beside a table. "
            f"Export it again, or give the space: {EXAMPLE}, or --periodic none"
        )


def _misfit(head: Head, said: str, found: str) -> str:
    return (
        f"{_beside(head.path).name} does not fit the table: it says {said}, and got {found}; "
        "expected both from one export. Export it again, or remove that file and give the "
        f"space: {EXAMPLE}, or --periodic none"
    )


def _rows(head: Head, options: ReadOptions, said: Mapping[str, Any], id_name: str) -> Reading:
    """The rows on a grid of frames and boids; `said` is {} where nobody says anything."""
    path, columns = head.path, {column.written: column for column in head.columns}
    axes = [axis for axis in AXES if axis in columns]
    moves = [f"v{axis}" for axis in axes if f"v{axis}" in columns]
    when = "step" if id_name == "id" else "frame"
    types = {column["name"]: column["type"] for column in said.get("columns", ())}
    named = types.get(id_name) == "string"  # tracks of animals, which have names
    wanted = [when, *(["time"] if "time" in columns else []), *axes, *moves]
    wanted += [] if named else [id_name]
    numbers: dict[str, Column] = {name: columns[name] for name in wanted}
    words = {name: columns[name] for name in ("flock", *([id_name] if named else []))
             if name in columns}  # fmt: skip
    found = head.table().read(numbers, words, options.skip_bad)
    values = {name: found.number(name) for name in wanted}
    for name in (*axes, *moves):
        if types.get(name) == "float32":  # its shortest text is another float64
            values[name] = values[name].astype(np.float32).astype(np.float64)
    ids = found.words[id_name].codes if named else values[id_name]
    if len(ids) and not (np.isfinite(ids).all() and (ids == np.round(ids)).all()):
        row = found.place(int(np.argmax(~np.isfinite(ids) | (ids != np.round(ids)))))
        raise RecordingRefused(
            f"{path}: {id_name}: got no whole number in {row}; expected the boid's number. Take "
            "the table from a copy"
        )
    boids, whose = np.unique(ids, return_inverse=True)
    frames = frames_of_numbers(values[when], len(boids), found.place, path)
    flocks, counts = {}, {}
    if "flock" in found.words:
        flocks = _flocks(found.words["flock"].names, found.words["flock"].codes, whose, found, path)
        counts = {name: len(rows) for name, rows in flocks.items()}
    elif said:
        counts = dict(said["flocks"])
        ends = np.cumsum(list(counts.values()))
        flocks = dict(zip(counts, np.split(np.arange(ends[-1]), ends[:-1]), strict=True))
    if said:
        _check_fit(head, said, frames, values, len(boids), counts, when)
        flocks = {name: flocks[name] for name in said["flocks"]}
    names = found.words[id_name].names if named else [str(int(one)) for one in boids]
    stacked = np.stack([values[name] for name in (*axes, *moves)], axis=1)
    placed, again = filled(frames, whose, stacked, names, found.place, options.skip_bad, path)
    rate, every, start = None, int(frames.step), frames.start
    if said:
        rate = 1 / said["dt"]
        if when == "frame":
            every, start = said["every"], float(said["first_step"])
    elif "time" in values:
        rate = rate_of_frames(values[when], values["time"])
    notes = tuple(f"{bad:,} rows that cannot be used were left out" for bad in [found.bad + again]
                  if bad)  # fmt: skip
    dims = len(axes)
    return Reading(
        placed[..., :dims], rate, names, start=start, every=every, simulated=True, notes=notes,
        attrs={"time": f"a step lasts {said['dt']:g}"} if said else {},
        space=said.get("space"), space_from=_beside(path).name,
        velocities=placed[..., dims:] if len(moves) == dims else None, flocks=flocks or None,
    )  # fmt: skip


def _flocks(
    names: Sequence[str], codes: Array, whose: Array, found: Any, path: Path
) -> dict[str, Array]:
    """name -> the boids of each flock. Raises RecordingRefused for a boid that is in two."""
    of = np.full(int(whose.max(initial=-1)) + 1, -1)
    of[whose] = codes
    if (wrong := of[whose] != codes).any():
        raise RecordingRefused(
            f"{path}: flock: got another one for the same boid in "
            f"{found.place(int(wrong.argmax()))}; expected one flock for each boid. Take "
            "the table from a copy"
        )
    return {name: np.flatnonzero(of == k) for k, name in enumerate(names)}


def _check_fit(
    head: Head, said: Mapping[str, Any], frames: Any, values: Mapping[str, Array], boids: int,
    counts: Mapping[str, int], when: str,
) -> None:  # fmt: skip
    """Raises _Misfit where what is said is not of this table."""
    steps = values[when]
    pairs: list[tuple[str, Any, Any]] = [
        ("boids", sum(said["flocks"].values()), boids),
        ("frames", said["frames"], frames.count),
        ("rows", said["frames"] * sum(said["flocks"].values()), len(steps)),
        ("boids of each flock", said["flocks"], dict(counts)),
        ("axes", said["space"].dims, sum(axis in values for axis in AXES)),
    ]
    if when == "step":
        pairs += [
            ("first step", said["first_step"], int(frames.start)),
            ("last step", said["last_step"], int(steps.max(initial=0))),
        ]
        off = np.abs(values["time"] - steps * said["dt"]) > OFF * np.abs(values["time"]) + 1e-12
        if off.any():
            k = int(off.argmax())
            pairs.append((f"time of step {int(steps[k])}", float(steps[k] * said["dt"]),
                          float(values["time"][k])))  # fmt: skip
    for what, one, other in pairs:
        if one != other:
            text = _misfit(head, f"{_text(one)} for {what}", _text(other))
            raise _Misfit(f"{head.path}: {text}")


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {count}" for name, count in value.items())
    return f"{value:.10g}"


# --- arrays


def read_arrays(head: Head, options: ReadOptions) -> Reading:
    """An .npz: position and velocity (time, boid, axis), step, time, boid, flock, and the space."""
    path = head.path
    found = read_npz(path, (
        "position", "velocity", "step", "time", "boid", "flock", "flock_name", "space_lower",
        "space_size", "space_boundary",
    ))  # fmt: skip
    position, time = found.get("position"), found.get("time")
    if position is None or time is None or position.shape[:1] != time.shape:
        raise RecordingRefused(f"{path}: its arrays position and time are not of one length")
    boids = [str(one) for one in np.ravel(found.get("boid", np.arange(0))).tolist()]
    space, lacks = None, _without_space("it")
    if position.ndim == 3 and {"space_lower", "space_size", "space_boundary"} <= set(found):
        lower, size, words = (np.ravel(found[f"space_{part}"]).tolist()
                              for part in ("lower", "size", "boundary"))  # fmt: skip
        space, lacks = _checked_space(lower, size, words, position.shape[2], path), ""
    flock, flocks = found.get("flock"), None
    if flock is not None and position.ndim == 3 and flock.shape == position.shape[1:2]:
        names = np.ravel(found.get("flock_name", np.arange(flock.max(initial=-1) + 1))).tolist()
        flocks = {str(name): np.flatnonzero(flock == k) for k, name in enumerate(names)}
        _check_flocks(flocks, len(flock), path)
    start, every, rate = _steps(found.get("step"), time.astype(np.float64), path)
    velocity = found.get("velocity")
    if velocity is not None and velocity.shape != position.shape:
        raise RecordingRefused(f"{path}: its arrays position and velocity are not of one shape")
    return Reading(
        position, rate, boids if len(boids) == position.shape[1] else None, start=start,
        every=every, simulated=True, space=space, space_from="the file", lacks_space=lacks,
        velocities=None if velocity is None else velocity.astype(np.float64), flocks=flocks,
    )  # fmt: skip


def _without_space(what: str) -> str:
    return (
        f"{what} does not say whether the space is periodic, as exports of murmurate up to 0.4 do "
        f"not; expected the space. Export it again, or give it: {EXAMPLE}, or --periodic none"
    )


def _checked_space(lower: Any, size: Any, words: Any, dims: int, path: Path) -> Space:
    try:
        space = _space(lower, size, words)
        if space.dims != dims:
            raise ValueError(f"{space.dims} axes for {dims}-D positions")
    except (TypeError, ValueError) as error:
        raise RecordingRefused(
            f"{path}: its space cannot be read: {' '.join(str(error).split())[:200]}; expected "
            f"what murmurate writes. Export it again, or give it: {EXAMPLE}"
        ) from None
    return space


def _space(lower: Sequence[float], size: Sequence[float], words: Sequence[str]) -> Space:
    return Space(size=tuple(map(float, size)), origin=tuple(map(float, lower)),
                 boundary=tuple(words))  # type: ignore[arg-type]  # fmt: skip


def _words(periodic: Sequence[Any]) -> list[str]:
    return ["periodic" if one is True else "open" for one in periodic]


def _check_flocks(flocks: Mapping[str, Array], boids: int, path: Path) -> None:
    if sum(map(len, flocks.values())) != boids:
        raise RecordingRefused(
            f"{path}: flock: got boids of no flock that has a name; expected one for each. Take "
            "the file from a copy"
        )


def _steps(steps: Array | None, times: Array, path: Path) -> tuple[float, int, float | None]:
    """The first step, steps from one frame to the next, and frames a second of the file's steps;
    without steps frames are counted."""
    rate = rate_of_times(times, path)
    if steps is None or steps.shape != times.shape or steps.dtype.kind not in "iu":
        return 0.0, 1, rate
    apart = np.unique(np.diff(steps))
    if len(steps) < 2:
        step = int(steps[0]) if len(steps) else 0
        return float(step), 1, (float(step / times[0]) if step and times[0] > 0 else None)
    if len(apart) > 1 or apart[0] < 1 or rate is None:
        raise RecordingRefused(
            f"{path}: step: got frames that are {apart.min()} to {apart.max()} steps apart; "
            "expected equal steps. Export it again with one --every"
        )
    every = int(apart[0])
    return float(steps[0]), every, rate * every


# --- NetCDF


def is_netcdf(head: Head) -> bool:
    """Whether it is NetCDF with the attributes of a recording."""
    if head.ending not in (".nc", ".h5", ".hdf5") or not head.datasets:
        return False
    with open_hdf5(head.path) as file:
        schema = file.attrs.get("schema")
        return schema in (SCHEMA, SCHEMA.encode())


def read_netcdf(head: Head, options: ReadOptions) -> Reading:
    """Any of the layouts of `murmurate export`: movement, native, cf."""
    import xarray

    path = head.path
    check_hdf5(path)
    with xarray.open_dataset(regular(path), decode_times=False) as data:
        position, velocity, names = _arrays(data, path)
        try:
            model = read_toml(str(data.attrs["model"]))
            counts = read_json(str(data.attrs["settings"]))["counts"]
            counts = {str(name): int(counts[name]) for name in model["flocks"] if name in counts}
            dt = float(data.attrs["dt"])
            space = Space.model_validate(model["space"])
            if not 0 < dt < np.inf:
                raise ValueError(f"dt is {dt:g}")
        except (KeyError, TypeError, AttributeError, ValueError, TextError) as error:
            raise RecordingRefused(
                f"{path}: its attributes cannot be read: {' '.join(str(error).split())[:200]}; "
                "expected those that murmurate writes. Export it again"
            ) from None
        times = np.asarray(data["time"].values, np.float64)
    if space.dims != position.shape[2] or sum(counts.values()) != position.shape[1]:
        raise RecordingRefused(
            f"{path}: its attributes do not fit its arrays: they say {sum(counts.values())} boids "
            f"in {space.dims}-D, and got {position.shape[1]} in {position.shape[2]}-D; expected "
            "those of one export. Export it again"
        )
    ends = np.cumsum(list(counts.values()))
    flocks = dict(zip(counts, np.split(np.arange(position.shape[1]), ends[:-1]), strict=True))
    rate = rate_of_times(times, path)
    every = max(1, round(1 / (rate * dt))) if rate else 1
    return Reading(
        position, rate * every if rate else 1 / dt, names,
        start=float(round(times[0] / dt)) if len(times) else 0.0, every=every, simulated=True,
        attrs={"time": f"a step lasts {dt:g}"}, space=space, space_from="the file's attributes",
        velocities=velocity, flocks=flocks,
    )  # fmt: skip


def _arrays(data: Any, path: Path) -> tuple[Array, Array, list[str]]:
    """Positions and velocities (time, boid, axis), and the boids' names."""
    try:
        if "position" not in data:  # cf
            axes = [axis for axis in AXES if axis in data]
            dims = ("time", "trajectory")
            both = [np.stack([data[f"{prefix}{axis}"].transpose(*dims).values for axis in axes],
                             axis=2) for prefix in ("", "velocity_")]  # fmt: skip
            return both[0], both[1], [str(one) for one in data["trajectory"].values.tolist()]
        position = data["position"]
        if "boid" in position.dims:  # native
            dims3 = ("time", "boid", "axis")
            both = [data[name].transpose(*dims3).values for name in ("position", "velocity")]
            return both[0], both[1], [str(one) for one in data["boid"].values.tolist()]
        plural = {"individuals": "individual", "keypoints": "keypoint"}
        both = []
        for name in ("position", "velocity"):
            one = data[name].rename({k: v for k, v in plural.items() if k in data[name].dims})
            if one.sizes["keypoint"] != 1:
                raise ValueError("keypoint: one is expected")
            both.append(one.isel(keypoint=0).transpose("time", "individual", "space").values)
            individuals = [str(who) for who in one["individual"].values]
        return both[0], both[1], individuals
    except (KeyError, ValueError) as error:
        raise RecordingRefused(
            f"{path}: cannot be read: {' '.join(str(error).split())[:200]}; expected one of the "
            "layouts of murmurate export. Export it again"
        ) from None
