"""Data files of boids that come and go and of numbers that differ between boids; choice by id."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import h5py
import numpy as np
import pytest
from changing import FIRST_ID, FrameRecording, changing

import murmurate as mm
from murmurate.errors import ExportOptionsError
from murmurate.exports import gsd_file, npy, parquet, tables, vtkhdf, xyz
from murmurate.exports.formats import Options
from murmurate.exports.selection import Selection
from murmurate.frame import Frame

TRAIT, ENERGY = "rules.go.weight", "memory_0"


class EmptyAtTimes(FrameRecording):
    """As `changing`, but all leave in frame 2; other boids follow, hawks from frame 5 on."""

    def __init__(self, dims: int = 3) -> None:
        rec, _ = changing(dims)
        frames = []
        for k in range(len(rec)):
            flocks = dict(rec[k].flocks)
            for name in flocks:
                if k == 2 or (k < 5 and name == "hawks"):
                    flocks[name] = nobody(flocks[name])
                elif k > 2:
                    flocks[name] = replace(flocks[name], ids=flocks[name].ids + 1000)
            frames.append(Frame(k, rec[k].time, rec[k].space, flocks))
        super().__init__(rec.scene, frames)


def nobody(flock):
    return flock.take(np.arange(0))


class Fixed(FrameRecording):
    """The boids of the first frame, in all frames, with traits; ids are counted through flocks."""

    def __init__(self, dims: int = 3) -> None:
        rec, _ = changing(dims)
        frames = []
        for k in range(6):
            flocks, first = {}, 0
            for name, flock in rec[0].items():
                traits = {} if name == "hawks" else dict(flock.traits)
                flocks[name] = replace(flock, ids=first + np.arange(len(flock)),
                                       positions=flock.positions + k, traits=traits)  # fmt: skip
                first += len(flock)
            frames.append(Frame(k, 0.5 * k, rec[0].space, flocks))
        super().__init__(rec.scene, frames, changes_numbers=False)
        self.header["counts"] = {name: len(flock) for name, flock in frames[0].items()}

    def read(self, first: int, last: int) -> Any:
        return SimpleNamespace()

    def frame_of(self, number: int, arrays: Any) -> Frame:
        return self[number]


RECORDINGS = {
    "2-D": lambda: changing(2)[0], "3-D": lambda: changing(3)[0], "empty": EmptyAtTimes,
    "fixed": Fixed,
}  # fmt: skip


@pytest.fixture(params=RECORDINGS)
def frames_rec(request):
    return RECORDINGS[request.param]()


def join(frame: Frame, name: str) -> np.ndarray:
    """Return an attribute, trait or state of all boids of a frame."""
    parts = []
    for flock in frame.values():
        if name == TRAIT:
            parts.append(flock.traits.get(name, np.full(len(flock), np.nan)))
        else:
            parts.append(flock.memory[:, 0] if name == ENERGY else getattr(flock, name))
    return np.concatenate(parts)


def flock_of(frame: Frame) -> list[str]:
    return [flock.name for flock in frame.values() for _ in range(len(flock))]


def all_rows(rec: FrameRecording, name: str) -> np.ndarray:
    return np.concatenate([join(rec[k], name) for k in range(len(rec))])


def test_tables(frames_rec, tmp_path) -> None:
    """A row for each boid that is there, with birth, state and traits, in CSV and Parquet."""
    import pandas

    add_names(frames_rec)
    selection = Selection(frames_rec)
    tables.write(tmp_path / "f.csv", selection, Options("long"))
    parquet.write(tmp_path / "f.parquet", Selection(frames_rec), Options("long"))
    text = pandas.read_csv(tmp_path / "f.csv", dtype=str, keep_default_na=False)
    exact = [name for name in text.columns if name not in ("flock", "id", "step", "birth")]
    text = text.astype({name: float for name in exact} | {"id": int, "step": int})
    text = text.astype({"birth": int} if "birth" in text else {})
    typed = pandas.read_parquet(tmp_path / "f.parquet")
    frames = [frames_rec[k] for k in range(len(frames_rec))]
    for table in (text, typed):
        assert table["id"].tolist() == all_rows(frames_rec, "ids").tolist()
        assert table["flock"].tolist() == [name for frame in frames for name in flock_of(frame)]
        sizes = [frame.n_boids for frame in frames]
        assert table["step"].tolist() == np.repeat([f.step for f in frames], sizes).tolist()
        assert table["time"].tolist() == np.repeat([f.time for f in frames], sizes).tolist()
        dims = frames[0].space.dims
        for name, columns in (("positions", "xyz"), ("velocities", ("vx", "vy", "vz"))):
            values = table[list(columns[:dims])].to_numpy(np.float32)
            np.testing.assert_array_equal(values, all_rows(frames_rec, name))
        np.testing.assert_array_equal(table[TRAIT], all_rows(frames_rec, TRAIT))
        np.testing.assert_array_equal(table[ENERGY], all_rows(frames_rec, ENERGY))
        if selection.lives is not None:
            assert table["birth"].tolist() == all_rows(frames_rec, "births").tolist()
        else:
            assert "birth" not in table
    assert list(text.columns) == tables.column_names(selection, "long") == list(typed.columns)
    assert typed["id"].dtype == np.int64


def test_description_of_columns() -> None:
    about = describe(changing(3)[0])
    columns = {column["name"]: column for column in about["columns"]}
    assert columns["birth"] == {
        "name": "birth", "type": "int64", "unit": "steps",
        "meaning": "step at which the boid joined its flock; 0 for boids of the start",
    }  # fmt: skip
    assert columns[TRAIT]["type"] == "float64"
    assert columns[TRAIT]["meaning"].startswith("rules.go.weight of the model")
    assert json.dumps(about)


def describe(rec: FrameRecording) -> dict[str, Any]:
    add_names(rec)
    return tables.columns_of(Path("f.csv"), Selection(rec), "long")


def add_names(rec: FrameRecording) -> None:
    """Add to the header what descriptions of tables need."""
    rec.header |= {"title": "t", "fingerprint": "f", "versions": {}, "citations": []}


def test_trackpy_tables(tmp_path) -> None:
    rec = EmptyAtTimes(2)
    tables.write(tmp_path / "f.csv", Selection(rec, every=2), Options("trackpy"))
    import pandas

    table = pandas.read_csv(tmp_path / "f.csv")
    frames = [rec[k] for k in range(0, len(rec), 2)]
    numbers = [k for k, frame in enumerate(frames) for _ in range(frame.n_boids)]
    assert table["frame"].tolist() == numbers
    assert table["particle"].tolist() == [
        boid for frame in frames for boid in join(frame, "ids").tolist()
    ]


def test_xyz(frames_rec, tmp_path) -> None:
    from ase.io import read

    xyz.write(tmp_path / "f.xyz", Selection(frames_rec), Options())
    frames = [frames_rec[k] for k in range(len(frames_rec))]
    atoms = read(tmp_path / "f.xyz", index=":")
    assert [len(a) for a in atoms] == [frame.n_boids for frame in frames]
    for a, frame in zip(atoms, frames, strict=True):
        if not len(a):
            continue
        dims = frame.space.dims
        assert a.arrays["id"].tolist() == join(frame, "ids").tolist()
        np.testing.assert_array_equal(np.float32(a.positions[:, :dims]), join(frame, "positions"))
        np.testing.assert_array_equal(a.arrays[TRAIT], join(frame, TRAIT))
        assert a.info["Time"] == frame.time


def test_gsd(frames_rec, tmp_path) -> None:
    import gsd.hoomd

    selection = Selection(frames_rec)
    gsd_file.write(tmp_path / "f.gsd", selection, Options())
    with gsd.hoomd.open(str(tmp_path / "f.gsd")) as file:
        assert len(file) == len(frames_rec)
        for k in range(len(file)):
            frame, snapshot = frames_rec[k], file[k]
            assert frame.n_boids == snapshot.particles.N
            if selection.lives is not None:
                assert snapshot.log.get("particles/id", np.empty(0)).tolist() == (
                    join(frame, "ids").tolist()
                )
                np.testing.assert_array_equal(
                    snapshot.log.get(f"particles/{TRAIT}", np.empty(0)), join(frame, TRAIT)
                )
            if not frame.n_boids:
                continue
            dims = frame.space.dims
            x = snapshot.particles.position[:, :dims] + snapshot.log["centre"]
            np.testing.assert_allclose(x, join(frame, "positions"), atol=1e-5)
            types = [snapshot.particles.types[t] for t in snapshot.particles.typeid]
            assert types == flock_of(frame)


def test_vtkhdf(frames_rec, tmp_path) -> None:
    """Read by the rules of the specification; vtkHDFReader of VTK 9.7 gives the same."""
    vtkhdf.write(tmp_path / "f.vtkhdf", Selection(frames_rec), Options())
    with h5py.File(tmp_path / "f.vtkhdf") as file:
        root, steps = file["VTKHDF"], file["VTKHDF/Steps"]
        for k in range(len(frames_rec)):
            frame, part = frames_rec[k], steps["PartOffsets"][k]
            count = frame.n_boids
            assert root["NumberOfPoints"][k] == count
            vertices = root["Vertices"]
            assert vertices["NumberOfCells"][part] == count
            assert vertices["NumberOfConnectivityIds"][part] == count
            assert vertices["Offsets"][: count + 1].tolist() == list(range(count + 1))
            assert vertices["Connectivity"][:count].tolist() == list(range(count))
            assert root["Lines/NumberOfCells"][part] == 0
            first = steps["PointOffsets"][k]
            x = root["Points"][first : first + count, : frame.space.dims]
            np.testing.assert_array_equal(x, join(frame, "positions"))
            for name, column in (("id", "ids"), (TRAIT, TRAIT), (ENERGY, ENERGY)):
                first = steps["PointDataOffsets"][name][k]
                values = root["PointData"][name][first : first + count]
                np.testing.assert_array_equal(values, join(frame, column))


def test_vtk_reads_steps_of_different_sizes(tmp_path) -> None:
    pytest.importorskip("vtkmodules", exc_type=ImportError)
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOHDF import vtkHDFReader

    rec = EmptyAtTimes()
    vtkhdf.write(tmp_path / "f.vtkhdf", Selection(rec), Options())
    reader = vtkHDFReader()
    reader.SetFileName(str(tmp_path / "f.vtkhdf"))
    for k in range(len(rec)):
        reader.SetStep(k)
        reader.Update()
        data, frame = reader.GetOutput(), rec[k]
        assert data.GetNumberOfPoints() == data.GetNumberOfVerts() == frame.n_boids
        if frame.n_boids:
            x = vtk_to_numpy(data.GetPoints().GetData())
            np.testing.assert_array_equal(x, join(frame, "positions"))
            ids = vtk_to_numpy(data.GetPointData().GetArray("id"))
            assert ids.tolist() == join(frame, "ids").tolist()


@pytest.mark.parametrize("make", [EmptyAtTimes, lambda: changing(2)[0]])
def test_npz_of_boids_that_come_and_go(tmp_path, make) -> None:
    rec = make()
    npy.write(tmp_path / "f.npz", Selection(rec), Options())
    data = np.load(tmp_path / "f.npz")
    traits = dict(zip(data["individual"].tolist(), data["trait"][:, 0].tolist(), strict=True))
    assert data["trait_name"].tolist() == [TRAIT]
    names = data["flock_name"][data["flock"]]
    for k in range(len(rec)):
        frame = rec[k]
        used = data["id"][k] >= 0
        assert data["id"][k][used].tolist() == join(frame, "ids").tolist()
        assert names[used].tolist() == flock_of(frame)
        np.testing.assert_array_equal(data["position"][k][used], join(frame, "positions"))
        np.testing.assert_array_equal(data["velocity"][k][used], join(frame, "velocities"))
        np.testing.assert_array_equal(data[ENERGY][k][used], join(frame, ENERGY))
        assert data["birth"][k][used].tolist() == join(frame, "births").tolist()
        assert np.isnan(data["position"][k][~used]).all()
        assert (data["birth"][k][~used] == -1).all()
        assert [traits[boid] for boid in data["id"][k][used].tolist()] == (
            join(frame, TRAIT).tolist()
        )
        assert data["n_boids"][k].tolist() == [len(flock) for flock in frame.values()]


def test_npz_of_traits(tmp_path) -> None:
    rec = Fixed()
    npy.write(tmp_path / "f.npz", Selection(rec), Options())
    data = np.load(tmp_path / "f.npz")
    np.testing.assert_array_equal(data["trait"][:, 0], join(rec[0], TRAIT))
    assert np.isnan(data["trait"][data["flock"] == 1, 0]).all()  # hawks have no such number


def test_positions_alone_are_refused(tmp_path) -> None:
    with pytest.raises(ExportOptionsError, match="come and go; expected the same boids"):
        npy.write(tmp_path / "f.npy", Selection(changing()[0]), Options())
    assert not (tmp_path / "f.npy").exists()


WRITERS = {
    "csv": tables, "parquet": parquet, "npz": npy, "xyz": xyz, "gsd": gsd_file,
}  # fmt: skip


@pytest.mark.parametrize("suffix", WRITERS)
def test_files_are_read_back_as_tracks(tmp_path, suffix) -> None:
    """A boid that is absent is an animal that is not seen; each keeps its id as its name."""
    rec = EmptyAtTimes(2)
    add_names(rec)
    selection = Selection(rec)
    WRITERS[suffix].write(tmp_path / f"f.{suffix}", selection, Options("long"))
    if suffix == "csv":
        tables.write_columns(tmp_path / "f.csv.columns.json", tmp_path / "f.csv", selection, "long")
    tracks = mm.open_tracks(tmp_path / f"f.{suffix}")
    assert [int(name) for name in tracks.names] == selection.ids.tolist()
    for k in range(len(rec)):
        seen = np.flatnonzero(np.isfinite(tracks.positions[k, :, 0]))
        assert [int(tracks.names[i]) for i in seen] == join(rec[k], "ids").tolist()
        x = tracks.positions[k, seen]
        np.testing.assert_allclose(x, join(rec[k], "positions"), atol=1e-5)


# --- choice by id


def test_chosen_ids(frames_rec) -> None:
    """Only these boids are in the rows; a boid has the same numbers as in the complete export."""
    everyone = Selection(frames_rec)
    some = everyone.ids[[0, 3, 4, 7, -1]].tolist()
    selection = Selection(frames_rec, ids=some)
    assert selection.ids.tolist() == sorted(some)
    for complete, part in zip(everyone.rows_of_pieces(), selection.rows_of_pieces(), strict=False):
        rows = np.isin(complete[0].ids, some)
        assert part[0].ids.tolist() == complete[0].ids[rows].tolist()
        np.testing.assert_array_equal(part[0].positions, complete[0].positions[rows])
        np.testing.assert_array_equal(part[0].traits[TRAIT], complete[0].traits[TRAIT][rows])
    assert sum(selection.counts.values()) == len(some)


def test_ranges_of_ids() -> None:
    rec, _ = changing()
    selection = Selection(rec, ids=f"2-5, 9, {FIRST_ID}-{FIRST_ID + 2}")
    assert selection.ids.tolist() == [2, 3, 4, 5, 9, *range(FIRST_ID, FIRST_ID + 3)]
    assert selection.counts == {"boids": 5, "hawks": 3}
    assert Selection(rec, ids=7).ids.tolist() == [7]


@pytest.mark.parametrize("ids", ["", "5-2", "a", "3,,4", "-4", [], [1.5], [-1]])
def test_invalid_ids(ids) -> None:
    with pytest.raises(ExportOptionsError, match=r"ids: got .*; expected ids of boids"):
        Selection(changing()[0], ids=ids)


def test_ids_of_nobody() -> None:
    with pytest.raises(ExportOptionsError, match="ids: got 700-900; expected ids of boids in the"):
        Selection(changing()[0], ids="3,700-900")


@pytest.mark.parametrize("suffix", [".csv", ".npz", ".nc", ".xyz"])
def test_ids_of_a_recording(recordings, tmp_path, suffix) -> None:
    """A recording of constant numbers, in every kind of format."""
    rec = recordings["hunted"]
    complete = mm.export(rec, tmp_path / f"all{suffix}")
    part = mm.export(rec, tmp_path / f"some{suffix}", ids="2-4,15")
    assert (complete.boids, part.boids) == (17, 4)
    if suffix == ".npz":
        a, b = np.load(complete.path), np.load(part.path)
        np.testing.assert_array_equal(a["position"][:, [2, 3, 4, 15]], b["position"])
        assert b["boid"].tolist() == [2, 3, 4, 15]
    if suffix == ".nc":
        xarray = pytest.importorskip("xarray")
        with xarray.open_dataset(complete.path) as a, xarray.open_dataset(part.path) as b:
            np.testing.assert_array_equal(a["position"][..., [2, 3, 4, 15]], b["position"])


def test_ids_of_tracks(tmp_path) -> None:
    xarray = pytest.importorskip("xarray")
    x = 0.01 * np.random.default_rng(1).normal(size=(40, 5, 2)).cumsum(axis=0)
    x += np.arange(5.0)[:, None]
    np.save(tmp_path / "fish.npy", x)
    tracks = mm.open_tracks(tmp_path / "fish.npy", table=mm.TableFormat(axes="t,id,xy"))
    part = mm.export(tracks, tmp_path / "some.nc", ids=[1, 3])
    assert part.boids == 2
    with xarray.open_dataset(part.path) as data:
        assert data.sizes["individual"] == 2
        expected = x[:, [1, 3]].transpose(0, 2, 1)
        np.testing.assert_array_equal(data["position"].values[:, :, 0], expected)
