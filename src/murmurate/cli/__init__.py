"""The command line. Its commands import what they need when they run, so that --help is quick."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

OVERVIEW = """\
murmurate: the flocking simulator

  murmurate tour                      five minutes of what can be done
  murmurate models                    the published flocks that come with it
  murmurate watch starlings           one of them live, in the browser
  murmurate film starlings            a film of one: starlings.mp4
  murmurate page starlings            one file to send to someone: starlings.html
  murmurate show starlings            what its rules are, and what to try
  murmurate new starlings mine.toml   a model file of your own, to edit
  murmurate film mine.toml --set rules.cohesion.weight=0.05

  murmurate doctor                    what is installed, and whether it works
  murmurate --help, murmurate film --help     all commands, all options
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns its exit code (see murmurate.cli.error_output)."""
    program = arguments is None
    arguments = sys.argv[1:] if arguments is None else arguments
    if sys.stdout is None or sys.stderr is None:  # closed by whoever started it: says nothing
        nowhere = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
    if not arguments:
        from murmurate.cli.error_output import output_failed
        from murmurate.cli.terminal import say

        try:
            say(OVERVIEW, end="")
            return 0
        except OSError as error:
            return output_failed(error)
    from murmurate.cli.app import run
    from murmurate.cli.error_output import INTERRUPTED, command_of

    try:
        code = run(arguments)
    except KeyboardInterrupt:  # again, while the first was answered
        code = INTERRUPTED
    if program and (code == INTERRUPTED or command_of(arguments) == "watch"):
        from murmurate.cli.interrupt import leave

        leave(code)
    return code
