"""murmurate tour: five minutes in the terminal, in which commands are run and pages opened."""

from __future__ import annotations

import shlex
import sys
import textwrap
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from murmurate.cli.error_output import FINE, BadInput
from murmurate.cli.terminal import say

WIDTH = 80


def tour(
    *,
    begin: Annotated[int, Parameter(help="Begin at this stop; at the first unless given.")] = 1,
    folder: Annotated[
        Path, Parameter(help="Where files are written; murmurate-tour unless given.")
    ] = Path("murmurate-tour"),
    no_open: Annotated[bool, Parameter(help="Open no page; only say where it is.")] = False,
) -> int:
    """Show in five minutes what can be done: a page, a number moved, a film, a paper checked.

    Each stop says what follows, runs one command, which you may run again yourself, and opens what
    it wrote; Enter goes on, q ends it. Files that are there already are kept. Where nobody is at
    the keyboard it goes on by itself.
    """
    from murmurate.cli.app import run
    from murmurate.cli.tour_stops import STOPS

    if not 1 <= begin <= len(STOPS):
        raise BadInput(f"--begin {begin}: it must be a stop, from 1 to {len(STOPS)}")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise BadInput(f"{folder}: cannot be made: {error.strerror}") from None
    for number, stop in enumerate(STOPS[begin - 1 :], begin):
        _introduce(f"{number} of {len(STOPS)}: {stop.title}", stop.told(folder))
        words, made = stop.command(folder), folder / stop.makes
        say(f"$ murmurate {shlex.join(words)}\n")
        if stop.makes and made.exists():
            say(f"{made} is there already, and is kept")
        elif code := run(words):
            return code
        if stop.opens:
            _open(made, no_open)
        say()
        if number < len(STOPS) and not _goes_on():
            say(f"To go on from here: murmurate tour --begin {number + 1}")
            break
    return FINE


def _introduce(title: str, text: str) -> None:
    say(f"-- {title} ".ljust(WIDTH, "-"))
    say(f"\n{textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)}\n")


def _open(path: Path, no_open: bool) -> None:
    import webbrowser

    address = path.resolve().as_uri()
    if no_open or not webbrowser.open(address):
        say(f"To see it, open {address}")


def _goes_on() -> bool:
    """Asks whoever is at the keyboard."""
    if not sys.stdin or not sys.stdin.isatty():
        return True
    say("Enter goes on, q and Enter ends the tour: ", end="")
    answer = sys.stdin.readline()
    say()
    return bool(answer) and not answer.strip().lower().startswith("q")
