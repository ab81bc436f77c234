"""The command line. Commands import what they need when they run, so that --help is fast."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

OVERVIEW = """\
murmurate: the flocking simulator

  murmurate tour                      a tour of five minutes
  murmurate models                    the published flocks that come with it
  murmurate watch starlings           one of them live, in the browser
  murmurate film starlings            a film of one: starlings.mp4
  murmurate page starlings            a page in one file: starlings.html
  murmurate show starlings            its rules, and changes to try
  murmurate new starlings mine.toml   a copy of its model file to edit
  murmurate film mine.toml --set rules.cohesion.weight=0.05

  murmurate doctor                    what is installed, and whether it works
  murmurate --help, murmurate film --help     all commands, all options
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code (see murmurate.cli.terminal)."""
    program = arguments is None
    arguments = sys.argv[1:] if arguments is None else arguments
    if sys.stdout is None or sys.stderr is None:  # closed by the parent process
        null = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        sys.stdout, sys.stderr = sys.stdout or null, sys.stderr or null
    if not arguments:
        from murmurate.cli.terminal import print_line, report_os_error

        try:
            print_line(OVERVIEW, end="")
            return 0
        except OSError as error:
            return report_os_error(error)
    from murmurate.cli.app import run
    from murmurate.cli.terminal import EXIT_INTERRUPTED, find_command

    try:
        code = run(arguments)
    except KeyboardInterrupt:  # a second one, while the first was handled
        code = EXIT_INTERRUPTED
    if program and (code == EXIT_INTERRUPTED or find_command(arguments) == "watch"):
        from murmurate.cli.interrupt import exit_now

        exit_now(code)
    return code
