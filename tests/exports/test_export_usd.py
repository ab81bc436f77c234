"""USD, opened by pxr: instancers, prototypes, obstacles and the package."""

from __future__ import annotations

import zipfile

import numpy as np
import pytest
from exported import expected, same
from pxr import Gf, Usd, UsdGeom, UsdShade

import murmurate as mm
from murmurate.exports import usd
from murmurate.exports.boid_shapes import SHAPES
from murmurate.exports.formats import Options
from murmurate.exports.selection import Selection
from murmurate.exports.usd_scene import Prototypes
from murmurate.runs import record_run

SUFFIXES = (".usdc", ".usda", ".usdz")


def flights_of(stage: Usd.Stage) -> dict[str, UsdGeom.PointInstancer]:
    result = [prim for prim in stage.Traverse() if prim.IsA(UsdGeom.PointInstancer)]
    return {prim.GetDisplayName(): UsdGeom.PointInstancer(prim) for prim in result}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_pxr_reads_the_instancers(rec, suffix, tmp_path) -> None:
    stage = Usd.Stage.Open(str(mm.export(rec, tmp_path / f"f{suffix}").path))
    reference = expected(rec)
    positions, velocities = reference.solid
    assert stage.GetDefaultPrim().GetPath() == "/Flight"
    assert UsdGeom.GetStageUpAxis(stage) == "Z" and stage.GetTimeCodesPerSecond() == 24
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0, len(positions) - 1)
    assert mm.parse(stage.GetDefaultPrim().GetCustomDataByKey("murmurate:model")) == rec.model
    result = flights_of(stage)
    assert list(result) == list(rec.header["counts"])
    faster = 24 * rec.header["dt"] * rec.every
    for name, flight in result.items():
        mine = np.flatnonzero(reference.flock == name)
        assert list(flight.GetIdsAttr().Get()) == mine.tolist()
        assert flight.GetPositionsAttr().GetTimeSamples() == list(range(len(positions)))
        shapes = [path.name for path in flight.GetPrototypesRel().GetTargets()]
        flat = rec.header["dims"] == 2
        assert shapes == (["dart"] if flat else [f"bird_{k}" for k in range(8)])
        prototype_indices = np.array(flight.GetProtoIndicesAttr().Get())
        assert len(prototype_indices) == len(mine) and set(prototype_indices) <= set(
            range(len(shapes))
        )
        lower, upper = np.array(flight.GetExtentAttr().Get())
        for k in range(len(positions)):
            same(np.array(flight.GetPositionsAttr().Get(k)), np.float32(positions[k, mine]))
            assert (lower < positions[k, mine]).all() and (positions[k, mine] < upper).all()
            moved = velocities[k, mine].copy()
            if reference.timers is not None:
                moved[reference.timers[k, mine] > 0] = 0
            written = np.array(flight.GetVelocitiesAttr().Get(k))
            np.testing.assert_allclose(written, moved * faster, rtol=1e-6)
            rotations = flight.GetOrientationsAttr().Get(k)
            noses = np.array([nose(turn) for turn in rotations])
            speed = np.linalg.norm(velocities[k, mine], axis=1, keepdims=True)
            np.testing.assert_allclose(noses * speed, velocities[k, mine], atol=1e-3 * speed.max())


def nose(turn: Gf.Quath) -> list[float]:
    """Return the direction of +X after a rotation."""
    return list(Gf.Quatd(turn).GetNormalized().Transform(Gf.Vec3d(1, 0, 0)))


def test_every_flock_has_a_shape_and_hunters_are_large_and_red(recordings, tmp_path) -> None:
    rec = recordings["hunted"]
    path = mm.export(
        rec, tmp_path / "f.usdc", mm.ExportOptions(boid_size=0.5, frames_per_second=30)
    ).path
    stage = Usd.Stage.Open(str(path))
    assert stage.GetTimeCodesPerSecond() == stage.GetFramesPerSecond() == 30
    sizes, colours = {}, {}
    for name, flight in flights_of(stage).items():
        (target,) = flight.GetPrototypesRel().GetTargets()
        assert target.HasPrefix(flight.GetPath())
        dart = UsdGeom.Mesh(stage.GetPrimAtPath(target))
        points = np.array(dart.GetPointsAttr().Get())
        assert points[np.argmax(points[:, 0]), 1] == 0  # it flies nose first
        sizes[name] = np.ptp(points[:, 0])
        colours[name] = dart.GetDisplayColorAttr().Get()[0]
        material = UsdShade.MaterialBindingAPI(dart).ComputeBoundMaterial()[0]
        shader = material.ComputeSurfaceSource()[0]
        assert shader.GetInput("diffuseColor").Get() == colours[name]
    assert sizes == pytest.approx({"boids": 0.5, "hawks": 1.5})
    red, green, blue = colours["hawks"]
    assert red > 3 * max(green, blue)


