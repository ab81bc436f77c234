"""Previews in notebooks: a replay of a simulation's next moments, or of a recording."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from murmurate.errors import RunError, ShowError
from murmurate.frame import Frame
from murmurate.model.files import to_toml
from murmurate.runs.films import comment
from murmurate.runs.playback import Playback
from murmurate.runs.sources import text_of
from murmurate.show.page import in_iframe, page_of

if TYPE_CHECKING:
    from murmurate.record import Recording
    from murmurate.runs.simulation import Simulation

FRAMES = 192  # at most: eight seconds of a film
NUMBERS = 400_000  # boids x frames x axes, at most: half a megabyte beside the viewer
SECONDS = 2.0  # of simulating, at most
LENGTH = 20.0  # seconds that the replay of a whole recording plays, at most

_shown: WeakKeyDictionary[Simulation, tuple[tuple[int, str], str]] = WeakKeyDictionary()


def preview_of_simulation(simulation: Simulation) -> str | None:
    """An iframe with the replay; None for flocks too large to be kept in a notebook, and where the
    viewer was not built. The simulation stays where it is; asked again there, the answer is the
    same."""
    frame = simulation.frame
    moment = (frame.step, simulation.model.fingerprint())
    known = _shown.get(simulation)
    if known is not None and known[0] == moment:
        return known[1]
    size = frame.n_boids * frame.space.dims
    if size > NUMBERS // 2:
        return None
    try:
        page = _page(simulation, frame, min(FRAMES, NUMBERS // max(1, size)))
    except ShowError:
        return None
    _shown[simulation] = (moment, page)
    return page


def _page(simulation: Simulation, first: Frame, count: int) -> str:
    model = simulation.model

    def coming() -> Iterator[Frame]:
        yield first
        twin, begin = simulation.copy(), time.perf_counter()
        for _ in range(count - 1):
            try:
                yield twin.step(model.view.every).frame
            except RunError:  # what came until then is worth seeing
                return
            if time.perf_counter() - begin > SECONDS:
                return

    return in_iframe(page_of(coming(), model, toml=to_toml(model), comment=comment(simulation)))


def preview_of_playback(playback: Playback) -> str | None:
    """The replay of its recording."""
    return preview_of_recording(playback.recording)


def preview_of_recording(recording: Recording) -> str | None:
    """An iframe with the replay of a whole recording, at the pace of its film or faster; None for
    flocks too large to be kept in a notebook, and where the viewer was not built."""
    if not len(recording):
        return None
    playback = Playback(recording)
    size = playback.frame.n_boids * playback.frame.space.dims
    if size > NUMBERS // 2:
        return None
    count = min(FRAMES, NUMBERS // max(1, size))
    every = recording.every * max(1, -(-(len(recording) - 1) // (count - 1)))
    view = playback.model.view
    rate = max(view.frames_per_second * view.every / every, count / LENGTH)
    coming = (playback.seek(step).frame for step in recording.steps[:: every // recording.every])
    try:
        return in_iframe(
            page_of(
                coming, playback.model, toml=text_of(playback), comment=comment(playback),
                frames_per_second=rate,
            )
        )  # fmt: skip
    except ShowError:
        return None
