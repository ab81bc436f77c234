"""Check a recording: every frame, every other number and all metadata are read, and what is damaged
is reported.

Metadata are a function of the header and of how many frames there are, so they are compared with
what they must be. They may lag behind the frames: those of an array are written at the beginning
and the end, and those of the root after the journal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from murmurate.disk import read_bytes
from murmurate.model.text_reader import read_json
from murmurate.record import exact_states, journal, metadata
from murmurate.record.block_reader import ranges, read_small_file
from murmurate.record.errors import RecordingDamaged
from murmurate.record.fixed_arrays import fixed_arrays
from murmurate.record.recording import STRETCH, Recording
from murmurate.record.recovery import recover
from murmurate.record.schema import ROWS, BoidArray, FrameArray, boid_arrays, frame_arrays
from murmurate.record.shards import Shard

VARYING = ("long_name", "versions", "parts")  # words of another version; what a resumed run adds


def find_damage(rec: Recording) -> list[str]:
    """The messages of all that cannot be read; none where all is as it was written."""
    found = [*_journal(rec), *_metadata(rec), *_frames(rec), *_indexes(rec), *_numbers(rec)]
    return list(dict.fromkeys(found))


def _journal(rec: Recording) -> Iterator[str]:
    """What was found when it was opened, and lines that are whole and yet wrong."""
    yield from (f"{rec.path}: {note}" for note in rec.notes)
    if not journal.fits(rec.path):
        yield _wrong(rec, journal.LOG)


def _metadata(rec: Recording) -> Iterator[str]:
    frames = max(len(rec), recover(rec.path).frames)  # another process may be writing it

    def root(shown: Any) -> Any:
        length = shown["consolidated_metadata"]["metadata"]["time"]["shape"][0]
        target = shown["attributes"]["steps"]
        return 0 <= length <= frames and metadata.root_metadata(rec.header, length, target)

    def growing(array: BoidArray | FrameArray) -> Callable[[Any], Any]:
        return lambda shown: shown["shape"][0] <= frames and array.metadata(shown["shape"][0])

    def always(value: Any) -> Callable[[Any], Any]:
        return lambda _: value

    wanted = {"zarr.json": root, f"{journal.FOLDER}/zarr.json": always(metadata.JOURNAL)}
    arrays: list[BoidArray | FrameArray] = [*boid_arrays(rec.header), *frame_arrays(rec.header)]
    for array in arrays:
        wanted[f"{array.name}/zarr.json"] = growing(array)
    for name, fixed in fixed_arrays(rec.header).items():
        wanted[f"{name}/zarr.json"] = always(fixed.metadata)
        for number in range(fixed.chunks):
            file = f"{name}/c/{number}"
            if read_small_file(rec.path / file) != fixed.chunk(number):
                yield _wrong(rec, file)
    for file, must_be in wanted.items():
        try:
            shown = read_json(read_bytes(rec.path / file))
            whole = _lasting(shown) == _lasting(read_json(json.dumps(must_be(shown))))
        except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError):
            whole = False
        if not whole:
            yield _wrong(rec, file)


def _lasting(value: Any) -> Any:
    """Metadata without what varies between versions of one recording."""
    if isinstance(value, dict):
        return {
            key: _lasting(read_json(item) if key == "settings" else item)
            for key, item in value.items()
            if key not in VARYING
        }
    return [_lasting(item) for item in value] if isinstance(value, list) else value


def _frames(rec: Recording) -> Iterator[str]:
    boids = max(1, sum(rec.header["counts"].values()))
    most = max(1, STRETCH // (boids * (2 * rec.header["dims"] * 8 + 4)))
    for first, last in ranges(0, len(rec), most):
        try:
            rec.read(first, last)
        except RecordingDamaged:
            for number in range(first, last):
                try:
                    rec[number]
                except RecordingDamaged as error:
                    yield str(error)


def _indexes(rec: Recording) -> Iterator[str]:
    """The indexes at the ends of files of frames: frames can be read here without, but nowhere
    else."""
    for array in boid_arrays(rec.header):
        for first, last in ranges(0, len(rec), array.shard_frames):
            file = rec.path / array.file(first // array.shard_frames)
            try:
                shard = Shard(file, array.capacity)
            except OSError:
                continue  # its frames were missed
            if not shard.in_order(-(-(last - first) // array.chunk_frames) * array.blocks):
                yield (
                    f"{file}: its index is not what was written there, and without it no other "
                    "program can read the file; take it from a copy, or record again"
                )
            shard.close()


def _numbers(rec: Recording) -> Iterator[str]:
    """Times, measures and schedules, and the states that a rounded recording is resumed from."""
    for array in frame_arrays(rec.header):
        for first, last in ranges(0, len(rec), ROWS):
            file = rec.path / array.file(first // ROWS)
            if array.rows(read_small_file(file)) is None:
                yield (
                    f"{file}: {array.name} of frames {first} to {last - 1} cannot be read: a "
                    "checksum does not fit. The frames can"
                )
    for frames in exact_states.saved_after(rec.path):
        file = rec.path / exact_states.file_name(frames)
        if exact_states.read(rec.path, frames, rec.header["dtype"]) is None:
            yield f"{file}: a checksum does not fit; no run can be resumed from it"


def _wrong(rec: Recording, file: str) -> str:
    return (
        f"{rec.path / file}: is not what was written there; murmurate resume {rec.path} writes it "
        "again"
    )
