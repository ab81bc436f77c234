"""The program: its commands, and what happens to errors."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any

from cyclopts import App, CycloptsError, Group, Parameter

from murmurate.cli.error_output import (
    BAD_INPUT,
    FAILED,
    FINE,
    INTERRUPTED,
    code_of,
    command_of,
    complain,
    output_failed,
)
from murmurate.cli.interrupt import cause, sigterm_as_ctrl_c
from murmurate.cli.terminal import console
from murmurate.cli.words import value_of
from murmurate.deprecation import declare
from murmurate.version import __version__

HELP = """The flocking simulator: published flocks and your own, filmed in one command.

A MODEL is the name of a published flock or a model file of your own, ending in .toml. For instance:

    murmurate film starlings
    murmurate new sort-sol mine.toml
    murmurate film mine.toml --boids 5000 --set rules.cohesion.weight=0.05

Exit codes: 0 fine, 1 the run failed, 2 bad input, 130 stopped by Ctrl-C or SIGTERM.
"""

# file: command: what --help says of it. Only the command that is asked for is imported.
LIST = """
catalogue: models: List the published flocks that come with murmurate.
catalogue: show: Show what a model is: its rules as formulas, its numbers, its source, what to
    try.
catalogue: new: Copy a model to a file of your own, comments and all, ready to edit.
catalogue: schema: Print the JSON schema of model files, by which editors complete and check
    them.
new_rule: new-rule: Write a rule of your own to begin with, its test, and a model that flies it.
pictures: film: Fly a model, or go through a recording or tracks of animals, and write the film;
    then print the flock's figures.
pictures: still: Draw one picture of a model, a recording or tracks of animals, as a .png.
page: page: Write one HTML file that replays a flight of a model, a recording, or tracks of animals:
    orbit, zoom, scrub.
watch: watch: Watch a flock fly in the browser, and change it while it flies. Ctrl-C ends it.
run: run: Fly a model without pictures; its figures are shown while it flies, and at the end.
tour: tour: Show in five minutes what can be done: a page, a number moved, a film, a paper checked.
doctor: doctor: Say what is installed, what is missing and how to get it, and test that it
    works.
bench: bench: Time this machine on the standard flocks: boid-steps a second, medians of five.
sweep: sweep: Fly a model with many settings and seeds, or resume a sweep that was stopped.
sweep: merge: Join the shards of a sweep into one, and say which runs are missing.
plot: plot: Draw a sweep's measure against what was varied, with 95% intervals.
record: resume: Resume a recording from its last complete frame: after a crash, or to fly
    further.
record: branch: Continue from a recorded step with a changed model, as a new recording.
record: info: Show what a recording is: model, seed, versions, frames, size, figures; or what
    tracks of animals are, how they were read, and what looks wrong in them.
cite: cite: Print the references of a model or a recording, and of murmurate.
export: export: Write a recording or tracks of animals, or a part of them, as a file that other
    tools open.
measure: measure: Measure a flock: measures with their standard errors.
fit: fit: Fit a model to a recording or to real animals' tracks, or resume a fit that was
    stopped.
verify: verify: Fly models and compare them with what their files say they must give.
"""
RENAMED = {
    ("sweep", "--burn-in"): "--warm-up",
    ("fit", "--from"): "--warm-up",
    ("measure", "--from"): "--warm-up",
}
"""(Command, old option) -> the option to use instead."""
DEPRECATED = {
    (command, old): declare(f"murmurate {command}", old, new)
    for (command, old), new in RENAMED.items()
}
EVERYWHERE = Group("With any command", sort_key=9)
CALL: Any = {"exit_on_error": False, "print_error": False, "result_action": "return_value"}
COMMANDS = dict[str, tuple[str, str]]()  # name -> its file and its line
for entry in LIST.replace("\n    ", " ").split("\n")[1:-1]:
    file, name, line = entry.split(": ", 2)
    COMMANDS[name] = (file, line)


def program(listed: bool, help_asked: bool = False) -> App:
    """The program.

    listed      its commands are to be listed, each with its line from above; they are not imported
    help_asked  help is to be printed, by this package's console, which is slow to import
    """
    app = App(
        name="murmurate",
        help=HELP,
        version=f"murmurate {__version__}",
        help_format="plaintext",
        default_parameter=Parameter(negative=(), show_default=False, converter=value_of),
    )
    for one in (app, app.meta):
        one.console = console() if help_asked else None
        one.suppress_keyboard_interrupt = False  # else it exits without a word; run() says one
    for name, (file, line) in COMMANDS.items():
        function = name.replace("-", "_")
        app.command(f"murmurate.cli.{file}:{function}", name=name, help=line if listed else None)

    @app.meta.default
    def any_command(
        *tokens: Annotated[
            str,
            Parameter(show=False, allow_leading_hyphen=True, converter=lambda _, t: t[0].value),
        ],
        verbose: Annotated[
            int,
            Parameter(
                name=("--verbose", "-v"),
                count=True,
                group=EVERYWHERE,
                help="Say on stderr what is done: engine, compiling, commits; twice: every detail.",
            ),
        ] = 0,
    ) -> Any:
        from murmurate.cli.log_output import log_shown

        with log_shown(verbose):
            return app(tokens, **CALL)

    return app


def run(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit code. What is the user's mistake is said in a line."""
    tokens = list(arguments)
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):  # names of authors on a terminal of few letters
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        tokens = _rename_options(tokens)
        app = program(not command_of(tokens), not {"--help", "-h"}.isdisjoint(tokens))
        with sigterm_as_ctrl_c():
            code = app.meta(tokens, **CALL)
        sys.stdout.flush()
        return int(code or FINE)
    except CycloptsError as error:
        complain(_said(error, command_of(tokens)))
        return BAD_INPUT
    except KeyboardInterrupt:
        complain(f"stopped by {cause()}", kind="stopped")
        return INTERRUPTED
    except OSError as error:
        return output_failed(error)
    except Exception as error:
        from murmurate.cli.error_output import BadInput
        from murmurate.errors import MurmurateError, ShowError

        if isinstance(error, BadInput | MurmurateError | ShowError):
            complain(error)
            return code_of(error)
        if isinstance(error, MemoryError):
            complain(f"out of memory: {error}. Fewer boids need less of it")
            return FAILED
        raise


def _rename_options(tokens: list[str]) -> list[str]:
    """Return the words of a command with new names of options, and warn of old ones."""
    command, renamed = command_of(tokens), []
    for token in tokens:
        option, equals, value = token.partition("=")
        if deprecation := DEPRECATED.get((command, option)):
            complain(f"{deprecation}. The old name goes in the next release", kind="warning")
            option = deprecation.new
        renamed.append(option + equals + value)
    return renamed


def _said(error: CycloptsError, command: str) -> str:
    from murmurate.model.messages import format_unknown

    if command and command not in COMMANDS:
        return format_unknown("command", command, list(COMMANDS))
    text = " ".join(str(error).split()).rstrip(".")
    return f"{text}; see murmurate {command} --help".replace("  ", " ")
