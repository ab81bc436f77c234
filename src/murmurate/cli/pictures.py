"""murmurate film, still: pictures of a flock."""

from __future__ import annotations

import time
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from murmurate.cli.error_output import FINE, INTERRUPTED, BadInput, complain
from murmurate.cli.options import PICTURE, Changes, Flight, Picture, ShownName, load_shown, pacing
from murmurate.errors import ModelError, RunError
from murmurate.record.errors import RecordError

if TYPE_CHECKING:
    from murmurate.frame import Frame
    from murmurate.model.model import Model
    from murmurate.runs.sources import Source
    from murmurate.show import FilmReport

Force = Annotated[bool, Parameter(help="Replace a file that is there.")]
Quiet = Annotated[bool, Parameter(help="Print nothing but errors.")]


def film(
    model: ShownName,
    /,
    *,
    output: Annotated[
        Path | None,
        Parameter(
            alias="-o",
            help="The film: .mp4, .webm, .gif, or numbered pictures 'shots/%05d.png'; NAME.mp4 in "
            "this folder unless given.",
        ),
    ] = None,
    steps: Annotated[
        int | None,
        Parameter(help="Steps to fly; of a recording all unless given.", group=PICTURE),
    ] = None,
    every: Annotated[
        int | None, Parameter(help="Steps from one picture to the next.", group=PICTURE)
    ] = None,
    fps: Annotated[float | None, Parameter(help="Pictures a second.", group=PICTURE)] = None,
    trails: Annotated[
        int | None, Parameter(help="Pictures of past positions behind each boid.", group=PICTURE)
    ] = None,
    force: Force = False,
    quiet: Quiet = False,
    flight: Flight | None = None,
    picture: Picture | None = None,
    changes: Changes | None = None,
) -> int:
    """Fly a model, or go through a recording, and write the film; then print the flock's figures.

    Ctrl-C ends the film early; what was drawn by then is kept and plays.

    For instance:

        murmurate film starlings
        murmurate film mine.toml --set rules.cohesion.weight=0.05 --boids 5000
        murmurate film ucl --steps 400 --every 2 --size 1920x1080 --style light
        murmurate film flock.zarr
    """
    from murmurate.runs.films import check_steps, shoot
    from murmurate.runs.sources import begun
    from murmurate.show import check_output

    options = pacing(steps, every, fps, trails)
    shown, flown = load_shown(model, flight, changes, options | (picture or Picture()).changes())
    check_steps(flown)
    path = check_output(output or Path(f"{stem(model)}.mp4"), force)
    watch = Watch(flown.view.steps // flown.view.every, quiet)
    flight = flight or Flight()
    simulation = begun(shown, flown, flight.seed, flight.dtype, flight.threads)
    if not quiet:
        say_compiling(simulation)
    try:
        with watch.bar():
            watch.begin(simulation)
            report = shoot(
                simulation, path, force=force, progress=watch.progress, watch=watch.frame
            )
    except (RunError, RecordError):
        if watch.done and path.exists():
            complain(f"{path}: {watch.done} pictures were kept", kind="note")
        raise
    if report.interrupted:
        kept = "it plays" if report.frames else "no picture was drawn, and there is no file"
        complain(
            f"{report.path}: ended by Ctrl-C after {report.frames} pictures; {kept}", "stopped"
        )
    if not quiet:
        watch.conclude(report)
    return INTERRUPTED if report.interrupted else FINE


def still(
    model: ShownName,
    /,
    *,
    at: Annotated[
        int,
        Parameter(
            help="The step to draw; 0 is the start. Of a recording, the frame nearest to it."
        ),
    ] = 0,
    output: Annotated[
        Path | None, Parameter(alias="-o", help="The .png; NAME.png in this folder unless given.")
    ] = None,
    force: Force = False,
    quiet: Quiet = False,
    flight: Flight | None = None,
    picture: Picture | None = None,
    changes: Changes | None = None,
) -> None:
    """Draw one picture of a model or a recording, as a .png.

    For instance:

        murmurate still ucl --at 200 -o ucl.png
        murmurate still starlings --at 500 --size 3840x2160 --colour-by speed
    """
    from murmurate.runs.films import comment, looks
    from murmurate.runs.sources import after, begun
    from murmurate.show import check_output, write_still

    if at < 0:
        raise BadInput(f"--at {at}: it must be 0 (the start) or a later step")
    shown, drawn = load_shown(model, flight, changes, (picture or Picture()).changes())
    path = check_output(output or Path(f"{stem(model)}.png"), force, "still")
    flight = flight or Flight()
    simulation = begun(shown, drawn, flight.seed, flight.dtype, flight.threads)
    if not quiet and at:
        say_compiling(simulation)
    try:
        frame = after(simulation, at).frame
    except ModelError as error:
        raise ModelError(f"--at {at}: {error}") from None
    write_still(frame, path, drawn.view, looks(drawn), force=force, comment=comment(simulation))
    if not quiet:
        near = f", the recorded frame nearest to step {at}" if frame.step != at else ""
        print(f"{path}: {drawn.name} after step {frame.step}{near}, {len(frame):,} boids")
        if not _seen(frame, drawn):
            complain("no boid is in the picture", kind="note")


def _seen(frame: Frame, model: Model) -> bool:
    """Whether a boid of the frame lands in its picture."""
    from murmurate.show.camera import Camera

    width, height = model.view.size
    projection = Camera(frame.space, model.view).next_projection(frame)
    for flock in frame:
        x, y, *_ = projection.project(projection.nearest_offsets(flock.positions))
        if ((x >= 0) & (x < width) & (y >= 0) & (y < height)).any():
            return True
    return False


def say_compiling(simulation: Source) -> None:
    """What the first seconds of a new model are spent on."""
    if not simulation.compiled:
        from murmurate.cli.tables import console

        console(errors=True).print(
            "compiling the flock's kernel (kept for next time) ...", style="dim"
        )


def stem(model: str) -> str:
    """The name of what is made of a model, without its ending."""
    path = Path(model.rstrip("/\\"))
    return path.stem if path.suffix in (".toml", ".zarr") else path.name


class Watch:
    """Watches a film or a page being made: a progress bar, and the last frame's figures."""

    def __init__(
        self, total: int, quiet: bool, doing: str = "filming", what: str = "pictures"
    ) -> None:
        self.done = 0
        self._doing, self._what = doing, what
        self._total, self._quiet = total, quiet
        self._frame: Frame | None = None
        self._bar: Any = None
        self._task: Any = None
        self._first = self._boids = self._every = 0.0

    def bar(self) -> Any:
        """The bar, to be entered; on what is no terminal, a line."""
        from murmurate.cli.tables import console

        out = console(errors=True)
        if not self._quiet and not out.is_terminal:
            out.print(f"{self._doing} {self._total} {self._what} ...")
        if self._quiet or not out.is_terminal:
            return nullcontext()
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn(self._what),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=out,
            transient=True,
        )
        return self._bar

    def begin(self, simulation: Source) -> None:
        self._boids = sum(flock.count for flock in simulation.model.flocks.values())
        self._every = simulation.model.view.every
        if self._bar is not None:
            self._task = self._bar.add_task(simulation.model.name, total=self._total, rate="")

    def frame(self, frame: Frame) -> None:
        self._frame = frame

    def progress(self, done: int, _: int | None) -> None:
        """The pictures done, and how fast: the first picture, and compiling, left out."""
        self.done = done
        now = time.perf_counter()
        if done == 1:
            self._first = now
            return
        self._pictures = (done - 1) / max(now - self._first, 1e-9)
        if self._bar is not None:
            from murmurate.cli.tables import rate

            speed = rate(self._pictures * self._every * self._boids)
            self._bar.update(self._task, completed=done, rate=speed)

    def conclude(self, report: FilmReport) -> None:
        if report.frames:
            speed = f", {self._pictures:.0f} pictures/s" if self.done > 1 else ""
            self.figures(
                f"{report.path}: {report.frames} pictures, {report.seconds:.1f} s, "
                f"{size_in_words(report.bytes)}{speed}"
            )

    def figures(self, made: str) -> None:
        """Says what was made, and the figures of the last frame."""
        from murmurate.cli.tables import console, figures_table
        from murmurate.runs.films import figures

        if self._frame is None:
            return
        out = console()
        out.print(made, soft_wrap=True)
        out.print(f"after step {self._frame.step}:")
        out.print(figures_table(figures(self._frame)))


def size_in_words(count: int) -> str:
    """Bytes, for people."""
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"
