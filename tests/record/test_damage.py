"""A recording with damaged files reports the damage, and returns all intact frames."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from recorded import assert_same, model_of, record

import murmurate as mm
from murmurate.record import durable_files, journal, schema, store
from murmurate.record.check import find_damage
from processes import SMALL_FILES, ran_well

MODEL = mm.parse("""
    dt = 0.1
    space = { size = [10, 10], boundary = ["periodic", "open"] }
    [flocks.boids]
    count = 12
    motion = { kind = "add", max_speed = 1.0 }
    perching = { ground = 2.0, shortest = 2, longest = 5 }
    [rules.separation]
    weight = 0.1
    radius = 2
    [rules.wind]
    vector = [0.0, -1.0]
    weight = 0.4
    [rules.noise]
    kind = "random-steering"
    weight = 0.4
""")


@pytest.fixture(scope="module")
def intact(tmp_path_factory: pytest.TempPathFactory) -> mm.Recording:
    """Record 21 frames in shards of 9 and chunks of 3."""
    folder = tmp_path_factory.mktemp("whole")
    return record(folder / "whole.zarr", MODEL, steps=20, shard_bytes=2000, engine="reference")


@pytest.fixture
def copy(intact: mm.Recording, tmp_path: Path) -> Path:
    shutil.copytree(intact.path, tmp_path / "a.zarr")
    return tmp_path / "a.zarr"


GROWING = [
    "position/c/2/0/0", "velocity/c/2/0/0", "perch_timer/c/2/0", "journal/log", "zarr.json",
    "position/zarr.json", "time/c/0", "step/c/0", "speed/c/0/0", "time/zarr.json",
]  # fmt: skip
OF_EACH_KIND = ("position/c/2/0/0", "journal/log")


def cuts(size: int) -> list[int]:
    """Return lengths to cut a file to, closely spaced near both ends."""
    near = {0, 1, 2, 15, 16, 17, size // 2, size - 1, size - 2, size - 4, size - 5, size - 20}
    return sorted(
        {cut for cut in near | set(range(0, size, max(1, size // 12))) if 0 <= cut < size}
    )


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=() if n in OF_EACH_KIND else pytest.mark.slow) for n in GROWING],
)
def test_cut_short_at_any_byte(name: str, copy: Path, intact: mm.Recording) -> None:
    """It opens with all complete frames before the cut, and is restored when it is resumed."""
    file, all_positions = copy / name, intact.read().positions
    data = file.read_bytes()
    for number, cut in enumerate(cuts(len(data))):
        file.write_bytes(data[:cut])
        left = mm.open(copy)
        big = name.split("/")[0] in ("position", "velocity", "perch_timer") and "/c/" in name
        assert len(left) >= (18 if big else 21), cut
        assert np.array_equal(left.read().positions, all_positions[: len(left)])
        if number % 5 == 0 or cut == len(data) - 5:
            assert_same(mm.resume(copy, threads=1), intact)
            shutil.rmtree(copy)
            shutil.copytree(intact.path, copy)


def test_all_newest_files_cut_at_once(copy: Path, intact: mm.Recording) -> None:
    """Complete chunks before the cut: 18 frames of the earlier shards, 3 of the last."""
    for name in GROWING:
        if name == "journal/log":
            continue
        file = copy / name
        data = file.read_bytes()
        file.write_bytes(data[: -(16 * 3 + 4) - 1])
    left = mm.open(copy)
    assert len(left) == 18 and left.notes
    assert np.array_equal(left.read().positions, intact.read().positions[:18])
    assert_same(mm.resume(copy), intact)


def test_missing_newest_shards(copy: Path, intact: mm.Recording) -> None:
    for name in ("position", "velocity"):
        os.unlink(copy / f"{name}/c/2/0/0")
    assert len(mm.open(copy)) == 18
    for name in ("position", "velocity"):
        file = copy / f"{name}/c/1/0/0"
        file.write_bytes(file.read_bytes()[:5])
    assert len(mm.open(copy)) == 9
    assert_same(mm.resume(copy), intact)


@pytest.mark.parametrize("missing", ["journal/log", "zarr.json"])
def test_either_of_journal_and_metadata_is_enough(
    missing: str, copy: Path, intact: mm.Recording
) -> None:
    os.unlink(copy / missing)
    assert len(mm.open(copy)) == 21
    assert_same(mm.resume(copy), intact)
    (copy / missing).write_bytes(b"\x00" * 40)
    assert_same(mm.resume(copy), intact)


def test_journal_and_metadata_missing(copy: Path) -> None:
    (copy / "journal/log").write_bytes((copy / "journal/log").read_bytes()[:20])
    (copy / "zarr.json").write_text("{")
    with pytest.raises(mm.OpenError, match="expected a murmurate recording"):
        mm.open(copy)


@pytest.mark.parametrize("name", ["position", "velocity"])
def test_a_flipped_byte_is_noticed(name: str, copy: Path, intact: mm.Recording) -> None:
    """The error names it; all other frames can be read."""
    file = copy / name / "c/1/0/0"
    data = bytearray(file.read_bytes())
    data[30] ^= 4
    file.write_bytes(data)
    rec = mm.open(copy)
    with pytest.raises(
        mm.DamagedRecordingError, match=f"{name}/c/1/0/0: frames 9 to 11 cannot be read"
    ):
        rec.read()
    with pytest.raises(mm.DamagedRecordingError, match="a checksum is wrong"):
        rec[10]
    assert np.array_equal(rec[8]["boids"].positions, intact[8]["boids"].positions)
    assert np.array_equal(rec[12]["boids"].positions, intact[12]["boids"].positions)
    assert len(find_damage(rec)) == 1
    with pytest.raises(Exception, match=r"(?i)checksum|crc"):
        rec.to_xarray().load()


@pytest.mark.parametrize("frames", [21, 16])
def test_a_damaged_newest_shard_is_simulated_again(
    frames: int, tmp_path: Path, intact: mm.Recording
) -> None:
    """From its first damaged chunk on: the newest shard has one chunk, or three."""
    path = tmp_path / "a.zarr"
    record(path, MODEL, steps=frames - 1, shard_bytes=2000, engine="reference").close()
    file = sorted(path.glob("position/c/*/0/0"))[-1]
    data = bytearray(file.read_bytes())
    data[len(data) // 6] ^= 1
    file.write_bytes(data)
    assert_same(mm.resume(path, 20), intact)
    assert find_damage(mm.open(path)) == []


def test_a_missing_journal_folder(copy: Path, intact: mm.Recording) -> None:
    shutil.rmtree(copy / "journal")
    assert_same(mm.resume(copy), intact)


def test_no_recording(tmp_path: Path) -> None:
    with pytest.raises(mm.OpenError, match="there is no such recording"):
        mm.open(tmp_path / "a.zarr")
    (tmp_path / "folder").mkdir()
    with pytest.raises(mm.OpenError, match="got a folder; expected a murmurate recording"):
        mm.open(tmp_path / "folder")
    (tmp_path / "file.zarr").write_text("hello")
    with pytest.raises(mm.OpenError, match="got a file; expected a murmurate recording"):
        mm.open(tmp_path / "file.zarr")


def foreign(path: Path) -> Path:
    import zarr

    group = zarr.create_group(path, zarr_format=3)
    group.attrs["title"] = "somebody's years of work"
    return path


def test_another_zarr_store(tmp_path: Path) -> None:
    """It is not opened, and never replaced."""
    path = foreign(tmp_path / "a.zarr")
    with pytest.raises(mm.OpenError, match="got a Zarr store; expected a murmurate recording"):
        mm.open(path)
    for force in (False, True):
        with pytest.raises(mm.OpenError, match="is not a murmurate recording and is kept"):
            record(path, force=force)
    assert "years of work" in (path / "zarr.json").read_text()
    with pytest.raises(mm.OpenError, match="expected a murmurate recording"):
        mm.resume(path)


def test_force_replaces_a_recording_only(tmp_path: Path) -> None:
    rec = record(tmp_path / "a.zarr", steps=4)
    with pytest.raises(mm.OpenError, match="exists and is kept"):
        record(rec.path, steps=6)
    assert len(record(rec.path, steps=6, force=True)) == 7
    assert [file.name for file in tmp_path.iterdir()] == ["a.zarr"]


def test_a_newer_schema(copy: Path) -> None:
    header, commits = journal.read(copy)
    assert header is not None
    later = schema.VERSION + 1
    lines = [journal.line(entry) for entry in ({**header, "schema_version": later}, *commits)]
    (copy / "journal/log").write_bytes(b"".join(lines))
    for work in (mm.open, mm.resume):
        with pytest.raises(mm.OpenError, match=rf"got schema version {later}.*--upgrade"):
            work(copy)
    (copy / "journal/log").unlink()
    root = json.loads((copy / "zarr.json").read_text())
    root["attributes"]["schema_version"] = schema.VERSION + 1
    (copy / "zarr.json").write_text(json.dumps(root))
    with pytest.raises(mm.OpenError, match=rf"got schema version {later}"):
        mm.open(copy)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "the disk is full; free some space"),
        (errno.EACCES, "no permission"),
        (errno.EROFS, "the disk is read-only"),
        pytest.param(errno.ENOENT, "its folder was removed", marks=pytest.mark.slow),
    ],
)
def test_errors_of_the_disk(
    number: int, words: str, tmp_path: Path, intact: mm.Recording, monkeypatch: Any
) -> None:
    """The error says how many frames are kept, and the recording can be resumed."""
    write, writes = durable_files.write_atomically, [0]

    def small_disk(path: Path, data: bytes, drafts: Path) -> None:
        writes[0] += 1
        if writes[0] > 36:
            raise OSError(number, os.strerror(number), str(path))
        write(path, data, drafts)

    with monkeypatch.context() as patched:
        patched.setattr(store, "write_atomically", small_disk)
        with pytest.raises(mm.RecordError, match=f"{words}.* frames are kept: murmurate resume"):
            record(tmp_path / "a.zarr", MODEL, steps=20, shard_bytes=2000, engine="reference")
    left = mm.open(tmp_path / "a.zarr")
    assert 1 <= len(left) < 21
    assert np.array_equal(left.read().positions, intact.read().positions[: len(left)])
    assert_same(mm.resume(left.path), intact)


def test_as_many_frames_are_kept_as_the_disk_has_room_for(
    tmp_path: Path, intact: mm.Recording, monkeypatch: Any
) -> None:
    """A commit of nine frames does not fit; half of them do."""
    write = durable_files.write_atomically

    def small_disk(path: Path, data: bytes, drafts: Path) -> None:
        if path.match("position/c/*/0/0") and len(data) > 1500:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        write(path, data, drafts)

    with monkeypatch.context() as patched:
        patched.setattr(store, "write_atomically", small_disk)
        with pytest.raises(mm.RecordError, match=r"disk is full.* frames are kept"):
            record(tmp_path / "a.zarr", MODEL, steps=20, shard_bytes=2000, engine="reference")
    kept = len(mm.open(tmp_path / "a.zarr"))
    assert 4 <= kept <= 8
    assert_same(mm.resume(tmp_path / "a.zarr"), intact)


@pytest.mark.slow
def test_a_full_disk_keeps_what_fits(tmp_path: Path) -> None:
    """Files may have 100 kB: as many frames are kept, all of which were in one commit."""
    pytest.importorskip("resource")
    code = """