def test_wings_flap_in_groups(recordings, tmp_path) -> None:
    """Eight shapes with phases an eighth of a beat apart; a beat has eight frames."""
    path = mm.export(recordings["torus"], tmp_path / "f.usdc", mm.ExportOptions(boid_size=2)).path
    stage = Usd.Stage.Open(str(path))
    flight = UsdGeom.PointInstancer(stage.GetPrimAtPath("/Flight/boids"))
    assert len(set(flight.GetProtoIndicesAttr().Get())) > 4
    meshes = [UsdGeom.Mesh(stage.GetPrimAtPath(p)) for p in flight.GetPrototypesRel().GetTargets()]
    for k, mesh in enumerate(meshes):
        points = mesh.GetPointsAttr()
        assert points.GetTimeSamples() == list(range(61))
        for frame in (0, 5, 60):
            reference = 2 * SHAPES["bird"].at(2 * np.pi * (frame + k) / 8)
            np.testing.assert_allclose(np.array(points.Get(frame)), reference, atol=1e-6)
        lower, upper = np.array(mesh.GetExtentAttr().Get())
        assert (lower <= np.array(points.Get(7))).all() and (np.array(points.Get(7)) <= upper).all()


@pytest.mark.parametrize("fps", [1e-9, 1e9])
def test_birds_flap_at_any_playing_speed(recordings, fps, tmp_path) -> None:
    for suffix in (".usdc", ".glb"):
        prototypes = mm.export(
            recordings["torus"], tmp_path / f"f{suffix}", mm.ExportOptions(frames_per_second=fps)
        )
        assert prototypes.bytes < 1e6


def test_a_perching_bird_has_folded_wings() -> None:
    stage = Usd.Stage.CreateInMemory()
    instancer = UsdGeom.PointInstancer.Define(stage, "/a")
    prototypes = Prototypes(instancer, SHAPES["bird"], 1.0, 24.0, lands=True)
    ids = np.arange(100)
    in_flight = prototypes.numbers(ids, np.zeros(100, bool))
    same(in_flight, prototypes.numbers(ids, None))
    landed = ids % 3 == 0
    prototype_indices = prototypes.numbers(ids, landed)
    same(prototype_indices[~landed], in_flight[~landed])
    (folded,) = {prototypes.meshes[k].GetPath().name for k in prototype_indices[landed]}
    assert folded == "bird_8_folded" == max(mesh.GetPath().name for mesh in prototypes.meshes)
    (points,) = [mesh.GetPointsAttr().Get() for mesh in prototypes.meshes[8:]]
    np.testing.assert_allclose(np.array(points), SHAPES["bird"].folded, atol=1e-6)


def test_obstacles_at_rest_and_in_motion(recordings, tmp_path) -> None:
    rec = recordings["landing"]
    stage = Usd.Stage.Open(str(mm.export(rec, tmp_path / "f.usdc", every=2).path))

    def box(name: str, code: float) -> tuple[np.ndarray, np.ndarray]:
        shape = UsdGeom.Boundable(stage.GetPrimAtPath(f"/Flight/Obstacles/{name}"))
        bound = shape.ComputeWorldBound(code, UsdGeom.Tokens.default_).ComputeAlignedRange()
        return np.array(bound.GetMin()), np.array(bound.GetMax())

    times = rec.times[::2]
    for k in (0, 1, 10, 30):
        x = np.interp(times[k], [0, 1], [3.0, 4.0])
        low, high = box("rock", k)
        np.testing.assert_allclose((low + high) / 2, [x, 5.0, 0.0], atol=1e-6)
        np.testing.assert_allclose(high - low, 3.0, rtol=1e-6)
        low, high = box("box", k)
        np.testing.assert_allclose([low[:2], high[:2]], [[8.5, 6.25], [10.5, 7.75]])
        low, high = box("hill", k)
        assert high[0] - low[0] > 10 and abs(low[1]) < 1e-6 and abs(high[1]) < 1e-6
    still = UsdGeom.Xformable(stage.GetPrimAtPath("/Flight/Obstacles/box"))
    assert not any(op.GetAttr().GetNumTimeSamples() for op in still.GetOrderedXformOps())


