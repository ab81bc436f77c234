"""Films and stills of a simulation or a recording.

for each picture of a film:
    the simulation flies `every` steps, or a recording is gone through
    its frame goes to the painter, the picture to the encoder
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from murmurate.dtypes import Dtype
from murmurate.engines.base import EngineChoice
from murmurate.engines.options import run_options
from murmurate.errors import ModelError
from murmurate.frame import Frame
from murmurate.model.model import Model
from murmurate.model.names import file_name
from murmurate.model.view import frame_rate
from murmurate.runs.sources import after, are_tracks, flight_of, frame_source, path_of, viewed
from murmurate.runs.track_playback import TrackDrawing, TrackPlayback
from murmurate.tracks.track_recording import TrackRecording

if TYPE_CHECKING:
    from murmurate.runs.sources import Flight, FrameSource, Shown
    from murmurate.show import FilmReport
    from murmurate.show.annotations import Annotations

Progress = Callable[[int, int | None], object]


def frames(simulation: FrameSource, steps: int, every: int = 1) -> Iterator[Frame]:
    """The flock after every so many of the next `steps` steps: steps // every frames, and no step
    after the last of them. Those of tracks begin with the frame where they are."""
    for k in range(steps // every):
        if k or not isinstance(simulation, TrackPlayback):
            simulation.step(every)
        yield simulation.frame


OVER = "-over-video"  # in the name of a film that nobody named
LARGE = 20_000  # boids from which on it pays to fly in a thread of its own


def _ahead(coming: Iterator[Frame]) -> Iterator[Frame]:
    """The same frames, each flown while the one before it is drawn."""
    with ThreadPoolExecutor(1, thread_name_prefix="murmurate-flight") as pool:
        flying = pool.submit(next, coming, None)
        while (frame := flying.result()) is not None:
            flying = pool.submit(next, coming, None)
            yield frame


def film(
    model: Shown,
    path: str | os.PathLike[str] | None = None,
    steps: int | None = None,
    seed: int = 0,
    *,
    every: int | None = None,
    warm_up: int | None = None,
    preset: str | None = None,
    size: tuple[int, int] | str | None = None,
    frames_per_second: float | None = None,
    fps: float | None = None,
    style: str | None = None,
    colour_by: str | None = None,
    trails: int | None = None,
    motion_blur: float | None = None,
    text: bool | None = None,
    caption: str | None = None,
    watermark: str | None = None,
    transparent: bool | None = None,
    passes: Sequence[str] = (),
    engine: EngineChoice = "cpu",
    dtype: Dtype = "float32",
    threads: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
    speed: float | None = None,
    names: bool = False,
    over: str | os.PathLike[str] | None = None,
    offset: int = 0,
    px_per_unit: float | None = None,
) -> FilmReport:
    """Flies a model from its start and writes the film, or draws that of a recording or of tracks;
    what is not given is as the model's view says.

    model     a Model, the name of a published flock or of a model file; or a recording, or its
              path: its frames are drawn, and between two of them boids are interpolated. Nothing is
              flown then: engine, seed, dtype and threads are its own. Or Tracks, or their file:
              every frame is drawn, each animal in its colour where it is seen, in real time
    path      .mp4, .webm, .mov, .gif, numbered pictures 'shots/%05d.png' or a folder; NAME.mp4 in
              the current folder unless given
    steps     steps to fly, of a recording all unless given; one picture is drawn after every
              `every` of them
    warm_up   steps to fly before that; 0 begins at the model's start
    preset    film, reel, square, 4k, gif or talk: settings for where the film is shown, which
              other arguments come after
    size      (width, height) in pixels, or '1280x720', '1080p', '4k'
    fps       short for frames_per_second
    trails    frames of past positions behind each boid
    motion_blur  the shutter's angle in degrees, 0 to 360: boids are blurred by what they move in
              that part of the time between two pictures
    caption, watermark  what is written below the flock, and small in the lower right corner
    transparent  no background: .webm, .mov or numbered pictures
    passes    any of 'depth' and 'motion', for compositing: numbered pictures of 16 bits beside the
              film, in a folder of their own: flight_depth/ for flight.mp4
    force     replace a file that is there
    progress  called with (pictures done, pictures in all) after each
    speed     of tracks: times real time; 1 unless given
    names     of tracks: write each animal's name beside it
    over      of tracks: a video that they are drawn over, y downwards, in its pixels, the middle of
              the first at (0, 0); frame k of the file of tracks on frame k of the video. The film
              has the video's size and pace
    offset    with over: frame k is drawn on frame k + offset of the video
    px_per_unit  with over: pixels in a length unit of the tracks, where they are not in pixels

    Raises ModelError or an OutputError before anything is computed, the latter also for a video
    that lacks a frame; RunError when a boid is lost:
    the film up to there is kept. Ctrl-C ends the film early; it plays, and the report says
    interrupted.
    """
    from murmurate.show import check_output, check_passes, check_passes_output, check_view
    from murmurate.show.presets import film_suffix

    options = run_options(engine, dtype, threads, seed)
    drawing = drawing_of(model, speed, names, over, offset, px_per_unit)
    flight = flight_of(model, drawing)
    view = viewed(
        flight,
        drawing,
        steps=steps,
        every=every,
        warm_up=warm_up,
        frames_per_second=frame_rate(frames_per_second, fps),
        trails=trails,
        motion_blur=motion_blur,
        **picture_settings(
            preset, size=size, style=style, colour_by=colour_by, text=text, caption=caption,
            watermark=watermark, transparent=transparent,
        ),
    )  # fmt: skip
    check_steps(view)
    suffix = film_suffix(preset, view.view.transparent)
    name = view.name if over is None else f"{view.name}{OVER}"
    path = check_output(path or file_name(name, suffix), force, source=path_of(model))
    check_video_apart(path, over)
    check_view(path, view.view)
    check_passes(passes, view.space.dims)
    check_passes_output(path, passes, force, path_of(model))
    source = frame_source(flight, view, options, drawing)
    return shoot(
        source, path, warm_up=view.view.warm_up, force=force, progress=progress, passes=passes
    )


def shoot(
    simulation: FrameSource,
    path: str | os.PathLike[str],
    *,
    warm_up: int = 0,
    force: bool = False,
    progress: Progress | None = None,
    watch: Callable[[Frame], object] | None = None,
    passes: Sequence[str] = (),
) -> FilmReport:
    """The film of a simulation from where it is, with the steps and settings of its model's view.

    warm_up  steps to fly before
    watch    called with each frame before it is drawn
    passes   those to write beside it
    """
    from murmurate.show import path_lines, write_film

    model = simulation.model
    view = model.view
    check_steps(model)

    def watched() -> Iterator[Frame]:
        simulation.step(warm_up)
        flown = frames(simulation, view.steps, view.every)
        boids = sum(flock.count for flock in model.flocks.values())
        for frame in _ahead(flown) if boids >= LARGE else flown:
            if watch is not None:
                watch(frame)
            yield frame

    return write_film(
        watched(),
        path,
        view,
        looks(model),
        total=view.steps // view.every,
        progress=progress,
        force=force,
        comment=comment(simulation),
        paths=path_lines(model),
        passes=passes,
        annotations=annotations_of(simulation),
    )


def drawing_of(
    model: object,
    speed: float | None,
    names: bool,
    over: str | os.PathLike[str] | None,
    offset: int,
    px_per_unit: float | None,
) -> TrackDrawing | None:
    """How tracks are drawn; None where nothing is said of it and there are none. Raises
    ModelError."""
    said = speed is not None or names or over is not None or offset or px_per_unit is not None
    if not said and not are_tracks(model):
        return None
    return TrackDrawing(1.0 if speed is None else speed, names, over, offset, px_per_unit)


def check_video_apart(path: Path, over: str | os.PathLike[str] | None) -> None:
    """Raises OutputError where a film would replace the video that it is drawn over."""
    if over is not None:
        from murmurate.show.output import check_apart

        check_apart(path, over)


def annotations_of(source: FrameSource) -> Annotations | None:
    """Colours and names of single boids, and a picture behind them: those of tracks."""
    return source.annotations if isinstance(source, TrackPlayback) else None


def frame_settings(flight: Flight, at: int) -> dict[str, Any]:
    """Settings of a view for one picture, that of frame `at` of tracks; none of other flights.
    Raises ModelError for a frame that is not there."""
    if not isinstance(flight, TrackRecording):
        return {}
    if not 0 <= at < len(flight):
        raise ModelError(
            f"at: got {at}; expected a frame of {flight.path}, which has 0 to {len(flight) - 1}"
        )
    return {"warm_up": at, "steps": 1}


def history_of(source: FrameSource) -> Iterator[Frame]:
    """The frames before the one where tracks are, as far as their trails go; else none."""
    if isinstance(source, TrackPlayback):
        step, view = source.frame.step, source.model.view
        behind = min(view.trails, step // view.every)
        yield from (source.tracks[step - k * view.every] for k in range(behind, 0, -1))


def still(
    model: Shown,
    path: str | os.PathLike[str] | None = None,
    at: int = 0,
    seed: int = 0,
    *,
    preset: str | None = None,
    size: tuple[int, int] | str | None = None,
    style: str | None = None,
    colour_by: str | None = None,
    text: bool | None = None,
    caption: str | None = None,
    watermark: str | None = None,
    transparent: bool | None = None,
    engine: EngineChoice = "cpu",
    dtype: Dtype = "float32",
    threads: int | None = None,
    force: bool = False,
    names: bool = False,
    over: str | os.PathLike[str] | None = None,
    offset: int = 0,
    px_per_unit: float | None = None,
) -> Path:
    """Draws the flock as it is after step `at`, as a .png; NAME.png unless a path is given. Of a
    recording the recorded frame nearest to that step is drawn, of tracks frame `at`, with trails.
    Other arguments are as in film.

    Raises ModelError or an OutputError before anything is computed, RunError when a boid is lost
    on the way.
    """
    from murmurate.show import check_output, check_view, path_lines, write_still

    options = run_options(engine, dtype, threads, seed)
    drawing = drawing_of(model, None, names, over, offset, px_per_unit)
    flight = flight_of(model, drawing)
    settings = picture_settings(
        preset, size=size, style=style, colour_by=colour_by, text=text, caption=caption,
        watermark=watermark, transparent=transparent,
    )  # fmt: skip
    view = viewed(flight, drawing, **frame_settings(flight, at), **settings)
    path = check_output(path or file_name(view.name, ".png"), force, "still", path_of(model))
    check_view(path, view.view)
    source = after(frame_source(flight, view, options, drawing), at)
    return write_still(
        source.frame, path, view.view, looks(view), force=force, comment=comment(source),
        paths=path_lines(view), annotations=annotations_of(source), before=history_of(source),
    )  # fmt: skip


def picture_settings(preset: str | None, **settings: Any) -> dict[str, Any]:
    """Settings of a view, those that are given before a preset's. Raises ModelError."""
    from murmurate.show.presets import parse_size, preset_settings

    if isinstance(settings["size"], str):
        settings["size"] = parse_size(settings["size"])
    return preset_settings(preset) | {k: v for k, v in settings.items() if v is not None}


def looks(model: Model) -> dict[str, Any]:
    """Flock name -> how it is drawn."""
    return {name: flock.look for name, flock in model.flocks.items()}


def comment(simulation: FrameSource) -> str:
    """What is kept in a picture's file, so that it can be made again."""
    from murmurate.version import __version__

    model = simulation.model
    if isinstance(simulation, TrackPlayback):
        return f"murmurate {__version__}, tracks {model.title}"
    return f"murmurate {__version__}, {model.name}, seed {simulation.seed}, {model.fingerprint()}"


def check_steps(model: Model, what: str = "picture") -> None:
    """Raises ModelError where a film of the model would have no picture, a page no frame."""
    view = model.view
    if view.steps < view.every:
        raise ModelError(
            f"view.steps: {view.steps} with a {what} every {view.every} steps makes no {what}: "
            "give at least as many steps"
        )
