"""A contact sheet: pictures of the films of all published flocks, in three shapes, as one PNG.

python tests/show/film_gallery.py gallery.png [NAME ...]
"""

import sys
from pathlib import Path

from framing_measures import SHAPES, flown, painters
from PIL import Image, ImageDraw

import murmurate as mm

FILM_PARTS = 0.0, 0.4, 1.0  # of the film
HIGH = 240  # pixels of a row


def row(name: str) -> Image.Image:
    """Return pictures of the film of one flock."""
    model = mm.load(name)
    count = model.view.steps // model.view.every
    numbers = {round(part * (count - 1)) for part in FILM_PARTS}
    sizes = [(HIGH * wide // high, HIGH) for wide, high in SHAPES.values()]
    sheet = Image.new("RGB", (len(numbers) * sum(wide for wide, _ in sizes), HIGH))
    shapes, left = painters(model), 0
    for number, frame in enumerate(flown(model, count)):
        for painter, size in zip(shapes.values(), sizes, strict=True):
            picture = painter.draw(frame)  # each one, for the trails
            if number in numbers:
                sheet.paste(Image.fromarray(picture).resize(size), (left, 0))
                left += size[0]
    ImageDraw.Draw(sheet).text((6, HIGH - 16), name, "white", stroke_width=1, stroke_fill="black")
    return sheet


def main(path: str, *names: str) -> None:
    rows = [row(name) for name in names or mm.zoo()]
    sheet = Image.new("RGB", (rows[0].width, HIGH * len(rows)))
    for number, strip in enumerate(rows):
        sheet.paste(strip, (0, HIGH * number))
    sheet.save(Path(path))


if __name__ == "__main__":
    main(*sys.argv[1:])
