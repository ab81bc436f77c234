"""Pictures of a world."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from murmurate.runs.film import looks
from murmurate.show.painter import Painter
from murmurate.show.scene import path_lines

if TYPE_CHECKING:
    from murmurate.runs.worlds import Worlds


def draw(worlds: Worlds, world: int) -> np.ndarray:
    """Return a picture of a world as its model's view draws it, (H, W, 3) uint8."""
    model = worlds.model
    painter = Painter(model.space, model.view, looks(model), path_lines(model))
    return painter.draw(worlds.frame(world))
