"""murmurate film, still: pictures of a flock."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from murmurate.cli.interrupt import cause
from murmurate.cli.options import (
    PICTURE,
    Changes,
    FlightOptions,
    ShownName,
    load_shown,
)
from murmurate.cli.picture_options import CameraOptions, Picture, pacing, picture_changes
from murmurate.cli.picture_progress import PictureProgress, say_compiling, say_warm_up
from murmurate.cli.terminal import EXIT_INTERRUPTED, EXIT_OK, CommandError, print_error, print_line
from murmurate.cli.tracks import (
    DRAWING,
    SPEED,
    DrawingOptions,
    ShownTracks,
    TrackOptions,
    TrackReading,
)
from murmurate.errors import ModelError, RecordError, RunError

if TYPE_CHECKING:
    from murmurate.frame import Frame
    from murmurate.model.model import Model

Force = Annotated[bool, Parameter(help="Replace a file that is there.")]
Quiet = Annotated[bool, Parameter(help="Print nothing but errors.")]


def film(
    model: ShownName,
    /,
    *,
    output: Annotated[
        str | None,  # a Path would lose the slash that says that it is a folder
        Parameter(
            alias="-o",
            help="The film: .mp4, .webm, .mov, .gif, or numbered pictures: 'shots/%05d.png' or "
            "shots/; NAME.mp4 in this folder unless given.",
        ),
    ] = None,
    steps: Annotated[
        int | None,
        Parameter(help="Steps to fly; of a recording all unless given.", group=PICTURE),
    ] = None,
    every: Annotated[
        int | None, Parameter(help="Steps from one picture to the next.", group=PICTURE)
    ] = None,
    warm_up: Annotated[
        int | None,
        Parameter(
            help="Steps to fly before the first picture; 0 begins at the start.", group=PICTURE
        ),
    ] = None,
    fps: Annotated[
        float | None,
        Parameter(
            help="Pictures a second; of tracks their frames a second, before what the file says.",
            group=PICTURE,
        ),
    ] = None,
    speed: Annotated[float | None, Parameter(help=SPEED, group=DRAWING)] = None,
    trails: Annotated[
        int | None, Parameter(help="Pictures of past positions behind each boid.", group=PICTURE)
    ] = None,
    motion_blur: Annotated[
        float | None,
        Parameter(
            help="The shutter's angle in degrees: 180 blurs by what boids move in half the time "
            "between two pictures.",
            group=PICTURE,
        ),
    ] = None,
    passes: Annotated[
        str | None,
        Parameter(
            help="For compositing: depth, motion or depth,motion as numbered pictures of 16 bits "
            "in folders beside the film.",
            group=PICTURE,
        ),
    ] = None,
    force: Force = False,
    quiet: Quiet = False,
    flight: FlightOptions | None = None,
    picture: Picture | None = None,
    camera: CameraOptions | None = None,
    changes: Changes | None = None,
    reading: TrackReading | None = None,
    drawing: DrawingOptions | None = None,
) -> int:
    """Fly a model, or go through a recording or tracks of animals, and write the film; then print
    the flock's figures.

    Ctrl-C ends the film early; the film has the pictures up to then.

    For instance:

        murmurate film starlings
        murmurate film mine.toml --set rules.cohesion.weight=0.05 --boids 5000
        murmurate film ucl --steps 400 --every 2 --size 1920x1080 --style light
        murmurate film starlings --preset reel --caption "Starlings at dusk"
        murmurate film parker --transparent -o birds.mov
        murmurate film parker --motion-blur 180 --passes depth,motion -o shots/%05d.png
        murmurate film flock.zarr
        murmurate film fish.csv --fps 25 --names --speed 2
        murmurate film fish.csv --over fish.mp4 -o check.mp4
    """
    from murmurate.runs.films import OVER, check_steps, check_video_apart, shoot
    from murmurate.runs.sources import are_tracks, frame_source, path_of
    from murmurate.show import check_output, check_passes, check_passes_output, check_view
    from murmurate.show.presets import film_suffix

    filmed = are_tracks(model)  # then fps is that of the tracks
    options = pacing(steps, every, None if filmed else fps, trails, warm_up, motion_blur)
    options |= picture_changes(picture, camera)
    said = ShownTracks((reading or TrackReading()).at(fps), drawing or DrawingOptions(), speed,
                       quiet)  # fmt: skip
    shown, flown = load_shown(model, flight, changes, options, said)
    check_steps(flown)
    suffix = film_suffix((picture or Picture()).preset, flown.view.transparent)
    beside = "" if said.plan.over is None else OVER
    path = check_output(output or f"{stem(model)}{beside}{suffix}", force, source=path_of(model))
    check_video_apart(path, said.plan.over)
    check_view(path, flown.view)
    wanted = [name.strip() for name in passes.split(",")] if passes is not None else []
    check_passes(wanted, flown.space.dims)
    check_passes_output(path, wanted, force, path_of(model))
    watch = PictureProgress(flown.view.steps // flown.view.every, quiet)
    run_options = (flight or FlightOptions()).run_options()
    simulation = frame_source(shown, flown, run_options, said.plan if filmed else None)
    if filmed:
        say_tracks(simulation, quiet)
    elif not quiet:
        say_compiling(simulation)
        say_warm_up(flown.view.warm_up)
    try:
        with watch.bar():
            watch.begin(simulation)
            report = shoot(
                simulation, path, warm_up=flown.view.warm_up, force=force,
                progress=watch.progress, watch=watch.frame, passes=wanted,
            )  # fmt: skip
    except (RunError, RecordError):
        if watch.done and path.exists():
            print_error(f"{path}: {watch.done} pictures were kept", kind="note")
        raise
    if report.interrupted:
        kept = "it plays" if report.frames else "no picture was drawn, and there is no file"
        print_error(
            f"{report.path}: ended by {cause()} after {report.frames} pictures; {kept}", "stopped"
        )
    if not quiet:
        watch.conclude(report)
    return EXIT_INTERRUPTED if report.interrupted else EXIT_OK


def still(
    model: ShownName,
    /,
    *,
    at: Annotated[
        int,
        Parameter(
            help="The step to draw; 0 is the start. Of a recording, the frame nearest to it; of "
            "tracks, the frame, with trails of those before it."
        ),
    ] = 0,
    output: Annotated[
        Path | None, Parameter(alias="-o", help="The .png; NAME.png in this folder unless given.")
    ] = None,
    force: Force = False,
    quiet: Quiet = False,
    flight: FlightOptions | None = None,
    picture: Picture | None = None,
    camera: CameraOptions | None = None,
    changes: Changes | None = None,
    reading: TrackOptions | None = None,
    drawing: DrawingOptions | None = None,
) -> None:
    """Draw one picture of a model, a recording or tracks of animals, as a .png.

    For instance:

        murmurate still ucl --at 200 -o ucl.png
        murmurate still starlings --at 500 --size 3840x2160 --colour-by speed
        murmurate still fish.csv --at 100 --over fish.mp4 --names
    """
    from murmurate.measures.flock_data import valid_rows
    from murmurate.model.quantity import MAX_WHOLE
    from murmurate.runs.films import OVER, annotations_of, comment, history_of, looks
    from murmurate.runs.sources import after, are_tracks, frame_source, path_of
    from murmurate.show import check_output, check_view, path_lines, write_still

    if not 0 <= at <= MAX_WHOLE:
        raise CommandError(
            f"--at {at}: it must be 0 (the start) or a later step, at most {MAX_WHOLE:,}"
        )
    said = ShownTracks(reading or TrackOptions(), drawing or DrawingOptions(), quiet=quiet)
    options = picture_changes(picture, camera)
    filmed = are_tracks(model)
    if filmed:
        options |= {"view.warm_up": (f"--at {at}", at), "view.steps": (f"--at {at}", 1)}
    shown, drawn = load_shown(model, flight, changes, options, said)
    beside = "" if said.plan.over is None else OVER
    path = Path(f"{stem(model)}{beside}.png")
    path = check_output(output or path, force, "still", path_of(model))
    check_view(path, drawn.view)
    run_options = (flight or FlightOptions()).run_options()
    simulation = frame_source(shown, drawn, run_options, said.plan if filmed else None)
    if filmed:
        say_tracks(simulation, quiet=True)
    elif not quiet and at:
        say_compiling(simulation)
    try:
        frame = after(simulation, at).frame
    except ModelError as error:
        raise ModelError(f"--at {at}: {error}") from None
    write_still(
        frame, path, drawn.view, looks(drawn), force=force, comment=comment(simulation),
        paths=path_lines(drawn), annotations=annotations_of(simulation),
        before=history_of(simulation),
    )  # fmt: skip
    if filmed:
        if not quiet:
            seen = len(valid_rows(frame["boids"], "positions"))
            print_line(
                f"{path}: frame {frame.step}, {seen:,} of {frame.n_boids:,} animals are seen"
            )
        return
    if not quiet:
        near = f", the recorded frame nearest to step {at}" if frame.step != at else ""
        print_line(f"{path}: {drawn.name} after step {frame.step}{near}, {frame.n_boids:,} boids")
        if not _seen(frame, drawn):
            print_error("no boid is in the picture", kind="note")


def _seen(frame: Frame, model: Model) -> bool:
    """Whether a boid of the frame lands in its picture."""
    from murmurate.show.camera import Camera

    width, height = model.view.size
    projection = Camera(frame.space, model.view).next_projection(frame)
    for flock in frame.values():
        x, y, *_ = projection.project(projection.nearest_offsets(flock.positions))
        if ((x >= 0) & (x < width) & (y >= 0) & (y < height)).any():
            return True
    return False


def say_tracks(playback: Any, quiet: bool) -> None:
    """Says how fast a film of tracks is, and what is odd about it."""
    for note in playback.notes:
        print_error(note, kind="warning")
    speed, rate = playback.tracks.speed_of(playback.model), playback.model.view.frames_per_second
    if quiet:
        return
    times = "nobody says how fast they were filmed (--fps)"
    if speed is not None:
        times = "in real time" if abs(speed - 1) < 0.005 else f"{speed:.3g} times real time"
    print_line(f"{rate:.4g} pictures a second, {times}", errors=True)


def stem(model: str) -> str:
    """The name of what is made of a model, without its ending."""
    from murmurate.runs.sources import are_tracks

    path = Path(model.rstrip("/\\"))
    return path.stem if path.suffix in (".toml", ".zarr") or are_tracks(path) else path.name
