"""murmurate: the flocking simulator.

import murmurate as mm

model = mm.load("ucl")
sim = mm.Simulation(model, seed=1)
sim.step(50)
mm.polarization(sim.frame["boids"])
mm.measures.anisotropy(sim.frame["boids"])
"""

from __future__ import annotations

import logging

import lazy_loader

from murmurate import display
from murmurate.version import __version__ as __version__

logging.getLogger("murmurate").addHandler(logging.NullHandler())  # quiet by default

# Public names are declared in __init__.pyi and imported when first used, so that `import murmurate`
# and `murmurate --help` stay fast.
__getattr__, __dir__, _names = lazy_loader.attach_stub(__name__, __file__)
# `open` would replace Python's in `from murmurate import *`.
__all__ = sorted({*_names} - {"open", "__version__"})

# Notebook output of objects.
display.register("Model", "murmurate.notebook.model_card", "model_card")
display.register("FilmReport", "murmurate.notebook.film_card", "film_card")
display.register("Simulation", "murmurate.runs.replay_page", "preview")
display.register("Playback", "murmurate.runs.replay_page", "html_of_playback")
display.register("Recording", "murmurate.runs.replay_page", "html_of_recording")
