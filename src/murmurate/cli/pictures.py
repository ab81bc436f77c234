"""murmurate film, still: pictures of a flock."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from murmurate.cli.film_length import announce_film, set_length
from murmurate.cli.interrupt import cause
from murmurate.cli.options import PICTURE, Changes, FlightOptions, InPicture, ShownName, load_source
from murmurate.cli.picture_options import CameraOptions, Picture, pacing, picture_changes
from murmurate.cli.progress import PictureProgress, show_notes
from murmurate.cli.terminal import EXIT_INTERRUPTED, EXIT_OK, print_error, print_line
from murmurate.cli.tracks import (
    DRAWING,
    SPEED,
    DrawingOptions,
    TrackOptions,
    TrackReading,
    TrackRequest,
)
from murmurate.errors import CommandError, RecordError, RunError

if TYPE_CHECKING:
    from murmurate.frame import Frame
    from murmurate.model.model import Model

Force = Annotated[bool, Parameter(help="Replace an existing file.")]
WarmUp = Annotated[
    int | None,
    Parameter(
        help="Steps to simulate before the first picture; 0 begins at the start.", group=PICTURE
    ),
]
Quiet = Annotated[bool, Parameter(help="Print nothing but errors.")]


def film(
    model: ShownName,
    /,
    *,
    output: Annotated[
        str | None,  # a Path would lose the slash at the end of a folder
        Parameter(
            alias="-o",
            help="The film: .mp4, .webm, .mov, .gif, or numbered pictures: 'shots/%05d.png' or "
            "shots/; NAME.mp4 in this folder by default.",
        ),
    ] = None,
    steps: InPicture[int | None] = None,
    seconds: InPicture[float | None] = None,
    every: InPicture[int | None] = None,
    warm_up: WarmUp = None,
    fps: InPicture[float | None] = None,
    speed: Annotated[float | None, Parameter(help=SPEED, group=DRAWING)] = None,
    trails: InPicture[int | None] = None,
    motion_blur: InPicture[float | None] = None,
    passes: InPicture[str | None] = None,
    force: Force = False,
    quiet: Quiet = False,
    flight: FlightOptions | None = None,
    picture: Picture | None = None,
    camera: CameraOptions | None = None,
    changes: Changes | None = None,
    reading: TrackReading | None = None,
    drawing: DrawingOptions | None = None,
) -> int:
    """Write a film of a model, a recording or tracks of animals.

    Ctrl-C ends the film early; the film has the pictures up to then.

    For instance:

        murmurate film starlings
        murmurate film mine.toml --set rules.cohesion.weight=0.05 --boids 5000
        murmurate film ucl --steps 400 --every 2 --size 1920x1080 --style light
        murmurate film starlings --preset reel --caption "Starlings at dusk"
        murmurate film parker --transparent -o birds.mov
        murmurate film parker --motion-blur 180 --passes depth,motion -o shots/%05d.png
        murmurate film flock.zarr --every 20
        murmurate film starlings --seconds 12
        murmurate film fish.csv --fps 25 --names --speed 2
        murmurate film fish.csv --over fish.mp4 -o check.mp4

    Parameters
    ----------
    steps
        Steps to simulate; of a recording all by default.
    seconds
        Length of the film, instead of --steps; of a recording or tracks their first seconds.
    every
        Steps from one picture to the next.
    fps
        Pictures per second; of tracks their frame rate, which overrides the file.
    trails
        Pictures of past positions behind each boid.
    motion_blur
        The shutter's angle in degrees: 180 blurs boids by their movement in half the time between
        two pictures.
    passes
        For compositing: depth, motion or depth,motion as numbered pictures of 16 bits in folders
        beside the film. For testing trackers: labels, a zip file of boxes.
    """
    from murmurate.runs.film import Film
    from murmurate.runs.sources import are_tracks
    from murmurate.show.presets import film_suffix

    tracks = are_tracks(model)  # then fps is that of the tracks
    settings = pacing(steps, every, None if tracks else fps, trails, warm_up, motion_blur)
    settings |= picture_changes(picture, camera)
    track_request = TrackRequest(
        (reading or TrackReading()).at(fps), drawing or DrawingOptions(), speed, quiet
    )
    source = load_source(model, flight, changes, settings, track_request)
    set_length(source, seconds, steps)
    view = source.model.view
    progress = PictureProgress(source, quiet)
    suffix = film_suffix((picture or Picture()).preset, view.transparent)
    name = output or f"{stem(model)}{track_request.suffix}{suffix}"
    names = [name.strip() for name in passes.split(",")] if passes is not None else []
    checked = Film.check(source, name, passes=names, force=force)
    path = checked.path
    if not quiet:
        announce_film(path, source.model, tracks)
    try:
        with show_notes(quiet), progress:
            report = checked.run(progress.update)
    except (RunError, RecordError):
        if progress.done and path.exists():
            print_error(f"{path}: {progress.done} pictures were kept", kind="note")
        raise
    if report.interrupted:
        note = "it plays" if report.frames else "no picture was drawn, and no file was written"
        print_error(
            f"{report.path}: ended by {cause()} after {report.frames} pictures; {note}", "stopped"
        )
    if not quiet:
        progress.conclude_film(report)
    return EXIT_INTERRUPTED if report.interrupted else EXIT_OK


def still(
    model: ShownName,
    /,
    *,
    at: int | None = None,
    warm_up: WarmUp = None,
    output: Annotated[Path | None, Parameter(alias="-o")] = None,
    force: Force = False,
    quiet: Quiet = False,
    flight: FlightOptions | None = None,
    picture: Picture | None = None,
    camera: CameraOptions | None = None,
    changes: Changes | None = None,
    reading: TrackOptions | None = None,
    drawing: DrawingOptions | None = None,
) -> None:
    """Draw one picture of a model, a recording or tracks of animals.

    For instance:

        murmurate still starlings
        murmurate still ucl --at 200 -o ucl.png
        murmurate still starlings --at 500 --size 3840x2160 --colour-by speed
        murmurate still fish.csv --at 100 --over fish.mp4 --names

    Parameters
    ----------
    at
        The step to draw; 0 is the start. By default the first picture of a film: the step after the
        warm-up. Of a recording, the frame nearest to it; of tracks, the frame.
    output
        The .png; NAME.png in this folder by default.
    """
    from murmurate.measures.flock_data import valid_rows
    from murmurate.runs.film import render_still
    from murmurate.runs.sources import are_tracks

    if at is not None and at < 0:
        raise CommandError(f"--at {at}: expected 0 (the start) or a later step")
    if at is not None and warm_up is not None:
        raise CommandError("--at, --warm-up: got both; expected one. Leave one out")
    tracks = are_tracks(model)
    track_request = TrackRequest(
        reading or TrackOptions(), drawing or DrawingOptions(), quiet=quiet
    )
    settings = pacing(warm_up=warm_up) | picture_changes(picture, camera)
    source = load_source(model, flight, changes, settings, track_request)
    path = Path(output or f"{stem(model)}{track_request.suffix}.png")
    with show_notes(quiet):
        report = render_still(source, path, at=at, force=force)
    if quiet:
        return
    path, frame = report.path, report.frame
    if tracks:
        seen = len(valid_rows(frame["boids"], "positions"))
        print_line(f"{path}: frame {frame.step}, {seen:,} of {frame.n_boids:,} animals are seen")
        return
    near = f", the recorded frame nearest to step {at}" if at not in (None, frame.step) else ""
    print_line(
        f"{path}: {report.model.name} after step {frame.step}{near}, {frame.n_boids:,} boids"
    )
    if not _is_visible(frame, report.model):
        print_error("no boid is in the picture", kind="note")


def _is_visible(frame: Frame, model: Model) -> bool:
    """Return whether a boid of the frame is in its picture."""
    from murmurate.show.camera import Camera

    width, height = model.view.size
    projection = Camera(frame.space, model.view).next_projection(frame)
    for flock in frame.values():
        x, y, *_ = projection.project(projection.nearest_offsets(flock.positions))
        if ((x >= 0) & (x < width) & (y >= 0) & (y < height)).any():
            return True
    return False


def stem(model: str) -> str:
    """Return the name of an output of a model, without its suffix."""
    from murmurate.runs.sources import are_tracks

    path = Path(model.rstrip("/\\"))
    return path.stem if path.suffix in (".toml", ".zarr") or are_tracks(path) else path.name
