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
from murmurate.engine.options import RunOptions
from murmurate.errors import ModelError
from murmurate.frame import Frame
from murmurate.model.model import Model
from murmurate.model.names import file_name
from murmurate.model.number import frame_rate
from murmurate.runs.sources import after, flight_of, frame_source, path_of, viewed

if TYPE_CHECKING:
    from murmurate.runs.sources import FrameSource, Shown
    from murmurate.show import FilmReport

Progress = Callable[[int, int | None], object]


def frames(simulation: FrameSource, steps: int, every: int = 1) -> Iterator[Frame]:
    """The flock after every so many of the next `steps` steps: steps // every frames, and no step
    after the last of them."""
    for _ in range(steps // every):
        yield simulation.step(every).frame


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
    engine: str = "cpu",
    dtype: Dtype = "float32",
    threads: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> FilmReport:
    """Flies a model from its start and writes the film, or draws that of a recording; what is not
    given is as the model's view says.

    model     a Model, the name of a published flock or of a model file; or a recording, or its
              path: its frames are drawn, and between two of them boids are interpolated. Nothing is
              flown then: engine, seed, dtype and threads are its own
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

    Raises ModelError or an OutputRefused before anything is computed; RunError when a boid is lost:
    the film up to there is kept. Ctrl-C ends the film early; it plays, and the report says
    interrupted.
    """
    from murmurate.show import check_output, check_passes, check_passes_output, check_view
    from murmurate.show.presets import film_suffix

    options = RunOptions(engine, dtype, threads, seed)
    flight = flight_of(model)
    view = viewed(
        flight,
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
    path = check_output(path or file_name(view.name, suffix), force, source=path_of(model))
    check_view(path, view.view)
    check_passes(passes, view.space.dims)
    check_passes_output(path, passes, force, path_of(model))
    source = frame_source(flight, view, options)
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
    )


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
    engine: str = "cpu",
    dtype: Dtype = "float32",
    threads: int | None = None,
    force: bool = False,
) -> Path:
    """Draws the flock as it is after step `at`, as a .png; NAME.png unless a path is given. Of a
    recording the recorded frame nearest to that step is drawn. Other arguments are as in film.

    Raises ModelError or an OutputRefused before anything is computed, RunError when a boid is lost
    on the way.
    """
    from murmurate.show import check_output, check_view, path_lines, write_still

    options = RunOptions(engine, dtype, threads, seed)
    flight = flight_of(model)
    settings = picture_settings(
        preset, size=size, style=style, colour_by=colour_by, text=text, caption=caption,
        watermark=watermark, transparent=transparent,
    )  # fmt: skip
    view = viewed(flight, **settings)
    path = check_output(path or file_name(view.name, ".png"), force, "still", path_of(model))
    check_view(path, view.view)
    source = after(frame_source(flight, view, options), at)
    return write_still(
        source.frame, path, view.view, looks(view), force=force, comment=comment(source),
        paths=path_lines(view),
    )  # fmt: skip


def picture_settings(preset: str | None, **settings: Any) -> dict[str, Any]:
    """Settings of a view, those that are given before a preset's. Raises ModelError."""
    from murmurate.show.presets import preset_settings, size_of

    if isinstance(settings["size"], str):
        settings["size"] = size_of(settings["size"])
    return preset_settings(preset) | {k: v for k, v in settings.items() if v is not None}


def looks(model: Model) -> dict[str, Any]:
    """Flock name -> how it is drawn."""
    return {name: flock.look for name, flock in model.flocks.items()}


def comment(simulation: FrameSource) -> str:
    """What is kept in a picture's file, so that it can be made again."""
    from murmurate.version import __version__

    model = simulation.model
    return f"murmurate {__version__}, {model.name}, seed {simulation.seed}, {model.fingerprint()}"


def check_steps(model: Model, what: str = "picture") -> None:
    """Raises ModelError where a film of the model would have no picture, a page no frame."""
    view = model.view
    if view.steps < view.every:
        raise ModelError(
            f"view.steps: {view.steps} with a {what} every {view.every} steps makes no {what}: "
            "give at least as many steps"
        )
