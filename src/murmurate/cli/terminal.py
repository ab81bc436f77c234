"""All that commands print goes through here: what others wrote into a model or a recording cannot
steer the terminal, colour it, link from it, or turn the direction of its text."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

PLAIN = "\n\t\u200c\u200d"  # lines and tabs; what joins letters in some scripts and emoji
UNBOUNDED = 10_000  # columns of what is read by no terminal
HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")  # control, direction and other invisible characters


def printable(text: object) -> str:
    """The text with every character that a terminal could take for an order written out, such as
    \\u001b or \\u202e, which JSON and TOML read as what it was."""
    said = str(text)
    if said.isascii() and said.isprintable():
        return said
    return "".join(letter if _is_plain(letter) else _written_out(letter) for letter in said)


def say(text: object = "", end: str = "\n", *, errors: bool = False) -> None:
    """Prints a text on stdout, or on stderr."""
    print(printable(text), end=end, file=sys.stderr if errors else sys.stdout, flush=True)


def console(*, errors: bool = False, uncut: bool = False) -> Console:
    """Where results (or, for what is only said on the way, errors) are printed in colour. What
    looks like rich's markup is text.

    uncut  in a file or a pipe, which have no width, nothing is wrapped or cut
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
                order = part.control is not None
                yield part if order else Segment(printable(part.text), part.style)

        def on_broken_pipe(self) -> None:
            raise  # the BrokenPipeError that it is called for: the command says what that means

    made = PlainConsole(stderr=errors, highlight=False, markup=False, emoji=False)
    if uncut and not made.is_terminal:
        made.width = UNBOUNDED
    return made


def progress_bar(*columns: Any, **options: Any) -> Any:
    """A progress bar of rich's; words among its columns are formats of a task, such as
    '{task.description}'."""
    from rich.progress import Progress, TextColumn

    made = (TextColumn(c, markup=False) if isinstance(c, str) else c for c in columns)
    return Progress(*made, **options)


def _is_plain(letter: str) -> bool:
    return letter in PLAIN or unicodedata.category(letter) not in HIDDEN


def _written_out(letter: str) -> str:
    number = ord(letter)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
