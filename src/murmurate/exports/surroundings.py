"""What is around the flocks of a scene: the sun and the ground."""

from __future__ import annotations

import math

import numpy as np

from murmurate.exports.appearance import Light, light
from murmurate.exports.coordinates import to_3d
from murmurate.exports.film_camera import GROUND
from murmurate.exports.selection import Array, Selection
from murmurate.show.projection import camera_axes
from murmurate.show.styles import STYLES

SUNLIGHT = math.pi  # of which a white surface that faces it is white


def sun(selection: Selection) -> tuple[Array, Light]:
    """(3,) unit vector towards the sun, and its colour. It stands low ahead where the style has a
    glow, and else high behind the viewer."""
    view = selection.recording.scene.view.decided(selection.space)
    glow, strength = STYLES[view.style].glow
    low = strength > 0
    azimuth = math.radians(view.camera.azimuth + (170.0 if low else 40.0))
    towards = -camera_axes(azimuth, math.radians(10.0 if low else 50.0))[2]
    return towards, light(glow) if low else (1.0, 1.0, 1.0)


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
