"""Options of exports: frames and flocks; refusals; failed writes."""

from __future__ import annotations

import errno
import sys
from pathlib import Path

import numpy as np
import pytest
from exported import expected

import murmurate as mm
from murmurate.exports.formats import FORMATS
from murmurate.runs import record_run
from processes import SMALL_FILES, ran_well
from structures import STRUCTURES

SUFFIXES = tuple(s for s, format in FORMATS.items() if format.module != "flight")
"""Formats of any flock. Flights of drones have limits: tests/flights."""


def export_positions(rec: mm.Recording, path: Path, **options: object) -> np.ndarray:
    return np.load(mm.export(rec, path, **options).path)


def test_selected_frames_and_flocks(recordings, tmp_path) -> None:
    rec = recordings["hunted"]  # every second step to step 60
    complete = expected(rec).positions
    for number, (options, reference) in enumerate(
        [
            ({"first_step": 10}, complete[5:]),
            ({"first_step": 9}, complete[5:]),
            ({"last_step": 11}, complete[:6]),
            ({"first_step": 0, "last_step": 0}, complete[:1]),
            ({"every": 6}, complete[::3]),
            ({"first_step": 4, "last_step": 1000, "every": 20}, complete[2::10]),
            ({"flocks": "hawks"}, complete[:, 14:]),
            ({"flocks": ["hawks", "boids"]}, complete),
            ({"flocks": ["hawks"], "first_step": 60}, complete[-1:, 14:]),
        ]
    ):
        result = export_positions(rec, tmp_path / f"{number}.npy", **options)
        np.testing.assert_array_equal(result, reference, err_msg=str(options))


@pytest.mark.parametrize("piece", [500, pytest.param(1 << 30, marks=pytest.mark.slow)])
@pytest.mark.parametrize("suffix", [".npz", ".xyz", ".nc", ".usda"])
def test_files_do_not_depend_on_the_size_of_pieces(
    recordings, suffix, piece, tmp_path, monkeypatch
) -> None:
    """A file is the same for any size of pieces."""
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
def test_progress_is_reported(recordings, suffix, tmp_path) -> None:
    calls = []
    path = tmp_path / f"a{suffix}"
    mm.export(recordings["landing"], path, progress=lambda done, of: calls.append((done, of)))
    assert len(calls) > 3
    done = [done for done, _ in calls]
    assert done == sorted(done) and calls[-1][0] == calls[-1][1]


@pytest.mark.parametrize(
    "suffix",
    [
        suffix if suffix in (".csv", ".npy") else pytest.param(suffix, marks=pytest.mark.slow)
        for suffix in SUFFIXES
    ],
)
def test_every_format_takes_a_simulation(suffix, tmp_path) -> None:
    """What is written is what a recording of the same steps has."""
    simulation = mm.Simulation(STRUCTURES["torus"][0](count=5), 3, engine="reference")
    rec = record_run.record(simulation.copy(), tmp_path / "flock.zarr", 4, 2)
    paths = [
        mm.export(simulation, tmp_path / f"a{suffix}", last_step=4, every=2).path,
        mm.export(rec, tmp_path / f"b{suffix}").path,
    ]
    sizes = [path.stat().st_size for path in paths]
    assert abs(sizes[0] - sizes[1]) < 300  # names and versions
    if suffix in (".csv", ".npy", ".xyz"):
        assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("a.parqet", {}, r"got \.parqet; .* \(did you mean a\.parquet\?\)"),
        ("a", {}, r"no suffix; expected \.nc, .* or \.mcap"),
        ("a.csv", {"every": 3}, "every: got 3 steps; expected 2 or a multiple"),
        ("a.csv", {"every": 0}, "every: got 0 steps"),
        ("a.csv", {"first_step": 61}, "no frame from step 61 to step 60; .* 0 to 60, every 2"),
        ("a.csv", {"first_step": 7, "last_step": 7}, "no frame from step 7"),
        ("a.csv", {"first_step": -1}, "first step: got -1; expected 0 or more"),
        ("a.csv", {"last_step": -1}, "last step: got -1; expected 0 or more"),
        (
            "a.usda",
            {"options": mm.ExportOptions(frames_per_second=1e-300)},
            "--fps: got 1e-300; expected a number from",
        ),
        (
            "a.usda",
            {"options": mm.ExportOptions(boid_size=1e300)},
            "--boid-size: got 1e[+]300; expected a number",
        ),
        (
            "a.csv",
            {"flocks": "hawk"},
            r"flock: got 'hawk'; expected boids, hawks \(did you mean hawks",
        ),
        (
            "a.csv",
            {"options": mm.ExportOptions(layout="movement")},
            "layout: got 'movement'; expected long, trackpy",
        ),
        (
            "a.nc",
            {"options": mm.ExportOptions(layout="natve")},
            r"movement, native, cf \(did you mean native\?\)",
        ),
        (
            "a.nc",
            {"options": mm.ExportOptions("cf", legacy_names=True)},
            "for the layout movement, not for cf",
        ),
        (
            "a.gsd",
            {"options": mm.ExportOptions(layout="cf")},
            r"--layout is for \.nc, \.parquet, \.csv or \.zip, not for \.gsd",
        ),
        (
            "a.csv",
            {"options": mm.ExportOptions(frames_per_second=0)},
            r"--fps is for \.usdc, .* or \.png, not for \.csv",
        ),
        (
            "a.usdc",
            {"options": mm.ExportOptions(frames_per_second=0)},
            "--fps: got 0; expected a number",
        ),
        ("a.usdc", {"options": mm.ExportOptions(boid_size=float("inf"))}, "--boid-size: got inf"),
        ("no/a.csv", {}, "no folder .*no. Create it"),
        ("folder.csv", {}, "got a folder"),
        ("there.csv", {}, "exists and is kept; give another name, or --force"),
    ],
)
def test_invalid_options_are_refused_before_anything_is_written(
    recordings, name, options, message, tmp_path
) -> None:
    (tmp_path / "there.csv").write_text("mine")
    (tmp_path / "folder.csv").mkdir()
    before = sorted(tmp_path.iterdir())
    with pytest.raises(mm.ExportOptionsError, match=message):
        mm.export(recordings["hunted"], tmp_path / name, **options)
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "there.csv").read_text() == "mine"


