"""Store: writes the files of a recording, in commits; used by one thread.

A commit, in this order: shards, rows, the exact state where frames are rounded, a line in the
journal, zarr.json. Each file is durable before the next is begun, and each is replaced in one step.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.frame import DistributedFrame, Frame
from murmurate.record import exact_states, journal, metadata, schema
from murmurate.record.array_writers import FRAME_FIELDS, RowsWriter, ShardWriter, all_boids
from murmurate.record.codec import with_checksum
from murmurate.record.durable_files import write_atomically
from murmurate.record.fixed_arrays import fixed_arrays
from murmurate.record.packed_frame import PackedFrame, packed_frame

log = logging.getLogger(__name__)
Measure = Callable[[Frame | DistributedFrame], Mapping[str, Sequence[float]]]
"""A frame -> name of a measure -> its value for each flock."""


class Store:
    """Writes one recording, from `frames` frames on.

    frames     recorded
    committed  of them, durable
    """

    def __init__(
        self,
        path: Path,
        header: dict[str, Any],
        target: int,
        *,
        measure: Measure | None,
        scheduled: Callable[[float], Sequence[float]],
    ) -> None:
        self.path, self.header, self.target = path, header, target
        self._measure, self._scheduled = measure, scheduled
        self.shards = [ShardWriter(array) for array in schema.boid_arrays(header)]
        self.rows = {array.name: RowsWriter(array) for array in schema.frame_arrays(header)}
        self.frames = self.committed = 0
        self.last: Frame | None = None
        self._files: dict[str, list[int]] = {}
        self._sizes: dict[str, int] = {}
        self._measures_of: Frame | None = None
        self._measures: Mapping[str, Sequence[float]] = {}
        self._rounded = header["precision"] is not None

    @property
    def written(self) -> int:
        """Bytes of the files on disk that were written here."""
        return sum(list(self._sizes.values()))

    def begin(self) -> None:
        """Writes arrays of fixed length and metadata."""
        for name, array in fixed_arrays(self.header).items():
            self._write(f"{name}/zarr.json", _json(array.metadata))
            for number in range(array.chunks):
                self._write(f"{name}/c/{number}", with_checksum(array.chunk(number)))
        self._write(f"{journal.FOLDER}/zarr.json", _json(metadata.JOURNAL))
        self.write_metadata()

    def start_journal(self, commits: Sequence[dict[str, Any]] = ()) -> None:
        """A new journal: the header, and commits that still hold."""
        text = b"".join(journal.line(entry) for entry in [self.header, *commits])
        self._write(journal.LOG, text)

    def packed(self, frame: DistributedFrame) -> PackedFrame:
        """A frame to add, packed where its boids are, before the flight goes on. Raises OSError."""
        arrays, drafts = [shard.array for shard in self.shards], self.path / journal.FOLDER
        return packed_frame(frame, arrays, drafts, self._measured(frame))

    def add(self, frame: Frame | PackedFrame) -> bool:
        """One frame more; commits when a shard is full. Whether it did."""
        for shard in self.shards:
            if isinstance(frame, PackedFrame):
                shard.draft = frame.drafts[shard.array.name]
            else:
                shard.add(all_boids(frame, FRAME_FIELDS[shard.array.name]))
                self.last = frame
        full = [rows for rows in self.rows.values() if rows.add(self.row(frame, rows.array.name))]
        self.frames += 1
        for rows in full:
            self._write_rows(rows)
            rows.next()
        if self.shards[0].full:
            self.commit()
            return True
        return False

    def commit(self) -> None:
        """Makes all frames so far durable, and says so in the journal. Raises OSError."""
        for shard in self.shards:
            if shard.frames:
                length, check = shard.write(self.path, self.path / journal.FOLDER)
                self._sizes[shard.file], self._files[shard.file] = length, [length, check]
            if shard.full:
                shard.next()
        for rows in self.rows.values():
            if rows.rows:
                self._write_rows(rows)
        if self._rounded and self.last is not None:
            exact_states.write(self.path, self.frames, self.last, self.header["dtype"])
        entry = {"frames": self.frames, "target": self.target, "files": self._files}
        journal.append(self.path, entry)
        self._files = {}
        log.info("%s: %d frames are on disk", self.path, self.frames)
        previous, self.committed = self.committed, self.frames
        self._write_root()
        if self._rounded:
            exact_states.remove_except(self.path, {1, previous, self.frames})

    def write_metadata(self) -> None:
        """zarr.json of every array: once at the beginning, and at the end. What they hold is in the
        root's too, which is what tools read first, and what is replaced at each commit."""
        arrays: list[schema.BoidArray | schema.FrameArray] = [shard.array for shard in self.shards]
        arrays += [rows.array for rows in self.rows.values()]
        for array in arrays:
            self._write(f"{array.name}/zarr.json", _json(array.metadata(self.committed)))

    def _write_root(self) -> None:
        root = metadata.root_metadata(self.header, self.committed, self.target)
        self._write("zarr.json", _json(root))

    def row(self, frame: Frame | PackedFrame, name: str) -> Any:
        if name == "time":
            return frame.time
        if name == "step":
            return frame.step
        if name == "schedule":
            return self._scheduled(frame.time)
        if isinstance(frame, PackedFrame):
            return frame.measures[name]
        if self._measures_of is not frame:
            self._measures_of, self._measures = frame, self._measured(frame)
        return self._measures[name]

    def _measured(self, frame: Frame | DistributedFrame) -> Mapping[str, Sequence[float]]:
        """The measures of a frame; nan in those between, where a flock is large."""
        due = (frame.step - self.header["first_step"]) // self.header["every"]
        if self._measure is None or due % self.header["measure_every"]:
            return dict.fromkeys(self.header["measures"], [np.nan] * len(self.header["counts"]))
        return self._measure(frame)

    def _write_rows(self, rows: RowsWriter) -> None:
        self._write(rows.array.file(rows.part), rows.file_bytes())

    def _write(self, name: str, data: bytes) -> None:
        write_atomically(self.path / name, data, self.path / journal.FOLDER)
        self._sizes[name] = len(data)


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, indent=1).encode()
