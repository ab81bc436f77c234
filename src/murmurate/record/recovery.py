"""Recovery: finds which frames of a recording on disk are complete, after any damage."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from murmurate.disk import read_bytes
from murmurate.model.text_reader import read_json
from murmurate.record import journal
from murmurate.record.codec import checksum
from murmurate.record.errors import RecordingDamaged, RecordingRefused
from murmurate.record.header_check import check_header
from murmurate.record.metadata import check_names, check_version, header_of, in_model_order
from murmurate.record.schema import SCHEMA, BoidArray, boid_arrays
from murmurate.record.shards import Shard


@dataclass(frozen=True)
class Recovered:
    """What can be read of a recording.

    header   the recording's header (see schema.py)
    frames   how many frames from the first on are whole
    target   the step up to which it was to be flown
    commits  lines of the journal that still hold
    notes    messages about what is damaged
    """

    header: dict[str, Any]
    frames: int
    target: int
    commits: tuple[dict[str, Any], ...]
    notes: tuple[str, ...]


def recover(path: Path, *, deep: bool = False) -> Recovered:
    """Reads a recording's journal and examines its newest files.

    deep  compare checksums of the newest files, else lengths only
    Raises RecordingRefused for what is no recording, is of a newer schema or cannot be read,
    RecordingDamaged where nothing is left to read.
    """
    try:
        header, commits = journal.read(path)
        root = _root(path)
    except OSError as error:
        raise RecordingRefused(f"{path}: cannot be read: {error.strerror}") from None
    notes = []
    if header is None:
        if root is None:
            raise _no_recording(path)
        header = header_of(root, path)
        notes.append("its journal is lost")
    check_version(header.get("schema_version"), path)
    check_header(header, path)
    check_names(header, path)
    header = in_model_order(header)
    if header["schema_version"] < 2 and header["precision"] is not None:
        raise RecordingRefused(
            f"{path}: a rounded recording of schema version 1, which is no longer read; record "
            "it again, its model and seed are in its zarr.json"
        )
    claimed = [commits[-1]["frames"]] if commits else []
    shown = _shown(root)
    if shown is None:
        notes.append("its zarr.json is damaged")
    else:
        claimed.append(shown[0])
    if not claimed:
        raise RecordingDamaged(
            f"{path}: neither its journal nor its zarr.json can be read: both are cut short or "
            "damaged; take them from a copy"
        )
    target = commits[-1]["target"] if commits else shown[1] if shown else 0
    most = max(claimed)
    frames = most
    for array in boid_arrays(header):
        frames = min(frames, _whole_frames(path, array, most, commits, deep))
    if frames < most:
        notes.append(f"its newest files are damaged: {frames} of {most} frames are whole")
    held = tuple(commit for commit in commits if commit["frames"] <= frames)
    return Recovered(header, frames, target, held, tuple(notes))


def is_recording(path: Path) -> bool:
    """Whether there is a murmurate recording, of any version and in any state."""
    try:
        header, _ = journal.read(path)
        if header is not None:
            return header.get("schema") == SCHEMA
        root = _root(path)
        return root is not None and root.get("attributes", {}).get("schema") == SCHEMA
    except (OSError, AttributeError):
        return False


def _root(path: Path) -> dict[str, Any] | None:
    """The root's zarr.json, None where there is none that can be read as JSON."""
    try:
        root = read_json(read_bytes(path / "zarr.json"))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    return root if isinstance(root, dict) else None


def _shown(root: dict[str, Any] | None) -> tuple[int, int] | None:
    """(frames, the step up to which it was to be flown) by the root's zarr.json; None where that
    does not say it."""
    try:
        frames = root["consolidated_metadata"]["metadata"]["position"]["shape"][0]  # type: ignore[index]
        target = root["attributes"]["steps"]  # type: ignore[index]
    except (KeyError, TypeError, IndexError):
        return None
    whole = all(type(number) is int and 0 <= number <= 2**53 for number in (frames, target))
    return (frames, target) if whole else None


def _no_recording(path: Path) -> RecordingRefused:
    if not path.exists():
        return RecordingRefused(
            f"{path}: there is no such recording; murmurate run MODEL -o {path.name or 'NAME.zarr'}"
            " makes one"
        )
    kind = "a folder" if path.is_dir() else "a file"
    return RecordingRefused(
        f"{path}: this is {kind}, but no murmurate recording; a recording is a folder NAME.zarr, "
        "as murmurate run MODEL -o NAME.zarr makes it"
    )


def _whole_frames(
    path: Path, array: BoidArray, most: int, commits: list[dict[str, Any]], deep: bool
) -> int:
    """How many of an array's first `most` frames are whole: its newest shards are examined, from
    the last one back to one that holds frames."""
    known: dict[str, list[int]] = {}
    for commit in commits:
        known |= commit["files"]
    last = (most - 1) // array.shard_frames
    for number in range(last, -1, -1):
        first = number * array.shard_frames
        wanted = min(most - first, array.shard_frames)
        there = count_frames(path / array.file(number), array, known.get(array.file(number)), deep)
        if there:
            return first + min(there, wanted)
    return 0


def count_frames(file: Path, array: BoidArray, known: list[int] | None, deep: bool) -> int:
    """How many frames a shard file holds; those of a chunk that was not full count as there.

    known  [length, checksum] as the journal has them
    """
    try:
        shard = Shard(file, array.capacity)
    except OSError:
        return 0
    try:
        if known is not None and shard.size == known[0]:
            if not deep:
                return array.shard_frames
            if checksum(read_bytes(file)) == known[1]:
                return array.shard_frames
        damaged = shard.index is None
        chunks = len(shard.whole_chunks(deep or damaged))
        return chunks // array.blocks * array.chunk_frames
    finally:
        shard.close()
