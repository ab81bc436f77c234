"""Exported scenes in Blender: boids, camera, light and obstacles have the right positions.

These tests need a Python that can import bpy (pip install bpy, for the version of its wheels): this
one, or that of BLENDER_PYTHON.
"""

from __future__ import annotations

import json
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from changing import changing
from exported import expected
from PIL import Image

import murmurate as mm
from murmurate.exports.boid_shapes import SHAPES, beat_frames
from murmurate.exports.film_camera import FilmCamera
from murmurate.exports.formats import FORMATS, Options
from murmurate.exports.selection import Selection
from murmurate.runs import record_run
from murmurate.show.styles import STYLES
from processes import ran, ran_well

pytestmark = pytest.mark.long

DOCS = Path(__file__).parents[2] / "docs"
BIRD = SHAPES["bird"]
TIP = BIRD.points[:, 1].argmax()
FRAMES = (0, 7, 30)
STARTS = mm.InBall(radius=4, velocity=mm.Heading(velocity=(2, 1, 0), spread=1))


@cache
def python() -> str:
    """Return a Python that can import bpy."""
    for candidate in filter(None, (os.environ.get("BLENDER_PYTHON"), sys.executable)):
        if ran(candidate, "-c", "import bpy").returncode == 0:
            return candidate
    pytest.skip("needs bpy: pip install bpy, and BLENDER_PYTHON if it is another Python's")


def scene_in_blender(scene: Path, *frames: int) -> dict[str, Any]:
    """Return the contents of a scene in Blender; see blender_scene.py."""
    output = ran_well(python(), Path(__file__).parent / "blender_scene.py", DOCS, scene, *frames)
    return json.loads(next(line[5:] for line in output.splitlines() if line.startswith("SAID ")))


def dusk(folder: Path) -> mm.Recording:
    """Return birds in open space with an orbiting camera and a sky of several colours."""
    model = mm.Model(
        name="dusk",
        dt=0.1,
        space=mm.Space(size=(20, 20, 20), boundary="open"),
        flocks={"boids": mm.Flock(count=40, start=STARTS, motion=mm.Add(max_speed=3))},
        rules={"alignment": mm.Alignment(weight=0.2, radius=5)},
        obstacles={"ball": mm.Sphere(centre=(mm.Ramp(start=3, stop=4, end=3), 9, 9), radius=1)},
        view=mm.View(style="dusk", box=False, size=(320, 180), camera={"elevation": 8, "turn": 20}),
    )
    return record_run.record(mm.Simulation(model, 3, engine="reference"), folder / "a.zarr", 30)


@pytest.mark.parametrize("suffix", [".usdc", ".usda", ".usdz"])
def test_blender_reads_the_recording(suffix, tmp_path) -> None:
    rec = dusk(tmp_path)
    report = mm.export(
        rec,
        tmp_path / f"film{suffix}",
        mm.ExportOptions(scene=True, boid_size=1, frames_per_second=30),
    )
    assert (report.sky is None) == (suffix == ".usdz")
    scene = scene_in_blender(report.path, *FRAMES)
    assert scene["frames_per_second"] == 30 and scene["frames"] == [0, 30]
    reference = expected(rec)
    film = FilmCamera(Selection(rec), 30)
    shots = [film.next(frame) for frame in rec]
    tips = set()
    for frame in FRAMES:
        current = scene["at"][str(frame)]
        boids = np.array(current["boids"])
        np.testing.assert_allclose(boids[:, :3], reference.positions[frame], atol=1e-5)
        moves = reference.velocities[frame]
        headings = moves / np.linalg.norm(moves, axis=1, keepdims=True)
        np.testing.assert_allclose(boids[:, 3:6], headings, atol=2e-3)
        tips |= set(boids[:, 6].round(5))
        eye = np.array(current["camera"])
        np.testing.assert_allclose(eye[:3, 3], shots[frame].position, rtol=1e-5)
        np.testing.assert_allclose(-eye[:3, 2], shots[frame].axes[2], atol=1e-5)
        x = np.interp(rec.times[frame], [0, 3], [3, 4])
        np.testing.assert_allclose(current["objects"]["ball"], [x, 9, 9], atol=1e-5)
    beat = beat_frames(30)
    later = [round(k * beat / 8) for k in range(8)]
    heights = {
        round(float(BIRD.at(2 * np.pi * (frame + k) / beat)[TIP, 2]), 5)
        for frame in FRAMES
        for k in later
    }
    assert tips <= {
        h
        for candidate in heights
        for h in (candidate, round(candidate - 1e-5, 5), round(candidate + 1e-5, 5))
    }
    assert len(tips) > 5
    assert [light[0] for light in scene["lights"]] == ["SUN"] and scene["shines"][0][2] < 0
    assert scene["sky_pictures"] == [[512, 256]]


def test_blender_shows_who_is_in_the_flock(tmp_path) -> None:
    """Of boids that come and go, each frame has those of the recording."""
    rec, _ = changing()
    path = tmp_path / "film.usdc"
    FORMATS[".usdc"].write(path, Selection(rec), Options(scene=True, boid_size=1))
    frames = (0, 3, 7, 10, 13)
    scene = scene_in_blender(path, *frames)
    for frame in frames:
        positions = [p for flock in rec[frame].values() for p in flock.positions]
        boids = np.array(scene["at"][str(frame)]["boids"])[:, :3]
        assert len(boids) == len(positions)
        for position in positions:
            assert np.linalg.norm(boids - position, axis=1).min() < 1e-4


def test_a_rendered_picture_has_the_colours_of_the_film(tmp_path) -> None:
    rec = dusk(tmp_path)
    scene = mm.export(rec, tmp_path / "film.usdc", mm.ExportOptions(scene=True)).path
    picture = tmp_path / "picture.png"
    output = ran_well(
        python(), DOCS / "blender_render.py", scene, picture, "--frame", 0, "--width", 320,
        "--samples", 4,
    )  # fmt: skip
    assert "imported in" in output and "rendered in" in output
    rendered = np.asarray(Image.open(picture).convert("RGB"), float)
    assert rendered.shape == (180, 320, 3)
    film = STYLES["dusk"].background(320, 180).astype(float)
    for rows in (slice(0, 6), slice(-6, None)):  # of sky alone, in the middle of the picture
        scene_in_blender, reference = (
            candidate[rows, 150:170].mean(axis=(0, 1)) for candidate in (rendered, film)
        )
        np.testing.assert_allclose(scene_in_blender, reference, atol=3)
    assert (rendered.sum(axis=2) < 150).sum() > 20  # boids, dark before it


def test_invalid_arguments_are_reported(tmp_path) -> None:
    rec = dusk(tmp_path)
    bare = mm.export(rec, tmp_path / "bare.usdc").path
    for words, output in {
        (tmp_path / "no.usdc", "a.png"): "give a file that is there",
        (bare,): "give a picture to render to, or --blend",
        (bare, "a.jpg"): "pictures are written as .png",
        (bare, "a.png", "--frames", "3-1"): "give two frames, such as 0-239",
    }.items():
        tried = ran(python(), DOCS / "blender_render.py", *words)
        assert tried.returncode == 2 and output in tried.stderr
    tried = ran(python(), DOCS / "blender_render.py", bare, tmp_path / "a.png")
    assert tried.returncode == 1 and "export it with --scene" in tried.stderr
