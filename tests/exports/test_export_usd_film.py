"""USD with --scene, opened by pxr: what the film's camera sees, and what is around the flocks."""

from __future__ import annotations

import numpy as np
import pytest
from exported import expected
from pxr import Gf, Usd, UsdGeom, UsdLux, UsdShade

import murmurate as mm
from murmurate.runs import recorded_run
from murmurate.show.camera import Camera

NAMES = ("torus", "hunted", "landing")


def opened(rec: mm.Recording, tmp_path, **options) -> Usd.Stage:
    return Usd.Stage.Open(str(mm.export(rec, tmp_path / "f.usdc", scene=True, **options).path))


def in_the_picture(stage: Usd.Stage, points: np.ndarray, code: float, size) -> np.ndarray:
    """(N, 2) pixels at which USD's camera sees points."""
    camera = UsdGeom.Camera(stage.GetPrimAtPath("/Flight/Camera")).GetCamera(code)
    matrix = np.array(camera.frustum.ComputeViewMatrix() * camera.frustum.ComputeProjectionMatrix())
    found = np.c_[points, np.ones(len(points))] @ matrix
    found = found[:, :2] / found[:, 3:]
    return (found * [1, -1] + 1) / 2 * size


def following(recordings, folder) -> mm.Recording:
    """A flock on a torus, with a camera that follows and turns."""
    model = recordings["torus"].model
    model = model.set({"view.camera.follow": "flock", "view.camera.turn": 30.0})
    return recorded_run.record(mm.Simulation(model, 5, engine="reference"), folder / "f.zarr", 30)


@pytest.mark.parametrize("name", [*NAMES, "following"])
def test_the_camera_sees_boids_where_the_film_draws_them(recordings, name, tmp_path) -> None:
    rec = following(recordings, tmp_path) if name == "following" else recordings[name]
    stage = opened(rec, tmp_path)
    scene = rec.scene
    film = Camera(scene.space, scene.view)
    drawn = 0
    for k, frame in enumerate(rec):
        seen = film.next_projection(frame)
        for flock in frame:
            pixels = seen.project(seen.nearest_offsets(flock.positions))
            flight = UsdGeom.PointInstancer(stage.GetPrimAtPath(f"/Flight/{flock.name}"))
            places = np.array(flight.GetPositionsAttr().Get(k), float)
            found = in_the_picture(stage, places, k, scene.view.size)
            visible = np.isfinite(pixels.x)
            np.testing.assert_allclose(found[visible, 0], pixels.x[visible], atol=0.5)
            np.testing.assert_allclose(found[visible, 1], pixels.y[visible], atol=0.5)
            drawn += visible.sum()
    assert drawn > 100


@pytest.mark.parametrize("name", NAMES)
def test_boids_are_images_of_those_recorded_and_all_are_over_the_ground(
    recordings, name, tmp_path
) -> None:
    rec = recordings[name]
    stage = opened(rec, tmp_path, every=4)
    wanted = expected(rec)
    places = wanted.solid[0][:: 4 // rec.every]
    sides = np.where(rec.scene.space.periodic, rec.scene.space.size, np.inf)
    sides = np.append(sides, [np.inf] * (3 - len(sides)))
    ground = UsdGeom.Mesh(stage.GetPrimAtPath("/Flight/Ground"))
    heights = {point[2] for point in ground.GetPointsAttr().Get()}
    assert len(heights) == 1
    for flock in rec.header["counts"]:
        flight = UsdGeom.PointInstancer(stage.GetPrimAtPath(f"/Flight/{flock}"))
        mine = np.flatnonzero(wanted.flock == flock)
        for k in range(len(places)):
            found = np.array(flight.GetPositionsAttr().Get(k), float)
            away = found - places[k, mine]
            turns = np.where(np.isfinite(sides), np.round(away / sides), 0)
            rest = away - np.where(turns == 0, 0, turns * np.where(np.isfinite(sides), sides, 0))
            np.testing.assert_allclose(rest, 0, atol=1e-4)
            assert found[:, 2].min() > max(heights) or any(rec.scene.space.periodic[2:])


def test_sun_sky_ground_units_and_shutter(recordings, tmp_path) -> None:
    stage = opened(recordings["landing"], tmp_path, frames_per_second=30)
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1 and UsdGeom.GetStageUpAxis(stage) == "Z"
    assert stage.GetTimeCodesPerSecond() == 30
    sun = UsdLux.DistantLight(stage.GetPrimAtPath("/Flight/Sun"))
    shines = UsdGeom.Xformable(sun).ComputeLocalToWorldTransform(0).TransformDir(Gf.Vec3d(0, 0, -1))
    assert shines[2] < 0  # from above
    assert sun.GetIntensityAttr().Get() == pytest.approx(np.pi)
    sky = UsdLux.DomeLight(stage.GetPrimAtPath("/Flight/Sky"))
    assert all(0 <= part <= 1 for part in sky.GetColorAttr().Get())
    ground = stage.GetPrimAtPath("/Flight/Ground")
    assert UsdShade.MaterialBindingAPI(ground).ComputeBoundMaterial()[0]
    camera = UsdGeom.Camera(stage.GetPrimAtPath("/Flight/Camera"))
    assert (camera.GetShutterOpenAttr().Get(), camera.GetShutterCloseAttr().Get()) == (-0.25, 0.25)
    assert stage.GetPrimAtPath("/Flight/Obstacles").GetChildren()


@pytest.mark.parametrize("name", NAMES)
def test_usd_itself_finds_nothing_wrong(recordings, name, tmp_path) -> None:
    from pxr import UsdValidation

    rules = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    found = UsdValidation.ValidationContext(rules).Validate(opened(recordings[name], tmp_path))
    assert [error.GetMessage() for error in found] == []


def test_without_it_there_is_no_camera_and_other_formats_refuse_it(recordings, tmp_path) -> None:
    stage = Usd.Stage.Open(str(mm.export(recordings["hunted"], tmp_path / "f.usdc").path))
    assert not any(stage.GetPrimAtPath(f"/Flight/{name}") for name in ("Camera", "Sun", "Ground"))
    with pytest.raises(mm.ExportRefused, match=r"--scene is for \.usdc, \.usda, \.usdz or"):
        mm.export(recordings["hunted"], tmp_path / "f.csv", scene=True)


def test_flocks_named_as_what_is_around_them_keep_their_place() -> None:
    from murmurate.exports.usd_scene import identifiers

    assert identifiers(["Camera", "Sun", "boids"]) == ["Camera_", "Sun_", "boids"]
