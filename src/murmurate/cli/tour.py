"""murmurate tour: run commands and open pages, in five minutes."""

from __future__ import annotations

import shlex
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

from murmurate.cli.terminal import EXIT_OK, print_line
from murmurate.errors import CommandError

WIDTH = 80


@dataclass(frozen=True)
class Stop:
    """One stop of the tour. In its texts FOLDER stands for the folder of the tour.

    title  heading
    text  text before the command
    words  the command without 'murmurate'
    output  file in the folder that the command writes; '' for none. An existing file is kept, and
        the command is not run.
    opens  true to open the file in the browser or the player
    """

    title: str
    text: str
    words: tuple[str, ...]
    output: str = ""
    opens: bool = False

    def describe(self, folder: Path) -> str:
        """Return the text with the path of the folder."""
        return self.text.replace("FOLDER", str(folder))

    def command(self, folder: Path) -> list[str]:
        """Return the words with the path of the folder."""
        return [word.replace("FOLDER", str(folder)) for word in self.words]


STOPS = (
    Stop(
        "A flock in a page",
        "One file contains the flock itself: it runs in any browser, also on a phone, without "
        "Python and without a network. Drag to look around, move a slider, press ? for the keys. "
        "The first page of a model takes some seconds, because the model is compiled.",
        ("page", "parker", "--live", "-o", "FOLDER/parker.html"),
        output="parker.html",
        opens=True,
    ),
    Stop(
        "What a flock is",
        "A model is a file: a space, flocks, how they move, and rules. These are the rules of the "
        "flock on the page, with their numbers. Every number has a path, the same in "
        "the file, on the command line and in Python.",
        ("show", "parker"),
    ),
    Stop(
        "Move one number",
        "The same flock twice: on the left, or above, boids do not align, because the weight of "
        "alignment is 0. --set changes any number by its path.",
        (
            "page", "p5", "--live", "--beside", "p5", "--set", "rules.alignment.weight=0",
            "-o", "FOLDER/no-alignment.html",
        ),
        output="no-alignment.html",
        opens=True,
    ),
    Stop(
        "A model of your own",
        "Begin with a copy of a published flock. Open it in an editor: the first line names a "
        "schema, with which editors complete keys and mark mistakes.",
        ("new", "p5", "FOLDER/mine.toml"),
        output="mine.toml",
    ),
    Stop(
        "A film",
        "Every flock can be filmed, with the light and the camera that you choose: "
        "murmurate film --help. Change a number in FOLDER/mine.toml, and film it again.",
        (
            "film", "FOLDER/mine.toml", "--steps", "240", "--size", "960x540",
            "-o", "FOLDER/mine.mp4",
        ),
        output="mine.mp4",
        opens=True,
    ),
    Stop(
        "Is it right?",
        "Each published flock comes with the results of its paper. verify simulates it with many "
        "seeds, measures it, and reports whether the results agree. Your own models can have "
        "results too.",
        ("verify", "cucker-smale"),
    ),
    Stop(
        "Next steps",
        "murmurate watch FOLDER/mine.toml is the live view, which reloads the file when you save "
        "it. murmurate models lists the other published flocks:",
        ("models",),
    ),
)  # fmt: skip


def tour(
    *,
    begin: int = 1,
    folder: Path = Path("murmurate-tour"),
    no_open: bool = False,
) -> int:
    """Take a tour of five minutes: a page, a changed number, a film, a paper verified.

    Each stop explains one command, runs it, and opens its output. Enter continues, q ends the tour.
    Existing files are kept. Without a keyboard it continues by itself.

    Parameters
    ----------
    begin
        Number of the first stop.
    folder
        Folder for the files.
    no_open
        Print addresses of pages instead of opening them.
    """
    from murmurate.cli.app import run

    if not 1 <= begin <= len(STOPS):
        raise CommandError(f"--begin: got {begin}; expected 1 to {len(STOPS)}")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise CommandError(f"{folder}: cannot be created: {error.strerror}") from None
    for number, stop in enumerate(STOPS[begin - 1 :], begin):
        _introduce(f"{number} of {len(STOPS)}: {stop.title}", stop.describe(folder))
        words, output = stop.command(folder), folder / stop.output
        print_line(f"$ murmurate {shlex.join(words)}\n")
        if stop.output and output.exists():
            print_line(f"{output} exists and is kept")
        elif code := run(words):
            return code
        if stop.opens:
            _open(output, no_open)
        print_line()
        if number < len(STOPS) and not _ask_to_continue():
            print_line(f"To continue from here: murmurate tour --begin {number + 1}")
            break
    return EXIT_OK


def _introduce(title: str, text: str) -> None:
    print_line(f"-- {title} ".ljust(WIDTH, "-"))
    print_line(f"\n{textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)}\n")


def _open(path: Path, no_open: bool) -> None:
    import webbrowser

    address = path.resolve().as_uri()
    if no_open or not webbrowser.open(address):
        print_line(f"To see it, open {address}")


def _ask_to_continue() -> bool:
    """Ask at the keyboard. Returns True without one."""
    if not sys.stdin or not sys.stdin.isatty():
        return True
    print_line("Enter continues, q and Enter ends the tour: ", end="")
    answer = sys.stdin.readline()
    print_line()
    return bool(answer) and not answer.strip().lower().startswith("q")
