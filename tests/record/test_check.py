"""The check of a recording finds damage in each of its files, and none in intact ones."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from recorded import Crash, model_of, record

import murmurate as mm
from murmurate.record import journal
from murmurate.record.check import find_damage


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(None, id="lossless"),
        pytest.param(0.01, id="rounded", marks=pytest.mark.slow),
    ],
)
def intact(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "a.zarr"
    with record(path, model_of("torus"), steps=6, precision=request.param) as rec:
        return rec.path


def files(path: Path) -> list[Path]:
    names = (file.relative_to(path) for file in path.rglob("*") if file.is_file())
    return sorted(file for file in names if file.name != "lock")


@pytest.fixture
def copy(intact: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(intact, tmp_path / "a.zarr"))


def test_an_intact_recording_has_no_damage(copy: Path) -> None:
    assert find_damage(mm.open(copy)) == []
    mm.resume(copy, 9).close()
    assert find_damage(mm.open(copy)) == []


def offsets(data: bytes, text: bool) -> list[int]:
    """Return offsets of bytes to change: throughout the file, and the last ones.

    In a text these are digits. Without the end of its last line, that line would count as
    unfinished.
    """
    size = len(data)
    if text:
        return [data.index(b"3"), data.rindex(b"3")]
    return sorted({0, size // 3, 2 * size // 3, *range(max(0, size - 36), size, 12)})


@pytest.mark.slow
def test_a_flipped_bit_is_found_in_every_file(copy: Path) -> None:
    """Zarr verifies the same checksums, so whatever it refuses is found too."""
    for file in files(copy):
        data = (copy / file).read_bytes()
        for offset in offsets(data, file.name in ("zarr.json", "log")):
            (copy / file).write_bytes(
                data[:offset] + bytes([data[offset] ^ 1]) + data[offset + 1 :]
            )
            assert find_damage(mm.open(copy)), (file, offset)
        (copy / file).write_bytes(data)
    assert find_damage(mm.open(copy)) == []


def test_a_missing_file_is_found(copy: Path) -> None:
    for file in files(copy):
        if file.name.startswith("state-"):  # only the newest of these are kept
            continue
        (copy / file).rename(copy / "moved")
        assert find_damage(mm.open(copy)), file
        (copy / "moved").rename(copy / file)


def test_metadata_that_readers_refuse_are_found(copy: Path) -> None:
    """Valid JSON with other contents."""
    root = json.loads((copy / "zarr.json").read_text())
    arrays = root["consolidated_metadata"]["metadata"]
    del arrays["position"]["codecs"]
    (copy / "zarr.json").write_text(json.dumps(root))
    with pytest.raises(mm.MurmurateError):
        mm.open(copy).to_xarray()
    (message,) = find_damage(mm.open(copy))
    assert message.startswith(f"{copy / 'zarr.json'}: ") and "murmurate resume" in message
    mm.resume(copy).close()
    assert find_damage(mm.open(copy)) == []


def test_damage_for_other_programs_is_found(copy: Path) -> None:
    """Murmurate reads frames without the index at the end of a file; Zarr does not."""
    file = copy / "velocity/c/0/0/0"
    data = bytearray(file.read_bytes())
    data[-10] ^= 1
    file.write_bytes(data)
    assert len(mm.open(copy).read().velocities) == 7
    with pytest.raises(ValueError, match="checksum"):
        mm.open(copy).to_xarray()["velocity"].load()
    (message,) = find_damage(mm.open(copy))
    assert message.startswith(f"{file}: its index")


@pytest.mark.parametrize("name", ["zarr.json", "speed/zarr.json", "journal/zarr.json"])
def test_metadata_of_any_text_are_found(name: str, copy: Path) -> None:
    intact = (copy / name).read_text()
    for text in (
        "[" * 100_000,
        "1" * 5000,
        intact.replace("{", '{"a": ' + "[" * 20_000, 1),
        "",
        "3",
    ):
        (copy / name).write_text(text)
        assert any(name in message for message in find_damage(mm.open(copy)))


def test_settings_that_are_nested_too_deeply_are_found(copy: Path) -> None:
    """They are JSON inside JSON."""
    root = json.loads((copy / "zarr.json").read_text())
    root["attributes"]["settings"] = "[" * 100_000
    (copy / "zarr.json").write_text(json.dumps(root))
    assert any("zarr.json" in message for message in find_damage(mm.open(copy)))


def test_a_crashed_run_is_not_damaged(tmp_path: Path, monkeypatch) -> None:
    """It crashes between a line of the journal and the root's metadata, which then lag behind."""
    path = tmp_path / "a.zarr"
    with monkeypatch.context() as patch:
        original = journal.append
        lines = [0]

        def append(where: Path, entry: object) -> None:
            original(where, entry)
            lines[0] += 1
            if lines[0] == 3:
                raise Crash

        patch.setattr(journal, "append", append)
        with pytest.raises(Crash):
            record(path, model_of("torus"), steps=40)
    assert len(mm.open(path)) > 1
    assert find_damage(mm.open(path)) == []
