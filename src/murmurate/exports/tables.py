"""Write tables with one row for each boid and frame: CSV, and the columns of any table.

Another file describes the columns of a table, with their units and the origin of the data.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.exports.exported_boids import FrameRows
from murmurate.exports.formats import Options
from murmurate.exports.selection import Array, Selection
from murmurate.version import __version__

AXES = ("x", "y", "z")
ROWS = 1 << 18  # of a block, at least
TEXT_ROWS = 1 << 14  # rows that are converted to text at a time
EXACT = {np.dtype("float32"): "%.9g", np.dtype("float64"): "%.17g"}  # read back as the same float


def column_names(selection: Selection, layout: str) -> list[str]:
    """Return the names of the columns of a layout.

    long: step, time, flock, id, positions, velocities and other state. trackpy: its own names.
    """
    axes = list(AXES[: selection.dims])
    if layout == "trackpy":
        return ["frame", "particle", *axes]
    others = [*selection.state, *selection.traits]
    return ["step", "time", "flock", "id", *axes, *(f"v{axis}" for axis in axes), *others]


def column_types(selection: Selection, layout: str) -> dict[str, str]:
    """Return the type of each column by name: a numpy dtype or string."""
    row = _columns([selection.first_rows], layout)
    words = {"flock", "id"} if selection.names and layout != "trackpy" else {"flock"}
    return {name: "string" if name in words else str(row[name].dtype) for name in row}


def quote(name: str) -> str:
    """Return a name as a CSV cell, quoted if it contains a comma."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow([name])
    return text.getvalue()


def row_blocks(selection: Selection, layout: str) -> Iterator[dict[str, Array]]:
    """Yield the table in blocks of whole frames, by time, then id.

    `flock` is an index in the flocks.
    """
    for frames in selection.rows_of_pieces():
        block: list[FrameRows] = []
        for k, rows in enumerate(frames):
            block.append(rows)
            if sum(map(len, block)) >= ROWS or k == len(frames) - 1:
                yield _columns(block, layout)
                block = []


def _columns(frames: list[FrameRows], layout: str) -> dict[str, Array]:
    """Return the columns of some frames."""

    def join(part: Callable[[FrameRows], Array]) -> Array:
        return np.concatenate([part(rows) for rows in frames])

    sizes = [len(rows) for rows in frames]
    dims = frames[0].positions.shape[1]
    ids = join(lambda rows: rows.ids)
    positions = join(lambda rows: rows.positions)
    coordinates = {axis: positions[:, k] for k, axis in enumerate(AXES[:dims])}
    if layout == "trackpy":
        return {"frame": np.repeat([rows.index for rows in frames], sizes), "particle": ids,
                **coordinates}  # fmt: skip
    velocities = join(lambda rows: rows.velocities)
    return {
        "step": np.repeat(np.array([rows.step for rows in frames], np.int64), sizes),
        "time": np.repeat(np.array([rows.time for rows in frames], np.float64), sizes),
        "flock": join(lambda rows: rows.flock_index),
        "id": ids,
        **coordinates,
        **{f"v{axis}": velocities[:, k] for k, axis in enumerate(coordinates)},
        **{name: join(lambda rows, name=name: rows.state[name]) for name in frames[0].state},  # type: ignore[misc]
        **{name: join(lambda rows, name=name: rows.traits[name]) for name in frames[0].traits},  # type: ignore[misc]
    }


# --- text


def number_format(column: Array) -> str:
    """Return the format of its numbers, with enough digits for the same float."""
    return EXACT.get(column.dtype, "%d")


def text_rows(columns: Sequence[Array | list[str]], separator: str) -> Iterator[str]:
    """Yield the text of many lines of one value per column. Strings are copied."""
    formats = ["%s" if isinstance(column, list) else number_format(column) for column in columns]
    line = separator.join(formats) + "\n"
    width = len(columns)
    for first in range(0, len(columns[0]), TEXT_ROWS):
        block = [column[first : first + TEXT_ROWS] for column in columns]
        flat: list[object] = [None] * (width * len(block[0]))
        for k, part in enumerate(block):
            flat[k::width] = part if isinstance(part, list) else part.tolist()
        yield (line * len(block[0])) % tuple(flat)


# --- CSV


