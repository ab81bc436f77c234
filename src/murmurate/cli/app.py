"""The program: its commands, and what happens to errors."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from cyclopts import App, CycloptsError, Parameter

from murmurate import __version__
from murmurate.cli.bench import bench
from murmurate.cli.catalogue import models, new, show
from murmurate.cli.complaints import BAD_INPUT, FAILED, FINE, INTERRUPTED, code_of, complain
from murmurate.cli.export import export
from murmurate.cli.fit import fit
from murmurate.cli.measure import measure
from murmurate.cli.page import page
from murmurate.cli.pictures import film, still
from murmurate.cli.record import branch, cite, info, resume
from murmurate.cli.run import run as run_command
from murmurate.cli.sweep import plot, sweep
from murmurate.cli.verify import verify
from murmurate.cli.watch import watch

HELP = """The flocking simulator: published flocks and your own, filmed in one command.

A MODEL is the name of a published flock or a model file of your own, ending in .toml. For instance:

    murmurate film starlings
    murmurate new sort-sol mine.toml
    murmurate film mine.toml --boids 5000 --set rules.cohesion.weight=0.05

Exit codes: 0 fine, 1 the run failed, 2 bad input, 130 stopped by Ctrl-C.
"""

app = App(
    name="murmurate",
    help=HELP,
    version=f"murmurate {__version__}",
    help_format="plaintext",
    default_parameter=Parameter(negative=(), show_default=False),
)
for command in (models, show, new, film, still, page, watch, run_command, bench, sweep, plot):
    app.command(command)
for more in (resume, branch, info, cite, export, measure, fit, verify):
    app.command(more)


def run(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit code. What is the user's mistake is said in a line."""
    tokens = list(arguments)
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):  # names of authors on a terminal of few letters
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        code = app(tokens, exit_on_error=False, print_error=False, result_action="return_value")
        sys.stdout.flush()
        return int(code or FINE)
    except CycloptsError as error:
        complain(_said(error, tokens))
        return BAD_INPUT
    except KeyboardInterrupt:
        complain("stopped by Ctrl-C", kind="stopped")
        return INTERRUPTED
    except BrokenPipeError:  # whoever read our output has gone: there is nothing more to say
        _let_go_of_output()
        return FINE
    except Exception as error:
        from murmurate.cli.complaints import BadInput
        from murmurate.errors import MurmurateError
        from murmurate.show.errors import ShowError

        if isinstance(error, BadInput | MurmurateError | ShowError):
            complain(error)
            return code_of(error)
        if isinstance(error, MemoryError):
            complain(f"out of memory: {error}. Fewer boids need less of it")
            return FAILED
        if isinstance(error, OSError):
            complain(f"{error.filename or 'writing the output'}: {error.strerror or error}")
            _let_go_of_output()
            return FAILED
        raise


def _let_go_of_output() -> None:
    """So that Python does not complain once more, when it closes an output that cannot be
    written to."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _said(error: CycloptsError, tokens: list[str]) -> str:
    from murmurate.model.registry import unknown

    names = [name for name in app if not name.startswith("-")]
    if not tokens[0].startswith("-") and tokens[0] not in names:
        return unknown("command", tokens[0], names)
    text = " ".join(str(error).split()).rstrip(".")
    command = tokens[0] if tokens[0] in names else ""
    return f"{text}; see murmurate {command} --help".replace("  ", " ")
