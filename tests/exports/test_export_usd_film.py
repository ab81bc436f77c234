"""USD with --scene, opened by pxr: the view of the camera, and the surroundings."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest
from exported import expected
from PIL import Image
from pxr import Gf, Usd, UsdGeom, UsdLux, UsdShade

import murmurate as mm
from murmurate.exports.appearance import light
from murmurate.runs import record_run
from murmurate.show.camera import Camera
from murmurate.show.styles import STYLES

NAMES = ("torus", "hunted", "landing")


def opened(rec: mm.Recording, tmp_path, fps: float | None = None, **frames) -> Usd.Stage:
    options = mm.ExportOptions(scene=True, frames_per_second=fps)
    return Usd.Stage.Open(str(mm.export(rec, tmp_path / "f.usdc", options, **frames).path))


def in_the_picture(stage: Usd.Stage, points: np.ndarray, code: float, size) -> np.ndarray:
    """Return the pixels (N, 2) at which the USD camera sees points."""
    camera = UsdGeom.Camera(stage.GetPrimAtPath("/Flight/Camera")).GetCamera(code)
    matrix = np.array(camera.frustum.ComputeViewMatrix() * camera.frustum.ComputeProjectionMatrix())
    result = np.c_[points, np.ones(len(points))] @ matrix
    result = result[:, :2] / result[:, 3:]
    return (result * [1, -1] + 1) / 2 * size


def following(recordings, folder) -> mm.Recording:
    """Return a flock on a torus with a camera that follows and orbits."""
    model = recordings["torus"].model
    model = model.set({"view.camera.follow": "flock", "view.camera.turn": 30.0})
    return record_run.record(mm.Simulation(model, 5, engine="reference"), folder / "f.zarr", 30)


@pytest.mark.parametrize("name", [*NAMES, "following"])
def test_the_camera_sees_boids_as_the_film_does(recordings, name, tmp_path) -> None:
    rec = following(recordings, tmp_path) if name == "following" else recordings[name]
    stage = opened(rec, tmp_path)
    scene = rec.scene
    film = Camera(scene.space, scene.view)
    drawn = 0
    for k, frame in enumerate(rec):
        seen = film.next_projection(frame)
        for flock in frame.values():
            pixels = seen.project(seen.nearest_offsets(flock.positions))
            flight = UsdGeom.PointInstancer(stage.GetPrimAtPath(f"/Flight/{flock.name}"))
            positions = np.array(flight.GetPositionsAttr().Get(k), float)
            result = in_the_picture(stage, positions, k, scene.view.size)
            visible = np.isfinite(pixels.x)
            np.testing.assert_allclose(result[visible, 0], pixels.x[visible], atol=0.5)
            np.testing.assert_allclose(result[visible, 1], pixels.y[visible], atol=0.5)
            drawn += visible.sum()
    assert drawn > 100


@pytest.mark.parametrize("name", NAMES)
def test_boids_are_periodic_images_above_the_ground(recordings, name, tmp_path) -> None:
    rec = recordings[name]
    stage = opened(rec, tmp_path, every=4)
    reference = expected(rec)
    positions = reference.solid[0][:: 4 // rec.every]
    sides = np.where(rec.scene.space.periodic, rec.scene.space.size, np.inf)
    sides = np.append(sides, [np.inf] * (3 - len(sides)))
    ground = UsdGeom.Mesh(stage.GetPrimAtPath("/Flight/Ground"))
    heights = {point[2] for point in ground.GetPointsAttr().Get()}
    assert len(heights) == 1
    for flock in rec.header["counts"]:
        flight = UsdGeom.PointInstancer(stage.GetPrimAtPath(f"/Flight/{flock}"))
        mine = np.flatnonzero(reference.flock == flock)
        for k in range(len(positions)):
            result = np.array(flight.GetPositionsAttr().Get(k), float)
            away = result - positions[k, mine]
            images = np.where(np.isfinite(sides), np.round(away / sides), 0)
            rest = away - np.where(images == 0, 0, images * np.where(np.isfinite(sides), sides, 0))
            np.testing.assert_allclose(rest, 0, atol=1e-4)
            assert result[:, 2].min() > max(heights) or any(rec.scene.space.periodic[2:])


def test_sun_sky_ground_units_and_shutter(recordings, tmp_path) -> None:
    stage = opened(recordings["landing"], tmp_path, fps=30)
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1 and UsdGeom.GetStageUpAxis(stage) == "Z"
    assert stage.GetTimeCodesPerSecond() == 30
    sun = UsdLux.DistantLight(stage.GetPrimAtPath("/Flight/Sun"))
    shines = UsdGeom.Xformable(sun).ComputeLocalToWorldTransform(0).TransformDir(Gf.Vec3d(0, 0, -1))
    assert shines[2] < 0  # from above
    sky = UsdLux.DomeLight(stage.GetPrimAtPath("/Flight/Sky"))
    colour = np.array(sky.GetColorAttr().Get())
    np.testing.assert_allclose(colour, light(STYLES["dark"].sky[0]), rtol=1e-6)
    level = -shines[2] * sun.GetIntensityAttr().Get() / np.pi + colour.mean()
    assert level == pytest.approx(1)  # the light on level ground
    ground = UsdGeom.Mesh(stage.GetPrimAtPath("/Flight/Ground"))
    assert UsdShade.MaterialBindingAPI(ground).ComputeBoundMaterial()[0]
    assert ground.GetDisplayColorAttr().Get()[0] == sky.GetColorAttr().Get()
    camera = UsdGeom.Camera(stage.GetPrimAtPath("/Flight/Camera"))
    assert (camera.GetShutterOpenAttr().Get(), camera.GetShutterCloseAttr().Get()) == (-0.25, 0.25)
    assert stage.GetPrimAtPath("/Flight/Obstacles").GetChildren()


def at_dusk(recordings, folder) -> mm.Recording:
    """Return a flock with a sky of several colours, in a film without a box."""
    changes = {"view.style": "dusk", "view.box": False, "view.camera.azimuth": 70.0}
    model = recordings["torus"].model.set(changes)
    return record_run.record(mm.Simulation(model, 5, engine="reference"), folder / "d.zarr", 3)


@pytest.mark.parametrize("suffix", [".usdc", ".usda", ".usdz"])
def test_a_sky_of_many_colours_is_a_picture(recordings, suffix, tmp_path) -> None:
    rec = at_dusk(recordings, tmp_path)
    path = tmp_path / f"f{suffix}"
    report = mm.export(rec, path, mm.ExportOptions(scene=True))
    stage = Usd.Stage.Open(str(path))
    assert not stage.GetPrimAtPath("/Flight/Ground")
    sky = UsdLux.DomeLight(stage.GetPrimAtPath("/Flight/Sky"))
    if suffix == ".usdz":
        assert report.sky is None
        with zipfile.ZipFile(path) as package:
            names = package.namelist()
            data = package.read("sky.png")
        assert names == ["torus.usdc", "sky.png"]
    else:
        assert report.sky == tmp_path / f"f{suffix}.sky.png"
        data = report.sky.read_bytes()
    assert (
        sky.GetTextureFileAttr().Get().resolvedPath.endswith("sky.png" + "]" * (suffix == ".usdz"))
    )
    picture = np.asarray(Image.open(io.BytesIO(data)), float)
    film = STYLES["dusk"].background(320, 180).astype(float)
    # from the zenith's axis of the dome, where the left edge is at +Y of the stage and turns right
    up = UsdGeom.Xformable(sky).ComputeLocalToWorldTransform(0).TransformDir(Gf.Vec3d(0, 1, 0))
    np.testing.assert_allclose(up, [0, 0, 1], atol=1e-9)
    elevation = rec.scene.view.camera.elevation
    for row, column in ((5, 20), (90, 160), (150, 230), (175, 300)):
        below, right = 2 * (row + 0.5) / 180 - 1, (2 * (column + 0.5) / 320 - 1) * 16 / 9
        down = elevation + np.degrees(np.arctan(np.tan(np.radians(18)) * below))
        aside = np.degrees(np.arctan(np.tan(np.radians(18)) * right))
        pixel = int((90 + down) / 180 * 256), int((90 - (70 + 180 - aside)) % 360 / 360 * 512)
        np.testing.assert_allclose(picture[pixel], film[row, column], atol=2.5)


def test_an_existing_picture_of_the_sky_is_kept(recordings, tmp_path) -> None:
    rec = at_dusk(recordings, tmp_path)
    (tmp_path / "f.usdc.sky.png").write_text("mine")
    with pytest.raises(mm.ExportOptionsError, match=r"f\.usdc\.sky\.png exists and is kept"):
        mm.export(rec, tmp_path / "f.usdc", mm.ExportOptions(scene=True))
    assert not (tmp_path / "f.usdc").exists()
    mm.export(rec, tmp_path / "f.usdc")
    assert (tmp_path / "f.usdc.sky.png").read_text() == "mine"
    mm.export(rec, tmp_path / "f.usdc", mm.ExportOptions(scene=True), force=True)
    assert (tmp_path / "f.usdc.sky.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", [*NAMES, "dusk"])
@pytest.mark.parametrize("suffix", [".usdc", ".usdz"])
def test_the_validator_of_usd_reports_no_problem(recordings, name, suffix, tmp_path) -> None:
    from pxr import UsdValidation

    rec = at_dusk(recordings, tmp_path) if name == "dusk" else recordings[name]
    stage = Usd.Stage.Open(
        str(mm.export(rec, tmp_path / f"f{suffix}", mm.ExportOptions(scene=True)).path)
    )
    rules = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    result = UsdValidation.ValidationContext(rules).Validate(stage)
    assert [error.GetMessage() for error in result] == []


def test_scene_is_off_by_default_and_refused_by_other_formats(recordings, tmp_path) -> None:
    stage = Usd.Stage.Open(str(mm.export(recordings["hunted"], tmp_path / "f.usdc").path))
    assert not any(stage.GetPrimAtPath(f"/Flight/{name}") for name in ("Camera", "Sun", "Ground"))
    with pytest.raises(
        mm.ExportOptionsError, match=r"--scene is for \.usdc, \.usda, \.usdz, \.glb or"
    ):
        mm.export(recordings["hunted"], tmp_path / "f.csv", mm.ExportOptions(scene=True))


def test_flocks_named_like_surroundings_get_other_paths() -> None:
    from murmurate.exports.usd_scene import identifiers

    assert identifiers(["Camera", "Sun", "boids"]) == ["Camera_", "Sun_", "boids"]
