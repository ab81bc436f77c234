"""Replays: a run, a recording or tracks as one HTML file that plays without a network."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from murmurate.engines.options import RunOptions, options_with_seed
from murmurate.errors import OutputError, RecordError, RunError, ShowError
from murmurate.frame import Frame
from murmurate.model.files import to_toml
from murmurate.model.model import Model
from murmurate.model.view import View
from murmurate.runs.film import frames, note_start
from murmurate.runs.sources import (
    Progress,
    check_steps,
    comment,
    frame_source,
    model_text,
    note_tracks,
    open_source,
    source_path,
    view_settings,
    with_view_settings,
)
from murmurate.runs.track_playback import TrackDrawing, TrackPlayback

if TYPE_CHECKING:
    from murmurate.record import Recording
    from murmurate.runs.playback import Playback
    from murmurate.runs.simulation import Simulation
    from murmurate.runs.sources import FrameSource, Source, SourceLike
    from murmurate.show import Page

DEFAULT_STEPS = 300
MAX_PREVIEW_FRAMES = 192
MAX_PREVIEW_NUMBERS = 400_000  # boids x frames x axes: half a megabyte
MAX_PREVIEW_SECONDS = 2.0  # of simulating
MAX_PLAYING_SECONDS = 20.0  # of the preview of a recording


def replay_page(
    model: SourceLike | FrameSource,
    steps: int | None = None,
    *,
    seed: int | None = None,
    output: str | os.PathLike[str] | None = None,
    view: View | None = None,
    options: RunOptions | None = None,
    drawing: TrackDrawing | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Page:
    """Simulate a model, or play a recording or tracks, and make one HTML file that replays it.

    Parameters
    ----------
    model : Model, Recording, Tracks, str, path, Simulation or Playback
        A model is simulated, and the page begins after the warm-up of its view, as its film does.
        A recording or tracks are shown. A simulation is copied, and the copy runs on. `seed` and
        `options` are for models only.
    steps : int, optional
        Steps to simulate: 300 by default, of a recording all. The page has one frame per
        `view.every` steps; of a recording, one per recorded frame by default.
    seed : int, optional
        Seed of the simulation; overrides that of `options`.
    output : path, optional
        The .html file to write.
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
    from murmurate.runs.playback import Playback
    from murmurate.runs.simulation import Simulation
    from murmurate.show import check_output, check_page
    from murmurate.show.scene import check_charts

    options = options_with_seed(options, seed)
    copied: FrameSource | None = None
    if isinstance(model, Simulation | Playback):
        copied = model.copy()
        source: Source = copied.model
    else:
        source = open_source(model, drawing)
    if steps is None and isinstance(source, Model):
        steps = DEFAULT_STEPS
    settings = view_settings(view, steps=steps)
    shown_model = with_view_settings(source, settings, drawing)
    shown_model = _with_recorded_pace(source, shown_model, settings)
    check_steps(shown_model, "frame")
    check_charts(shown_model)
    count = shown_model.view.steps // shown_model.view.every
    boids = sum(flock.count for flock in shown_model.flocks.values())
    check_page(boids, count, shown_model.space.dims)
    if output is not None:
        output = check_output(output, force, "page", source_path(model))
    playing = copied or frame_source(source, shown_model, options, drawing)
    warm_up = 0 if copied else shown_model.view.warm_up
    if copied:
        note_tracks(playing)
    else:
        note_start(playing, warm_up, "page")
    return _replay(playing, shown_model, output, force, progress, warm_up)


def _replay(
    source: FrameSource,
    model: Model,
    output: str | os.PathLike[str] | None,
    force: bool,
    progress: Progress | None,
    warm_up: int,
) -> Page:
    """Run a source, make the page of its frames and write it; after an error what there is."""
    from murmurate.show import page_of

    failure: list[RunError | RecordError] = []
    last_frame: Frame | None = None
    total = model.view.steps // model.view.every

    def coming() -> Iterator[Frame]:
        nonlocal last_frame
        done = 0
        try:
            source.step(warm_up)
            for done, last_frame in enumerate(
                frames(source, model.view.steps, model.view.every), 1
            ):
                yield last_frame
                if progress is not None:
                    progress(done, total)
        except (RunError, RecordError) as error:
            if output is None or not done:
                raise
            failure.append(error)

    page = page_of(
        coming(), model, toml=model_text(source), comment=comment(source),
        gaps=isinstance(source, TrackPlayback),
    )  # fmt: skip
    page.last_frame = last_frame
    if output is not None:
        page.save(output, force)
    if failure:
        raise failure[0]
    return page


def _with_recorded_pace(source: Source, model: Model, settings: dict[str, Any]) -> Model:
    """Return the model of a page: of a recording with one frame per recorded frame.

    It plays as fast as the film of the recording. A setting `every` overrides this.
    """
    view = model.view
    if isinstance(source, Model) or "every" in settings or source.every <= view.every:
        return model
    changes: dict[str, Any] = {"view.every": source.every}
    if "frames_per_second" not in settings:
        changes["view.frames_per_second"] = view.frames_per_second * view.every / source.every
    return model.set(changes)


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

    return page_of(coming(), model, toml=to_toml(model), comment=comment(simulation))


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
            coming, playback.model, toml=model_text(playback), comment=comment(playback),
            frames_per_second=rate,
        )  # fmt: skip
    except ShowError:
        return None
    return page._repr_html_()