def test_a_missing_recording_is_refused(tmp_path) -> None:
    with pytest.raises(mm.OpenError, match="there is no such recording"):
        mm.export(tmp_path / "no.zarr", tmp_path / "a.csv")


LIBRARIES = {
    ".nc": ("netcdf", "h5netcdf"),
    ".parquet": ("parquet", "pyarrow"),
    ".gsd": ("gsd_file", "gsd"),
    ".vtkhdf": ("vtkhdf", "h5py"),
    ".usdz": ("usd", "pxr"),
}


@pytest.mark.parametrize("suffix", LIBRARIES)
def test_a_missing_library_is_named(recordings, suffix, tmp_path, monkeypatch) -> None:
    module, library = LIBRARIES[suffix]
    for name in [n for n in sys.modules if n.startswith(f"murmurate.exports.{module}")]:
        monkeypatch.delitem(sys.modules, name)
    for name in [n for n in sys.modules if n.split(".")[0] == library]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, library, None)
    message = rf'module {library} is not installed.*"murmurate\[export\]"'
    with pytest.raises(mm.ExportOptionsError, match=message):
        mm.export(recordings["torus"], tmp_path / f"a{suffix}")


@pytest.mark.slow
def test_unneeded_libraries_are_not_imported(recordings, tmp_path) -> None:
    code = (
        "import sys, murmurate as mm\n"
        f"mm.export({str(recordings['torus'].path)!r}, {str(tmp_path / 'a.csv')!r})\n"
        "heavy = {'pyarrow', 'pxr', 'gsd', 'h5py', 'h5netcdf', 'xarray', 'numba'}\n"
        "print(*heavy & set(sys.modules))"
    )
    assert ran_well(sys.executable, "-c", code).split() == []


@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left"), KeyboardInterrupt()])
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_existing_file_is_kept_if_writing_fails(
    recordings, suffix, failure, tmp_path, monkeypatch
) -> None:
    """Reading the recording fails in the middle of the file."""
    from murmurate.exports.selection import Selection

    path = tmp_path / f"a{suffix}"
    path.write_text("mine")
    complete = Selection.frames

    def failing(self, numbers):
        if numbers[0] > 30:
            raise failure
        return complete(self, numbers)

    monkeypatch.setattr(Selection, "frames", failing)
    reference = mm.ExportError if isinstance(failure, OSError) else KeyboardInterrupt
    with pytest.raises(reference) as caught:
        mm.export(recordings["torus"], path, force=True)
    if reference is mm.ExportError:
        assert "the disk is full; free some space. No partial file was left" in str(caught.value)
        assert not isinstance(caught.value, mm.ExportOptionsError)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    assert path.read_text() == "mine"
    monkeypatch.undo()
    mm.export(recordings["torus"], path, force=True)
    assert path.read_bytes() != b"mine"


FULL = """
from pathlib import Path
import murmurate as mm
from murmurate.exports.formats import FORMATS
import murmurate.exports.usd, murmurate.exports.netcdf, murmurate.exports.parquet  # not limited
from murmurate.exports import selection
selection.PIECE = 4000
recording, folder, limits = sys.argv[1], Path(sys.argv[2]), {limits!r}
for suffix in FORMATS:
    limit_files(limits.get(suffix, 3000))
    try:
        options = mm.ExportOptions(flight=mm.FlightOptions(unchecked=True))
        flight = suffix in (".skyc", ".zip", ".vviz", ".mcap")
        mm.export(recording, folder / ("a" + suffix), options if flight else None)
        print(suffix, "was written")
    except mm.ExportError as error:
        wrong = "size limit" not in str(error) and "disk is full" not in str(error)
        print(suffix, *(["message", error] if wrong else []), *[f.name for f in folder.iterdir()])
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="files have no limit there")
def test_a_full_disk_is_reported(recordings, tmp_path) -> None:
    """The system limits the size of files. Every library must report the failed write."""
    rec = recordings["landing"]
    limits = {}
    for suffix in (".usda", ".usdz"):  # the .usdc that they are made from fits
        size = mm.export(rec, tmp_path / f"b{suffix}").bytes
        limits[suffix] = size - 100
        (tmp_path / f"b{suffix}").unlink()
    message = ran_well(
        sys.executable, "-c", SMALL_FILES + FULL.format(limits=limits), rec.path, tmp_path
    )
    assert message.split("\n")[:-1] == list(FORMATS), message
