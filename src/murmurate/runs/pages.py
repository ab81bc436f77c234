"""Pages: a simulation or a recording as one HTML file that plays without a network."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from murmurate.dtypes import Dtype
from murmurate.engines.base import EngineChoice
from murmurate.engines.memory import check_memory
from murmurate.engines.options import RunOptions, run_options
from murmurate.errors import ModelError, RecordError, RunError
from murmurate.frame import Frame
from murmurate.model.model import Model
from murmurate.model.view import frame_rate
from murmurate.runs.films import Progress, check_steps, comment, frames
from murmurate.runs.sources import flight_of, frame_source, paced, path_of, text_of, viewed
from murmurate.runs.track_playback import TrackPlayback

if TYPE_CHECKING:
    from murmurate.runs.sources import Flight, FrameSource, Shown
    from murmurate.show import Page


def to_html(
    flight: Shown | FrameSource,
    steps: int | None = None,
    path: str | os.PathLike[str] | None = None,
    *,
    seed: int = 0,
    every: int | None = None,
    frames_per_second: float | None = None,
    fps: float | None = None,
    style: str | None = None,
    colour_by: str | None = None,
    trails: int | None = None,
    engine: EngineChoice = "cpu",
    dtype: Dtype = "float32",
    threads: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
    watch: Callable[[Frame], object] | None = None,
    live: bool = False,
    max_boids: int | None = None,
    beside: Model | str | os.PathLike[str] | None = None,
) -> Page:
    """Flies a model and makes one HTML file of the flight, which plays with no network.

    flight    a model or its name, flown from its start; or a recording or its path, or Tracks or
              their file, which are shown; or a simulation, of which a copy is flown on, so that it
              stays where it is. Of all but the first, engine, seed, dtype and threads are their own
    steps     steps to fly, 300 unless given, of a recording all; the page has one frame for every
              `every` of them, of a recording one for each recorded frame unless given
    fps       short for frames_per_second
    path      the .html to write, if any
    force     replace a file that is there
    progress  called with (frames done, frames in all) after each
    watch     called with each frame
    live      the page flies the flock itself, from its start, with a slider for every number, as
              fast as `every` and `frames_per_second` say; steps, engine, dtype and threads do not
              matter then
    max_boids how many boids a live page has room for: 2,000 or twice the model's unless given
    beside    another model or its name, for a live page of two flocks side by side: each has a
              panel of its own, and both are at the same step

    Returns the text, which shows itself in a notebook. What is not given is as the model's view
    says. Raises ModelError or OutputError (also for too many boids and frames) before anything is
    computed; RunError when a boid is lost: the file up to there is written.
    Ctrl-C ends the flight early, and the page says interrupted.
    """
    frames_per_second = frame_rate(frames_per_second, fps)
    from murmurate.runs.playback import Playback
    from murmurate.runs.simulation import Simulation
    from murmurate.show import check_output, check_page, page_of

    if live:
        looks: dict[str, object] = {
            "every": every, "frames_per_second": frames_per_second, "style": style,
            "colour_by": colour_by, "trails": trails,
        }  # fmt: skip
        return _live(flight, path, seed, max_boids, force, looks, beside)
    if beside is not None:
        raise ModelError("beside is for live pages: give live=True, or make two replays")
    options = run_options(engine, dtype, threads, seed)
    copied: FrameSource | None = None
    if isinstance(flight, Simulation | Playback):
        copied = flight.copy()
        flown: Flight = copied.model
    else:
        flown = flight_of(flight)
    if steps is None and isinstance(flown, Model):
        steps = 300
    model = viewed(
        flown,
        None,
        steps=steps,
        every=every,
        frames_per_second=frames_per_second,
        style=style,
        colour_by=colour_by,
        trails=trails,
    )
    model = paced(flown, model, every, frames_per_second)
    check_steps(model, "frame")
    steps = model.view.steps
    total = steps // model.view.every
    check_page(sum(flock.count for flock in model.flocks.values()), total, model.space.dims)
    if path is not None:
        path = check_output(path, force, "page", path_of(flight))
    source = copied or frame_source(flown, model, options)

    lost: list[RunError | RecordError] = []

    def watched() -> Iterator[Frame]:
        done = 0
        try:
            for done, frame in enumerate(frames(source, steps, model.view.every), 1):
                if watch is not None:
                    watch(frame)
                yield frame
                if progress is not None:
                    progress(done, total)
        except (RunError, RecordError) as error:
            if path is None or not done:
                raise
            lost.append(error)

    page = page_of(
        watched(), model, toml=text_of(source), comment=comment(source),
        gaps=isinstance(source, TrackPlayback),
    )  # fmt: skip
    if path is not None:
        page.write(path, force)
    if lost:
        raise lost[0]
    return page


def _live(
    flight: Shown | FrameSource,
    path: str | os.PathLike[str] | None,
    seed: int,
    max_boids: int | None,
    force: bool,
    looks: dict[str, object],
    beside: Model | str | os.PathLike[str] | None,
) -> Page:
    """The page in which a model flies, or two of them."""
    from murmurate.runs.flight_pages import flight_page
    from murmurate.show import check_output

    model = _model_of(flight, looks)
    second = None if beside is None else _model_of(beside, looks)
    for one in filter(None, (model, second)):  # before anything is compiled
        check_memory(one, RunOptions(seed=seed))
    if path is not None:
        path = check_output(path, force, "page")
    page = flight_page(model, seed, max_boids, second)
    if path is not None:
        page.write(path, force)
    return page


def _model_of(flight: Shown | FrameSource, looks: dict[str, object]) -> Model:
    """The model that a page is to fly, as it is to be seen. Raises ModelError for what is none."""
    model: object = flight
    if isinstance(flight, Model | str | os.PathLike):
        model = flight_of(flight)
    if not isinstance(model, Model):
        raise ModelError(
            "a live page flies a model from its start: give a model or its name; of a recording, "
            "tracks or a simulation to_html makes a replay, without live"
        )
    return viewed(model, None, **looks)
