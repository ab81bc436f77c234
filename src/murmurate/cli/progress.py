"""Progress of commands on stderr: notes, bars, and the measures of the last frame."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from murmurate.cli.terminal import (
    ProgressLines,
    console,
    print_error,
    print_line,
    progress_bar,
)

if TYPE_CHECKING:
    from murmurate.frame import Frame
    from murmurate.model.model import Model
    from murmurate.record import Recording
    from murmurate.show import FilmReport, Page

UPDATE_SECONDS = 0.25
SIZE_SECONDS = 2.0  # between two readings of a recording's size


class _Notes(logging.Handler):
    """Print the notes of runs: warnings always, the rest unless quiet."""

    def __init__(self, quiet: bool) -> None:
        super().__init__()
        self._quiet = quiet

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.WARNING:
            print_error(record.getMessage(), kind="warning")
        elif not self._quiet:
            console(errors=True).print(record.getMessage(), style="dim", soft_wrap=True)


@contextmanager
def show_notes(quiet: bool) -> Iterator[None]:
    """Print what functions note while they run, such as 'Simulating 240 steps before ...'."""
    logger, handler = logging.getLogger("murmurate.runs.notes"), _Notes(quiet)
    level, propagate = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
        logger.propagate = propagate


class PictureProgress:
    """The progress of a film or page: a bar on a terminal, else one line.

    model  the model as it is shown; its view has the number of pictures
    quiet  print nothing
    verb, item  a verb and a plural noun for what is counted. Without a verb there is no line.
    """

    def __init__(self, model: Model, quiet: bool, verb: str = "", item: str = "pictures") -> None:
        self.done = 0
        self._model, self._quiet, self._verb, self._item = model, quiet, verb, item
        self._total = model.view.steps // model.view.every
        self._boids = sum(flock.count for flock in model.flocks.values())
        if model.changes_numbers:  # they are not counted here
            self._boids = 0
        self._bar: Any = None
        self._task: Any = None
        self._start = self._rate = 0.0
        self._lines = ProgressLines()

    def __enter__(self) -> PictureProgress:
        out = console(errors=True)
        if self._quiet or not out.is_terminal:
            return self
        from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn

        self._bar = progress_bar(
            "{task.description}",
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            self._item,
            "{task.fields[rate]}",
            TimeRemainingColumn(),
            console=out,
            transient=True,
        )
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def update(self, done: int, _: int) -> None:
        """Count a picture. The rate leaves out the first one, and so compiling."""
        self.done = done
        moment = time.perf_counter()
        if done == 1:
            self._start = moment
            if self._bar is None and self._verb and not self._quiet:
                console(errors=True).print(f"{self._verb} {self._total} {self._item} ...")
            self._lines = ProgressLines()
            return
        self._rate = (done - 1) / max(moment - self._start, 1e-9)
        if self._bar is not None:
            from murmurate.cli.terminal import format_rate

            if self._task is None:  # the bar appears after the notes
                self._task = self._bar.add_task(self._model.name, total=self._total, rate="")
            boid_steps = self._rate * self._model.view.every * self._boids
            speed = format_rate(boid_steps) if self._boids else ""
            self._bar.update(self._task, completed=done, rate=speed)
        elif not self._quiet and (line := self._lines.line(done, self._total, self._item)):
            print_line(line, errors=True)

    def conclude_film(self, report: FilmReport) -> None:
        """Print what was written, and the measures of the last frame."""
        if report.frames:
            speed = f", {self._rate:.0f} pictures/s" if self.done > 1 else ""
            lines = [
                f"{report.path}: {report.frames} pictures, {report.seconds:.1f} s, "
                f"{size_text(report.bytes)}{speed}"
            ]
            lines += [f"{path}: {path.parent.name.rpartition('_')[2]}" for path in report.passes]
            _print_measures("\n".join(lines), report.last_frame)

    def conclude_page(self, page: Page) -> None:
        """Print what was written, and the measures of the last frame."""
        seconds = page.frames / self._model.view.frames_per_second
        _print_measures(
            f"{page.path}: {page.frames} frames, {seconds:.1f} s, {size_text(page.bytes)}",
            page.last_frame,
        )


def _print_measures(title: str, frame: Frame | None) -> None:
    from murmurate.cli.terminal import make_measures_table
    from murmurate.measures.defaults import default_values

    if frame is None:
        return
    out = console()
    out.print(title, soft_wrap=True)
    out.print(f"after step {frame.step}:")
    out.print(make_measures_table(default_values(frame)))


class RecordingProgress:
    """The progress of a recorded run: steps, time left, size on disk."""

    def __init__(self, path: Path, quiet: bool) -> None:
        self.frames = 0
        self._path, self._quiet = path, quiet
        self._out = console(errors=True)
        self._bar: Any = None
        self._task: Any = None
        self._due = self._size_due = 0.0
        self._size = ""
        self._lines = ProgressLines()

    def __enter__(self) -> RecordingProgress:
        if not self._quiet and self._out.is_terminal:
            from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn

            self._bar = progress_bar(
                "{task.description}",
                BarColumn(bar_width=24),
                MofNCompleteColumn(),
                "steps",
                "{task.fields[size]}",
                TimeRemainingColumn(),
                console=self._out,
                transient=True,
            )
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def update(self, step: int, target: int) -> None:
        """Count a frame."""
        self.frames += 1
        moment = time.monotonic()
        if self._quiet or moment < self._due:
            return
        self._due = moment + UPDATE_SECONDS
        if self._bar is not None:
            if self._task is None:
                self._task = self._bar.add_task(self._path.name, total=target, size="")
            self._bar.update(self._task, completed=step, size=self._size_on_disk(moment))
        elif line := self._lines.line(step, target, "steps"):
            print_line(f"{line}, {self._size_on_disk(moment)}", errors=True)

    def _size_on_disk(self, moment: float) -> str:
        if moment >= self._size_due:
            self._size_due = moment + SIZE_SECONDS
            self._size = bytes_text(_folder_size(self._path))
        return self._size

    def conclude(self, recording: Recording) -> None:
        """Print the size of the recording, and its measures."""
        from murmurate.cli.terminal import make_measures_table

        info = recording.info()
        print_line(
            f"{recording.path}: {len(recording)} frames, steps {info['first_step']} to "
            f"{info['last_step']}, {bytes_text(info['bytes'])}, "
            f"{info['bytes_per_boid_frame']:.1f} bytes a boid and frame"
        )
        console().print(make_measures_table(recorded_measures(info)))


def _folder_size(path: Path) -> int:
    """Return the size of all files in a folder; files may vanish meanwhile."""
    size = 0
    for folder, _, names in os.walk(path):
        for name in names:
            try:
                size += os.stat(os.path.join(folder, name)).st_size
            except OSError:
                continue
    return size


def recorded_measures(info: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Return flock -> measure -> value of a recording's last frame; nan where there is none."""
    from murmurate.measures.defaults import NAMES

    nan = float("nan")
    return {
        flock: {name: nan if row.get(name) is None else row[name] for name in NAMES}
        for flock, row in info.get("measures", {}).items()
    }


def bytes_text(count: float) -> str:
    """Return a number of bytes for people."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit in ("bytes", "kB") else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.2f} TB"


def size_text(count: int) -> str:
    """Return a file's size for people."""
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"
