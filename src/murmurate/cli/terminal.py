"""Print results, errors, logs, progress and tables. Everything that commands print passes here.

Text from models and recordings cannot control the terminal, colour it, add links, or change the
direction of text.

Exit codes:
    0    success
    1    the run failed: a boid was lost, the disk is full
    2    invalid input: the model, a rule, an option, or an output that cannot be written
    130  Ctrl-C or SIGTERM; a message states what was stored
"""

from __future__ import annotations

import errno
import logging
import os
import sys
import time
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Self, TextIO

from murmurate.cli.interrupt import cause
from murmurate.disk import NotAFile
from murmurate.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment
    from rich.table import Table

EXIT_OK, EXIT_FAILED, EXIT_BAD_INPUT, EXIT_INTERRUPTED = 0, 1, 2, 130
INVALID_PATH = (errno.ENAMETOOLONG, errno.ELOOP)
UNWRITABLE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EISDIR, errno.ENOTDIR)
"""Errors of a path that needs another name, or other permissions."""
PLAIN = "\n\t\u200c\u200d"  # lines and tabs; joiners of letters in some scripts and emoji
UNBOUNDED = 10_000  # columns of a file or a pipe
HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")  # control, direction and other invisible characters
LOG_LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG)  # without -v, with one, with two
FIRST_LINE_SECONDS = 3.0  # before the first line of progress where there is no terminal
PAUSE_SECONDS = 10.0  # at least, before the next

_quiet = ContextVar("quiet", default=False)


# --- lines


def printable(text: object) -> str:
    r"""Escape characters that a terminal could interpret, such as \u001b, as in JSON and TOML."""
    line = str(text)
    if line.isascii() and line.isprintable():
        return line
    return "".join(letter if _is_plain(letter) else _escape(letter) for letter in line)


def _is_plain(letter: str) -> bool:
    return letter in PLAIN or unicodedata.category(letter) not in HIDDEN


def _escape(letter: str) -> str:
    code = ord(letter)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def print_line(text: object = "", end: str = "\n", *, errors: bool = False) -> None:
    """Print text on stdout, or on stderr."""
    print(printable(text), end=end, file=sys.stderr if errors else sys.stdout, flush=True)


def print_error(text: object, kind: str = "error") -> None:
    """Print problems on stderr, one per line. A line that begins with a space continues the last.

    `kind` is 'error', 'warning', 'note' or 'stopped'.
    """
    for line in str(text).splitlines() or [""]:
        start = "" if line.startswith(" ") else f"murmurate: {kind}: "
        try:
            print_line(f"{start}{line}", errors=True)
        except OSError:  # the disk is full: the exit code still reports the error
            discard_output(sys.stderr)


def print_note(text: object) -> None:
    """Print a note on stderr, unless the command has --quiet."""
    if not _quiet.get():
        print_error(text, kind="note")


@contextmanager
def quiet_notes(quiet: bool) -> Iterator[None]:
    """Print no notes within the block if `quiet`. Every command runs within this block."""
    token = _quiet.set(quiet)
    try:
        yield
    finally:
        _quiet.reset(token)


def discard_output(stream: TextIO) -> None:
    """Redirect a stream that cannot be written to the null device.

    Otherwise Python tries again at exit, and exits with its own code.
    """
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def is_terminal() -> bool:
    """Return whether stderr is a terminal."""
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):  # there is none, or it is closed
        return False


# --- exit codes


def find_command(arguments: Sequence[str]) -> str:
    """Return the command: the first word that is not an option, or ''."""
    return next((word for word in arguments if not word.startswith("-")), "")


def exit_code(error: BaseException) -> int:
    """Return the exit code of an error."""
    return EXIT_BAD_INPUT if isinstance(error, InputError) else EXIT_FAILED


def report_os_error(error: OSError) -> int:
    """Report a file or an output that cannot be read or written, and return the exit code.

    A reader of the output may end at any time, which is not an error.
    """
    if not isinstance(error, BrokenPipeError):
        print_error(f"{error.filename or 'writing the output'}: {error.strerror or error}")
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        discard_output(sys.stdout)
    if isinstance(error, NotAFile) or error.errno in (*INVALID_PATH, *UNWRITABLE):
        return EXIT_BAD_INPUT
    return EXIT_OK if isinstance(error, BrokenPipeError) else EXIT_FAILED


def report_stopped(stored: bool, command: str) -> int:
    """Report Ctrl-C or SIGTERM, and how to resume if runs are stored. Return the exit code."""
    more = f"; every finished run is stored. Resume with: {command}"
    text = f"ended by {cause()}{more if stored else ', before anything was stored'}"
    print_error(text, "stopped")
    return EXIT_INTERRUPTED


# --- the log


class _LogHandler(logging.Handler):
    """Writes records to the current stderr, so that a progress bar keeps its own line."""

    def emit(self, record: logging.LogRecord) -> None:
        print_error(self.format(record), record.levelname.lower())


@contextmanager
def show_log(verbose: int) -> Iterator[None]:
    """Print warnings and records of murmurate's logger on stderr, one line each.

    Without -v the level is WARNING, with one INFO, with two DEBUG.
    """
    logger, handler = logging.getLogger("murmurate"), _LogHandler()
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(LOG_LEVELS[min(verbose, len(LOG_LEVELS) - 1)])
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: print_error(message, "warning")
            yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)


# --- rich


