"""The program: its commands, and the handling of errors."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from contextvars import ContextVar
from functools import cache
from typing import Annotated, Any, NamedTuple

from cyclopts import (
    App,
    CycloptsError,
    Group,
    MissingArgumentError,
    Parameter,
    Token,
    UnknownOptionError,
    UnusedCliTokensError,
)

from murmurate.cli.interrupt import cause, sigterm_as_ctrl_c
from murmurate.cli.plot_options import complete_plot_option
from murmurate.cli.terminal import (
    EXIT_BAD_INPUT,
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    EXIT_OK,
    console,
    exit_code,
    find_command,
    print_error,
    quiet_notes,
    report_os_error,
    show_log,
)
from murmurate.cli.waiting import show_waiting
from murmurate.errors import MurmurateError
from murmurate.version import __version__

HELP = """The flocking simulator: films of published flocks and your own in one command.

A MODEL is the name of a published flock or a model file of your own, ending in .toml. For instance:

    murmurate film starlings
    murmurate new sort-sol mine.toml
    murmurate film mine.toml --boids 5000 --set rules.cohesion.weight=0.05

Exit codes: 0 success, 1 the run failed, 2 invalid input, 130 stopped by Ctrl-C or SIGTERM.
"""


class Command(NamedTuple):
    """A command: its module in this package, and its line in --help."""

    group: str
    file: str
    name: str
    line: str


LIST = (
    Command("Look", "tour", "tour",
            "Take a tour of five minutes: a page, a changed number, a film, a paper verified."),
    Command("Look", "models", "models", "List the published flocks that come with murmurate."),
    Command("Look", "models", "show",
            "Show a model: its rules as formulas, its numbers, its source, and changes to try; or"
            " print references."),
    Command("Look", "watch", "watch",
            "Watch a moving flock in the browser, and change it meanwhile."),
    Command("Look", "pictures", "film",
            "Write a film of a model, a recording or tracks of animals."),
    Command("Look", "pictures", "still",
            "Draw one picture of a model, a recording or tracks of animals."),
    Command("Look", "page", "page",
            "Write a page, one HTML file: a replay, or with --live a flock with sliders."),
    Command("Look", "check_code", "check-code",
            "Check the codes that pages show at the end of a task, and print their scores."),
    Command("Simulate", "new_files", "new",
            "Copy a model to a file to edit; or write a rule or motion of your own."),
    Command("Simulate", "new_files", "schema",
            "Print the JSON schema of model files, by which editors complete and check them."),
    Command("Simulate", "run", "run",
            "Simulate a model without pictures, and print its measures; with -o, record it."),
    Command("Simulate", "record", "resume",
            "Resume a recording; or continue from one of its steps with a changed model."),
    Command("Simulate", "tasks", "tasks",
            "List tasks for learners, with the returns of random actions and of published rules."),
    Command("Simulate", "sweep", "sweep",
            "Simulate a model with many parameter sets and seeds, or resume a sweep."),
    Command("Measure", "record", "info",
            "Describe a recording or tracks of animals, and what looks wrong in them."),
    Command("Measure", "measure", "measure",
            "Measure a model, a recording or tracks of animals, with standard errors."),
    Command("Measure", "sweep", "plot", "Plot a sweep or another study."),
    Command("Measure", "export", "export",
            "Write a recording, a model or tracks as a file that other tools open."),
    Command("Measure", "check_flight", "check-flight",
            "Check the file of a flight of drones: distances, speeds and altitudes."),
    Command("Infer", "fit", "fit",
            "Fit a model to a recording or to tracks of real animals, or resume a fit."),
    Command("Infer", "learn", "learn",
            "Learn from tracks how animals respond to each other, and write it as a model."),
    Command("Infer", "compare", "compare-models",
            "Compare models by how well they predict flocks that they were not fitted to."),
    Command("Infer", "sensitivity", "sensitivity",
            "Rank the numbers of a model by their effects on measures, or resume such an "
            "analysis."),
    Command("Check", "verify", "verify",
            "Simulate models and compare them with the results that their files expect."),
    Command("Check", "doctor", "doctor",
            "List what is installed and missing, and test it; or measure the speed of flocks."),
)  # fmt: skip
"""All commands, in the order of --help. Only the command that runs is imported."""
EVERYWHERE = Group("With any command", sort_key=99)
ALL_OPTIONS = "--help-all"
RARE = """
--dtype --threads --colour-range --colour-map --watermark --transparent --motion-blur --passes
--no-text --follow --offset --px-per-unit --max-boids --draw --edit --host --port --paused
--y-down --part --min-likelihood --header --time-format --missing --skip-bad --axes --resample
--space --origin --periodic --layout --legacy-names --boid-size --scene --predators --trait
--option --csv --seed-shift --kernel --on --processes --shard --merge --record --prior --tolerance
--check --precision --grid-spacing --rate --geo-origin --unchecked --max-jerk --min-altitude
--max-yaw-rate --obstacle-distance --seconds-per-unit --altitude --scorm --variable --up
"""
"""Options that only --help-all lists."""
HELP_FLAGS = ("--help", "-h", ALL_OPTIONS)
CALL: Any = {"exit_on_error": False, "print_error": False, "result_action": "return_value"}
COMMANDS = {command.name: command for command in LIST}
_reporting = ContextVar("reporting", default=False)


def make_app(list_commands: bool) -> App:
    """Return the commands.

    list_commands  true to list the commands with the lines above, without importing them
    """
    app = App(
        name="murmurate",
        help=HELP,
        version=f"murmurate {__version__}",
        help_flags=HELP_FLAGS,
        help_format="plaintext",
        default_parameter=Parameter(negative=(), show_default=False, converter=_convert),
    )
    names = list(dict.fromkeys(command.group for command in LIST))
    groups = {name: Group(name, sort_key=number) for number, name in enumerate(names)}
    for number, command in enumerate(LIST):
        app.command(
            f"murmurate.cli.{command.file}:{command.name.replace('-', '_')}",
            name=command.name, group=groups[command.group], sort_key=number,
            help=command.line if list_commands else None,
        )  # fmt: skip
    return app


def arguments_of(app: App, command: str) -> Any:
    """Return the arguments and options of a command, as the program reads them."""
    return app[command].assemble_argument_collection(default_parameter=app.default_parameter)


def _make_program(app: App, print_help: bool) -> App:
    """Return the program, which reads --verbose and passes the rest to the commands.

    With `print_help` it is the commands' meta app, whose options are in the help of each command,
    and prints on the console of this package, which is slow to import. A plain app needs half the
    time, as it does not read the options of the command too.
    """
    program = app.meta if print_help else App(help_flags=(), version_flags=())
    for part in (app, program):
        part.suppress_keyboard_interrupt = False  # `run` handles it, with a message
        if print_help:
            part.console = console()
            for flag in ("--help", "--version"):
                part[flag].group = EVERYWHERE
            part["--help"].help = "Print help; --help-all lists rarely used options too."
            part["--version"].help = "Print the version."

    @program.default
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
                help="Log to stderr: engine, compilation, commits; twice: all details.",
            ),
        ] = 0,
    ) -> Any:
        if _reporting.get():  # a command of the tour, whose log and lines are printed already
            return app(tokens, **CALL)
        quiet, outermost = "--quiet" in tokens, _reporting.set(True)
        try:
            with show_log(verbose), quiet_notes(quiet), show_waiting(quiet):
                return app(tokens, **CALL)
        finally:
            _reporting.reset(outermost)

    return program


def _format_help(app: App, command: str, everything: bool) -> None:
    """Format the help of a command, without options that are rarely used unless `everything`.

    Lines of paragraphs are joined, since terminals are not as wide as code.
    """
    from cyclopts.help import DefaultFormatter

    from murmurate.cli.engine_flags import FLAGS

    about = inspect.cleandoc(app[command].help).partition("\n\nParameters\n---")[0].split("\n\n")
    app[command].help = "\n\n".join(p if p[0].isspace() else " ".join(p.split()) for p in about)
    rare = set() if everything else {*RARE.split(), *(flag.option for flag in FLAGS.values())}

    class JoinedLines(DefaultFormatter):
        def __call__(self, console: Any, options: Any, panel: Any) -> None:
            entries = [entry for entry in panel.entries if rare.isdisjoint(entry.names)]
            for text in (entry.description.primary_renderable for entry in entries):
                text.plain = " ".join(text.plain.split())
            super().__call__(console, options, panel.copy(entries=entries))

    app.help_formatter = JoinedLines()
    named = [set(argument.names) for argument in arguments_of(app, command)]
    if hidden := sum(not rare.isdisjoint(names) for names in named):
        app.help_epilogue = f"{hidden} more options: murmurate {command} {ALL_OPTIONS}"


def _convert(kind: Any, tokens: Sequence[Token]) -> Any:
    from murmurate.cli.options import value_of

    return value_of(kind, tokens)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code. Errors of the user are printed in a line."""
    tokens = list(arguments)
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):  # names with letters that the terminal lacks
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        tokens = complete_plot_option(tokens)
        command, help_flags = find_command(tokens), set(HELP_FLAGS) & set(tokens)
        app = make_app(not command)
        program = _make_program(app, bool(help_flags) or not command)
        if help_flags and command in COMMANDS:
            _format_help(app, command, ALL_OPTIONS in help_flags)
        with sigterm_as_ctrl_c():
            code = program(tokens, **CALL)
        sys.stdout.flush()
        return int(code or EXIT_OK)
    except CycloptsError as error:
        print_error(_describe_usage_error(error, find_command(tokens)))
        return EXIT_BAD_INPUT
    except KeyboardInterrupt:
        print_error(f"ended by {cause()}", kind="stopped")
        return EXIT_INTERRUPTED
    except OSError as error:
        return report_os_error(error)
    except MurmurateError as error:
        print_error(_name_options(str(error), tokens))
        return exit_code(error)
    except MemoryError as error:
        print_error(f"out of memory: {error}. Fewer boids need less memory")
        return EXIT_FAILED


