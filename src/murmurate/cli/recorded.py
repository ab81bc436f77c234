"""What recording commands print: progress, size, measures."""

from __future__ import annotations

import json
import shlex
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from murmurate.cli.interrupt import ask_to_stop, cause
from murmurate.cli.terminal import (
    EXIT_INTERRUPTED,
    EXIT_OK,
    CommandError,
    console,
    print_error,
    print_line,
    progress_bar,
)
from murmurate.errors import MurmurateError

if TYPE_CHECKING:
    from murmurate.frame import Frame
    from murmurate.record import Recording
    from murmurate.record.writer import Writer


def recorded(path: Path, fly: Any, quiet: bool, as_json: bool = False) -> int:
    """Flies with a progress bar, until Ctrl-C; says how to resume. The exit code."""
    watch = _RecordingProgress(path, quiet or as_json)
    try:
        with ask_to_stop() as stop, watch:
            rec = fly(progress=watch.update, stop=stop.is_set)
    except KeyboardInterrupt:  # within a step: its frames are committed, if it was begun
        begun = _begun(path)
        if begun is None:
            raise
        rec = begun
    except MurmurateError:
        with suppress(MurmurateError):
            from murmurate.record import open as opened

            if watch.frames and "frames are kept" not in str(sys.exc_info()[1]):
                print_error(f"{path}: {len(opened(path))} frames are kept", kind="note")
        raise
    stopped = stop.is_set() and not rec.complete
    if stopped:
        print_error(
            f"ended by {cause()} after step {rec.steps[-1]} of {rec.target}; all {len(rec)} frames "
            f"are kept. To resume: murmurate resume {path}",
            kind="stopped",
        )
    if as_json:
        print_line(json.dumps(rec.info(), indent=2))
    elif not quiet:
        watch.conclude(rec)
    return EXIT_INTERRUPTED if stopped else EXIT_OK


def _begun(path: Path) -> Recording | None:
    """A recording that is not complete; None where there is none."""
    from murmurate.record import open as opened

    try:
        rec = opened(path)
    except MurmurateError:
        return None
    return None if rec.complete or not len(rec) else rec


def command_line() -> str:
    """The command as it was typed."""
    return " ".join(["murmurate", *(shlex.quote(word) for word in sys.argv[1:])])


def check_every(every: int | None) -> int:
    """--every as it is used. Raises CommandError."""
    if every is not None and every < 1:
        raise CommandError(f"--every {every}: it must be 1 or more")
    return every or 1


class _RecordingProgress:
    """Watches a flight being recorded: steps, time left, size on disk."""

    def __init__(self, path: Path, quiet: bool) -> None:
        self.frames = 0
        self._path, self._quiet = path, quiet
        self._out = console(errors=True)
        self._bar: Any = None
        self._task: Any = None
        self._due = self._begin = 0.0
        self._size = 0
        self._next_line = 0.1

    def __enter__(self) -> _RecordingProgress:
        if not self._quiet and self._out.is_terminal:
            from rich.progress import (
                BarColumn,
                MofNCompleteColumn,
                TimeRemainingColumn,
            )

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
        self._begin = time.monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def update(self, frame: Frame, writer: Writer) -> None:
        """A frame more."""
        self.frames += 1
        now = time.monotonic()
        if self._quiet or now < self._due:
            return
        self._due = now + 0.25
        target, size = writer.target, _size(writer.bytes)
        if self._bar is not None:
            if self._task is None:
                self._first = frame.step
                self._task = self._bar.add_task(self._path.name, total=target, size="")
            self._bar.update(self._task, completed=frame.step, size=size)
        elif now - self._begin > 5 and frame.step >= self._next_line * target:
            self._next_line = frame.step / target + 0.1
            self._out.print(f"step {frame.step} of {target}, {size}", soft_wrap=True)

    def conclude(self, rec: Recording) -> None:
        from murmurate.cli.terminal import make_measures_table

        found = rec.info()
        print_line(
            f"{rec.path}: {len(rec)} frames, steps {found['first_step']} to {found['last_step']}, "
            f"{_size(found['bytes'])}, {found['bytes_per_boid_frame']:.1f} bytes a boid and frame"
        )
        console().print(make_measures_table(_figures(found)))


def _figures(found: dict[str, Any]) -> dict[str, dict[str, float]]:
    from murmurate.measures.defaults import NAMES

    nan = float("nan")
    return {
        flock: {name: nan if row.get(name) is None else row[name] for name in NAMES}
        for flock, row in found.get("measures", {}).items()
    }


def print_info(found: dict[str, Any]) -> None:
    from murmurate.cli.terminal import format_boids, make_measures_table

    exact = "lossless"
    if found["precision"] is not None:
        exact = (
            f"positions within {found['precision']:g}, velocities within "
            f"{found['velocity_precision']:.3g}"
        )
    flocks = ", ".join(f"{name} {count:,}" for name, count in found["flocks"].items())
    whole = (
        "" if found["complete"] else f" of {found['asked_steps']}: murmurate resume continues it"
    )
    lines = {
        "model": f"{found['model']}: {found['title']}",
        "boids": f"{format_boids(found['boids'])} ({flocks})",
        "frames": f"{found['frames']:,}, every {_steps(found['every'])}",
        "steps": f"{found['first_step']} to {found['last_step']}{whole}",
        "seed": f"{found['seed']}, {found['dtype']}, engine {found['engine']}",
        "kept": f"{exact}, {_size(found['bytes'])}, "
        f"{found['bytes_per_boid_frame']:.1f} bytes a boid and frame",
        "made with": "; ".join(
            part["versions"] if k == 0 else f"from step {part['first_step']} on {part['versions']}"
            for k, part in enumerate(found["parts"])
        ),
        "": ""
        if found["same_versions"]
        else "other versions are installed here: a flight that "
        "is resumed may differ in its last bits",
        "command": found["command"],
    }
    if found["parent"]:
        parent = found["parent"]
        changes = ", ".join(f"{k}={v}" for k, v in parent["changes"].items()) or "nothing changed"
        lines["branch of"] = f"{parent['path']} at step {parent['step']}, {changes}"
    for note in found["notes"]:
        lines["note"] = note
    for name, text in lines.items():
        if text:
            print_line(f"{name:<11} {text}")
    if found["frames"]:
        print_line(f"\nat step {found['measured_step']}:")
        console().print(make_measures_table(_figures(found)))


def _size(count: float) -> str:
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit in ("bytes", "kB") else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.2f} TB"


def _steps(count: int) -> str:
    return "step" if count == 1 else f"{count} steps"
