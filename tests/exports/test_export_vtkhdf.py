"""VTKHDF, opened by h5py, and by VTK's own reader if it is installed (600 MB)."""

from __future__ import annotations

import h5py
import numpy as np
import pytest
from exported import expected, same

import murmurate as mm


def test_h5py_reads_every_step(rec, tmp_path) -> None:
    """By the specification, the points of step k begin at PointOffsets[k]."""
    reference = expected(rec)
    positions, velocities = reference.solid
    frames, boids = positions.shape[:2]
    with h5py.File(mm.export(rec, tmp_path / "f.vtkhdf").path) as file:
        root = file["VTKHDF"]
        assert root.attrs["Type"] == b"PolyData" and root.attrs["Version"].tolist() == [2, 2]
        steps = root["Steps"]
        assert steps.attrs["NSteps"] == frames
        same(steps["Values"][:], reference.times)
        for k in range(frames):
            assert root["NumberOfPoints"][k] == boids
            first = steps["PointOffsets"][k]
            same(root["Points"][first : first + boids], positions[k])
            first = steps["PointDataOffsets/velocity"][k]
            same(root["PointData/velocity"][first : first + boids], velocities[k])
            assert steps["PointDataOffsets/id"][k] == steps["CellOffsets"][k].max() == 0
        names = file["murmurate"].attrs["flocks"][root["PointData/flock"][:]]
        assert names.tolist() == reference.flock.tolist()
        if reference.timers is not None:
            same(root["PointData/perch_timer"][:], reference.timers.reshape(-1))
        assert root["Vertices/Connectivity"][:].tolist() == list(range(boids))
        assert [root[name]["NumberOfCells"][0] for name in ("Lines", "Polygons", "Strips")] == [
            0
        ] * 3


def test_vtk_reads_it(rec, tmp_path) -> None:
    pytest.importorskip("vtkmodules", exc_type=ImportError)
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOHDF import vtkHDFReader

    reference = expected(rec)
    positions, velocities = reference.solid
    reader = vtkHDFReader()
    reader.SetFileName(str(mm.export(rec, tmp_path / "f.vtkhdf").path))
    reader.Update()
    assert reader.GetNumberOfSteps() == len(positions)
    for k in (0, 1, len(positions) // 2, len(positions) - 1):
        reader.SetStep(k)
        reader.Update()
        assert reader.GetTimeValue() == reference.times[k]
        data = reader.GetOutput()
        boids = positions.shape[1]
        assert data.GetNumberOfPoints() == data.GetNumberOfVerts() == boids
        same(vtk_to_numpy(data.GetPoints().GetData()), positions[k])
        arrays = data.GetPointData()
        same(vtk_to_numpy(arrays.GetArray("velocity")), velocities[k])
        assert vtk_to_numpy(arrays.GetArray("id")).tolist() == list(range(boids))
        kinds = np.unique(reference.flock, return_inverse=True)[1]
        assert vtk_to_numpy(arrays.GetArray("flock")).tolist() == kinds.tolist()
        if reference.timers is not None:
            same(vtk_to_numpy(arrays.GetArray("perch_timer")), reference.timers[k])
