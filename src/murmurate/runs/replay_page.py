"""Replays: a run, a recording or tracks as one HTML file that plays without a network."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from murmurate.engines.options import RunOptions, options_with_seed
from murmurate.errors import OutputError, RecordError, RunError, ShowError
from murmurate.frame import Frame
from murmurate.model.view import View
from murmurate.runs.film import frames
from murmurate.runs.frame_source import Source
from murmurate.runs.sources import (
    Progress,
    check_steps,
    note_start,
    open_source,
    view_changes,
)
from murmurate.runs.track_playback import TrackDrawing

if TYPE_CHECKING:
    from murmurate.record import Recording
    from murmurate.runs.playback import Playback
    from murmurate.runs.simulation import Simulation
    from murmurate.runs.sources import SourceLike
    from murmurate.show import Page

DEFAULT_STEPS = 300
MAX_PREVIEW_FRAMES = 192
MAX_PREVIEW_NUMBERS = 400_000  # boids x frames x axes: half a megabyte
MAX_PREVIEW_SECONDS = 2.0  # of simulating
MAX_PLAYING_SECONDS = 20.0  # of the preview of a recording


def replay_page(
    model: SourceLike,
    path: str | os.PathLike[str] | None = None,
    *,
    steps: int | None = None,
    seed: int | None = None,
    view: View | None = None,
    options: RunOptions | None = None,
    drawing: TrackDrawing | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Page:
    """Simulate a model, or play a recording or tracks, and make one HTML file that replays it.

    Parameters
    ----------
    model : Model, Recording, Tracks, Simulation, FrameSource, str or path
        A model is simulated, and the page begins after the warm-up of its view, as its film does.
        A recording or tracks are shown. A Simulation or a FrameSource is copied, and the copy runs
        on. `seed` and `options` are for models only.
    path : path, optional
        The .html file to write.
    steps : int, optional
        Steps to simulate: 300 by default, of a recording all. The page has one frame per
        `view.every` steps; of a recording, one per recorded frame by default.
    seed : int, optional
        Seed of the simulation; overrides that of `options`.
    view : View, optional
        Settings of the page, such as View(style="light", every=2, charts=["milling"]). Those that
        it is made with override the model's; `steps` overrides it.
    options : RunOptions, optional
        Engine, precision and threads.
    drawing : TrackDrawing, optional
        Of tracks: their speed.
    force : bool, default False
        Replace an existing file.
    progress : callable, optional
        Called with (frames done, total) after each frame.

    Returns
    -------
    Page
        The page, which a notebook displays. `save(path)` writes it.

    Raises
    ------
    ModelError, OutputError
        An argument cannot be used, or there are too many boids and frames. Raised before anything
        is simulated.
    RunError
        A boid is lost; the file up to there is written.

    Notes
    -----
    Ctrl-C ends the run early, and the page is `interrupted`.
    """
    source = open_source(model, options_with_seed(options, seed), drawing)
    if steps is None and source.simulated:
        steps = DEFAULT_STEPS
    changes = view_changes(view, steps=steps)
    source.show(changes)
    return replay(source, path, changes, force, progress)


def replay(
    source: Source, path: str | os.PathLike[str] | None, changes: Collection[str], force: bool,
    progress: Progress | None,
) -> Page:  # fmt: skip
    """Check a source, run it, make the page of its frames and write it; see `replay_page`.

    `changes` are the paths of its view that were changed.
    """
    from murmurate.show import check_output, check_page, page_of
    from murmurate.show.languages import check_language
    from murmurate.show.scene import check_charts

    _set_recorded_pace(source, changes)
    model = source.model
    check_steps(model, "frame")
    check_charts(model)
    check_language(model.view.language)
    total = model.view.steps // model.view.every
    boids = sum(flock.count for flock in model.flocks.values())
    check_page(boids, total, model.space.dims)
    if path is not None:
        path = check_output(path, force, "page", source.files)
    playing = source.start()
    note_start(playing, model.view.warm_up, "page")
    failure: list[RunError | RecordError] = []
    last_frame: Frame | None = None

    def next_frames() -> Iterator[Frame]:
        nonlocal last_frame
        done = 0
        try:
            playing.step(model.view.warm_up)
            coming = frames(playing, model.view.steps, model.view.every)
            for done, last_frame in enumerate(coming, 1):
                yield last_frame
                if progress is not None:
                    progress(done, total)
        except (RunError, RecordError) as error:
            if path is None or not done:
                raise
            failure.append(error)

    page = page_of(
        next_frames(), model, toml=playing.toml, comment=playing.comment, gaps=playing.gaps
    )
    page.last_frame = last_frame
    if path is not None:
        page.save(path, force=force)
    if failure:
        raise failure[0]
    return page


def _set_recorded_pace(source: Source, changes: Collection[str]) -> None:
    """Show one frame per recorded frame, as fast as the film, unless `every` was changed."""
    view = source.model.view
    if "view.every" in changes or source.every <= view.every:
        return
    pace: dict[str, Any] = {"view.every": source.every}
    if "view.frames_per_second" not in changes:
        pace["view.frames_per_second"] = view.frames_per_second * view.every / source.every
    source.show(pace)


# --- previews in notebooks


def preview(
    simulation: Simulation,
    *,
    max_frames: int = MAX_PREVIEW_FRAMES,
    max_numbers: int = MAX_PREVIEW_NUMBERS,
    max_seconds: float = MAX_PREVIEW_SECONDS,
) -> Page:
    """Return a replay of the next steps, which a copy of a simulation runs.

    simulation  it stays at its present step
    max_frames  most frames
    max_numbers  most coordinates, boids x frames x axes
    max_seconds  longest time to simulate, seconds
    raises OutputError  the flock is too large for a notebook
    raises ShowError  the viewer was not built
    """
    from murmurate.show import page_of

    first, model = simulation.frame, simulation.model
    count = min(max_frames, max_numbers // max(1, first.n_boids * first.space.dims))
    if count < 2:
        raise OutputError(
            f"preview: got {first.n_boids:,} boids; expected at most "
            f"{max_numbers // 2 // first.space.dims:,}. Use mm.still or mm.film"
        )

    def coming() -> Iterator[Frame]:
        yield first
        copied, start = simulation.copy(), time.perf_counter()
        for _ in range(count - 1):
            try:
                yield copied.step(model.view.every).frame
            except RunError:  # the frames before it are a preview too
                return
            if time.perf_counter() - start > max_seconds:
                return

    return page_of(coming(), model, toml=simulation.toml, comment=simulation.comment)


def html_of_playback(playback: Playback) -> str | None:
    """Return the replay of a playback's recording for a notebook."""
    return html_of_recording(playback.recording)


def html_of_recording(recording: Recording) -> str | None:
    """Return an iframe that replays a recording, as fast as its film or faster.

    None for flocks too large for a notebook, and if the viewer was not built.
    """
    from murmurate.runs.playback import Playback
    from murmurate.show import page_of

    if not len(recording):
        return None
    playback = Playback(recording)
    numbers = playback.frame.n_boids * playback.frame.space.dims
    if numbers > MAX_PREVIEW_NUMBERS // 2:
        return None
    count = min(MAX_PREVIEW_FRAMES, MAX_PREVIEW_NUMBERS // max(1, numbers))
    every = recording.every * max(1, -(-(len(recording) - 1) // (count - 1)))
    view = playback.model.view
    rate = max(view.frames_per_second * view.every / every, count / MAX_PLAYING_SECONDS)
    coming = (playback.seek(step).frame for step in recording.steps[:: every // recording.every])
    try:
        page = page_of(
            coming, playback.model, toml=playback.toml, comment=playback.comment,
            frames_per_second=rate,
        )  # fmt: skip
    except ShowError:
        return None
    return page._repr_html_()
