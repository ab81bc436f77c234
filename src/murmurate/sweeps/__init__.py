"""Sweeps: one model flown with many settings and seeds, every finished run stored at once."""

from murmurate.sweeps.run import sweep

__all__ = ["sweep"]
