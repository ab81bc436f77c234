"""The command line. Its commands import what they need when they run, so that --help is quick."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

OVERVIEW = """\
murmurate: the flocking simulator

  murmurate models                    the published flocks that come with it
  murmurate watch starlings           one of them live, in the browser
  murmurate film starlings            a film of one: starlings.mp4
  murmurate page starlings            one file to send to someone: starlings.html
  murmurate show starlings            what its rules are, and what to try
  murmurate new starlings mine.toml   a model file of your own, to edit
  murmurate film mine.toml --set rules.cohesion.weight=0.05

  murmurate --help, murmurate film --help     all commands, all options
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns its exit code (see murmurate.cli.error_output)."""
    program = arguments is None
    arguments = sys.argv[1:] if arguments is None else arguments
    if not arguments:
        print(OVERVIEW, end="")
        return 0
    from murmurate.cli.app import run
    from murmurate.cli.error_output import INTERRUPTED, command_of

    try:
        code = run(arguments)
    except KeyboardInterrupt:  # again, while the first was answered
        code = INTERRUPTED
    if program and (code == INTERRUPTED or command_of(arguments) == "watch"):
        _leave(code)
    return code


def _leave(code: int) -> None:
    """Ends this process now. Python would wait for threads that fly or compile, and take seconds to
    take the compiler apart."""
    import atexit
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # one Ctrl-C more is not to be waited for
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
