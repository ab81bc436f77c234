"""Options of plots, for all commands that have --plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter

from murmurate.cli.options import PLOT_SIZE, PlotSize, T
from murmurate.errors import CommandError

PLOT = Group("The plot", sort_key=5)
InPlot = Annotated[T, Parameter(group=PLOT)]
DEFAULT_FILE = Path()
"""The value of --plot without a file."""
MODEL_ENDING = ".toml"


@Parameter(name="*", group=PLOT)
@dataclass(frozen=True, kw_only=True)
class PlotOptions:
    """The file of a plot, and how it looks.

    Parameters
    ----------
    plot
        Plot the result to a .png, .svg or .pdf. Without a FILE, to a .png named after the input.
    style
        Colours of the plot. Default: light.
    """

    plot: Annotated[Path | None, Parameter(name="--plot")] = None
    style: Literal["light", "dark"] | None = None
    size: Annotated[PlotSize | None, Parameter(help=PLOT_SIZE)] = None

    def path(self, default: str | Path, force: bool, inputs: Sequence[object] = ()) -> Path | None:
        """Return the file to write, checked, before anything is computed; None without --plot.

        default  the file of --plot without a name
        force  true to replace an existing file
        inputs  files and recordings that are read: the plot may not be one, or be inside one
        raises CommandError  for --style and --size without --plot
        raises OutputError  for another ending, an existing file unless forced, a missing folder,
            and an input
        raises MurmurateError  if matplotlib is missing
        """
        from murmurate.plots.style import check_look, check_output_path
        from murmurate.show.output import check_apart

        if self.plot is None:
            for word, value in (("--style", self.style), ("--size", self.size)):
                if value is not None:
                    raise CommandError(
                        f"{word}: got {value} without --plot; expected both. Add --plot, or leave "
                        "it out"
                    )
            return None
        path = Path(default) if self.plot == DEFAULT_FILE else self.plot
        for file in map(Path, map(str, inputs)):
            if file.is_file() or (file.is_dir() and _is_recording(file)):
                check_apart(path, file)
        check_output_path(path, force=force)
        check_look(self.style or "light", self.size or "screen", CommandError)
        return path

    @property
    def look(self) -> dict[str, Any]:
        """Style and size, as functions that plot take them."""
        return {"style": self.style or "light", "size": self.size or "screen"}


def complete_plot_option(tokens: Sequence[str]) -> list[str]:
    """Return the words of a command, with the default value of --plot if no file follows it.

    The next word is a file if it has an ending other than .toml, that of a model.
    """
    complete: list[str] = []
    for k, token in enumerate(tokens):
        following = tokens[k + 1] if k + 1 < len(tokens) else "-"
        suffix = "" if following.startswith("-") else Path(following).suffix.lower()
        is_bare = token == "--plot" and suffix in ("", MODEL_ENDING)
        complete.append(f"--plot={DEFAULT_FILE}" if is_bare else token)
    return complete


def _is_recording(folder: Path) -> bool:
    from murmurate.record.recovery import is_recording  # it needs the extra 'record'

    return is_recording(folder)
