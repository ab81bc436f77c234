"""A recording that somebody made up leads to nothing outside of itself."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from recorded import model_of, record

import murmurate as mm
from murmurate.record import journal


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    with record(tmp_path / "a.zarr", model_of("torus"), steps=4) as rec:
        return rec.path


@pytest.mark.parametrize("key", ["measures", "counts"])
@pytest.mark.parametrize("name", ["../../elsewhere", "/elsewhere", "a/b", "..", "a\0b"])
def test_names_in_its_header_are_names(recording: Path, key: str, name: str) -> None:
    header, commits = journal.read(recording)
    assert header
    header[key] = [*header[key], name] if key == "measures" else {name: 12}
    lines = [journal.line(entry) for entry in (header, *commits)]
    (recording / journal.LOG).write_bytes(b"".join(lines))
    with pytest.raises(mm.MurmurateError, match="no name of a measure or flock"):
        mm.open(recording)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a permission there")
@pytest.mark.parametrize("part", ["journal/lock", "journal/log", "position", "time/c/0"])
def test_a_link_in_it_is_not_written_through(recording: Path, part: str, tmp_path: Path) -> None:
    theirs, mine = recording / part, tmp_path / "mine"
    theirs.rename(mine)
    theirs.symlink_to(mine)
    if part == "journal/lock":
        mine.write_text("precious")
    before = {f: f.read_bytes() for f in (mine, *mine.rglob("*")) if f.is_file()}
    with pytest.raises(mm.MurmurateError, match="is a link"):
        mm.resume(recording, 9)
    assert {f: f.read_bytes() for f in before} == before


def test_one_with_a_name_that_is_no_longer_allowed_can_be_read(recording: Path) -> None:
    header, commits = journal.read(recording)
    assert header
    header["model"] = header["model"].replace(f'name = "{header["name"]}"', 'name = "../a:b"')
    header["name"] = "../a:b"
    lines = [journal.line(entry) for entry in (header, *commits)]
    (recording / journal.LOG).write_bytes(b"".join(lines))
    root = json.loads((recording / "zarr.json").read_text())
    root["attributes"]["model"] = header["model"]
    (recording / "zarr.json").write_text(json.dumps(root))
    rec = mm.open(recording)
    assert len(rec.read().steps) == len(rec) == 5 and len(rec[0]) == 12
    assert rec.scene.name == "a-b"
