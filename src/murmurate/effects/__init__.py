"""Effects: which numbers of a model its measures depend on, and how much is noise.

mm.sensitivity("couzin-2002", ["polarization"], {"rules.attraction.radius": (4.0, 16.0)})
"""

from murmurate.effects.report import Sensitivity
from murmurate.effects.run import sensitivity

__all__ = ["Sensitivity", "sensitivity"]
