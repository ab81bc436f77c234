"""TraitReader: the traits of the boids of a recording, read or computed when they are needed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.model.files import parse
from murmurate.model.model import Model
from murmurate.record.block_reader import read_small_file
from murmurate.record.schema import fixed_arrays
from murmurate.record.traits import FlockTraits, compute_traits, trait_names, trait_table

Array = np.ndarray


class TraitReader:
    """The traits of the boids of a recording, read or computed when they are needed."""

    def __init__(self, path: Path, header: Mapping[str, Any]) -> None:
        self._path, self._header = path, header
        self._names: Mapping[str, list[str]] = header.get("traits", {})
        self._table: Array | None = None
        self._model: Model | None = None
        self._computed_rows: dict[str, Array] = {}  # of each flock: 1 if computed, then the traits

    def of(self, flock: str, indices: Array) -> FlockTraits:
        """Return the traits of boids of a flock, by their numbers in it.

        Raises ModelError if they are not stored, and the model uses rules that are not registered.
        """
        names = self._names.get(flock, [])
        if not names:
            return {}
        if self._header.get("rows"):
            return self._computed(flock, indices, names)
        if self._table is None:
            table = stored_traits(self._path, self._header)
            self._table = trait_table(self._header) if table is None else table
        counts: dict[str, int] = self._header["counts"]
        flocks = list(counts)
        first = sum(counts[before] for before in flocks[: flocks.index(flock)])
        columns = trait_names(self._header)
        return {name: self._table[first + indices, columns.index(name)] for name in names}

    def _computed(self, flock: str, indices: Array, names: list[str]) -> FlockTraits:
        """Return traits that are computed when a boid is first seen."""
        table = self._computed_rows.get(flock, np.zeros((0, 1 + len(names))))
        if len(indices) and len(table) <= indices[-1]:
            more = int(indices[-1]) + 1 - len(table)
            table = np.concatenate([table, np.zeros((max(more, len(table)), 1 + len(names)))])
        new = indices[table[indices, 0] == 0]
        if len(new):
            if self._model is None:
                self._model = parse(self._header["model"], f"{self._path}: model")
            values = compute_traits(self._header, self._model, flock, new)
            table[new] = np.stack([np.ones(len(new)), *(values[name] for name in names)], axis=1)
        self._computed_rows[flock] = table
        return {name: table[indices, 1 + k] for k, name in enumerate(names)}


def stored_traits(path: Path, header: Mapping[str, Any]) -> Array | None:
    """Return the table of traits that a recording stores; None if it is damaged."""
    array = fixed_arrays(dict(header)).get("trait")
    if array is None:
        return None
    rows, width = array.metadata["shape"]
    size = array.metadata["chunk_grid"]["configuration"]["chunk_shape"][0]
    parts = []
    for number in range(array.chunks):
        data = read_small_file(path / "trait" / array.file(number))
        if data is None or len(data) != 8 * size * width:
            return None
        parts.append(np.frombuffer(data, "<f8").reshape(size, width))
    return np.concatenate(parts)[:rows]