import murmurate as mm

model = mm.load("couzin-2002").set({"flocks.boids.count": 20})
mm.Simulation(model).step(1)  # compiles
limit_files(100_000)
try:
    mm.run(model, 2000, output=sys.argv[1], seed=1)
except mm.RecordError as error:
    print(error)
"""
    path = tmp_path / "a.zarr"
    assert "frames are kept" in ran_well(sys.executable, "-c", SMALL_FILES + code, path)
    kept = len(mm.open(path))
    bytes_per_frame = 20 * 3 * 4
    assert 0.7 * 100_000 < kept * bytes_per_frame < 1.3 * 100_000
    assert len(mm.resume(path)) == 2001


def test_a_full_disk(tmp_path: Path, monkeypatch: Any) -> None:
    """A file that cannot be written completely leaves the old one unchanged."""
    file = tmp_path / "file"
    durable_files.write_atomically(file, b"old", tmp_path)
    opened = open

    def full(path: Any, *args: Any, **options: Any) -> Any:
        return opened("/dev/full" if "draft" in str(path) else path, *args, **options)

    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    monkeypatch.setattr(durable_files, "open", full, raising=False)
    with pytest.raises(OSError, match="No space left"):
        durable_files.write_atomically(file, b"new", tmp_path)
    assert file.read_bytes() == b"old" and list(tmp_path.iterdir()) == [file]


def test_a_folder_that_is_moved_away(tmp_path: Path) -> None:
    def move_away(step: int, _: int) -> None:
        if step == 5:
            (tmp_path / "a.zarr").rename(tmp_path / "elsewhere")

    with pytest.raises(mm.RecordError, match="its folder was removed; create it again"):
        record(tmp_path / "a.zarr", steps=400, progress=move_away)
    (tmp_path / "elsewhere").rename(tmp_path / "a.zarr")
    assert len(mm.resume(tmp_path / "a.zarr", 20)) >= 21


def test_paths_that_cannot_be_written(tmp_path: Path, monkeypatch: Any) -> None:
    """They are refused before anything is simulated."""
    with pytest.raises(mm.OpenError, match="no folder"):
        mm.run(model_of(), 5, output=tmp_path / "no" / "a.zarr")
    with pytest.raises(mm.OpenError, match=r"expected a folder NAME.zarr. Call it"):
        mm.run(model_of(), 5, output=tmp_path / "a.nc")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(mm.OpenError, match="no permission to write"):
        mm.run(model_of(), 5, output=tmp_path / "a.zarr")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(mm.OpenError, match=r"no permission to write in this folder\. Give"):
        mm.run(model_of(), 5, output="a.zarr")
    assert list(tmp_path.iterdir()) == []


def test_files_are_durable_before_they_are_renamed_fsync(tmp_path: Path, monkeypatch: Any) -> None:
    """Contents first, then the name, then the folder."""
    calls = []
    sync, rename = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda handle: (calls.append("sync"), sync(handle)))
    monkeypatch.setattr(os, "replace", lambda a, b: (calls.append("rename"), rename(a, b)))
    durable_files.write_atomically(tmp_path / "file", b"data", tmp_path)
    assert calls == ["sync", "rename", "sync"]


def test_wrong_numbers(tmp_path: Path) -> None:
    for options, words in (
        ({"steps": -1}, "steps: got -1"),
        ({"steps": 3, "every": 0}, "every: got 0"),
        ({"steps": 3, "precision": 0.0}, "precision: got 0.0; expected the largest error"),
    ):
        with pytest.raises(mm.ModelError, match=words):
            record(tmp_path / "a.zarr", **options)  # type: ignore[arg-type]
    with pytest.raises(mm.ModelError, match="precision: got it without output"):
        mm.run(model_of(), 3, precision=0.1)
    assert not (tmp_path / "a.zarr").exists()


def test_rounded_recordings_of_the_first_schema_are_refused(copy: Path) -> None:
    header, commits = journal.read(copy)
    assert header is not None
    for precision in (None, 0.01):
        first = {**header, "schema_version": 1, "precision": precision}
        (copy / "journal/log").write_bytes(b"".join(map(journal.line, [first, *commits])))
        if precision is None:
            assert len(mm.open(copy)) == 21
        else:
            with pytest.raises(mm.OpenError, match="got a rounded recording of schema version 1"):
                mm.open(copy)
