"""Animals' tracks from the files of other programs."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import murmurate as mm
from murmurate.errors import TracksError
from murmurate.tracks import Tracks


def assert_read(result: Any, tracks: np.ndarray, rate: float) -> None:
    assert np.allclose(result.positions, tracks, equal_nan=True)
    assert result.frames_per_second == rate and len(result) == 12
    frames = list(result)
    assert [frame.step for frame in frames] == list(range(12))
    assert frames[4].time == pytest.approx(4 / rate)
    flock = frames[3]["boids"]
    assert np.isnan(flock.positions[1]).all() and np.isnan(flock.velocities[1]).all()
    middle = (tracks[5, 0] - tracks[3, 0]) * rate / 2
    assert np.allclose(frames[4]["boids"].velocities[0], middle)
    gap = (tracks[5, 1] - tracks[4, 1]) * rate  # seen here and in the next frame only
    assert np.allclose(frames[4]["boids"].velocities[1], gap)
    assert np.isfinite(mm.polarization(flock))


@pytest.mark.parametrize("plural", [False, True])
def test_movement(plural: bool, tracks: np.ndarray, tmp_path: Path) -> None:
    dims = ("time", "space", "keypoint", "individual")
    dims = tuple(d + "s" if plural and d[0] in "ki" else d for d in dims)  # type: ignore[assignment]
    values = tracks.transpose(0, 2, 1)[:, :, None, :]
    data = xr.Dataset(
        {"position": (dims, values)},
        coords={
            "time": np.arange(12) / 25, "space": ["x", "y"], dims[2]: ["centroid"],
            dims[3]: list("abcde"),
        },
        attrs={"fps": 25.0, "time_unit": "seconds"},
    )  # fmt: skip
    data.to_netcdf(tmp_path / "t.nc", engine="h5netcdf")
    result = mm.open_tracks(tmp_path / "t.nc")
    assert_read(result, tracks, 25.0)
    assert result.names == list("abcde")


def test_idtracker(tracks: np.ndarray, tmp_path: Path) -> None:
    data = {
        "trajectories": tracks, "frames_per_second": 32, "body_length": 30.5,
        "video_path": "a.avi", "git_commit": "", "id_probabilities": np.ones((12, 5, 1)),
    }  # fmt: skip
    np.save(tmp_path / "t.npy", data, allow_pickle=True)  # type: ignore[arg-type]
    assert_read(mm.open_tracks(tmp_path / "t.npy"), tracks, 32.0)
    np.save(tmp_path / "bare.npy", tracks)
    assert_read(
        mm.open_tracks(tmp_path / "bare.npy", 10, table=mm.TableFormat(axes="t,id,xy")),
        tracks,
        10.0,
    )


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_trackpy(suffix: str, tracks: np.ndarray, tmp_path: Path) -> None:
    seen = np.argwhere(np.isfinite(tracks[:, :, 0]))
    table = pd.DataFrame(
        {
            "x": tracks[seen[:, 0], seen[:, 1], 0], "y": tracks[seen[:, 0], seen[:, 1], 1],
            "frame": seen[:, 0] + 40, "particle": seen[:, 1] * 3,
        }
    )  # fmt: skip
    path = tmp_path / f"t{suffix}"
    table.to_csv(path) if suffix == ".csv" else table.to_parquet(path)
    result = mm.open_tracks(path, frames_per_second=10)
    assert_read(result, tracks, 10.0)
    assert result.names == ["0", "3", "6", "9", "12"]


def test_unreadable_files(tmp_path: Path) -> None:
    def refused(name: str, words: str) -> None:
        with pytest.raises(mm.TracksError, match=words):
            mm.open_tracks(tmp_path / name)

    refused("a.mp4", "expected one of .csv")
    refused("a.csv", "there is no such file")
    (tmp_path / "e.csv").write_text("a,b,c\n1,2,3\n")
    refused("e.csv", "got the columns a, b, c; expected those of a known format")
    (tmp_path / "c.nc").write_text("no NetCDF")
    refused("c.nc", "cannot be read")
    np.save(tmp_path / "d.npy", np.zeros((3, 4)))
    refused("d.npy", r"expected \(frames, animals, 2 or 3 axes\)")
    np.save(tmp_path / "e.npy", {"a": 1}, allow_pickle=True)  # type: ignore[arg-type]
    refused("e.npy", "no array 'trajectories'")


def test_positions_that_were_never_written(tmp_path: Path) -> None:
    """HDF5 returns numbers for unwritten chunks: not more than a file of that size may have."""
    import h5netcdf

    with h5netcdf.File(tmp_path / "t.nc", "w") as file:
        file.dimensions = {"time": 45_000_000, "space": 2, "keypoint": 1, "individual": 10}
        file.create_variable("position", tuple(file.dimensions), "f4", compression="gzip")
    with pytest.raises(mm.TracksError, match="got 900,000,000 numbers in position"):
        mm.open_tracks(tmp_path / "t.nc")


def test_coordinates_that_were_never_written(tmp_path: Path) -> None:
    import h5netcdf

    with h5netcdf.File(tmp_path / "t.nc", "w") as file:
        file.dimensions = {"time": 900_000_000, "space": 2, "individual": 1}
        file.create_variable("time", ("time",), "f8", compression="gzip")
        file.create_variable("position", ("space", "individual"), "f8")
    with pytest.raises(mm.TracksError, match="got 900,000,000 numbers in time"):
        mm.open_tracks(tmp_path / "t.nc")


@pytest.mark.parametrize("ending", [".h5", ".nc", ".nwb"])
def test_nothing_is_read_of_other_files(ending: str, tracks: np.ndarray, tmp_path: Path) -> None:
    """An HDF5 file can refer to any other file in three ways."""
    import h5py

    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["tracks"] = tracks
    path = tmp_path / f"t{ending}"

    def refused() -> None:
        with pytest.raises(mm.TracksError, match="got trajectories in another file"):
            mm.open_tracks(path)

    with h5py.File(path, "w") as file:
        file["trajectories"] = h5py.ExternalLink(str(tmp_path / "other.h5"), "tracks")
    refused()
    with h5py.File(path, "w") as file:
        layout = h5py.VirtualLayout(tracks.shape, "f8")
        layout[:] = h5py.VirtualSource(str(tmp_path / "other.h5"), "tracks", tracks.shape)
        file.create_virtual_dataset("trajectories", layout)
    refused()
    with h5py.File(path, "w") as file:
        raw = [(str(tmp_path / "other.h5"), 0, tracks.nbytes)]
        file.create_dataset("trajectories", tracks.shape, "f8", external=raw)
    refused()


def test_a_highly_compressed_table(tmp_path: Path) -> None:
    """Parquet stores a million equal values in a few bytes."""
    alike = np.zeros(3_000_000)
    table = pd.DataFrame({"frame": alike, "particle": alike, "x": alike, "y": alike})
    table.to_parquet(tmp_path / "t.parquet")
    assert (tmp_path / "t.parquet").stat().st_size < 100_000
    with pytest.raises(mm.TracksError, match="got 12,000,000 numbers in the table"):
        mm.open_tracks(tmp_path / "t.parquet")


def test_no_animals_are_no_tracks(tmp_path: Path) -> None:
    """The length of a file does not limit the frames of no animals."""
    header = {"descr": "<f8", "fortran_order": False, "shape": (100_000_000_000, 0, 2)}
    with open(tmp_path / "t.npy", "wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
    with pytest.raises(mm.TracksError, match="got no animals"):
        mm.open_tracks(tmp_path / "t.npy")


ROWS = "frame,particle,x,y\n0,1,1,1\n1,1,2,2\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (ROWS + "2.04,1,3,3\n", r"frame: got 2.04 in line 4; expected whole numbers"),
        (ROWS + ",1,3,3\n", "frame: got nothing in line 4; expected whole numbers"),
        (ROWS + "inf,1,3,3\n", "frame: got inf"),
        (ROWS + "123456789012345,1,3,3\n", "got frames from 0 to .* for 3 rows; expected at most"),
        (
            ROWS + "99999998,1,3,3\n",
            "spans 1e[+]08 frames for 3 rows; expected at most",
        ),
        (ROWS + "1e300,1,3,3\n", "got frames from 0 to 1e[+]300"),
        (ROWS + "1,1,3,3\n", "frame 1: got 1 twice, in line 3 and line 4"),
        (ROWS + "2,,3,3\n", "got no id in line 4"),
        (ROWS + "2,1,here,3\n", "column x: got 'here' in line 4"),
        (ROWS + "2,1,1e200,3\n", "frame 2, animal 0: got a coordinate of 1e[+]200"),
        (ROWS + "2,1,inf,3\n", "frame 2, animal 0: got inf"),
        (ROWS + "2,1,3,3,5,6\n", "line 4: got 6 cells; expected 4, as in the header"),
        ("", "is empty"),
    ],
)
def test_contradictory_tables(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(mm.TracksError, match=words) as caught:
        mm.open_tracks(tmp_path / "t.csv")
    assert "\n" not in str(caught.value)


def test_files_without_numbers(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_bytes(bytes(range(128, 256)) * 9)
    with pytest.raises(mm.TracksError, match="it is not text"):
        mm.open_tracks(tmp_path / "b.csv")
    for values in (np.full((3, 2, 2), "1"), np.ones((3, 2, 2), complex), np.ones((3, 2, 2), bool)):
        np.save(tmp_path / "t.npy", values)
        with pytest.raises(mm.TracksError, match="expected real numbers"):
            mm.open_tracks(tmp_path / "t.npy")


@pytest.mark.parametrize("rate", [0, -1, np.inf, np.nan, "fast", True, 1j])
def test_impossible_rates(rate: Any, tracks: np.ndarray) -> None:
    with pytest.raises(mm.TracksError, match="frames a second; expected a number > 0"):
        Tracks(tracks, rate)


def test_speeds_that_overflow(tracks: np.ndarray) -> None:
    with pytest.raises(mm.TracksError, match="expected speeds up to"):
        Tracks(tracks, 1e300)


def movement(path: Path, positions: np.ndarray, times: Any, **changed: Any) -> Any:
    """Write positions (T, N, D) as movement does, with x, y and perhaps z in another order."""
    labels = changed.pop("space", ["x", "y"])
    data = xr.Dataset(
        {"position": (("time", "space", "individual"), positions.transpose(0, 2, 1))},
        coords={"time": times, "space": labels},
        attrs=changed,
    ).assign_coords(individual=[str(k) for k in range(positions.shape[1])])
    data.to_netcdf(path, engine="h5netcdf")
    return path


def test_the_axes_of_movement_go_by_their_labels(tracks: np.ndarray, tmp_path: Path) -> None:
    times = np.arange(12) / 25
    path = movement(tmp_path / "a.nc", tracks[:, :, ::-1], times, space=["y", "x"], fps=25.0)
    assert_read(mm.open_tracks(path), tracks, 25.0)
    path = movement(tmp_path / "b.nc", tracks, times, space=["rho", "phi"])
    with pytest.raises(mm.TracksError, match="labels rho, phi; expected x and y"):
        mm.open_tracks(path)


@pytest.mark.parametrize(
    ("mend", "words"),
    [
        (
            lambda t: np.where(np.arange(12) > 6, t + 0.01, t),
            "a step of 0.05 from frame 6 to frame 7",
        ),
        (lambda t: t[::-1], "expected increasing times"),
        (lambda t: 0 * t, "expected increasing times"),
        (lambda t: np.where(t > 0.3, np.nan, t), "followed by nan"),
    ],
)
def test_the_times_of_movement(mend: Any, words: str, tracks: np.ndarray, tmp_path: Path) -> None:
    path = movement(tmp_path / "t.nc", tracks, mend(np.arange(12) / 25), fps=25.0)
    with pytest.raises(mm.TracksError, match=words):
        mm.open_tracks(path)


def test_sources_of_the_frame_rate(tracks: np.ndarray, tmp_path: Path) -> None:
    counted = mm.open_tracks(movement(tmp_path / "a.nc", tracks, np.arange(12)))
    assert counted.frames_per_second == 1 and not counted.timed
    rounded = mm.open_tracks(movement(tmp_path / "b.nc", tracks, np.round(np.arange(12) / 30, 3)))
    assert rounded.frames_per_second == pytest.approx(30, rel=1e-2) and rounded.timed


def test_slices(tracks: np.ndarray) -> None:
    result = Tracks(tracks, 10)
    assert [frame.step for frame in result[1:3]] == [1, 2] and result[-1].step == 11
    with pytest.raises(
        TypeError, match=r"expected a whole number, or a slice such as tracks\[1:3\]"
    ):
        result["1"]  # type: ignore[call-overload]


def test_a_real_school_of_fish() -> None:
    """100 zebrafish, if the package that contains their tracks is installed."""
    trajectorytools = pytest.importorskip("trajectorytools")
    file = Path(trajectorytools.__file__).parent / "data" / "test_trajectories.npy"
    result = mm.open_tracks(file, frames_per_second=32)  # the file holds places alone
    assert result.positions.shape == (300, 100, 2)
    measured = np.nanmean([mm.polarization(frame["boids"]) for frame in result])
    assert measured == pytest.approx(0.68, abs=0.03)


def test_a_folder_with_the_name_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "t.npy").mkdir()
    with pytest.raises(mm.TracksError, match=r"t\.npy: is a folder and got no known tracks"):
        mm.open_tracks(tmp_path / "t.npy")


def test_a_rate_that_is_too_slow_for_times(tracks: np.ndarray) -> None:
    with pytest.raises(mm.TracksError, match=r"a number > 0, and not below 1e-09"):
        Tracks(tracks, 1e-320)


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
def test_a_damaged_netcdf_file_is_refused_once(tracks: np.ndarray, tmp_path: Path) -> None:
    """Python prints nothing more when the half-opened file is deleted."""
    data = xr.Dataset({"position": (("time", "individual", "space"), tracks)})
    data.to_netcdf(tmp_path / "t.nc", engine="h5netcdf")
    complete = bytearray((tmp_path / "t.nc").read_bytes())
    position = complete.index(b"OHDR")  # the root's header: its checksum fits no more
    complete[position + 5] ^= 64
    (tmp_path / "t.nc").write_bytes(complete)
    with pytest.raises(mm.TracksError, match="cannot be read"):
        mm.open_tracks(tmp_path / "t.nc")
    gc.collect()


def test_positions_of_any_size_have_frames(tracks: np.ndarray, tmp_path: Path) -> None:
    """The bounds of a model's numbers do not apply to tracks."""
    for size in (1e12, 1e60):
        np.save(tmp_path / "t.npy", tracks * size)
        result = mm.open_tracks(tmp_path / "t.npy", frames_per_second=1)
        assert result[0].space.size[0] > size
        assert np.isfinite(mm.measures.asphericity(result[1]["boids"]))
    np.save(tmp_path / "t.npy", tracks * 1e80)
    with pytest.raises(mm.TracksError, match="at most 1e\\+70"):
        mm.open_tracks(tmp_path / "t.npy")


