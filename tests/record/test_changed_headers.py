"""Headers and chunks that somebody changed, with every checksum right."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from recorded import model_of

import murmurate as mm
from murmurate.record import codec, journal


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    return mm.run(model_of(), steps=4, to=tmp_path / "a.zarr", engine="reference").path


def write_header(path: Path, **changes: Any) -> None:
    """The journal with another header."""
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
    with pytest.raises(mm.RecordingRefused, match=f"its header is damaged: {name}"):
        mm.open(recording)


def test_a_changed_header_beside_a_lost_journal_is_refused(recording: Path) -> None:
    (recording / journal.LOG).unlink()
    root = json.loads((recording / "zarr.json").read_bytes())
    settings = json.loads(root["attributes"]["settings"]) | {"dims": "two"}
    root["attributes"]["settings"] = json.dumps(settings)
    (recording / "zarr.json").write_text(json.dumps(root))
    with pytest.raises(mm.RecordingRefused, match="its header is damaged: dims"):
        mm.open(recording)


def test_a_journal_without_its_first_line_is_lost(recording: Path) -> None:
    """The line after it is a commit, and no header."""
    before = mm.open(recording).read().positions
    log = recording / journal.LOG
    log.write_bytes(log.read_bytes().split(b"\n", 1)[1])
    left = mm.open(recording)
    assert "its journal is lost" in left.notes
    assert np.array_equal(left.read().positions, before)


@pytest.mark.parametrize("root", [{"consolidated_metadata": 3}, {"consolidated_metadata": {}}])
def test_metadata_of_another_kind_counts_as_damaged(recording: Path, root: dict[str, Any]) -> None:
    shown = json.loads((recording / "zarr.json").read_bytes())
    (recording / "zarr.json").write_text(json.dumps(shown | root))
    left = mm.open(recording)
    assert "its zarr.json is damaged" in left.notes and len(left) == 5


def test_numbers_of_another_array_count_as_lost(recording: Path) -> None:
    small = recording / "polarization" / "c" / "0" / "0"
    small.write_bytes(codec.with_checksum(b"twelve bytes"))
    left = mm.open(recording)
    assert np.isnan(left.column("polarization")).all()
    assert left.info()["measures"]["boids"]["polarization"] is None


def test_a_chunk_of_another_shape_is_damaged() -> None:
    """Also one that is smaller: what is not in it would be what was in memory."""
    packer = codec.Codec("<f4", (2, 3))
    packed = packer.pack(np.ones((2, 3), "<f4"))
    assert packer.unpack(packed) is not None
    for shape in ((2, 2), (4, 3), (50_000, 50_000, 50_000)):
        assert math.prod(shape) != 6
        assert codec.Codec("<f4", shape).unpack(packed) is None
