"""Crews by the options of a run."""

from __future__ import annotations

from murmurate.engine.options import HERE, RunOptions
from murmurate.slabs.crew import Crew, LocalCrew


def crew_of(options: RunOptions) -> Crew:
    """The crew that a run asks for: of this process, or of a Ray cluster."""
    if options.address == HERE:
        return LocalCrew()
    from murmurate.slabs.ray_crew import RayCrew

    return RayCrew(options.address)
