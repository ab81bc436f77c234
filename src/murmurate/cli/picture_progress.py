"""Progress of a film or a page being made: a bar, and the last frame's figures."""

from __future__ import annotations

import time
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from murmurate.cli.terminal import console, progress_bar

if TYPE_CHECKING:
    from murmurate.frame import Frame
    from murmurate.runs.sources import FrameSource
    from murmurate.show import FilmReport


def say_compiling(simulation: FrameSource) -> None:
    """What the first seconds of a new model are spent on."""
    if not simulation.compiled:
        console(errors=True).print(
            "compiling the flock's kernel (cached for next time) ...", style="dim"
        )


def say_warm_up(steps: int) -> None:
    """What is flown before the first picture."""
    if steps:
        console(errors=True).print(
            f"flying {steps} steps before the first picture (--warm-up 0: from the start) ...",
            style="dim",
        )


class PictureProgress:
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
        out = console(errors=True)
        if not self._quiet and not out.is_terminal:
            out.print(f"{self._doing} {self._total} {self._what} ...")
        if self._quiet or not out.is_terminal:
            return nullcontext()
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            TimeRemainingColumn,
        )

        self._bar = progress_bar(
            "{task.description}",
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            self._what,
            "{task.fields[rate]}",
            TimeRemainingColumn(),
            console=out,
            transient=True,
        )
        return self._bar

    def begin(self, simulation: FrameSource) -> None:
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
            from murmurate.cli.terminal import format_rate

            speed = format_rate(self._pictures * self._every * self._boids)
            self._bar.update(self._task, completed=done, rate=speed)

    def conclude(self, report: FilmReport) -> None:
        if report.frames:
            speed = f", {self._pictures:.0f} pictures/s" if self.done > 1 else ""
            self.figures(
                f"{report.path}: {report.frames} pictures, {report.seconds:.1f} s, "
                f"{size_in_words(report.bytes)}{speed}"
                + "".join(
                    f"\n{path}: {path.parent.name.rpartition('_')[2]}" for path in report.passes
                )
            )

    def figures(self, made: str) -> None:
        """Says what was made, and the figures of the last frame."""
        from murmurate.cli.terminal import make_measures_table
        from murmurate.measures.defaults import default_values

        if self._frame is None:
            return
        out = console()
        out.print(made, soft_wrap=True)
        out.print(f"after step {self._frame.step}:")
        out.print(make_measures_table(default_values(self._frame)))


def size_in_words(count: int) -> str:
    """Bytes, for people."""
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"
