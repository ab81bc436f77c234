"""Columns of the CSV and Parquet tables: one row for each boid and frame."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import numpy as np

from murmurate.exports.selection import Array, Piece, Selection

AXES = ("x", "y", "z")
ROWS = 1 << 18  # in a part, so that a frame of a million boids makes no large table


def column_names(selection: Selection, layout: str) -> list[str]:
    """long: step, time, flock, id, places, velocities, state. trackpy: its own names."""
    axes = list(AXES[: selection.dims])
    if layout == "trackpy":
        return ["frame", "particle", *axes]
    state = list(selection.first.state)
    return ["step", "time", "flock", "id", *axes, *(f"v{axis}" for axis in axes), *state]


def column_types(selection: Selection, layout: str) -> dict[str, str]:
    """Name -> type of each column, from the first row: numpy's words, and string."""
    row = _row_block(selection, selection.first, layout, slice(0, 1), slice(0, 1))
    words = {"flock", "id"} if selection.names and layout != "trackpy" else {"flock"}
    return {name: "string" if name in words else str(row[name].dtype) for name in row}


def quoted(name: str) -> str:
    """A name as a CSV file has it: in quotes where it has a comma in it."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow([name])
    return text.getvalue()


def row_blocks(selection: Selection, layout: str) -> Iterator[dict[str, Array]]:
    """The table in parts of whole rows, in order of time, then id. `flock` is a number: its place
    in selection.flocks."""
    boids = len(selection.ids)
    for piece in selection:
        frames = max(1, ROWS // boids)
        for first in range(0, len(piece.steps), frames):
            for low in range(0, boids, ROWS):
                some = slice(first, min(first + frames, len(piece.steps)))
                yield _row_block(selection, piece, layout, some, slice(low, min(low + ROWS, boids)))


def _row_block(
    selection: Selection, piece: Piece, layout: str, frames: slice, boids: slice
) -> dict[str, Array]:
    count, many = frames.stop - frames.start, boids.stop - boids.start
    ids = np.tile(selection.ids[boids], count)
    places = {
        axis: piece.positions[frames, boids, k].reshape(-1)
        for k, axis in enumerate(AXES[: selection.dims])
    }
    if layout == "trackpy":
        numbers = np.arange(frames.start, frames.stop) + piece.first
        return {"frame": np.repeat(numbers, many), "particle": ids, **places}
    return {
        "step": np.repeat(piece.steps[frames], many),
        "time": np.repeat(piece.times[frames], many),
        "flock": np.tile(selection.flock_index[boids], count),
        "id": ids,
        **places,
        **{
            f"v{axis}": piece.velocities[frames, boids, k].reshape(-1)
            for k, axis in enumerate(places)
        },
        **{name: values[frames, boids].reshape(-1) for name, values in piece.state.items()},
    }