def console(*, errors: bool = False, uncut: bool = False) -> Console:
    """Return the console for coloured output. Markup of rich is plain text.

    errors  true for stderr
    uncut  true to wrap and cut nothing in a file or a pipe, which have no width
    """
    from rich.console import Console
    from rich.segment import Segment
    from rich.text import Text

    class PlainConsole(Console):
        def render(
            self, renderable: RenderableType, options: ConsoleOptions | None = None
        ) -> Iterable[Segment]:
            if isinstance(renderable, Text):  # before it is wrapped, so that nothing is cut off
                renderable = renderable.copy()
                renderable.plain = printable(renderable.plain)
            for part in super().render(renderable, options):
                control = part.control is not None
                yield part if control else Segment(printable(part.text), part.style)

        def on_broken_pipe(self) -> None:
            raise  # the BrokenPipeError of the caller, which the command handles

    plain = PlainConsole(stderr=errors, highlight=False, markup=False, emoji=False)
    if uncut and not plain.is_terminal:
        plain.width = UNBOUNDED
    return plain


def duration_text(seconds: float) -> str:
    """Return '8.3 s', '2 min 5 s' or '1 h 3 min'."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min"


def describe_progress(done: int, total: int, seconds: float, before: int = 0) -> str:
    """Return '12%, about 2 min 5 s left'; '12%'; or '8.3 s so far' if nothing is counted.

    before  what was done before these seconds
    """
    if not 0 < done <= total:
        return f"{duration_text(seconds)} so far"
    if done == before:
        return f"{done / total:.0%}"
    left = seconds * (total - done) / (done - before)
    return f"{done / total:.0%}, about {duration_text(left)} left"


class ProgressLines:
    """Lines of progress without a terminal: the first after 3 s, then fewer and fewer.

    The time left follows from what is done after the first count, before which kernels are
    compiled and stored runs are read.

    clock  returns seconds
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._begin = clock, clock()
        self._due = self._begin + FIRST_LINE_SECONDS
        self._first = 0, self._begin

    def line(self, done: int, total: int, unit: str, detail: str = "") -> str:
        """Return the line that is due, such as '3 of 20 runs: 15%, about 8.1 s left'; or ''."""
        moment = self._clock()
        if done > 0 and not self._first[0]:
            self._first = done, moment
        if moment < self._due or done >= total > 0:
            return ""
        spent = moment - self._begin
        before, since = self._first
        self._due = moment + max(PAUSE_SECONDS, spent / 2)
        count = f"{done:,} of {total:,} {unit}" if total else f"{done:,} {unit}"
        more = f", {detail}" if detail else ""
        return f"{count}: {describe_progress(done, total, moment - since, before)}{more}"


def progress_bar(*columns: Any, **options: Any) -> Any:
    """Return a progress bar of rich. Text columns are formats, such as '{task.description}'."""
    from rich.progress import Progress, TextColumn

    parts = (TextColumn(c, markup=False) if isinstance(c, str) else c for c in columns)
    return Progress(*parts, **options)


class ProgressBar:
    """A context with a progress bar on a terminal, else lines of progress.

    unit  what is counted, such as 'runs'
    name  what makes progress, if that is not obvious
    silent  true to print nothing
    transient  true to remove the bar at the end
    """

    def __init__(
        self, unit: str, name: str = "", *, silent: bool = False, transient: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._unit, self._name = unit, name
        self._silent, self._transient = silent, transient
        self._out = console(errors=True)
        self._bar: Any = None
        self._task: Any = None
        self._lines = ProgressLines(clock)

    def __enter__(self) -> Self:
        if not self._silent and self._out.is_terminal:
            from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn

            self._bar = progress_bar(
                "{task.description}", BarColumn(), MofNCompleteColumn(),
                *([self._unit] if self._name else []), "{task.fields[detail]}",
                TimeRemainingColumn(), console=self._out, transient=self._transient,
            )  # fmt: skip
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def update(self, done: int, total: int, detail: str = "") -> None:
        """Show the progress. `total` is 0 if unknown."""
        if self._bar is not None:
            if self._task is None:  # the bar appears after the notes
                self._task = self._bar.add_task(self._name or self._unit, detail="")
            self._bar.update(self._task, completed=done, total=total or None, detail=detail)
        elif not self._silent and (line := self._lines.line(done, total, self._unit, detail)):
            self._out.print(line, soft_wrap=True)


# --- tables


def make_table(*columns: str, numbers: int = 0) -> Table:
    """Return a plain table. Its last `numbers` columns are numbers.

    On a narrow terminal the other columns are wrapped, also within words, and not cut.
    """
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for k, column in enumerate(columns):
        if k >= len(columns) - numbers:
            table.add_column(column, justify="right", no_wrap=True)
        else:
            table.add_column(column, overflow="fold")
    return table


def make_measures_table(measures: Mapping[str, Mapping[str, float]]) -> Table:
    """Return a table of the default measures, a row per flock."""
    from rich.text import Text

    from murmurate.measures.defaults import SHOWN  # slow to import
    from murmurate.model.description import format_number

    table = make_table("flock", *(item.label for item in SHOWN), numbers=len(SHOWN))
    for name, values in measures.items():
        table.add_row(Text(name, "cyan"), *(format_number(values[item.name]) for item in SHOWN))
    return table


def format_rate(boid_steps_per_second: float | None) -> str:
    """Return text such as '12.3 million boid-steps/s'."""
    if not boid_steps_per_second:
        return "-"
    if boid_steps_per_second < 1e3:
        return f"{boid_steps_per_second:.3g} boid-steps/s"
    if boid_steps_per_second < 1e6:
        return f"{boid_steps_per_second / 1e3:.3g} thousand boid-steps/s"
    return f"{boid_steps_per_second / 1e6:.3g} million boid-steps/s"