def test_an_obstacle_is_at_rest_until_it_moves(tmp_path) -> None:
    later = mm.Sampled(times=(0.5, 1.0), values=(1.0, 6.0))
    model = mm.Model(
        dt=0.1,
        space=mm.Space(size=(9, 9, 9)),
        flocks={"boids": mm.Flock(count=2)},
        obstacles={"ball": mm.Sphere(centre=(later, 2.0, 3.0), radius=0.1)},
    )
    rec = record_run.record(mm.Simulation(model, 1, engine="reference"), tmp_path / "a.zarr", 12)
    stage = Usd.Stage.Open(str(mm.export(rec, tmp_path / "f.usdc").path))
    ball = UsdGeom.Xformable(stage.GetPrimAtPath("/Flight/Obstacles/ball"))
    x = [ball.ComputeLocalToWorldTransform(k).ExtractTranslation()[0] for k in (0, 4.9, 5, 6, 12)]
    np.testing.assert_allclose(x, [1, 1, 1, 2, 6])


def test_a_tank_is_around_its_centre(tmp_path) -> None:
    model = mm.Model(
        dt=0.1,
        space=mm.Space(size=(9, 9, 4)),
        flocks={"boids": mm.Flock(count=2)},
        obstacles={"tank": mm.Tank(centre=(4.0, 5.0, 99.0), radius=3.0)},
    )
    rec = record_run.record(mm.Simulation(model, 1, engine="reference"), tmp_path / "a.zarr", 1)
    stage = Usd.Stage.Open(str(mm.export(rec, tmp_path / "f.usdc").path))
    shape = UsdGeom.Boundable(stage.GetPrimAtPath("/Flight/Obstacles/tank"))
    bound = shape.ComputeWorldBound(0, UsdGeom.Tokens.default_).ComputeAlignedRange()
    np.testing.assert_allclose([bound.GetMin(), bound.GetMax()], [[1, 2, 0], [7, 8, 4]], atol=1e-5)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_validator_of_usd_reports_no_problem(recordings, suffix, tmp_path) -> None:
    from pxr import UsdValidation

    stage = Usd.Stage.Open(str(mm.export(recordings["landing"], tmp_path / f"f{suffix}").path))
    rules = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    result = UsdValidation.ValidationContext(rules).Validate(stage)
    assert [error.GetMessage() for error in result] == []


def test_a_package_is_an_archive_of_one_file_at_64_bytes(recordings, tmp_path) -> None:
    path = mm.export(recordings["torus"], tmp_path / "f.usdz").path
    with zipfile.ZipFile(path) as archive:
        (info,) = archive.infolist()
        assert info.filename == "torus.usdc" and info.compress_type == zipfile.ZIP_STORED
        assert archive.read(info)[:8] == b"PXR-USDC"
    assert path.read_bytes().index(b"PXR-USDC") % 64 == 0


def test_a_package_that_would_be_too_large_is_refused(recordings, tmp_path) -> None:
    with pytest.raises(mm.ExportOptionsError, match=r"at most 4 GB.*\.usdc"):
        usd.write(tmp_path / "f.usdz", Selection(recordings["torus"]), Options(), max_bytes=1000)
    assert not list(tmp_path.iterdir())


def test_names_that_usd_does_not_allow() -> None:
    from murmurate.exports.usd_scene import identifiers

    assert identifiers(["big hawks", "big-hawks", "7", "boids", "Materials"]) == [
        "big_hawks", "big_hawks_", "_7", "boids", "Materials_",
    ]  # fmt: skip
