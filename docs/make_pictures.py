"""Make the pictures of README.md: a page whose sliders move a flock, and a strip of six flocks.
Make that of films-and-stills.md: flocks coloured by numbers of their boids.
Make that of individuals.md: a school that is sorted by speed.

    python docs/make_pictures.py [sliders] [strip] [colours] [individuals]

The first needs Chromium and playwright, like the browser tests. It shows the page of
`murmurate page starlings --live`, advanced a few steps per picture while two sliders move.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from PIL import Image

import murmurate as mm

HERE = Path(__file__).resolve().parent
SLIDERS, STRIP, COLOURS = HERE / "sliders.webp", HERE / "strip.png", HERE / "colours.png"
INDIVIDUALS = HERE / "individuals.png"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist"]
SIZE = (960, 540)
RATE = 12.5  # pictures a second
STEPS = 2  # of the flock per picture
BOIDS = 1500
BEFORE = 120  # steps before the first picture

# slider -> (picture, value) pairs, interpolated linearly
DRAWN = {
    "rules.separation.weight": ((12, None), (28, 40.0), (48, 40.0), (60, None)),
    "rules.alignment.weight": ((66, None), (76, 0.0), (92, 0.0), (100, None)),
}
PICTURES = 112

DRAW = """(slider, value) => {
  slider.value = value;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
}"""

# flock -> step, and other options of its still
SIX = {
    "starlings": (900, {}),
    "parker-gate": (260, {}),
    "sort-sol": (300, {}),
    "couzin-2002": (1500, {}),
    "strombom-2014": (250, {}),
    "vicsek-1995": (600, {}),
}
TILE = (480, 320)


# of the picture of colours: model, changes, step
COLOURED: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("swarmalators", {"rules.swarmalators.synchronisation": -0.1, "view.box": False}, 900),
    ("jolles-2017", {"view.style": "light", "view.boid_size": 0.9}, 700),
    (str(HERE / "stream.toml"), {}, 420),
    ("starlings", {"rules.speed.speed": {"kind": "normal", "mean": 9, "sd": 1.2, "min": 6},
                   "view.colour_by": "rules.speed.speed", "view.style": "dark",
                   "flocks.boids.count": 1200}, 150),
)  # fmt: skip
COLOURED_TILE = (640, 400)


def sliders() -> None:
    """The page, as it is while somebody draws its sliders."""
    from playwright.sync_api import sync_playwright

    model = mm.load("starlings").set({"flocks.boids.count": BOIDS})
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "page.html"
        mm.to_html(model, output=path, live=True, seed=4)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        tab = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
        tab.goto(path.as_uri())
        pictures = [Image.open(io.BytesIO(shot)) for shot in _shots(tab, model)]
        browser.close()
    pictures[0].save(
        SLIDERS, save_all=True, append_images=pictures[1:], duration=round(1000 / RATE), loop=0,
        quality=62, method=6, minimize_size=True,
    )  # fmt: skip
    print(f"wrote {SLIDERS}, {SLIDERS.stat().st_size / 1e6:.2f} MB")


def _shots(tab: Any, model: mm.Model) -> Iterator[bytes]:
    own = {path: float(model.rules[path.split(".")[1]].weight) for path in DRAWN}
    hook = "document.querySelector('#murmurate').__murmurate"
    _until(tab, f"{hook}?.step > {BEFORE}")
    tab.locator("[data-test=pause]").click()
    for picture in range(PICTURES):
        for path, keys in DRAWN.items():
            value = _drawn(picture, keys, own[path])
            if value is not None:
                tab.locator(f"input[type=range][data-path='{path}']").evaluate(DRAW, str(value))
        for _ in range(STEPS):
            step = tab.evaluate(f"{hook}.step")
            tab.keyboard.press(".")
            _until(tab, f"{hook}.step > {step}")
        tab.wait_for_timeout(60)
        for word in tab.get_by_text("paused", exact=True).all():
            word.evaluate("element => { element.textContent = ''; }")  # between two pictures only
        yield tab.screenshot()


def _until(tab: Any, holds: str) -> None:
    while not tab.evaluate(holds):  # the page's policy forbids wait_for_function
        tab.wait_for_timeout(10)


def _drawn(picture: int, keys: tuple[tuple[int, float | None], ...], own: float) -> float | None:
    """Where a slider is at a picture; None before it is first drawn and after it was last."""
    for (begin, low), (end, high) in pairwise(keys):
        if begin <= picture <= end:
            first, last = (own if value is None else value for value in (low, high))
            return first + (last - first) * (picture - begin) / (end - begin)
    return None


def strip() -> None:
    """Six stills, side by side."""
    width, height = TILE
    sheet = Image.new("RGB", (3 * width, 2 * height))
    for index, (name, (step, others)) in enumerate(SIX.items()):
        row, column = divmod(index, 3)
        with tempfile.TemporaryDirectory() as folder:
            picture = mm.still(
                name,
                Path(folder) / "one.png",
                at=step,
                size=TILE,
                view=mm.View(text=False),
                **others,
            )
            sheet.paste(Image.open(picture), (column * width, row * height))
    sheet.save(STRIP, optimize=True)
    print(f"wrote {STRIP}, {STRIP.stat().st_size / 1e6:.2f} MB")


def colours() -> None:
    """Four flocks whose colours show a number of each boid."""
    width, height = COLOURED_TILE
    sheet = Image.new("RGB", (2 * width, 2 * height))
    for index, (name, changes, step) in enumerate(COLOURED):
        row, column = divmod(index, 2)
        with tempfile.TemporaryDirectory() as folder:
            model = mm.load(name).set(changes)
            picture = mm.still(model, Path(folder) / "one.png", at=step, size=COLOURED_TILE)
            sheet.paste(Image.open(picture), (column * width, row * height))
    sheet.save(COLOURS, optimize=True)
    print(f"wrote {COLOURS}, {COLOURS.stat().st_size / 1e6:.2f} MB")


def individuals() -> None:
    """The school of individuals.md, whose model is the first file of that page."""
    page = INDIVIDUALS.with_suffix(".md").read_text(encoding="utf-8")
    model = mm.parse(page.split("```toml\n")[1].split("```")[0])
    with tempfile.TemporaryDirectory() as folder:
        picture = mm.still(model, Path(folder) / "one.png", at=600, size=(960, 400), seed=1)
        Image.open(picture).convert("RGB").quantize(64).save(INDIVIDUALS, optimize=True)
    print(f"wrote {INDIVIDUALS}, {INDIVIDUALS.stat().st_size / 1e6:.2f} MB")


DRAWINGS = {
    "sliders": sliders,
    "strip": strip,
    "colours": colours,
    "individuals": individuals,
}

if __name__ == "__main__":
    for name in sys.argv[1:] or DRAWINGS:
        DRAWINGS[name]()
