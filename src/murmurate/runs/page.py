"""Pages: a run, a recording or tracks as one HTML file that plays without a network."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from murmurate.engines.memory import check_memory
from murmurate.engines.options import RunOptions, options_with_seed
from murmurate.errors import ModelError, OutputError, RecordError, RunError, ShowError
from murmurate.frame import Frame
from murmurate.model.files import to_toml
from murmurate.model.model import Model
from murmurate.model.view import View
from murmurate.model.warnings import ModelWarning
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


def to_html(
    model: SourceLike | FrameSource,
    steps: int | None = None,
    *,
    seed: int | None = None,
    output: str | os.PathLike[str] | None = None,
    style: str | None = None,
    view: View | None = None,
    options: RunOptions | None = None,
    drawing: TrackDrawing | None = None,
    force: bool = False,
    progress: Progress | None = None,
    live: bool = False,
    max_boids: int | None = None,
    beside: Model | str | os.PathLike[str] | None = None,
    charts: Sequence[str] | None = None,
    draw: bool = False,
    edit: bool = False,
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
    style : {'dark', 'light', 'dusk'}, optional
        Colours of the picture.
    view : View, optional
        Settings of the page, such as View(every=2, frames_per_second=30, warm_up=200). Those that
        it is made with override the model's; `steps` and `style` override it.
    options : RunOptions, optional
        Engine, precision and threads.
    drawing : TrackDrawing, optional
        Of tracks: their speed.
    force : bool, default False
        Replace an existing file.
    progress : callable, optional
        Called with (frames done, total) after each frame.
    live : bool, default False
        The page simulates the flock itself, from its start, with a slider for every number, as
        fast as `view.every` and `view.frames_per_second` say. `steps` and `options` do not matter.
        Of a model with `population` the page is a replay, and a warning states it: pages cannot
        simulate boids that join and leave.
    max_boids : int, optional
        With `live`: the largest number of boids that readers can choose; by default 4,000 or
        twice the model's, and 200,000 with WebGPU.
    beside : Model, str or path, optional
        With `live`: another model, simulated in the same page at the same step.
    charts : sequence of str, optional
        Measures to chart, such as ["milling"], in place of those of the model. Each is one number
        of a frame. With `live` only polarization, milling, nearest_neighbour_distance and speed.
    draw : bool, default False
        With `live`: readers can draw obstacles, a goal, a path and predators. The rules are then
        compiled with room for these, so that steps take a little longer and results differ by
        rounding.
    edit : bool, default False
        With `live`: readers can edit the functions of rules, which the page then compiles itself.
        Until then the flock has the bits of a page without. It is simulated with WebAssembly.

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

    if live and not _replays_instead(model, beside):
        return _live(
            model, output, seed, max_boids, force,
            view_settings(view, style=style, charts=_names(charts)), beside, draw, edit,
        )  # fmt: skip
    if beside is not None:
        raise ModelError("beside: got it without live=True; expected none. Make two replays")
    if draw and not live:
        raise ModelError("draw: got it without live=True; expected both. Add live=True")
    if edit:
        remedy = "Leave it out" if live else "Add live=True"
        raise ModelError(
            f"edit: got it for a page that replays; expected one that simulates. {remedy}"
        )
    options = options_with_seed(options, seed)
    copied: FrameSource | None = None
    if isinstance(model, Simulation | Playback):
        copied = model.copy()
        source: Source = copied.model
    else:
        source = open_source(model, drawing)
    if steps is None and isinstance(source, Model):
        steps = DEFAULT_STEPS
    settings = view_settings(view, steps=steps, style=style, charts=_names(charts))
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


def _names(charts: Sequence[str] | None) -> tuple[str, ...] | None:
    """Return the names of charts; None if none were given."""
    return (charts,) if isinstance(charts, str) else None if charts is None else tuple(charts)


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


# --- pages that simulate


def _replays_instead(
    model: SourceLike | FrameSource, second: Model | str | os.PathLike[str] | None
) -> bool:
    """Return whether a page that is to simulate a model replays it, and warn if so.

    Raises ModelError for a second model with a page that cannot simulate both.
    """
    sources = [model] if second is None else [model, second]
    models = [open_source(s) for s in sources if isinstance(s, Model | str | os.PathLike)]
    reasons = [(m.name, _replay_reason(m)) for m in models if isinstance(m, Model)]
    names = [(name, reason) for name, reason in reasons if reason]
    if not names:
        return False
    name, reason = names[0]
    if second is not None:
        raise ModelError(
            f"beside: got {name!r} in a page of two models; expected fixed numbers of boids that "
            f"are all alike, {reason}. Make a replay of each"
        )
    text = f"live: the page of {name!r} replays {DEFAULT_STEPS} steps, {reason}"
    warnings.warn(f"{text}. Leave live out to choose the steps", ModelWarning, stacklevel=3)
    return True


def _replay_reason(model: Model) -> str:
    """Return the reason for which pages do not simulate a model; '' if they do."""
    if model.changes_numbers:
        return "since its boids join and leave by [population], which pages do not simulate"
    for flock in model.flocks:
        for name in model.individuals_of(flock):
            return f"since {name} differs between boids, which pages do not draw"
    return ""


def _live(
    model: SourceLike | FrameSource,
    output: str | os.PathLike[str] | None,
    seed: int | None,
    max_boids: int | None,
    force: bool,
    settings: dict[str, Any],
    beside: Model | str | os.PathLike[str] | None,
    draw: bool,
    edit: bool,
) -> Page:
    """Return the page that simulates a model, or two of them."""
    from murmurate.measures.defaults import NAMES
    from murmurate.runs.live_page import live_page
    from murmurate.show import check_output
    from murmurate.show.scene import check_charts

    seed = 0 if seed is None else seed
    first = _live_model(model, settings)
    second = None if beside is None else _live_model(beside, settings)
    for each in filter(None, (first, second)):  # before anything is compiled
        check_charts(each, NAMES)
        check_memory(each, RunOptions(seed=seed))
    if output is not None:
        output = check_output(output, force, "page")
    page = live_page(first, seed, max_boids, second, draw, edit)
    if output is not None:
        page.save(output, force)
    return page


def _live_model(model: SourceLike | FrameSource, settings: dict[str, Any]) -> Model:
    """Return the model that a page simulates. Raises ModelError if it is not a model."""
    source: object = model
    if isinstance(model, Model | str | os.PathLike):
        source = open_source(model)
    if not isinstance(source, Model):
        raise ModelError(
            f"model: got a {type(source).__name__}; expected a model or its name, which a live "
            "page simulates from its start. Without live=True to_html makes a replay of it"
        )
    return with_view_settings(source, settings)


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
