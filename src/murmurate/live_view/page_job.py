"""A page of what comes next, from where a simulation or recording is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from murmurate.errors import EndOfRecordingError
from murmurate.frame import Frame
from murmurate.runs.films import comment
from murmurate.runs.sources import text_of
from murmurate.show.page import page_of

if TYPE_CHECKING:
    from murmurate.runs.sources import FrameSource


def write_page(
    simulation: FrameSource, frames: int, path: Path, progress: Callable[[float], object]
) -> None:
    """Runs on, and writes so many frames as one HTML file; of a recording as many as there are.
    Raises ShowError, RunError."""
    model = simulation.model

    def coming() -> Iterator[Frame]:
        for done in range(frames):
            yield simulation.frame
            progress((done + 1) / (frames + 1))
            if done < frames - 1:
                try:
                    simulation.step(model.view.every)
                except EndOfRecordingError:
                    return

    page_of(coming(), model, toml=text_of(simulation), comment=comment(simulation)).write(path)
