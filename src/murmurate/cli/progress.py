"""Progress of commands on stderr: notes, bars, and the measures of the last frame."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from murmurate.cli.terminal import (
    ProgressBar,
    ProgressLines,
    console,
    format_rate,
    make_measures_table,
    print_error,
    print_line,
)
from murmurate.disk import file_sizes
from murmurate.number_text import size_text

if TYPE_CHECKING:
    from murmurate.frame import Frame
    from murmurate.record import Recording
    from murmurate.runs.frame_source import Source
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
    """Print notes of functions while they run, such as 'Simulating 240 steps before ...'."""
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


class PictureProgress(ProgressBar):
    """The progress of a film or page: a bar on a terminal, else one line.

    source  what is shown; the view of its model has the number of pictures
    quiet  print nothing
    verb, item  a verb and a plural noun for what is counted. Without a verb there is no line.
    """

    def __init__(self, source: Source, quiet: bool, verb: str = "", item: str = "pictures") -> None:
        model = source.model
        super().__init__(item, model.name, silent=quiet, transient=True)
        self.done = 0
        self._model, self._verb = model, verb
        self._total = model.view.steps // model.view.every
        self._boids = sum(flock.count for flock in model.flocks.values())
        if model.changes_numbers or not source.simulated:  # they are not counted here
            self._boids = 0
        self._start = self._rate = 0.0

    def update(self, done: int, total: int, detail: str = "") -> None:
        """Count a picture. The rate leaves out the first one, and so compiling."""
        self.done = done
        moment = time.perf_counter()
        if done == 1:
            self._start = moment
            if self._bar is None and self._verb and not self._silent:
                self._out.print(f"{self._verb} {self._total} {self._unit} ...")
            self._lines = ProgressLines()
            return
        self._rate = (done - 1) / max(moment - self._start, 1e-9)
        boid_steps = self._rate * self._model.view.every * self._boids
        super().update(done, self._total, format_rate(boid_steps) if boid_steps else "")

    def conclude_film(self, report: FilmReport) -> None:
        """Print what was written, and the measures of the last frame."""
        if report.frames:
            speed = f", {self._rate:.0f} pictures/s" if self.done > 1 else ""
            lines = [
                f"{report.path}: {report.frames} pictures, {report.seconds:.1f} s, "
                f"{size_text(report.bytes)}{speed}"
            ]
            for path in report.passes:
                name = path.stem if path.suffix == ".zip" else path.parent.name
                lines.append(f"{path}: {name.rpartition('_')[2]}")
            _print_measures("\n".join(lines), report.last_frame)

    def conclude_page(self, page: Page) -> None:
        """Print what was written, and the measures of the last frame."""
        seconds = page.frames / self._model.view.frames_per_second
        _print_measures(
            f"{page.path}: {page.frames} frames, {seconds:.1f} s, {size_text(page.bytes)}",
            page.last_frame,
        )


def _print_measures(title: str, frame: Frame | None) -> None:
    from murmurate.measures.defaults import default_values

    if frame is None:
        return
    out = console()
    out.print(title, soft_wrap=True)
    out.print(f"after step {frame.step}:")
    out.print(make_measures_table(default_values(frame)))


class RecordingProgress(ProgressBar):
    """The progress of a recorded run: steps, time left, size on disk."""

    def __init__(self, path: Path, quiet: bool) -> None:
        super().__init__("steps", path.name, silent=quiet, transient=True)
        self.frames = 0
        self._path = path
        self._due = self._size_due = 0.0
        self._size = ""

    def update(self, done: int, total: int, detail: str = "") -> None:
        """Count a frame."""
        self.frames += 1
        moment = time.monotonic()
        if self._silent or moment < self._due:
            return
        self._due = moment + UPDATE_SECONDS
        if moment >= self._size_due:
            self._size_due = moment + SIZE_SECONDS
            self._size = size_text(sum(file_sizes(self._path)))
        super().update(done, total, self._size)

    def conclude(self, recording: Recording) -> None:
        """Print the size of the recording, and its measures."""
        info = recording.info()
        print_line(
            f"{recording.path}: {len(recording)} frames, steps {info['first_step']} to "
            f"{info['last_step']}, {size_text(info['bytes'])}, "
            f"{info['bytes_per_boid_frame']:.1f} bytes a boid and frame"
        )
        console().print(make_measures_table(recorded_measures(info)))


def recorded_measures(info: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Return flock -> measure -> value of a recording's last frame, or nan."""
    from murmurate.measures.defaults import NAMES

    nan = float("nan")
    return {
        flock: {name: nan if row.get(name) is None else row[name] for name in NAMES}
        for flock, row in info.get("measures", {}).items()
    }