def test_groups(tmp_path: Path) -> None:
    """A dog runs towards four sheep: by names of tracks, or by a column of the table."""
    path = tmp_path / "field.csv"
    rows = [
        f"{frame},{k},{'dog' if k == 4 else 'sheep'},{40 - frame if k == 4 else 10 * k + frame},{k}"
        for frame in range(6)
        for k in range(5)
    ]
    path.write_text("\n".join(["frame,id,species,x,y", *rows]) + "\n", encoding="utf-8")
    named: dict[str, list[str | int]] = {"sheep": [0, 1, 2, 3], "dog": [4]}
    for groups in (named, "sheep=0,1,2,3,dog=4", "species"):
        tracks = mm.open_tracks(path, groups=groups)
        assert {name: len(rows) for name, rows in tracks.flocks.items()} == {"sheep": 4, "dog": 1}
        assert [mm.polarization(frame["sheep"]) for frame in tracks] == pytest.approx([1.0] * 6)
    assert list(mm.open_tracks(path, groups={"dog": ["4"]}).flocks) == ["dog", "others"]
    (tmp_path / "empty.csv").write_text(path.read_text().replace("sheep", ""))
    unnamed = mm.open_tracks(tmp_path / "empty.csv", groups="species").flocks
    assert {name: len(rows) for name, rows in unnamed.items()} == {"others": 4, "dog": 1}
    for wrong, words in {
        "sheep=0,9": "track named '9'", "a=0,b=0": "in a and in b", "sheep=": "NAME=TRACK",
        "x": "for the same animal", "breed": "column",
    }.items():  # fmt: skip
        with pytest.raises(TracksError, match=words):
            mm.open_tracks(path, groups=wrong)


def test_the_smallest_rate_is_a_rate(tracks: np.ndarray, tmp_path: Path) -> None:
    np.save(tmp_path / "t.npy", tracks)
    assert mm.open_tracks(tmp_path / "t.npy", frames_per_second=1e-9).rate == 1e-9
    with pytest.raises(mm.TracksError, match="not below 1e-09"):
        mm.open_tracks(tmp_path / "t.npy", frames_per_second=0.9e-9)


def test_an_animal_may_be_at_the_edge_of_a_given_space(tmp_path: Path) -> None:
    np.save(tmp_path / "t.npy", np.array([[[0.0, 2.0]], [[1.0, 3.0]], [[2.0, 3.0]], [[5.0, 4.0]]]))
    assert mm.open_tracks(tmp_path / "t.npy", space="5x4").space.size == (5.0, 4.0)
    with pytest.raises(mm.TracksError, match="expected 0 to 4"):
        mm.open_tracks(tmp_path / "t.npy", space="4.9x4")
