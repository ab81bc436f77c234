"""Recovery: check a recording's header, and find its complete frames, after any damage."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    FiniteFloat,
    ValidationError,
    model_validator,
)

from murmurate.disk import read_bytes
from murmurate.dtypes import Dtype
from murmurate.errors import DamagedRecordingError, OpenError
from murmurate.model.files import zoo
from murmurate.model.flock import Count
from murmurate.model.messages import format_first_error
from murmurate.model.text_reader import read_json
from murmurate.record import journal
from murmurate.record.block_reader import BlockReader, StoredBlocks, shard_chunks
from murmurate.record.codec import checksum
from murmurate.record.header import (
    check_names,
    check_version,
    header_from_root,
    restore_flock_order,
)
from murmurate.record.row_ranges import rows_of
from murmurate.record.schema import SCHEMA, BoidArray, boid_arrays
from murmurate.record.shards import Shard


@dataclass(frozen=True)
class Recovered:
    """Readable part of a recording.

    header   the recording's header, see murmurate.record.header
    frames   number of complete frames, from the first on
    target   the step up to which the simulation was to run
    commits  lines of the journal that are still valid
    notes    messages about damage
    """

    header: dict[str, Any]
    frames: int
    target: int
    commits: tuple[dict[str, Any], ...]
    notes: tuple[str, ...]


def recover(path: Path, *, deep: bool = False) -> Recovered:
    """Read a recording's journal and examine its newest files.

    path  the recording
    deep  verify checksums of the newest files, instead of lengths only
    raises OpenError  if it is not a recording, has a newer schema, or cannot be read
    raises DamagedRecordingError  if nothing can be recovered
    """
    try:
        header, commits = journal.read(path)
        root = _read_root(path)
    except OSError as error:
        raise OpenError(f"{path}: cannot be read: {error.strerror}") from None
    notes = []
    if header is None:
        if root is None:
            raise _not_a_recording(path)
        header = header_from_root(root, path)
        notes.append("its journal is missing")
    check_version(header.get("schema_version"), path)
    check_header(header, path)
    check_names(header, path)
    header = restore_flock_order(header)
    if header["schema_version"] < 2 and header["precision"] is not None:
        raise OpenError(
            f"{path}: got a rounded recording of schema version 1; expected a later one. Record it "
            "again: its model and seed are in its zarr.json"
        )
    stated = [commits[-1]["frames"]] if commits else []
    progress = _read_progress(root)
    if progress is None:
        notes.append("its zarr.json is damaged")
    else:
        stated.append(progress[0])
    if not stated:
        raise DamagedRecordingError(
            f"{path}: neither its journal nor its zarr.json can be read: both are cut short or "
            "damaged. Take them from a copy"
        )
    target = commits[-1]["target"] if commits else progress[1] if progress else 0
    frames = max_frames = max(stated)
    arrays, rows = boid_arrays(header), rows_of(header)
    for array in [array for array in arrays if array.empty is None]:
        frames = min(frames, _count_complete(path, array, max_frames, commits, deep, None))
    if rows is not None:  # how many chunks are stored follows from the numbers of boids
        n_boids = next(array for array in arrays if array.name == "n_boids")
        numbers = BlockReader(path, n_boids, "int64")
        for array in [array for array in arrays if array.empty is not None]:
            stored = StoredBlocks(array, rows, numbers, frames)
            frames = min(frames, _count_complete(path, array, frames, commits, deep, stored))
        numbers.clear()
    if frames < max_frames:
        notes.append(f"its newest files are damaged: {frames} of {max_frames} frames are complete")
    valid = tuple(commit for commit in commits if commit["frames"] <= frames)
    return Recovered(header, frames, target, valid, tuple(notes))


def is_recording(path: Path) -> bool:
    """Return whether a path is a murmurate recording, of any version and in any condition."""
    try:
        header, _ = journal.read(path)
        if header is not None:
            return header.get("schema") == SCHEMA
        root = _read_root(path)
        return root is not None and root.get("attributes", {}).get("schema") == SCHEMA
    except (OSError, AttributeError):
        return False


def _read_root(path: Path) -> dict[str, Any] | None:
    """Return the root's zarr.json, or None if it is not valid JSON."""
    try:
        root = read_json(read_bytes(path / "zarr.json"))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    return root if isinstance(root, dict) else None


def _read_progress(root: dict[str, Any] | None) -> tuple[int, int] | None:
    """Return (frames, target step) from the root's zarr.json, None if it is damaged."""
    try:
        frames = root["consolidated_metadata"]["metadata"]["position"]["shape"][0]  # type: ignore[index]
        target = root["attributes"]["steps"]  # type: ignore[index]
    except (KeyError, TypeError, IndexError):
        return None
    valid = all(type(number) is int and 0 <= number <= 2**53 for number in (frames, target))
    return (frames, target) if valid else None


