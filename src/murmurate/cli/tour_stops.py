"""The stops of the tour: what is said, the command that is run, and the file that it makes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Stop:
    """One stop of the tour. FOLDER stands for the tour's folder.

    text     what is said before the command
    words    the command without 'murmurate'
    makes    the file in that folder which the command writes; '' for none. Where it is there
             already it is kept, and the command is not run
    opens    whether the file is for the browser, or for what plays films
    """

    title: str
    text: str
    words: tuple[str, ...]
    makes: str = ""
    opens: bool = False

    def told(self, folder: Path) -> str:
        """The text with the folder in it."""
        return self.text.replace("FOLDER", str(folder))

    def command(self, folder: Path) -> list[str]:
        """The words with the folder in them."""
        return [word.replace("FOLDER", str(folder)) for word in self.words]


STOPS = (
    Stop(
        "A flock in a page",
        "One file holds the flock itself: it flies in any browser, on a phone too, with no Python "
        "and no network. Drag to look round, move a slider, press ? for the keys. The first page "
        "of a model takes some seconds, in which it is compiled.",
        ("page", "parker", "--live", "-o", "FOLDER/parker.html"),
        makes="parker.html",
        opens=True,
    ),
    Stop(
        "What a flock is",
        "A model is a file: a space, flocks, how they move, and rules. These are the rules of the "
        "flock that you have just seen, with their numbers. Every number has a path, the same in "
        "the file, on the command line and in Python.",
        ("show", "parker"),
    ),
    Stop(
        "Move one number",
        "Twice the same flock: on the left, or above, nobody keeps a heading in common with the "
        "others, since the weight of alignment is 0. --set changes any number by its path.",
        (
            "page", "p5", "--live", "--beside", "p5", "--set", "rules.alignment.weight=0",
            "-o", "FOLDER/no-alignment.html",
        ),
        makes="no-alignment.html",
        opens=True,
    ),
    Stop(
        "A model of your own",
        "Begin with a copy of a published flock. Open it in an editor: the first line names a "
        "schema, by which editors complete keys and mark mistakes.",
        ("new", "p5", "FOLDER/mine.toml"),
        makes="mine.toml",
    ),
    Stop(
        "A film",
        "Whatever flies can be filmed, in the light and from the side that you choose: "
        "murmurate film --help. Change a number in FOLDER/mine.toml, and film it again.",
        (
            "film", "FOLDER/mine.toml", "--steps", "240", "--size", "960x540",
            "-o", "FOLDER/mine.mp4",
        ),
        makes="mine.mp4",
        opens=True,
    ),
    Stop(
        "Is it right?",
        "Each published flock carries the results that its paper gives. verify flies it with many "
        "seeds, measures, and says whether they agree; your own models can carry results too.",
        ("verify", "cucker-smale"),
    ),
    Stop(
        "And now",
        "murmurate watch FOLDER/mine.toml is the live view, which follows the file as you save it; "
        "murmurate models lists what else there is to begin with:",
        ("models",),
    ),
)  # fmt: skip
