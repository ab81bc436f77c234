"""murmurate page: a simulation or a recording as one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from murmurate.cli.flight_page import write_flight_page
from murmurate.cli.interrupt import cause
from murmurate.cli.options import (
    PICTURE,
    Changes,
    FlightOptions,
    ShownName,
    load_shown,
)
from murmurate.cli.picture_options import CameraOptions, Picture, pacing, picture_changes
from murmurate.cli.picture_progress import PictureProgress, say_compiling, size_in_words
from murmurate.cli.pictures import Force, Quiet, say_tracks, stem
from murmurate.cli.terminal import EXIT_INTERRUPTED, EXIT_OK, CommandError, print_error
from murmurate.cli.tracks import (
    DRAWING,
    SPEED,
    ShownTracks,
    TrackReading,
    refuse_track_options,
)
from murmurate.errors import RecordError, RunError


def page(
    model: ShownName,
    /,
    *,
    output: Annotated[
        Path | None,
        Parameter(alias="-o", help="The .html; NAME.html in this folder unless given."),
    ] = None,
    steps: Annotated[
        int | None,
        Parameter(
            help="Steps to fly; 300 unless given, of a recording all of them.", group=PICTURE
        ),
    ] = None,
    every: Annotated[
        int | None,
        Parameter(
            help="Steps from one frame to the next; of a recording, those of its frames unless "
            "given.",
            group=PICTURE,
        ),
    ] = None,
    fps: Annotated[
        float | None,
        Parameter(
            help="Frames a second; of tracks theirs, before what the file says.", group=PICTURE
        ),
    ] = None,
    speed: Annotated[float | None, Parameter(help=SPEED, group=DRAWING)] = None,
    style: Annotated[str | None, Parameter(help="dark, light or dusk.", group=PICTURE)] = None,
    colour_by: Annotated[
        str | None,
        Parameter(
            name=("--colour-by", "--color-by"),
            help="What a boid's colour shows: flock, heading or speed.",
            group=PICTURE,
        ),
    ] = None,
    trails: Annotated[
        int | None, Parameter(help="Frames of past positions behind each boid.", group=PICTURE)
    ] = None,
    live: Annotated[
        bool,
        Parameter(
            name="--live",
            negative=(),
            help="The page flies the flock itself, with a slider for every number of the model.",
        ),
    ] = False,
    max_boids: Annotated[
        int | None,
        Parameter(help="With --live: the most boids; 2,000 or twice the model's unless given."),
    ] = None,
    beside: Annotated[
        str | None,
        Parameter(help="With --live: another model, which flies beside it in the same page."),
    ] = None,
    force: Force = False,
    quiet: Quiet = False,
    camera: CameraOptions | None = None,
    flight: FlightOptions | None = None,
    changes: Changes | None = None,
    reading: TrackReading | None = None,
) -> int:
    """Write one HTML file that replays a flight of a model, a recording, or tracks of animals:
    orbit, zoom, scrub.

    With --live the flock itself flies in it, from its start, and every number has a slider.

    The file needs no network and nothing beside it; any browser of today opens it. Ctrl-C ends the
    flight early; the page has the frames up to then.

    For instance:

        murmurate page starlings
        murmurate page parker -o parker.html --boids 400
        murmurate page mine.toml --steps 1200 --every 4 --style light
        murmurate page flock.zarr
        murmurate page fish.csv --fps 25
        murmurate page parker --live -o parker.html
        murmurate page starlings --live --max-boids 20000
        murmurate page vicsek-1995 --live --beside couzin-2002
    """
    from murmurate.runs.films import check_steps
    from murmurate.runs.pages import to_html
    from murmurate.runs.sources import are_tracks, frame_source, is_recording, paced, path_of
    from murmurate.show import check_output, check_page

    looks = picture_changes(Picture(style=style, colour_by=colour_by), camera)
    if live:
        refuse_track_options(model, ShownTracks((reading or TrackReading()).at(None), None, speed))
        view = pacing(steps, every, fps, trails) | looks
        return write_flight_page(
            model, output, max_boids, beside, force, quiet, flight, changes, view
        )
    if beside is not None:
        raise CommandError(f"--beside {beside}: is for pages that fly: add --live, or leave it out")
    if max_boids is not None:
        raise CommandError(
            f"--max-boids {max_boids}: is for pages that fly: add --live, or leave it out"
        )
    tracked = are_tracks(model)  # then fps is that of the tracks
    if steps is None and not is_recording(model) and not tracked:
        steps = 300
    options = pacing(steps, every, None if tracked else fps, trails)
    options |= looks
    said = ShownTracks((reading or TrackReading()).at(fps), None, speed, quiet)
    shown, flown = load_shown(model, flight, changes, options, said)
    flown = paced(shown, flown, every, fps)
    check_steps(flown, "frame")
    frames = flown.view.steps // flown.view.every
    check_page(sum(f.count for f in flown.flocks.values()), frames, flown.space.dims)
    path = check_output(output or Path(f"{stem(model)}.html"), force, "page", path_of(model))
    watch = PictureProgress(frames, quiet, "reading" if tracked else "flying", "frames")
    run_options = (flight or FlightOptions()).run_options()
    simulation = frame_source(shown, flown, run_options)
    if tracked:
        say_tracks(simulation, quiet)
    elif not quiet:
        say_compiling(simulation)
    try:
        with watch.bar():
            watch.begin(simulation)
            made = to_html(
                simulation, flown.view.steps, path, force=force, progress=watch.progress,
                watch=watch.frame,
            )  # fmt: skip
    except (RunError, RecordError):
        if watch.done and path.exists():
            print_error(f"{path}: {watch.done} frames were kept", kind="note")
        raise
    if made.interrupted:
        print_error(f"{path}: ended by {cause()} after {made.frames} frames; it plays", "stopped")
    if not quiet:
        watch.figures(
            f"{path}: {made.frames} frames, {made.frames / flown.view.frames_per_second:.1f} s, "
            f"{size_in_words(made.bytes)}"
        )
    return EXIT_INTERRUPTED if made.interrupted else EXIT_OK
