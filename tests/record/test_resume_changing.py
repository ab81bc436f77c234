"""Recordings of flocks whose numbers change: cut at any byte, crashed at any write, and resumed.

`resume_with` writes the missing frames as a simulation would compute them; a resumed recording
equals an uninterrupted one in every byte.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from changing_flocks import (
    assert_equal_frames,
    changing_model,
    contents,
    frames_of,
    random_numbers,
    resume_with,
    write,
)
from recorded import Crash, crash_after

import murmurate as mm
from murmurate.record import store
from murmurate.record.check import find_damage

MODEL = changing_model()
FRAMES = list(frames_of(MODEL, random_numbers(22)))


ROUNDED = pytest.param(0.01, id="rounded", marks=pytest.mark.long)


@pytest.fixture(scope="module", params=[pytest.param(None, id="exact"), ROUNDED])
def intact(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "a.zarr"
    return write(path, MODEL, FRAMES, precision=request.param).path


@pytest.fixture
def copy(intact: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(intact, tmp_path / "a.zarr"))


def newest_files(path: Path) -> list[str]:
    """Return the newest shard of each boid array, and other files that grow."""
    names = ["journal/log", "zarr.json", "id/zarr.json", "step/c/0", "speed/c/0/0"]
    for folder in sorted(path.glob("*/c")):
        shards = [file for file in folder.rglob("*") if file.is_file()]
        newest = max(shards, key=lambda file: int(file.relative_to(folder).parts[0]))
        if len(shards) > 1:
            names.append(str(newest.relative_to(path)))
    return names


def test_an_intact_recording_has_no_damage(copy: Path) -> None:
    assert find_damage(mm.open(copy)) == []
    assert {name.split("/")[0] for name in newest_files(copy)} >= {
        "position", "velocity", "perch_timer", "memory", "id", "birth", "n_boids", "n_ever",
    }  # fmt: skip


def test_resumed_at_any_frame(tmp_path: Path, intact: Path) -> None:
    """Within a chunk, at the end of one, and at the end of a file."""
    precision = mm.open(intact).precision
    for frames in (1, 2, 9, 16):
        path = tmp_path / "a.zarr"
        write(path, MODEL, FRAMES[:frames], target=21, precision=precision)
        assert len(mm.open(path)) == frames
        resume_with(path, FRAMES)
        assert contents(path) == contents(intact), frames
        shutil.rmtree(path)


def cuts(size: int) -> list[int]:
    """Return lengths to cut a file to, close together near both ends."""
    return sorted({max(0, cut) for cut in (17, size // 2, size - 5)})


@pytest.mark.slow
def test_cut_short_at_any_byte(copy: Path, intact: Path) -> None:
    """All frames that are left are right, and a resumed recording is complete."""
    complete, names = list(mm.open(intact)), newest_files(intact)
    if mm.open(intact).precision is not None:  # measures would be those of rounded frames
        names.remove("speed/c/0/0")
    for number, name in enumerate(names):
        data = (copy / name).read_bytes()
        for cut in cuts(len(data)):
            (copy / name).write_bytes(data[:cut])
            left = mm.open(copy)
            assert len(left) >= 16, (name, cut)
            for frame, expected in zip(left, complete, strict=False):
                assert_equal_frames(expected, frame)
            left.close()
            if cut == len(data) - 5 and number % 3 == 0:
                resume_with(copy, FRAMES)
                assert contents(copy) == contents(intact), (name, cut)
                shutil.rmtree(copy)
                shutil.copytree(intact, copy)


def test_all_newest_files_cut_at_once(copy: Path, intact: Path) -> None:
    """Without the index of a shard, only full chunks are known to be complete."""
    for name in newest_files(intact):
        if "/c/" in name and name.split("/")[0] not in ("step", "speed"):
            data = (copy / name).read_bytes()
            (copy / name).write_bytes(data[: -(len(data) // 3)])
    left = mm.open(copy)
    assert 16 <= len(left) < 22 and left.notes
    for frame, expected in zip(left, mm.open(intact), strict=False):
        assert_equal_frames(expected, frame)
    resume_with(copy, FRAMES)
    assert contents(copy) == contents(intact)


def test_missing_newest_shards(copy: Path, intact: Path) -> None:
    for name in ("n_ever", "id", "position"):
        newest = next(file for file in newest_files(copy) if file.startswith(f"{name}/c"))
        (copy / newest).unlink()
        assert len(mm.open(copy)) in (16, 18)
        resume_with(copy, FRAMES)
        assert contents(copy) == contents(intact), name


@pytest.mark.parametrize("missing", ["journal/log", "zarr.json"])
def test_either_of_journal_and_metadata_is_enough(missing: str, copy: Path, intact: Path) -> None:
    (copy / missing).unlink()
    assert len(mm.open(copy)) == 22
    resume_with(copy, FRAMES)
    assert contents(copy) == contents(intact)


@pytest.mark.parametrize(
    "ends", [pytest.param(True, marks=pytest.mark.slow), False], ids=["and at its ends", "once"]
)
def test_a_flipped_bit_is_found_in_every_file(ends: bool, copy: Path) -> None:
    """Default tests flip one of a file of each kind."""
    files = [file for file in sorted(copy.rglob("*")) if file.is_file() and file.name != "lock"]
    of_each_kind = {(file.relative_to(copy).parts[0], file.suffix): file for file in files}
    for file in files if ends else of_each_kind.values():
        data = file.read_bytes()
        is_text = file.name in ("zarr.json", "log")
        size = len(data)
        offsets = {size // 2, *([0, size - 21, size - 2] if ends else [])}
        for offset in [data.rindex(b"3"), data.index(b"3")][: 1 + ends] if is_text else offsets:
            changed = data[:offset] + bytes([data[offset] ^ 1]) + data[offset + 1 :]
            file.write_bytes(changed)
            assert find_damage(mm.open(copy)), (file, offset)
        file.write_bytes(data)
    assert find_damage(mm.open(copy)) == []


@pytest.mark.slow
def test_a_missing_file_is_found(copy: Path) -> None:
    for file in sorted(copy.rglob("*")):
        if not file.is_file() or file.name == "lock" or file.name.startswith("state-"):
            continue
        file.rename(copy / "moved")
        assert find_damage(mm.open(copy)), file
        (copy / "moved").rename(file)


def test_damaged_numbers_are_named(copy: Path) -> None:
    """Without n_boids of a frame nobody knows which rows are occupied; others can be read."""
    file = copy / "n_boids/c/0/0"
    data = bytearray(file.read_bytes())
    data[30] ^= 4
    file.write_bytes(data)
    rec = mm.open(copy)
    with pytest.raises(mm.DamagedRecordingError, match=r"n_boids/c/0/0: frames 0 to [23] cannot"):
        rec[1]
    assert_equal_frames(mm.open(copy)[12], rec[12])
    assert any("n_boids" in message for message in find_damage(rec))


@pytest.mark.parametrize(
    ("precision", "nth"),
    [
        pytest.param(None, 7, marks=pytest.mark.slow),
        pytest.param(None, 1, marks=pytest.mark.long),
        pytest.param(0.01, 3, marks=pytest.mark.long),
    ],
)
def test_a_crash_at_any_write(precision: Any, nth: int, tmp_path: Path, monkeypatch: Any) -> None:
    """At each nth one. Earlier frames are intact, and a resumed recording is complete."""
    rec = write(tmp_path / "complete.zarr", MODEL, FRAMES, precision=precision)
    complete = list(rec)
    with monkeypatch.context() as patched:
        count = crash_after(10**9, patched)
        write(tmp_path / "count.zarr", MODEL, FRAMES, precision=precision)
    for number in range(25, count[0] + 1, nth):
        path = tmp_path / "dying.zarr"
        shutil.rmtree(path, ignore_errors=True)
        with monkeypatch.context() as patched:
            crash_after(number, patched)
            with pytest.raises(Crash):
                write(path, MODEL, FRAMES, precision=precision)
        if not path.exists():  # it died at its first frame
            continue
        left = mm.open(path)
        for frame, expected in zip(left, complete, strict=False):
            assert_equal_frames(expected, frame)
        assert left.to_xarray().load().sizes["time"] == len(left.to_xarray()["time"])
        left.close()
        resume_with(path, FRAMES)
        assert contents(path) == contents(rec.path), number
        assert not list(path.rglob("draft-*"))


def test_read_while_it_is_written(tmp_path: Path) -> None:
    """An opened recording stays right when its newest files gain blocks, and finds new frames."""
    path = tmp_path / "a.zarr"
    for frames in range(2, 22, 3):
        if path.exists():
            opened = mm.open(path)
            opened[len(opened) - 1]  # its files are open now
            resume_with(path, FRAMES[:frames])
            for k in range(len(opened)):
                assert_equal_frames(FRAMES[k], opened[k])
            assert len(opened.refresh()) == frames
            assert_equal_frames(FRAMES[frames - 1], opened[-1])
        else:
            write(path, MODEL, FRAMES[:frames])


def test_exact_states(tmp_path: Path) -> None:
    """They hold who is there, since a rounded recording is resumed from them."""
    rec = write(tmp_path / "a.zarr", MODEL, FRAMES[:20], precision=0.05)
    (newest,) = [n for n in store.list_states(rec.path) if n == 20]
    arrays = store.read_state(rec.path, newest, "float32", flocks=2)
    assert arrays is not None
    assert_equal_frames(FRAMES[19], rec.frame_of(19, arrays))
    numbers = [{"prey": [], "hawks": []}] * 3
    nobody = list(frames_of(MODEL, numbers))
    rec = write(tmp_path / "b.zarr", MODEL, nobody, precision=0.05)
    resume_with(rec.path, [*nobody, *frames_of(MODEL, numbers * 2)][:5])
    assert np.array_equal(rec.refresh().column("n_boids"), np.zeros((5, 2)))
