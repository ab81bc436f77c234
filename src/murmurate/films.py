"""Run: joins a simulation with what reads its frames.

for each picture of a film:
    the simulation flies `every` steps
    its frame goes to the painter, the picture to the encoder
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from murmurate.errors import ModelError, RunError
from murmurate.frame import Frame
from murmurate.model.model import Model

if TYPE_CHECKING:
    from murmurate.show import FilmReport, Page
    from murmurate.simulation import Simulation

Progress = Callable[[int, int | None], object]
Dtype = Literal["float32", "float64"]


def frames(simulation: Simulation, steps: int, every: int = 1) -> Iterator[Frame]:
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
    model: Model,
    path: str | os.PathLike[str] | None = None,
    steps: int | None = None,
    seed: int = 0,
    *,
    every: int | None = None,
    size: tuple[int, int] | None = None,
    frames_per_second: float | None = None,
    style: str | None = None,
    colour_by: str | None = None,
    trails: int | None = None,
    dtype: Dtype = "float32",
    threads: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> FilmReport:
    """Flies a model from its start and writes the film; what is not given is as the model's view
    says.

    path      .mp4, .webm, .gif, numbered pictures 'shots/%05d.png' or a folder; NAME.mp4 in the
              current folder unless given
    steps     steps to fly; one picture is drawn after every `every` of them
    size      (width, height) in pixels
    trails    frames of past positions behind each boid
    force     replace a file that is there
    progress  called with (pictures done, pictures in all) after each

    Raises ModelError or an OutputRefused before anything is computed; RunError when a boid is lost:
    the film up to there is kept. Ctrl-C ends the film early; it plays, and the report says
    interrupted.
    """
    from murmurate.show import check_output
    from murmurate.simulation import Simulation

    model = _viewed(
        model,
        steps=steps,
        every=every,
        size=size,
        frames_per_second=frames_per_second,
        style=style,
        colour_by=colour_by,
        trails=trails,
    )
    check_steps(model)
    path = check_output(path or f"{model.name}.mp4", force)
    simulation = Simulation(model, seed, dtype=dtype, threads=threads)
    return shoot(simulation, path, force=force, progress=progress)


def shoot(
    simulation: Simulation,
    path: str | os.PathLike[str],
    *,
    force: bool = False,
    progress: Progress | None = None,
    watch: Callable[[Frame], object] | None = None,
) -> FilmReport:
    """The film of a simulation from where it is, with the steps and settings of its model's view.

    watch  called with each frame before it is drawn
    """
    from murmurate.show import write_film

    model = simulation.model
    view = model.view
    check_steps(model)

    def watched() -> Iterator[Frame]:
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
    )


def still(
    model: Model,
    path: str | os.PathLike[str] | None = None,
    at: int = 0,
    seed: int = 0,
    *,
    size: tuple[int, int] | None = None,
    style: str | None = None,
    colour_by: str | None = None,
    dtype: Dtype = "float32",
    threads: int | None = None,
    force: bool = False,
) -> Path:
    """Draws the flock as it is after step `at`, as a .png; NAME.png unless a path is given.

    Raises ModelError or an OutputRefused before anything is computed, RunError when a boid is lost
    on the way.
    """
    from murmurate.show import check_output, write_still
    from murmurate.simulation import Simulation

    model = _viewed(model, size=size, style=style, colour_by=colour_by)
    path = check_output(path or f"{model.name}.png", force, "still")
    simulation = Simulation(model, seed, dtype=dtype, threads=threads).step(at)
    return write_still(
        simulation.frame, path, model.view, looks(model), force=force, comment=comment(simulation)
    )


def to_html(
    flight: Model | Simulation,
    steps: int = 300,
    path: str | os.PathLike[str] | None = None,
    *,
    seed: int = 0,
    every: int | None = None,
    frames_per_second: float | None = None,
    style: str | None = None,
    colour_by: str | None = None,
    trails: int | None = None,
    dtype: Dtype = "float32",
    threads: int | None = None,
    force: bool = False,
    progress: Progress | None = None,
    watch: Callable[[Frame], object] | None = None,
) -> Page:
    """Flies a model and makes one HTML file of the flight, which plays with no network.

    flight    a model, flown from its start; or a simulation, of which a copy is flown on, so that
              it stays where it is: seed, dtype and threads are then its own
    steps     steps to fly; the page has one frame for every `every` of them
    path      the .html to write, if any
    force     replace a file that is there
    progress  called with (frames done, frames in all) after each
    watch     called with each frame

    Returns the text, which shows itself in a notebook. What is not given is as the model's view
    says. Raises ModelError or OutputRefused (also for too many boids and frames) before anything is
    computed; RunError when a boid is lost: the file up to there is written.
    Ctrl-C ends the flight early, and the page says interrupted.
    """
    from murmurate.model.files import to_toml
    from murmurate.show import check_output, check_page, page_of
    from murmurate.simulation import Simulation

    model = _viewed(
        flight if isinstance(flight, Model) else flight.model,
        steps=steps,
        every=every,
        frames_per_second=frames_per_second,
        style=style,
        colour_by=colour_by,
        trails=trails,
    )
    check_steps(model, "frame")
    total = steps // model.view.every
    check_page(sum(flock.count for flock in model.flocks.values()), total, model.space.dims)
    if path is not None:
        path = check_output(path, force, "page")
    if isinstance(flight, Model):
        simulation = Simulation(model, seed, dtype=dtype, threads=threads)
    else:
        simulation = flight.copy()

    lost: list[RunError] = []

    def watched() -> Iterator[Frame]:
        done = 0
        try:
            for done, frame in enumerate(frames(simulation, steps, model.view.every), 1):
                if watch is not None:
                    watch(frame)
                yield frame
                if progress is not None:
                    progress(done, total)
        except RunError as error:
            if path is None or not done:
                raise
            lost.append(error)

    page = page_of(watched(), model, toml=to_toml(model), comment=comment(simulation))
    if path is not None:
        page.write(path, force)
    if lost:
        raise lost[0]
    return page


def figures(frame: Frame) -> dict[str, dict[str, float]]:
    """Flock name -> measure -> value: speed, polarization, milling and nearest-neighbour distance.
    nan where a flock is too small for one."""
    from murmurate import measures

    names = ("speed", "polarization", "milling", "nearest_neighbour_distance")
    return {
        flock.name: {name: float(getattr(measures, name)(flock)) for name in names}
        for flock in frame
    }


def looks(model: Model) -> dict[str, Any]:
    """Flock name -> how it is drawn."""
    return {name: flock.look for name, flock in model.flocks.items()}


def comment(simulation: Simulation) -> str:
    """What is kept in a picture's file, so that it can be made again."""
    from murmurate import __version__

    model = simulation.model
    return f"murmurate {__version__}, {model.name}, seed {simulation.seed}, {model.fingerprint()}"


def _viewed(model: Model, **settings: Any) -> Model:
    """The model with some settings of its view changed, where they are given."""
    changes: Mapping[str, Any] = {
        f"view.{name}": list(value) if isinstance(value, tuple) else value
        for name, value in settings.items()
        if value is not None
    }
    return model.set(changes) if changes else model


def check_steps(model: Model, what: str = "picture") -> None:
    """Raises ModelError where a film of the model would have no picture, a page no frame."""
    view = model.view
    if view.steps < view.every:
        raise ModelError(
            f"view.steps: {view.steps} with a {what} every {view.every} steps makes no {what}: "
            "give at least as many steps"
        )
