"""What is asked for: which frames and flocks; what cannot be; what is left when writing fails."""

from __future__ import annotations

import errno
import sys
from pathlib import Path

import numpy as np
import pytest
from exported import expected

import murmurate as mm
from murmurate.exports.formats import FORMATS
from processes import ran_well

SUFFIXES = tuple(FORMATS)


def places(rec: mm.Recording, path: Path, **asked: object) -> np.ndarray:
    return np.load(mm.export(rec, path, **asked).path)


def test_which_frames(recordings, tmp_path) -> None:
    rec = recordings["hunted"]  # every second step to step 60
    whole = expected(rec).positions
    for number, (asked, wanted) in enumerate(
        [
            ({"first_step": 10}, whole[5:]),
            ({"first_step": 9}, whole[5:]),
            ({"last_step": 11}, whole[:6]),
            ({"first_step": 0, "last_step": 0}, whole[:1]),
            ({"every": 6}, whole[::3]),
            ({"first_step": 4, "last_step": 1000, "every": 20}, whole[2::10]),
            ({"flocks": "hawks"}, whole[:, 14:]),
            ({"flocks": ["hawks", "boids"]}, whole),
            ({"flocks": ["hawks"], "first_step": 60}, whole[-1:, 14:]),
        ]
    ):
        found = places(rec, tmp_path / f"{number}.npy", **asked)
        np.testing.assert_array_equal(found, wanted, err_msg=str(asked))


@pytest.mark.parametrize("piece", [500, 1 << 30])
@pytest.mark.parametrize("suffix", [".npz", ".xyz", ".nc", ".usda"])
def test_pieces_leave_no_trace(recordings, suffix, piece, tmp_path, monkeypatch) -> None:
    """A file is the same, however large the pieces are that it is written in."""
    rec = recordings["landing"]
    monkeypatch.setattr("murmurate.exports.selection.PIECE", 1 << 16)
    usual = mm.export(rec, tmp_path / f"a{suffix}").path
    monkeypatch.setattr("murmurate.exports.selection.PIECE", piece)
    other = mm.export(rec, tmp_path / f"b{suffix}").path
    if suffix == ".npz":
        with np.load(usual) as left, np.load(other) as right:
            assert all((left[name] == right[name]).all() for name in left)
    elif suffix == ".nc":
        import xarray

        with xarray.open_dataset(usual) as left, xarray.open_dataset(other) as right:
            assert left.identical(right)
    else:
        assert usual.read_bytes() == other.read_bytes()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_progress_is_told(recordings, suffix, tmp_path) -> None:
    told = []
    path = tmp_path / f"a{suffix}"
    mm.export(recordings["landing"], path, progress=lambda done, of: told.append((done, of)))
    assert len(told) > 3
    done = [done for done, _ in told]
    assert done == sorted(done) and told[-1][0] == told[-1][1]


