"""Extended XYZ, opened by ASE, and GSD, opened by gsd."""

from __future__ import annotations

from types import SimpleNamespace

import ase.io
import gsd.hoomd
import numpy as np
import pytest
from exported import expected, same

import murmurate as mm
from murmurate.exports.gsd_file import box_of


def test_ase_reads_an_xyz(rec, tmp_path) -> None:
    path = mm.export(rec, tmp_path / "f.xyz").path
    frames = ase.io.read(path, index=":", format="extxyz")
    reference = expected(rec)
    positions, velocities = reference.solid
    assert len(frames) == len(positions)
    names = list(rec.header["counts"])
    space = rec.scene.space
    flat = 3 - space.dims
    for k, frame in enumerate(frames):
        # ASE has float64 in any case: nearer than half a unit in the last place is the same number
        same(frame.positions.astype(rec.dtype), positions[k])
        same(frame.arrays["velo"].astype(rec.dtype), velocities[k])
        assert [names[n - 1] for n in frame.arrays["type"]] == reference.flock.tolist()
        assert frame.arrays["id"].tolist() == list(range(len(positions[k])))
        assert frame.info["Step"] == reference.steps[k] and frame.info["Time"] == reference.times[k]
        assert frame.cell.lengths().tolist() == [*space.size, *[1.0] * flat]
        assert frame.pbc.tolist() == [*space.periodic, *[False] * flat]
        assert frame.info["Origin"].tolist() == [*space.lower, *[-0.5] * flat]
        if reference.timers is not None:
            assert frame.arrays["perch_timer"].tolist() == reference.timers[k].tolist()


def test_an_xyz_is_plain_text(recordings, tmp_path) -> None:
    """Without ASE: number of boids, metadata, and a line per boid, for each frame."""
    text = mm.export(recordings["hunted"], tmp_path / "f.xyz", every=20).path.read_text()
    lines = text.splitlines()
    assert len(lines) == 4 * (2 + 17) and {lines[0], lines[19], lines[38]} == {"17"}
    assert "Properties=type:I:1:pos:R:3:velo:R:3:id:I:1 " in lines[1]
    assert 'pbc="T F F"' in lines[1] and lines[1].endswith('flocks="boids hawks"')
    x = float(lines[2].split()[1])
    assert x == expected(recordings["hunted"]).positions[0, 0, 0]


def test_gsd_reads_a_gsd(rec, tmp_path) -> None:
    path = mm.export(rec, tmp_path / "f.gsd").path
    reference = expected(rec)
    positions, velocities = reference.solid
    dims = rec.scene.space.dims
    with gsd.hoomd.open(str(path)) as file:
        assert len(file) == len(positions)
        for k, frame in enumerate(file):
            centre = np.zeros(3)
            centre[:dims] = frame.log["centre"]
            moved = (positions[k].astype(float) - centre).astype(np.float32)
            same(frame.particles.position, moved)
            same(frame.particles.velocity, velocities[k].astype(np.float32))
            assert frame.configuration.step == reference.steps[k]
            assert frame.configuration.dimensions == dims
            assert frame.log["time"] == reference.times[k]
            names = np.array(frame.particles.types)[frame.particles.typeid]
            assert names.tolist() == reference.flock.tolist()
            box = frame.configuration.box
            assert (np.abs(frame.particles.position[:, :dims]) <= box[:dims] / 2).all()
            if reference.timers is not None:
                same(frame.log["particles/perch_timer"], reference.timers[k])
        assert file[0].log["particles/id"].tolist() == list(range(len(reference.flock)))


def test_the_box_of_a_gsd(recordings, tmp_path) -> None:
    """The box is the space along closed axes, and the bounds of the run along open ones."""
    with gsd.hoomd.open(str(mm.export(recordings["torus"], tmp_path / "a.gsd").path)) as file:
        assert file[3].configuration.box.tolist() == [10, 10, 10, 0, 0, 0]
        assert file[3].log["centre"].tolist() == [4, 5, 7]
    rec = recordings["landing"]
    with gsd.hoomd.open(str(mm.export(rec, tmp_path / "b.gsd").path)) as file:
        box, centre = file[0].configuration.box, file[0].log["centre"]
    side = rec.scene.space.size[0]
    y = expected(rec).positions[:, :, 1]
    low, high = min(0.0, y.min()), max(side, y.max())
    np.testing.assert_allclose(box, [side, high - low, 0, 0, 0, 0], rtol=1e-5)
    np.testing.assert_allclose(centre, [side / 2, (low + high) / 2], rtol=1e-5)


@pytest.mark.parametrize("x", [-7.0, 0.5, 1e3])
def test_a_box_contains_boids_that_are_all_at_one_point(x: float) -> None:
    space = mm.Space(size=(1, 1), boundary="open")
    point = np.array([x, x])
    centre, sides = box_of(SimpleNamespace(space=space, bounds=(point, point)))
    assert (np.abs(point - centre) < sides / 2).all()