def _not_a_recording(path: Path) -> OpenError:
    if not path.exists():
        model = path.name if path.name in zoo() else "MODEL"
        output = f"{model}.zarr" if model in zoo() else path.name or "NAME.zarr"
        return OpenError(
            f"{path}: there is no such recording; murmurate run {model} -o {output} makes one"
        )
    kind = "folder" if path.is_dir() else "file"
    return OpenError(
        f"{path}: got a {kind}; expected a murmurate recording, a folder NAME.zarr, as murmurate "
        "run MODEL -o NAME.zarr makes it"
    )


def _count_complete(
    path: Path, array: BoidArray, max_frames: int, commits: list[dict[str, Any]], deep: bool,
    stored: StoredBlocks | None,
) -> int:  # fmt: skip
    """Return how many of an array's first `max_frames` frames are complete, from its newest
    shards."""
    files: dict[str, list[int]] = {}
    for commit in commits:
        files |= commit["files"]
    last = (max_frames - 1) // array.shard_frames
    for number in range(last, -1, -1):
        first = number * array.shard_frames
        expected = min(max_frames - first, array.shard_frames)
        committed = files.get(array.file(number))
        try:
            frames = _count_shard_frames(path, array, number, expected, committed, deep, stored)
        except DamagedRecordingError:  # the numbers of boids of these frames
            frames = 0
        if frames:
            return first + min(frames, expected)
    return 0


def _count_shard_frames(
    path: Path, array: BoidArray, number: int, expected: int, committed: list[int] | None,
    deep: bool, stored: StoredBlocks | None,
) -> int:  # fmt: skip
    """Return how many of the `expected` frames a shard holds; padding may be counted too.

    committed  [length, checksum] by the journal
    """
    file = path / array.file(number)
    try:
        shard = Shard(file, array.capacity)
    except OSError:
        return 0
    try:
        if committed is not None and shard.size == committed[0]:
            if not deep:
                return array.shard_frames
            if checksum(read_bytes(file)) == committed[1]:
                return array.shard_frames
        is_damaged = shard.index is None
        if stored is None:
            chunks = len(shard.valid_chunks(deep or is_damaged))
            return chunks // array.blocks * array.chunk_frames
        return _count_stored_frames(shard, number, expected, deep, stored)
    finally:
        shard.close()


def _count_stored_frames(
    shard: Shard, number: int, expected: int, deep: bool, stored: StoredBlocks
) -> int:
    """Return how many of the `expected` frames a shard without empty blocks holds."""
    array, was_cut = stored.array, shard.index is None
    numbers = shard_chunks(array, number, expected, stored, was_cut)
    missing = numbers[len(shard.valid_chunks(deep or was_cut, numbers)) :]
    if missing:
        return missing[0] // array.blocks * array.chunk_frames
    first = number * array.shard_frames
    last = stored.frames // array.chunk_frames * array.chunk_frames if was_cut else stored.frames
    return min(expected, last - first)


# --- the header, which anybody may have changed

NonNegative = Annotated[int, Field(ge=0, le=2**53)]
AtLeastOne = Annotated[int, Field(ge=1, le=2**53)]
Positive = Annotated[FiniteFloat, Field(gt=0)]


class _Part(BaseModel):
    frame: NonNegative
    versions: str
    engine: str = ""
    family: str = ""


class _Header(BaseModel):
    """The result of make_header; keys that older versions did not write are optional."""

    model_config = ConfigDict(protected_namespaces=())

    name: str
    title: str
    model: str
    fingerprint: str
    seed: Annotated[int, Field(ge=0, lt=2**64)]
    engine: str
    family: str = ""
    dtype: Dtype
    dims: Annotated[int, Field(ge=2, le=3)]
    dt: Positive
    every: AtLeastOne
    first_step: NonNegative
    counts: dict[str, Count]
    rows: dict[str, Count] = {}
    first_ids: dict[str, NonNegative] = {}
    traits: dict[str, list[str]] = {}
    inputs: bool = False
    perching: bool
    memory: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    kept_names: dict[str, list[str]] = {}
    precision: Positive | None
    velocity_precision: Positive | None = None
    steps_of: dict[str, Positive] = {}
    schedules: list[str]
    measures: list[str]
    measure_every: AtLeastOne
    chunk_frames: AtLeastOne | None = None
    shard_bytes: AtLeastOne
    block_boids: AtLeastOne | None = None
    versions: str
    command: str
    citations: list[str]
    parent: dict[str, Any]
    parts: list[_Part] = []

    @model_validator(mode="after")
    def _check_memory(self) -> _Header:
        if any(len(names) > self.memory for names in self.kept_names.values()):
            raise ValueError(f"kept_names: more than the {self.memory} numbers of a boid's memory")
        if self.rows and set(self.rows) != set(self.counts):
            raise ValueError("rows: other flocks than in counts")
        if set(self.first_ids) != set(self.rows):
            raise ValueError("first_ids: other flocks than in rows")
        return self


def check_header(header: dict[str, Any], path: object) -> None:
    """Raise OpenError for a header that murmurate did not write."""
    try:
        _Header.model_validate(header, strict=True)
    except ValidationError as error:
        raise OpenError(
            f"{path}: its header is damaged: {format_first_error(error)}; take it from a copy"
        ) from None
