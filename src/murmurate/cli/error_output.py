"""What the command line says when something is wrong, and the exit codes.

Exit codes:
    0    fine
    1    the run failed: a boid got lost, the disk is full
    2    bad input: the model, a rule, an option, or an output that cannot be written
    130  Ctrl-C or SIGTERM; a film or a run that was stopped says what is left of it
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TextIO

from murmurate.cli.interrupt import cause
from murmurate.cli.terminal import say
from murmurate.disk import NotAFile
from murmurate.errors import InputError

FINE, FAILED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
BAD_NAMES = (errno.ENAMETOOLONG, errno.ELOOP)  # of a path: nothing could ever be there
UNWRITABLE = (errno.EACCES, errno.EPERM, errno.EROFS, errno.EISDIR, errno.ENOTDIR)
"""Of a path: another one must be given, or what is there changed."""


class BadInput(Exception):
    """Something in the command itself cannot be used."""


def command_of(arguments: Sequence[str]) -> str:
    """The command among arguments: the first word that is no option; '' where there is none."""
    return next((word for word in arguments if not word.startswith("-")), "")


def complain(text: object, kind: str = "error") -> None:
    """Says it on stderr, one problem a line; lines that begin with a space continue the last."""
    for line in str(text).splitlines() or [""]:
        start = "" if line.startswith(" ") else f"murmurate: {kind}: "
        try:
            say(f"{start}{line}", errors=True)
        except OSError:  # a full disk: the exit code still says it
            drop(sys.stderr)


def drop(stream: TextIO) -> None:
    """What cannot be written, and all that follows it, goes nowhere: else Python would try once
    more when it ends, and end with a code of its own."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def output_failed(error: OSError) -> int:
    """Says that a file or the output cannot be read or written; the exit code. Whoever reads our
    output may go at any time: then there is nothing more to say."""
    if not isinstance(error, BrokenPipeError):
        complain(f"{error.filename or 'writing the output'}: {error.strerror or error}")
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        drop(sys.stdout)
    if isinstance(error, NotAFile) or error.errno in (*BAD_NAMES, *UNWRITABLE):
        return BAD_INPUT
    return FINE if isinstance(error, BrokenPipeError) else FAILED


def stopped(kept: bool, command: str) -> int:
    """Says after Ctrl-C or SIGTERM whether there is something to resume, and how; the exit code."""
    more = f"; every finished run is stored. Resume with: {command}"
    complain(f"ended by {cause()}{more if kept else ', before anything was stored'}", "stopped")
    return INTERRUPTED


def code_of(error: BaseException) -> int:
    """The exit code that an error stands for."""
    return BAD_INPUT if isinstance(error, BadInput | InputError) else FAILED
