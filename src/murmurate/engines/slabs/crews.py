"""Crews by the options of engine 'slabs'."""

from __future__ import annotations

from murmurate.engines.slabs.crew import Crew, LocalCrew
from murmurate.engines.slabs.slab_options import HERE, Slabs


def crew_of(own: Slabs) -> Crew:
    """The crew that a run asks for: of this process, or of a Ray cluster."""
    if own.address == HERE:
        return LocalCrew()
    from murmurate.engines.slabs.ray_crew import RayCrew

    return RayCrew(own.address)