def write(draft: Path, selection: Selection, options: Options) -> None:
    """Write a CSV file with enough digits for the same floats."""
    words = {"flock": [quote(name) for name in selection.flocks]}
    if selection.names and options.layout != "trackpy":
        words["id"] = [quote(name) for name in selection.names]
    with open(draft, "w", encoding="utf-8", newline="") as file:
        file.write(",".join(column_names(selection, options.layout)) + "\n")
        for part in row_blocks(selection, options.layout):
            columns = [
                [words[name][k] for k in column] if name in words else column
                for name, column in part.items()
            ]
            file.writelines(text_rows(columns, ","))


# --- description of columns

UNITS = "length and time are those of the model, which chooses its own"
ENDING = ".columns.json"

# Unit and meaning of each column. Units are words, because a model chooses its own.
COLUMNS = {
    "step": ("1", "step of the simulation, counted from its start"),
    "time": ("time", "model time: the step times dt"),
    "flock": ("1", "name of the boid's flock"),
    "id": ("1", "the boid's number, counted through all flocks of the recording"),
    "frame": ("1", "number of the frame in this table, from 0"),
    "particle": ("1", "the boid's number, counted through all flocks of the recording"),
    "perch_timer": ("steps", "steps that the boid still stays on the ground; 0 in flight"),
    "birth": ("steps", "step at which the boid joined its flock; 0 for boids of the start"),
}
AXIS_COLUMNS = {
    **{axis: ("length", f"position along {axis}") for axis in "xyz"},
    **{f"v{axis}": ("length/time", f"velocity along {axis}") for axis in "xyz"},
}


def path_of_columns(table: Path) -> Path:
    """Return the path of the description of a table: flock.csv.columns.json for flock.csv."""
    return table.with_name(table.name + ENDING)


def write_columns(draft: Path, table: Path, selection: Selection, layout: str) -> None:
    """Write the description of a table as JSON; see `columns_of`."""
    description = columns_of(table, selection, layout)
    draft.write_text(json.dumps(description, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def columns_of(table: Path, selection: Selection, layout: str) -> dict[str, Any]:
    """Describe a table as JSON values.

    columns
        Name, type, unit and meaning of each, in order.
    flocks
        Number of boids by name; of all that are in the table if boids come and go.
    boid_rows
        Number of rows, if boids come and go.
    dt, every
        Model time of a step; steps between frames.
    space
        Lower corner, size, boundary and periodicity of each axis.
    model
        Name, title and fingerprint; `citations` has its references.
    versions, exported_by
        Versions that recorded it; version of this program.
    """
    header, steps, space = selection.recording.header, selection.steps, selection.space
    return {
        "file": table.name,
        "rows": "one for each boid and frame, in order of time, then of the boid's number",
        "columns": [
            dict(
                zip(
                    ("name", "type", "unit", "meaning"),
                    (name, kind, *_unit(name, header, selection.traits)),
                    strict=True,
                )
            )
            for name, kind in column_types(selection, layout).items()
        ],
        "units": getattr(selection.recording, "units", UNITS),
        "layout": layout,
        "frames": len(selection),
        "flocks": selection.counts,
        **({} if selection.lives is None else {"boid_rows": int(selection.numbers_of_boids.sum())}),
        "dt": header["dt"],
        "first_step": steps[0],
        "last_step": steps[-1],
        "every": steps.step,
        "precision": header["precision"],
        "space": {
            "lower": list(space.lower),
            "size": list(space.size),
            "boundary": list(space.boundaries),
            "periodic": list(space.periodic),
        },
        "model": {key: header[key] for key in ("name", "title", "fingerprint")},
        "seed": header["seed"],
        "versions": header["versions"],
        "exported_by": f"murmurate {__version__}",
        "citations": header["citations"],
    }


def _unit(name: str, header: dict[str, Any], traits: Sequence[str]) -> tuple[str, str]:
    """Return the unit and the meaning of a column."""
    if name in traits:
        return "", f"{name} of the model, a number that differs between boids"
    if name in COLUMNS | AXIS_COLUMNS:
        return (COLUMNS | AXIS_COLUMNS)[name]
    number = int(name.removeprefix("memory_"))
    stored = {
        flock: names[number]
        for flock, names in header.get("kept_names", {}).items()
        if number < len(names)
    }
    sources = ", ".join(f"{what} of {flock}" for flock, what in stored.items())
    return "", f"what the boid remembers: {sources or 'a past state, for delayed perception'}"
