"""Measure how films frame a flock: which boids are cut off, and how much the flock covers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import murmurate as mm
from murmurate.runs.film import frames, looks
from murmurate.show import path_lines
from murmurate.show.camera import MINOR
from murmurate.show.painter import Painter

SHAPES = {"landscape": (480, 270), "portrait": (270, 480), "square": (360, 360)}


class Framing(NamedTuple):
    """Framing of one picture.

    cut      part of the boids that are outside the picture or under its status line
    covered  part of the picture's width or height, whichever is more, that the box of 96% of the
             boids takes
    """

    cut: float
    covered: float


def painters(model: mm.Model) -> dict[str, Painter]:
    return {
        shape: Painter(
            model.space, model.view.model_copy(update={"size": size}), looks(model),
            path_lines(model),
        )
        for shape, size in SHAPES.items()
    }  # fmt: skip


def first_frames(model: mm.Model, pictures: int):
    """Return the frames of the first pictures of a film."""
    simulation = mm.Simulation(model).step(model.view.warm_up)
    return frames(simulation, pictures * model.view.every, model.view.every)


def framing(painter: Painter, frame: mm.Frame) -> Framing:
    """Measure the next picture without drawing it. In 3-D small flocks (hunters) are ignored."""
    projection = painter.next_projection(frame)
    free = painter.writing_above
    size = np.array([projection.width, projection.height])
    largest = max(map(len, frame))
    points = []
    for flock in frame.values():
        if frame.space.dims == 2 or len(flock) >= MINOR * largest:
            screen = projection.project(projection.nearest_offsets(flock.positions))
            points.append(np.stack([screen.x, screen.y], axis=1))
    pixels = np.concatenate(points)
    inside = ((pixels >= (0, free)) & (pixels <= size)).all(axis=1)
    box = np.ptp(np.nanquantile(pixels, [0.02, 0.98], axis=0), axis=0) / size
    return Framing(1.0 - float(inside.mean()), float(box.max()))
