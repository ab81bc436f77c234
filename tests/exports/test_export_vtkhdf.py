"""VTKHDF, opened by VTK's own reader where it is installed (it is 600 MB), and by h5py."""

from __future__ import annotations

import h5py
import numpy as np
import pytest
from exported import expected, same

import murmurate as mm


def test_h5py_finds_every_step(rec, tmp_path) -> None:
    """As the specification says: step k's points begin at PointOffsets[k]."""
    wanted = expected(rec)
    places, moves = wanted.solid
    frames, boids = places.shape[:2]
    with h5py.File(mm.export(rec, tmp_path / "f.vtkhdf").path) as file:
        root = file["VTKHDF"]
        assert root.attrs["Type"] == b"PolyData" and root.attrs["Version"].tolist() == [2, 2]
        steps = root["Steps"]
        assert steps.attrs["NSteps"] == frames
        same(steps["Values"][:], wanted.times)
        for k in range(frames):
            assert root["NumberOfPoints"][k] == boids
            first = steps["PointOffsets"][k]
            same(root["Points"][first : first + boids], places[k])
            first = steps["PointDataOffsets/velocity"][k]
            same(root["PointData/velocity"][first : first + boids], moves[k])
            assert steps["PointDataOffsets/id"][k] == steps["CellOffsets"][k].max() == 0
        names = file["murmurate"].attrs["flocks"][root["PointData/flock"][:]]
        assert names.tolist() == wanted.flock.tolist()
        if wanted.timers is not None:
            same(root["PointData/perch_timer"][:], wanted.timers.reshape(-1))
        assert root["Vertices/Connectivity"][:].tolist() == list(range(boids))
        assert [root[name]["NumberOfCells"][0] for name in ("Lines", "Polygons", "Strips")] == [
            0
        ] * 3


def test_vtk_reads_it(rec, tmp_path) -> None:
    pytest.importorskip("vtkmodules", exc_type=ImportError)
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOHDF import vtkHDFReader

    wanted = expected(rec)
    places, moves = wanted.solid
    reader = vtkHDFReader()
    reader.SetFileName(str(mm.export(rec, tmp_path / "f.vtkhdf").path))
    reader.Update()
    assert reader.GetNumberOfSteps() == len(places)
    for k in (0, 1, len(places) // 2, len(places) - 1):
        reader.SetStep(k)
        reader.Update()
        assert reader.GetTimeValue() == wanted.times[k]
        data = reader.GetOutput()
        boids = places.shape[1]
        assert data.GetNumberOfPoints() == data.GetNumberOfVerts() == boids
        same(vtk_to_numpy(data.GetPoints().GetData()), places[k])
        arrays = data.GetPointData()
        same(vtk_to_numpy(arrays.GetArray("velocity")), moves[k])
        assert vtk_to_numpy(arrays.GetArray("id")).tolist() == list(range(boids))
        kinds = np.unique(wanted.flock, return_inverse=True)[1]
        assert vtk_to_numpy(arrays.GetArray("flock")).tolist() == kinds.tolist()
        if wanted.timers is not None:
            same(vtk_to_numpy(arrays.GetArray("perch_timer")), wanted.timers[k])
