"""Length of a film: --seconds, and the lines before it starts."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from murmurate.cli.terminal import console, duration_text, print_error
from murmurate.errors import CommandError
from murmurate.number_text import size_text

if TYPE_CHECKING:
    from murmurate.model.model import Model
    from murmurate.runs.frame_source import Source

LONG_SECONDS = 300  # from which a film is likely to be a mistake
SHORT_SECONDS = 60  # of the film that a warning suggests
BYTES_PER_PIXEL = {".mp4": 0.04, ".webm": 0.04, ".gif": 0.1, ".mov": 0.9, ".png": 0.6}
"""Of a picture of a film, measured with films of the zoo; films differ from it by a factor of 3."""


def set_length(source: Source, seconds: float | None, steps: int | None) -> None:
    """Show as many steps as last `seconds`, if given; of a recording at most all.

    raises CommandError  the film would have no picture, or `steps` are given too
    """
    if seconds is None:
        return
    if steps is not None:
        raise CommandError("--steps, --seconds: got both; expected one. Leave one out")
    view = source.model.view
    if not 0 < seconds < math.inf:
        raise CommandError(f"--seconds: got {seconds:g}; expected a number above 0")
    steps = max(1, round(seconds * view.frames_per_second)) * view.every
    source.show({"view.steps": steps if source.simulated else min(steps, view.steps)})


def announce_film(path: Path, model: Model, of_tracks: bool) -> None:
    """Print the length of a film and about how large it will be, and warn of a very long one."""
    view = model.view
    pictures = view.steps // view.every
    seconds = pictures / view.frames_per_second
    width, height = view.size
    n_bytes = (
        pictures
        * width
        * height
        * BYTES_PER_PIXEL.get(path.suffix.lower(), BYTES_PER_PIXEL[".png"])
    )
    console(errors=True).print(
        f"{path}: {duration_text(seconds)}, {pictures:,} pictures of {width}x{height}, about "
        f"{size_text(int(float(f'{n_bytes:.1g}')))}",
        style="dim", soft_wrap=True,
    )  # fmt: skip
    if seconds > LONG_SECONDS:
        every = math.ceil(view.steps / (SHORT_SECONDS * view.frames_per_second))
        short = duration_text(SHORT_SECONDS)
        all_of_it = f"--every {every} shows all of it in {short}"
        print_error(
            f"the film is {duration_text(seconds)} long. "
            f"{'--speed 10 plays it faster' if of_tracks else all_of_it}, and --seconds "
            f"{SHORT_SECONDS} shows its first {short}",
            kind="warning",
        )
