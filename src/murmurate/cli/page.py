"""murmurate page: a simulation or a recording as one HTML file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from murmurate.cli.interrupt import cause
from murmurate.cli.options import Changes, FlightOptions, InPicture, ShownName, load_source
from murmurate.cli.picture_options import (
    CameraOptions,
    Charts,
    ColourBy,
    Language,
    Picture,
    Style,
    chart_setting,
    language_setting,
    pacing,
    picture_changes,
)
from murmurate.cli.pictures import Force, Quiet, WarmUp, stem
from murmurate.cli.progress import PictureProgress, show_notes
from murmurate.cli.terminal import EXIT_INTERRUPTED, EXIT_OK, console, print_error
from murmurate.cli.tracks import (
    DRAWING,
    SPEED,
    TrackReading,
    TrackRequest,
    refuse_track_options,
)
from murmurate.errors import CommandError, RecordError, RunError
from murmurate.number_text import size_text


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class LiveOptions:
    """Options of pages that simulate.

    Parameters
    ----------
    max_boids
        With --live: the largest number of boids of the largest flock that readers can choose,
        beside the other flocks; by default 4,000 or twice the model's, and 200,000 with WebGPU.
    beside
        With --live: another model, simulated in the same page.
    draw
        With --live: readers can draw obstacles, a goal, a path and predators.
    edit
        With --live: readers can edit the functions of rules, and run them.
    task
        With --live: a task file, or the name of a task, whose questions the page asks and checks.
        Its model is that of the page, unless another file is given.
    scorm
        With --task: write a SCORM package, a .zip for learning platforms.
    """

    max_boids: int | None = None
    beside: str | None = None
    draw: Annotated[bool, Parameter(negative=())] = False
    edit: Annotated[bool, Parameter(negative=())] = False
    task: str | None = None
    scorm: Literal["1.2", "2004"] | None = None

    def words(self) -> list[str]:
        """Return the options that were passed, such as '--max-boids 400'."""
        values = {f"--{f.name.replace('_', '-')}": getattr(self, f.name) for f in fields(self)}
        return [
            option if value is True else f"{option} {value}"
            for option, value in values.items()
            if value not in (None, False)
        ]


def page(
    model: ShownName = "",
    /,
    *,
    output: Annotated[Path | None, Parameter(alias="-o")] = None,
    steps: InPicture[int | None] = None,
    every: InPicture[int | None] = None,
    warm_up: WarmUp = None,
    fps: InPicture[float | None] = None,
    speed: Annotated[float | None, Parameter(help=SPEED, group=DRAWING)] = None,
    style: Style = None,
    colour_by: ColourBy = None,
    trails: InPicture[int | None] = None,
    chart: Charts = (),
    language: Language = None,
    live: Annotated[bool, Parameter(name="--live", negative=())] = False,
    of_live: LiveOptions | None = None,
    force: Force = False,
    quiet: Quiet = False,
    camera: CameraOptions | None = None,
    flight: FlightOptions | None = None,
    changes: Changes | None = None,
    reading: TrackReading | None = None,
) -> int:
    """Write a page, one HTML file: a replay, or with --live a flock with sliders.

    A replay begins after the warm-up of the view, as the film does; readers turn, zoom and move
    through it in time. With --live the page simulates the flock
    itself, and every number has a slider.

    The file needs no network and no other file; any current browser opens it. Ctrl-C ends the run
    early; the page has the frames up to then.

    For instance:

        murmurate page starlings
        murmurate page parker -o parker.html --boids 400
        murmurate page mine.toml --steps 1200 --every 4 --style light
        murmurate page flock.zarr
        murmurate page fish.csv --fps 25
        murmurate page parker --live -o parker.html
        murmurate page starlings --live --max-boids 20000
        murmurate page p5 --live --edit -o edit.html
        murmurate page --live --task three-rules --scorm 1.2
        murmurate page vicsek-1995 --live --beside couzin-2002

    Parameters
    ----------
    output
        The .html; NAME.html in this folder by default.
    steps
        Steps to simulate; 300 by default, of a recording all.
    every
        Steps from one frame to the next; of a recording, those of its frames by default.
    fps
        Frames per second; of tracks their frame rate, which overrides the file.
    trails
        Frames of past positions behind each boid.
    live
        The page simulates the flock itself, with a slider for every number.
    """
    from murmurate.runs.live_page import live_page, task_page
    from murmurate.runs.replay_page import DEFAULT_STEPS, replay
    from murmurate.runs.sources import are_tracks, is_recording

    if not model:
        model = _model_of_task(of_live)
    look = picture_changes(Picture(style=style, colour_by=colour_by), camera)
    look |= chart_setting(chart) | language_setting(language)
    if live:
        refuse_track_options(model, TrackRequest((reading or TrackReading()).at(None), None, speed))
        settings = pacing(steps, every, fps, trails, warm_up) | look
        flight = flight or FlightOptions()
        _check_live(flight, settings)
        opened = load_source(model, None, changes, settings)
        own = of_live or LiveOptions()
        path = output or Path(f"{stem(model)}.{'zip' if own.scorm else 'html'}")
        subject = opened.model if opened.simulated else model  # which live_page refuses
        if own.task is not None:
            if own.beside is not None:
                raise CommandError("--beside: got it with --task; expected one of them")
            simulating = task_page(
                subject, path, task=own.task, scorm=own.scorm, seed=flight.seed,
                max_boids=own.max_boids, draw=own.draw, edit=own.edit, force=force,
            )  # fmt: skip
        elif own.scorm is not None:
            raise CommandError("--scorm: got it without --task; expected both. Add --task TASK")
        else:
            simulating = live_page(
                subject, path, seed=flight.seed, max_boids=own.max_boids, beside=own.beside,
                draw=own.draw, edit=own.edit, force=force,
            )  # fmt: skip
        if not quiet:
            names = " and ".join(filter(None, (model, own.beside)))
            console().print(f"{path}: {names}, live, {size_text(simulating.bytes)}")
        return EXIT_OK
    for option in (of_live or LiveOptions()).words():
        raise CommandError(f"{option}: got it without --live; expected both. Add --live")
    tracks = are_tracks(model)  # then fps is that of the tracks
    is_data = tracks or is_recording(model)
    if steps is None and not is_data:
        steps = DEFAULT_STEPS
    settings = pacing(steps, every, None if tracks else fps, trails, warm_up) | look
    track_request = TrackRequest((reading or TrackReading()).at(fps), None, speed, quiet)
    source = load_source(model, flight, changes, settings, track_request)
    progress = PictureProgress(source, quiet, "Reading" if is_data else "Simulating", "frames")
    path = output or Path(f"{stem(model)}.html")
    try:
        with show_notes(quiet), progress:
            page = replay(source, path, settings, force, progress.update)
    except (RunError, RecordError):
        if progress.done and path.exists():
            print_error(f"{path}: {progress.done} frames were kept", kind="note")
        raise
    if page.interrupted:
        print_error(f"{path}: ended by {cause()} after {page.frames} frames; it plays", "stopped")
    if not quiet:
        progress.conclude_page(page)
    return EXIT_INTERRUPTED if page.interrupted else EXIT_OK


def _model_of_task(of_live: LiveOptions | None) -> str:
    """Return the model that a task names. Raises CommandError without a task."""
    from murmurate.classroom import load_task

    if of_live is None or of_live.task is None:
        raise CommandError("MODEL: got no value; expected one. See murmurate page --help")
    return load_task(of_live.task).model


def _check_live(flight: FlightOptions, settings: Mapping[str, object]) -> None:
    """Raise CommandError for options of replays."""
    options = flight.words("threads", "dtype", "engine")
    options += [f"--{x}" for x in ("steps", "warm-up") if f"view.{x.replace('-', '_')}" in settings]
    if options:
        raise CommandError(
            f"{', '.join(options)}: got it with --live; expected none: the page simulates the "
            "flock in float32, for as long as it is open. Leave it out"
        )
