"""A page of a flight that goes on from where it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from murmurate.films import comment
from murmurate.frame import Frame
from murmurate.model.files import to_toml
from murmurate.simulation import Simulation


def write_page(
    simulation: Simulation, frames: int, path: Path, progress: Callable[[float], object]
) -> None:
    """Flies on, and writes so many frames as one HTML file. Raises ShowError, RunError."""
    from murmurate.show.page import page_of

    model = simulation.model

    def flown() -> Iterator[Frame]:
        for done in range(frames):
            yield simulation.frame
            progress((done + 1) / (frames + 1))
            if done < frames - 1:
                simulation.step(model.view.every)

    page_of(flown(), model, toml=to_toml(model), comment=comment(simulation)).write(path)
