"""Recordings that somebody changed or made up, with every checksum right."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from recorded import model_of, record

import murmurate as mm
from murmurate.record import codec, journal


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    return mm.run(
        model_of(), steps=4, output=tmp_path / "a.zarr", options=mm.RunOptions(engine="reference")
    ).path


def write_header(path: Path, **changes: Any) -> None:
    """Rewrite the journal with another header."""
    header, commits = journal.read(path)
    assert header is not None
    entries = [{**header, **changes}, *commits]
    (path / journal.LOG).write_bytes(b"".join(map(journal.line, entries)))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("counts", {"boids": -1}), ("counts", [12]), ("dims", 4), ("dt", "0.1"), ("dt", 0),
        ("every", 0), ("measure_every", 0), ("shard_bytes", None), ("steps_of", {"position": 0}),
        ("first_step", 1.5), ("citations", 3), ("parts", [{}]), ("chunk_frames", -1), ("title", 1),
    ],
)  # fmt: skip
def test_a_changed_header_is_refused(recording: Path, name: str, value: Any) -> None:
    write_header(recording, **{name: value})
    with pytest.raises(mm.OpenError, match=f"its header is damaged: {name}"):
        mm.open(recording)


def test_a_changed_header_without_a_journal_is_refused(recording: Path) -> None:
    (recording / journal.LOG).unlink()
    root = json.loads((recording / "zarr.json").read_bytes())
    settings = json.loads(root["attributes"]["settings"]) | {"dims": "two"}
    root["attributes"]["settings"] = json.dumps(settings)
    (recording / "zarr.json").write_text(json.dumps(root))
    with pytest.raises(mm.OpenError, match="its header is damaged: dims"):
        mm.open(recording)


def test_a_journal_without_its_first_line_is_ignored(recording: Path) -> None:
    """The following line is a commit instead of a header."""
    before = mm.open(recording).read().positions
    log = recording / journal.LOG
    log.write_bytes(log.read_bytes().split(b"\n", 1)[1])
    left = mm.open(recording)
    assert "its journal is missing" in left.notes
    assert np.array_equal(left.read().positions, before)


@pytest.mark.parametrize("root", [{"consolidated_metadata": 3}, {"consolidated_metadata": {}}])
def test_metadata_of_another_kind_counts_as_damaged(recording: Path, root: dict[str, Any]) -> None:
    metadata = json.loads((recording / "zarr.json").read_bytes())
    (recording / "zarr.json").write_text(json.dumps(metadata | root))
    left = mm.open(recording)
    assert "its zarr.json is damaged" in left.notes and len(left) == 5


def test_numbers_of_another_array_count_as_missing(recording: Path) -> None:
    small = recording / "polarization" / "c" / "0" / "0"
    small.write_bytes(codec.with_checksum(b"twelve bytes"))
    left = mm.open(recording)
    assert np.isnan(left.column("polarization")).all()
    assert left.info()["measures"]["boids"]["polarization"] is None


def test_a_chunk_of_another_shape_is_damaged() -> None:
    """Also a smaller chunk, which would leave memory uninitialised."""
    packer = codec.Codec("<f4", (2, 3))
    packed = packer.pack(np.ones((2, 3), "<f4"))
    assert packer.unpack(packed) is not None
    for shape in ((2, 2), (4, 3), (50_000, 50_000, 50_000)):
        assert math.prod(shape) != 6
        assert codec.Codec("<f4", shape).unpack(packed) is None


@pytest.fixture
def torus(tmp_path: Path) -> Path:
    with record(tmp_path / "torus.zarr", model_of("torus"), steps=4, engine="reference") as rec:
        return rec.path


@pytest.mark.parametrize("key", ["measures", "counts"])
@pytest.mark.parametrize("name", ["../../elsewhere", "/elsewhere", "a/b", "..", "a\0b"])
def test_names_in_a_header_are_checked(torus: Path, key: str, name: str) -> None:
    header, commits = journal.read(torus)
    assert header
    header[key] = [*header[key], name] if key == "measures" else {name: 12}
    lines = [journal.line(entry) for entry in (header, *commits)]
    (torus / journal.LOG).write_bytes(b"".join(lines))
    with pytest.raises(mm.MurmurateError, match="expected the name of a measure or flock"):
        mm.open(torus)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a permission there")
@pytest.mark.parametrize("part", ["journal/lock", "journal/log", "position", "time/c/0"])
def test_links_are_not_followed_for_writing(torus: Path, part: str, tmp_path: Path) -> None:
    inside, outside = torus / part, tmp_path / "outside"
    inside.rename(outside)
    inside.symlink_to(outside)
    if part == "journal/lock":
        outside.write_text("precious")
    before = {f: f.read_bytes() for f in (outside, *outside.rglob("*")) if f.is_file()}
    with pytest.raises(mm.MurmurateError, match="got a link"):
        mm.resume(torus, 9)
    assert {f: f.read_bytes() for f in before} == before


def test_a_name_that_is_no_longer_valid_can_be_read(torus: Path) -> None:
    header, commits = journal.read(torus)
    assert header
    header["model"] = header["model"].replace(f'name = "{header["name"]}"', 'name = "../a:b"')
    header["name"] = "../a:b"
    lines = [journal.line(entry) for entry in (header, *commits)]
    (torus / journal.LOG).write_bytes(b"".join(lines))
    root = json.loads((torus / "zarr.json").read_text())
    root["attributes"]["model"] = header["model"]
    (torus / "zarr.json").write_text(json.dumps(root))
    rec = mm.open(torus)
    assert len(rec.read().steps) == len(rec) == 5 and rec[0].n_boids == 12
    assert rec.scene.name == "a-b"