def _option_meant(option: str, names: Sequence[str]) -> str:
    """Return the option, setting, measure or command that an unknown option may mean."""
    import murmurate.rules  # noqa: F401  (registers the built-in rules)
    from murmurate.measures.registry import MEASURES
    from murmurate.model.messages import closest
    from murmurate.model.registry import RULES

    word, words = option.lstrip("-"), {name.lstrip("-"): name for name in names}
    if word in RULES:
        return f": did you mean --set rules.{word}.weight=VALUE?"
    if close := closest(word, words):
        return f": did you mean {words[close]}?"
    if any(word in rule.model_fields for rule in RULES.values()):
        return f": did you mean --set rules.RULE.{word}=VALUE?"
    if word.replace("-", "_") in MEASURES:
        return f": did you mean murmurate measure MODEL {word.replace('-', '_')}?"
    owners = [name for name, options in _options_of_commands().items() if option in options]
    return f", which is an option of {', '.join(owners)}." if owners else "."


@cache
def _options_of_commands() -> dict[str, set[str]]:
    app = make_app(list_commands=False)
    return {
        name: {option for argument in arguments_of(app, name) for option in argument.names}
        for name in COMMANDS
    }  # fmt: skip


def _name_options(text: str, tokens: Sequence[str]) -> str:
    """Return an error message with options for arguments: '--at: got 13' for 'at: got 13'.

    Only lines that begin with an argument are changed, if the command line has its option.
    """
    passed = {token.partition("=")[0] for token in tokens}

    def replace(match: re.Match[str]) -> str:
        option = "--" + match[1].replace("_", "-")
        return option if option in passed else match[0]

    return re.sub(r"^([a-z]\w*)(?=[:=])", replace, text, flags=re.MULTILINE)


def _describe_usage_error(error: CycloptsError, command: str) -> str:
    from murmurate.model.messages import format_unknown

    if command and command not in COMMANDS:
        return format_unknown("command", command, COMMANDS)
    see = f"See murmurate {command} --help".replace("  ", " ")
    match error:
        case UnknownOptionError():
            option = (error.token.keyword or error.token.value or "").partition("=")[0]
            names = [name for argument in error.argument_collection for name in argument.names]
            hint = _option_meant(option, names)
            return f"murmurate {command} has no option {option}{hint} {see}"
        case MissingArgumentError() if error.argument is not None:
            name = error.keyword or error.argument.name
            return f"{name}: got no value; expected one. {see}"
        case UnusedCliTokensError():
            words = " ".join(error.unused_tokens or ())
            return f"{words}: got more arguments than murmurate {command} has. {see}"
    text = " ".join(str(error).split()).removeprefix("Invalid value for ").rstrip(".")
    return f"{text}. {see}"
