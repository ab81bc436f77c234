"""The check of a recording finds damage in every file of it, and none where there is none."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from recorded import Crash, model_of, record

import murmurate as mm
from murmurate.record import journal
from murmurate.record.check import find_damage


@pytest.fixture(scope="module", params=[None, 0.01], ids=["lossless", "rounded"])
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "a.zarr"
    with record(path, model_of("torus"), steps=6, precision=request.param) as rec:
        return rec.path


def files(path: Path) -> list[Path]:
    found = (file.relative_to(path) for file in path.rglob("*") if file.is_file())
    return sorted(file for file in found if file.name != "lock")


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "a.zarr"))


def test_nothing_is_found_where_all_is_whole(copy: Path) -> None:
    assert find_damage(mm.open(copy)) == []
    mm.resume(copy, 9).close()
    assert find_damage(mm.open(copy)) == []


def places(data: bytes, text: bool) -> list[int]:
    """Of bytes to be changed: all through the file, and its last ones. Of a text, digits, and not
    the end of the last line: without it, a line is one that was not finished."""
    size = len(data)
    if text:
        return [data.index(b"3"), data.rindex(b"3")]
    return sorted({*range(0, size, max(1, size // 6)), *range(max(0, size - 36), size, 9)})


def test_a_flipped_bit_is_found_in_every_file(copy: Path) -> None:
    """So whatever Zarr refuses is found, too: it compares the same checksums."""
    for file in files(copy):
        data = (copy / file).read_bytes()
        for place in places(data, file.name in ("zarr.json", "log")):
            (copy / file).write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
            assert find_damage(mm.open(copy)), (file, place)
        (copy / file).write_bytes(data)
    assert find_damage(mm.open(copy)) == []


def test_a_lost_file_is_found(copy: Path) -> None:
    for file in files(copy):
        if file.name.startswith("state-"):  # of these the newest are kept
            continue
        (copy / file).rename(copy / "lost")
        assert find_damage(mm.open(copy)), file
        (copy / "lost").rename(copy / file)


def test_metadata_that_readers_refuse_are_found(copy: Path) -> None:
    """JSON that is whole, and yet not what was written."""
    root = json.loads((copy / "zarr.json").read_text())
    arrays = root["consolidated_metadata"]["metadata"]
    del arrays["position"]["codecs"]
    (copy / "zarr.json").write_text(json.dumps(root))
    with pytest.raises(mm.MurmurateError):
        mm.open(copy).to_xarray()
    (said,) = find_damage(mm.open(copy))
    assert said.startswith(f"{copy / 'zarr.json'}: ") and "murmurate resume" in said
    mm.resume(copy).close()
    assert find_damage(mm.open(copy)) == []


def test_what_other_programs_refuse_is_found(copy: Path) -> None:
    """Murmurate reads frames without the index at a file's end; Zarr does not."""
    file = copy / "velocity/c/0/0/0"
    data = bytearray(file.read_bytes())
    data[-10] ^= 1
    file.write_bytes(data)
    assert len(mm.open(copy).read().velocities) == 7
    with pytest.raises(ValueError, match="checksum"):
        mm.open(copy).to_xarray()["velocity"].load()
    (said,) = find_damage(mm.open(copy))
    assert said.startswith(f"{file}: its index")


@pytest.mark.parametrize("name", ["zarr.json", "speed/zarr.json", "journal/zarr.json"])
def test_metadata_of_any_text_are_found(name: str, copy: Path) -> None:
    whole = (copy / name).read_text()
    for text in (
        "[" * 100_000,
        "1" * 5000,
        whole.replace("{", '{"a": ' + "[" * 20_000, 1),
        "",
        "3",
    ):
        (copy / name).write_text(text)
        assert any(name in said for said in find_damage(mm.open(copy)))


def test_settings_that_are_nested_too_deeply_are_found(copy: Path) -> None:
    """They are a JSON text in a JSON text."""
    root = json.loads((copy / "zarr.json").read_text())
    root["attributes"]["settings"] = "[" * 100_000
    (copy / "zarr.json").write_text(json.dumps(root))
    assert any("zarr.json" in said for said in find_damage(mm.open(copy)))


def test_a_run_that_died_is_not_damaged(tmp_path: Path, monkeypatch) -> None:
    """Between a line of the journal and the root's metadata, which lag behind it then."""
    path = tmp_path / "a.zarr"
    with monkeypatch.context() as patch:
        real = journal.append
        lines = [0]

        def append(where: Path, entry: object) -> None:
            real(where, entry)
            lines[0] += 1
            if lines[0] == 3:
                raise Crash

        patch.setattr("murmurate.record.store.journal.append", append)
        with pytest.raises(Crash):
            record(path, model_of("torus"), steps=40)
    assert len(mm.open(path)) > 1
    assert find_damage(mm.open(path)) == []
