"""Make contact sheets of films: indices of the film of each model of the zoo in three formats.

    python docs/make_contact_sheets.py FOLDER [MODEL ...]

A sheet has a row for each model: a wide, a square and an upright picture of each moment, as they
are in its film. They show whether films are framed, lit and filled well; look at them after changes
of the painter or of models. The sheets are FOLDER/sheet-1.png and so on.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

import murmurate as mm
from murmurate.runs.film import frames, looks
from murmurate.show.painter import Painter
from murmurate.show.scene import path_lines

FORMATS = {"wide": (960, 540), "square": (540, 540), "upright": (540, 960)}
FRACTIONS = (0.1, 0.45, 0.95)  # of the film
HEIGHT = 240  # of a picture on the sheet, pixels
ROWS = 4  # models of a sheet
SETTLING = (
    12  # pictures drawn before a moment, so that trails and bank angles are those of the film
)


def film_pictures(model: mm.Model) -> Iterator[list[Image.Image]]:
    """Yield a picture in each format at each moment of the film of a model."""
    painters = []
    for size in FORMATS.values():
        view = model.view.model_copy(update={"size": size})
        painters.append(Painter(model.space, view, looks(model), path_lines(model)))
    view = model.view
    count = view.steps // view.every
    indices = [round(part * (count - 1)) for part in FRACTIONS]
    simulation = mm.Simulation(model, seed=0).step(view.warm_up)
    for k, frame in enumerate(frames(simulation, view.steps, view.every)):
        if any(0 <= index - k <= SETTLING for index in indices):
            pictures = [painter.draw(frame) for painter in painters]
            if k in indices:
                yield [Image.fromarray(picture) for picture in pictures]
            continue
        for painter in painters:
            painter.next_projection(frame)
            painter.remember(frame)


def row_of(name: str) -> Image.Image:
    """Return the row of a model."""
    model = mm.load(name)
    pictures = [picture for pictures in film_pictures(model) for picture in pictures]
    pictures = [p.resize((round(p.width * HEIGHT / p.height), HEIGHT)) for p in pictures]
    row = Image.new("RGB", (sum(p.width for p in pictures) + 4 * len(pictures), HEIGHT + 16))
    left = 0
    for picture in pictures:
        row.paste(picture, (left, 16))
        left += picture.width + 4
    ImageDraw.Draw(row).text((4, 2), name, "white")
    return row


def main(folder: Path, names: list[str]) -> None:
    """Write the sheets of these models."""
    folder.mkdir(parents=True, exist_ok=True)
    for first in range(0, len(names), ROWS):
        rows = [np.asarray(row_of(name)) for name in names[first : first + ROWS]]
        path = folder / f"sheet-{first // ROWS + 1}.png"
        Image.fromarray(np.concatenate(rows)).save(path)
        print(path, ", ".join(names[first : first + ROWS]), flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), sys.argv[2:] or list(mm.zoo()))
