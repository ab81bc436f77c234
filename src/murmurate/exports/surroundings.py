"""What is around the flocks of a scene: the sun and the ground."""

from __future__ import annotations

import math

import numpy as np

from murmurate.exports.appearance import Light, light
from murmurate.exports.coordinates import to_3d
from murmurate.exports.film_camera import GROUND
from murmurate.exports.selection import Array, Selection
from murmurate.exports.sky import sky_of
from murmurate.show.projection import camera_axes
from murmurate.show.styles import STYLES, Style

LOW, HIGH = math.radians(10.0), math.radians(50.0)  # of the sun above the horizon
LEAST = 0.2  # of the light that is to come from the sun, however bright the sky is


def sun(selection: Selection) -> tuple[Array, Light, float]:
    """(3,) unit vector towards the sun, its colour, and its strength: the irradiance of what faces
    it. It stands low ahead where the style has a glow. Else it stands high behind the viewer, as
    strong as makes a level ground, together with the sky, as bright as its colour."""
    view = selection.recording.scene.view.decided(selection.space)
    glow, strength = STYLES[view.style].glow
    low = strength > 0
    azimuth = math.radians(view.camera.azimuth + (170.0 if low else 40.0))
    towards = -camera_axes(azimuth, LOW if low else HIGH)[2]
    rest = max(LEAST, 1.0 - float(np.mean(sky_of(selection.recording).mean)))
    if low:
        return towards, light(glow), math.pi * rest
    return towards, (1.0, 1.0, 1.0), math.pi * rest / math.sin(HIGH)


def obstacle_colour(style: Style) -> Light:
    """Between those of its lit and its dark side: a scene shades them itself."""
    return light((np.array(style.body) + style.shade) / 2)


def ground_colour(selection: Selection) -> Light:
    """That of the sky at the horizon, so that the ground has no edge before it."""
    return light(STYLES[selection.recording.scene.view.style].sky[-1])


def ground(selection: Selection) -> Array | None:
    """(4, 3) corners, as seen from above turning left, of a plane under the space and all that
    flies, up to the horizon; None where the film draws no box, and so no ground either."""
    space = selection.space
    if not selection.recording.scene.view.box:
        return None
    lower, upper = (to_3d(side, float) for side in (space.lower, space.upper))
    lowest = to_3d(selection.bounds[0], float)[2]
    size = math.dist(lower, upper)
    z = min(lower[2], lowest) - (0.001 if space.dims == 3 else 0.05) * size
    middle, reach = (lower + upper) / 2, GROUND * size / 2
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    return np.array([(middle[0] + a * reach, middle[1] + b * reach, z) for a, b in corners])
