"""Check a recording: read every frame, all other numbers and all metadata, and report damage.

Metadata are a function of the header and the number of frames, so they are compared with their
expected value. They may lag behind the frames: those of an array are written at the beginning and
the end, and those of the root after the journal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from murmurate.disk import read_bytes
from murmurate.errors import DamagedRecordingError
from murmurate.model.text_reader import read_json
from murmurate.record import header, journal
from murmurate.record.block_reader import ranges, read_small_file, shard_chunks
from murmurate.record.recording import Recording, frames_per_range
from murmurate.record.recovery import recover
from murmurate.record.schema import (
    ROWS,
    BoidArray,
    FrameArray,
    boid_arrays,
    fixed_arrays,
    frame_arrays,
)
from murmurate.record.shards import Shard
from murmurate.record.store import list_states, read_state, state_file, state_flocks

VARYING = ("long_name", "versions", "parts")
"""Keys of metadata that differ between versions, or that a resumed run extends."""


def find_damage(rec: Recording) -> list[str]:
    """Return a message for everything that cannot be read; none for an intact recording."""
    messages = [
        *_check_journal(rec),
        *_check_metadata(rec),
        *_check_frames(rec),
        *_check_indexes(rec),
        *_check_rows(rec),
        *_check_states(rec),
        *_check_inputs(rec),
    ]
    return list(dict.fromkeys(messages))


def _check_journal(rec: Recording) -> Iterator[str]:
    """Report findings on opening, and complete lines with wrong checksums."""
    yield from (f"{rec.path}: {note}" for note in rec.notes)
    if not journal.is_valid(rec.path):
        yield _wrong_file(rec, journal.LOG)


def _check_metadata(rec: Recording) -> Iterator[str]:
    frames = max(len(rec), recover(rec.path).frames)  # another process may be writing it

    def expected_root(metadata: Any) -> Any:
        length = metadata["consolidated_metadata"]["metadata"]["time"]["shape"][0]
        target = metadata["attributes"]["steps"]
        return 0 <= length <= frames and header.root_metadata(rec.header, length, target)

    def expect_growing(array: BoidArray | FrameArray) -> Callable[[Any], Any]:
        return lambda metadata: (
            metadata["shape"][0] <= frames and array.metadata(metadata["shape"][0])
        )

    def expect_constant(value: Any) -> Callable[[Any], Any]:
        return lambda _: value

    expected = {
        "zarr.json": expected_root,
        f"{journal.FOLDER}/zarr.json": expect_constant(header.JOURNAL_METADATA),
    }
    arrays: list[BoidArray | FrameArray] = [*boid_arrays(rec.header), *frame_arrays(rec.header)]
    for array in arrays:
        expected[f"{array.name}/zarr.json"] = expect_growing(array)
    for name, fixed in fixed_arrays(rec.header).items():
        expected[f"{name}/zarr.json"] = expect_constant(fixed.metadata)
        for number in range(fixed.chunks):
            file = f"{name}/{fixed.file(number)}"
            if not fixed.has(number, read_small_file(rec.path / file)):
                yield _wrong_file(rec, file)
    for file, expect in expected.items():
        try:
            metadata = read_json(read_bytes(rec.path / file))
            wanted_text = json.dumps(expect(metadata))
            is_intact = _drop_varying(metadata) == _drop_varying(read_json(wanted_text))
        except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError):
            is_intact = False
        if not is_intact:
            yield _wrong_file(rec, file)


def _drop_varying(value: Any) -> Any:
    """Return metadata without the keys in VARYING."""
    if isinstance(value, dict):
        return {
            key: _drop_varying(read_json(item) if key == "settings" else item)
            for key, item in value.items()
            if key not in VARYING
        }
    return [_drop_varying(item) for item in value] if isinstance(value, list) else value


def _check_frames(rec: Recording) -> Iterator[str]:
    for first, last in ranges(0, len(rec), frames_per_range(rec.header)):
        try:
            rec.check_frames(first, last)
        except DamagedRecordingError:
            for number in range(first, last):
                try:
                    rec[number]
                except DamagedRecordingError as error:
                    yield str(error)


def _check_indexes(rec: Recording) -> Iterator[str]:
    """Check the indexes of shards, which only other programs need."""
    for array in boid_arrays(rec.header):
        for first, last in ranges(0, len(rec), array.shard_frames):
            file = rec.path / array.file(first // array.shard_frames)
            try:
                shard = Shard(file, array.capacity)
            except OSError:
                continue  # reported with its frames
            stored = rec.stored_blocks(array.name)
            number = first // array.shard_frames
            try:
                chunks = shard_chunks(array, number, last - first, stored, was_cut=False)
            except DamagedRecordingError:  # the numbers of boids: reported with their frames
                shard.close()
                continue
            if not shard.is_contiguous(chunks):
                yield (
                    f"{file}: its index is damaged, and without it no other program can read the "
                    "file; take it from a copy, or record again"
                )
            shard.close()


def _check_rows(rec: Recording) -> Iterator[str]:
    """Check times, measures and schedules."""
    for array in frame_arrays(rec.header):
        for first, last in ranges(0, len(rec), ROWS):
            file = rec.path / array.file(first // ROWS)
            if array.rows(read_small_file(file)) is None:
                yield (
                    f"{file}: {array.name} of frames {first} to {last - 1} cannot be read: a "
                    "checksum is wrong. The frames can"
                )


def _check_states(rec: Recording) -> Iterator[str]:
    """Check the states from which a rounded recording is resumed."""
    for frames in list_states(rec.path):
        file = rec.path / state_file(frames)
        if read_state(rec.path, frames, rec.header["dtype"], state_flocks(rec.header)) is None:
            yield f"{file}: a checksum is wrong; no run can be resumed from it"


def _check_inputs(rec: Recording) -> Iterator[str]:
    """Check the log of inputs, without which a run can be neither resumed nor repeated."""
    try:
        rec.inputs.check(len(rec))
        for _ in rec.inputs:
            pass
    except DamagedRecordingError as error:
        yield str(error)


def _wrong_file(rec: Recording, file: str) -> str:
    return f"{rec.path / file}: is damaged; murmurate resume {rec.path} writes it again"