@pytest.mark.parametrize(
    ("name", "asked", "said"),
    [
        ("a.parqet", {}, r"got \.parqet; .* \(did you mean a\.parquet\?\)"),
        ("a", {}, r"no suffix; expected \.nc, .* or \.npz"),
        ("a.csv", {"every": 3}, "every: got 3 steps; expected 2 or a multiple"),
        ("a.csv", {"every": 0}, "every: got 0 steps"),
        ("a.csv", {"first_step": 61}, "no frame from step 61 to step 60; .* 0 to 60, every 2"),
        ("a.csv", {"first_step": 7, "last_step": 7}, "no frame from step 7"),
        ("a.csv", {"first_step": -1}, "first step: got -1; expected 0 or more"),
        ("a.csv", {"last_step": -1}, "last step: got -1; expected 0 or more"),
        ("a.usda", {"frames_per_second": 1e-300}, "--fps: got 1e-300; expected a number from"),
        ("a.usda", {"boid_size": 1e300}, "--boid-size: got 1e[+]300; expected a number"),
        (
            "a.csv",
            {"flocks": "hawk"},
            r"flock: got 'hawk'; expected boids, hawks \(did you mean hawks",
        ),
        ("a.csv", {"layout": "movement"}, "layout: got 'movement'; expected long, trackpy"),
        ("a.nc", {"layout": "natve"}, r"movement, native, cf \(did you mean native\?\)"),
        ("a.nc", {"layout": "cf", "legacy_names": True}, "for the layout movement, not for cf"),
        ("a.gsd", {"layout": "cf"}, r"--layout is for \.nc, \.parquet or \.csv, not for \.gsd"),
        ("a.csv", {"frames_per_second": 0}, r"--fps is for \.usdc, \.usda, \.usdz or \.glb"),
        ("a.usdc", {"frames_per_second": 0}, "--fps: got 0; expected a number"),
        ("a.usdc", {"boid_size": float("inf")}, "--boid-size: got inf"),
        ("no/a.csv", {}, "the folder .*no does not exist"),
        ("folder.csv", {}, "got a folder"),
        ("there.csv", {}, "exists and is kept; give another name, or --force"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_written(
    recordings, name, asked, said, tmp_path
) -> None:
    (tmp_path / "there.csv").write_text("mine")
    (tmp_path / "folder.csv").mkdir()
    before = sorted(tmp_path.iterdir())
    with pytest.raises(mm.ExportRefused, match=said):
        mm.export(recordings["hunted"], tmp_path / name, **asked)
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "there.csv").read_text() == "mine"


def test_what_is_no_recording(tmp_path) -> None:
    with pytest.raises(mm.RecordingRefused, match="there is no such recording"):
        mm.export(tmp_path / "no.zarr", tmp_path / "a.csv")


LIBRARIES = {
    ".nc": ("netcdf", "h5netcdf"),
    ".parquet": ("parquet", "pyarrow"),
    ".gsd": ("gsd_file", "gsd"),
    ".vtkhdf": ("vtkhdf", "h5py"),
    ".usdz": ("usd", "pxr"),
}


@pytest.mark.parametrize("suffix", LIBRARIES)
def test_a_library_that_is_missing(recordings, suffix, tmp_path, monkeypatch) -> None:
    module, library = LIBRARIES[suffix]
    for name in [n for n in sys.modules if n.startswith(f"murmurate.exports.{module}")]:
        monkeypatch.delitem(sys.modules, name)
    for name in [n for n in sys.modules if n.split(".")[0] == library]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, library, None)
    said = rf'module {library} is not installed.*"murmurate\[export\]"'
    with pytest.raises(mm.ExportRefused, match=said):
        mm.export(recordings["torus"], tmp_path / f"a{suffix}")


def test_only_what_is_needed_is_loaded(recordings, tmp_path) -> None:
    code = (
        "import sys, murmurate as mm\n"
        f"mm.export({str(recordings['torus'].path)!r}, {str(tmp_path / 'a.csv')!r})\n"
        "heavy = {'pyarrow', 'pxr', 'gsd', 'h5py', 'h5netcdf', 'xarray', 'numba'}\n"
        "print(*heavy & set(sys.modules))"
    )
    assert ran_well(sys.executable, "-c", code).split() == []


@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left"), KeyboardInterrupt()])
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_was_there_is_kept_when_writing_fails(
    recordings, suffix, failure, tmp_path, monkeypatch
) -> None:
    """In the midst of the file: what is read from the recording ends with an error."""
    from murmurate.exports.selection import Selection

    path = tmp_path / f"a{suffix}"
    path.write_text("mine")
    whole = Selection.frames

    def failing(self, numbers):
        if numbers[0] > 30:
            raise failure
        return whole(self, numbers)

    monkeypatch.setattr(Selection, "frames", failing)
    wanted = mm.ExportError if isinstance(failure, OSError) else KeyboardInterrupt
    with pytest.raises(wanted) as caught:
        mm.export(recordings["torus"], path, force=True)
    if wanted is mm.ExportError:
        assert "the disk is full; free some space. No partial file was left" in str(caught.value)
        assert not isinstance(caught.value, mm.ExportRefused)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    assert path.read_text() == "mine"
    monkeypatch.undo()
    mm.export(recordings["torus"], path, force=True)
    assert path.read_bytes() != b"mine"


FULL = """
import resource, sys
from pathlib import Path
import murmurate as mm
from murmurate.exports.formats import FORMATS
import murmurate.exports.usd, murmurate.exports.netcdf, murmurate.exports.parquet  # not limited
from murmurate.exports import selection
selection.PIECE = 4000
recording, folder, most = sys.argv[1], Path(sys.argv[2]), {most!r}
for suffix in FORMATS:
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most.get(suffix, 3000), hard))
    try:
        mm.export(recording, folder / ("a" + suffix))
        print(suffix, "was written")
    except mm.ExportError as error:
        wrong = "size limit" not in str(error) and "disk is full" not in str(error)
        print(suffix, *(["said", error] if wrong else []), *[f.name for f in folder.iterdir()])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="files have no limit there")
def test_a_disk_that_takes_no_more(recordings, tmp_path) -> None:
    """Really: the system refuses to write more than some bytes of a file. No library may pass over
    it, or bring the process down."""
    rec = recordings["landing"]
    most = {}
    for suffix in (".usda", ".usdz"):  # the .usdc that they are made from fits
        size = mm.export(rec, tmp_path / f"b{suffix}").bytes
        most[suffix] = size - 100
        (tmp_path / f"b{suffix}").unlink()
    said = ran_well(sys.executable, "-c", FULL.format(most=most), rec.path, tmp_path)
    assert said.split("\n")[:-1] == list(SUFFIXES), said
