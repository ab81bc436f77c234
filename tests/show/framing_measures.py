"""How films frame a flock: which boids are cut, and how much of the picture the flock covers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

import murmurate as mm
from murmurate.runs.films import frames, looks
from murmurate.show import path_lines
from murmurate.show.camera import MINOR
from murmurate.show.painter import Painter

SHAPES = {"landscape": (480, 270), "portrait": (270, 480), "square": (360, 360)}


class Framing(NamedTuple):
    """Of one picture of a film.

    cut      part of the boids that are out of the picture, or under its line of text
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


def flown(model: mm.Model, pictures: int):
    """The frames of a film's first pictures."""
    simulation = mm.Simulation(model).step(model.view.warm_up)
    return frames(simulation, pictures * model.view.every, model.view.every)


def framing(painter: Painter, frame: mm.Frame) -> Framing:
    """That of the next picture, which is not drawn. Hunters, of which there are few, come and go
    in depth: there the flock alone is measured."""
    projection = painter.next_projection(frame)
    free = painter.writing_above
    size = np.array([projection.width, projection.height])
    most = max(map(len, frame))
    places = []
    for flock in frame:
        if frame.space.dims == 2 or len(flock) >= MINOR * most:
            screen = projection.project(projection.nearest_offsets(flock.positions))
            places.append(np.stack([screen.x, screen.y], axis=1))
    place = np.concatenate(places)
    inside = ((place >= (0, free)) & (place <= size)).all(axis=1)
    box = np.ptp(np.nanquantile(place, [0.02, 0.98], axis=0), axis=0) / size
    return Framing(1.0 - float(inside.mean()), float(box.max()))
