"""Small pictures of what films can contain, as one sheet, which is stored beside the tests.

python tests/support/small_pictures.py    draw the sheet again, and look at it
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import meshes
import murmurate as mm
from murmurate.frame import FlockFrame, Frame
from murmurate.model.space import Space
from murmurate.model.view import Camera, Look, View
from murmurate.show.painter import Painter

SHEET = Path(__file__).resolve().parents[1] / "show" / "small_pictures.png"
WIDTH, HEIGHT, COLUMNS = 192, 112, 6
FLAT, DEEP = (
    Space(size=(60, 36), boundary="reflecting"),
    Space(size=(60, 36, 30), boundary="reflecting"),
)
SHAPES = ("dart", "bird", "fish", "sheep", "dog", "arrow", "disc")
STYLES = ("dark", "light", "dusk")
OBSTACLES: dict[str, dict[str, Any]] = {
    "sphere": {"rock": mm.Sphere(centre=(30, 18, 12), radius=9.0)},
    "box": {"house": mm.Box(centre=(34, 16, 8), size=(20.0, 12.0, 16.0))},
    "cylinder": {"column": mm.Cylinder(centre=(30, 18, 15), radius=6.0, height=24.0)},
    "wall": {"wall": mm.Wall(point=(30, 30, 0), normal=(0.3, -1.0, 0.0))},
    "tank": {"tank": mm.Tank(centre=(30, 18, 15), radius=16.0)},
    "mesh": {"ring": meshes.ring(9.0, 3.0)},
}


def flock(space: Space, count: int = 12, name: str = "boids", resting: bool = False) -> FlockFrame:
    """Return boids on a spiral, each with another heading."""
    turn = np.arange(count) * 2.4
    far = np.sqrt(np.arange(count) + 0.5) / np.sqrt(count)
    middle, half = np.array(space.size) / 2, 0.42 * np.array(space.size)
    unit = np.stack([far * np.cos(turn), far * np.sin(turn), np.cos(3 * turn) * far], axis=1)
    dims = space.dims
    headings = np.stack([np.cos(2 * turn), np.sin(2 * turn), 0.4 * np.sin(turn)], axis=1)
    speeds = (1.0 + np.arange(count) / count)[:, None]
    positions = middle + half * unit[:, :dims]
    timers = np.full(count, 5 * resting)
    return FlockFrame(name, np.arange(count), positions, speeds * headings[:, :dims], timers, space)


def picture(
    space: Space, look: Look | None = None, obstacles: Mapping[str, Any] | None = None,
    frames: int = 1, paths: Any = (), boids: FlockFrame | None = None, **view: Any,
) -> np.ndarray:  # fmt: skip
    """Return a picture of a flock, after others if it has trails."""
    camera = Camera(follow="space", elevation=25.0)
    settings = {
        "size": (WIDTH, HEIGHT),
        "camera": camera,
        "text": False,
        "boid_size": 6.0,
        **view,
    }
    painter = Painter(space, View(**settings), {"boids": look or Look()}, paths)
    boids = boids or flock(space)
    for k in range(frames):
        moved = replace(boids, positions=boids.positions + 0.5 * k * boids.velocities)
        drawn = painter.draw(Frame(k, 0.1 * k, space, {"boids": moved}, dict(obstacles or {})))
    if drawn.shape[2] == 4:  # transparent: on grey
        alpha = drawn[..., 3:].astype(float) / 255
        drawn = (drawn[..., :3] * alpha + 128 * (1 - alpha)).astype(np.uint8)
    return drawn


def pictures() -> dict[str, np.ndarray]:
    """Return all pictures by name."""
    drawn = {}
    for space, dims in ((FLAT, "2-D"), (DEEP, "3-D")):
        for shape in SHAPES:
            drawn[f"{shape}, {dims}"] = picture(space, Look(shape=shape), boid_size=9.0)
            drawn[f"small {shape}, {dims}"] = picture(
                space, Look(shape=shape), boids=flock(space, 60), boid_size=2.0
            )
        for style in STYLES:
            drawn[f"{style}, {dims}"] = picture(
                space, style=style, text=True, colour_by="speed", caption="Some words below"
            )
        for scenery in ("land", "water"):
            drawn[f"{scenery}, {dims}"] = picture(space, scenery=scenery, watermark="author")
        drawn[f"heading, {dims}"] = picture(space, colour_by="heading", style="light")
        drawn[f"density, {dims}"] = picture(
            space, boids=flock(space, 600), shading="density", boid_size=0
        )
        drawn[f"trails, {dims}"] = picture(space, frames=8, trails=6, boid_size=3.0)
        drawn[f"blur, {dims}"] = picture(space, frames=3, motion_blur=360.0)
        drawn[f"transparent, {dims}"] = picture(space, transparent=True, box=True)
        drawn[f"followed, {dims}"] = picture(
            space, box=True, camera=Camera(follow="flock", zoom=1.5, azimuth=200.0)
        )
    for name, obstacles in OBSTACLES.items():
        drawn[f"{name}, 3-D"] = picture(DEEP, obstacles=obstacles, boids=flock(DEEP, 5))
        drawn[f"{name}, water"] = picture(
            DEEP, obstacles=obstacles, boids=flock(DEEP, 5), scenery="water"
        )
    drawn["resting birds"] = picture(
        DEEP, Look(shape="bird"), boids=flock(DEEP, resting=True), scenery="land", boid_size=9.0
    )
    drawn["paths"] = picture(DEEP, paths=[[(5, 5, 5), (50, 10, 20), (30, 30, 25)]])
    return drawn


def sheet_of(tiles: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return all pictures in one, row by row."""
    rows = -(-len(tiles) // COLUMNS)
    sheet = np.zeros((rows * HEIGHT, COLUMNS * WIDTH, 3), np.uint8)
    for k, tile in enumerate(tiles.values()):
        y, x = k // COLUMNS * HEIGHT, k % COLUMNS * WIDTH
        sheet[y : y + HEIGHT, x : x + WIDTH] = tile[..., :3]
    return sheet


if __name__ == "__main__":
    Image.fromarray(sheet_of(pictures())).save(SHEET, optimize=True)
    print(SHEET)
