"""Make the pictures of README.md: a page whose sliders move a flock, and a strip of six flocks.
Make that of films-and-stills.md: flocks coloured by numbers of their boids.
Make those of individuals.md and population.md: a school that is sorted by speed, and a stream.
Make that of model-files.md: birds on a wire.
Make those of states.md: five states of swarmalators, an alarm wave, and contagion.

    python docs/make_pictures.py [sliders] [strip] [colours] [individuals] [population] [states]
        [shapes] [wire]

The first needs Chromium and playwright, like the browser tests. It shows the page of
`murmurate page starlings --live`, advanced a few steps per picture while two sliders move.
"""

from __future__ import annotations

import io
import math
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
WIRE = HERE / "wire.png"
INDIVIDUALS, POPULATION = HERE / "individuals.png", HERE / "population.png"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist"]
SWARMALATORS, ALARM = HERE / "swarmalators.png", HERE / "alarm-wave.png"
CONTAGION = HERE / "contagion.png"
SHAPES = HERE / "shapes.png"
MESH, ARCH = HERE / "mesh.webp", HERE / "arch.toml"
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

HIDE_PAUSED = """(line) => {
  const root = line.getRootNode();
  const hide = () => root.querySelectorAll("b").forEach((word) => {
    if (word.textContent === "paused") word.style.visibility = "hidden";
  });
  new MutationObserver(hide).observe(root, { childList: true, subtree: true });
  hide();
}"""

# flock -> step, and other options of its still
SIX = {
    "starlings": (900, {}),
    "parker-gate": (260, {}),
    "sort-sol-hunt": (600, {}),
    "couzin-2002": (1500, {}),
    "strombom-2014": (466, {}),
    "vicsek-1995": (600, {}),
}
TILE = (480, 320)

# J and K of swarmalators, in the order of their states
FIVE = ((0.1, 1.0), (0.1, -1.0), (1.0, 0.0), (1.0, -0.1), (1.0, -0.75))
SQUARE = (256, 256)


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
        quality=50, method=4, minimize_size=True,
    )  # fmt: skip
    print(f"wrote {SLIDERS}, {SLIDERS.stat().st_size / 1e6:.2f} MB")


def _shots(tab: Any, model: mm.Model) -> Iterator[bytes]:
    own = {path: float(model.rules[path.split(".")[1]].weight) for path in DRAWN}
    hook = "document.querySelector('#murmurate').__murmurate"
    _until(tab, f"{hook}?.step > {BEFORE}")
    tab.locator("[data-test=pause]").click()
    tab.get_by_text("Flock", exact=True).click()  # folds it: the sliders of rules are in view
    tab.evaluate("document.activeElement.blur()")
    paused = tab.get_by_text("paused", exact=True).first
    paused.evaluate(HIDE_PAUSED)  # between two pictures only
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
    """The school of individuals.md: the first file of the page."""
    page = INDIVIDUALS.with_suffix(".md").read_text(encoding="utf-8")
    _still_of(mm.parse(page.split("```toml\n")[1].split("```")[0]), INDIVIDUALS, step=600)


def population() -> None:
    """The stream of population.md."""
    model = mm.load("river").set({"view.camera.zoom": 1.1})
    _still_of(model, POPULATION, step=330)


def wire() -> None:
    """The birds on a wire of model-files.md."""
    _still_of(mm.load(str(HERE / "wire.toml")), WIRE, step=300)


def _still_of(model: mm.Model, file: Path, step: int) -> None:
    """Write a wide still of a model at a step."""
    with tempfile.TemporaryDirectory() as folder:
        picture = mm.still(model, Path(folder) / "one.png", at=step, size=(960, 400), seed=1)
        Image.open(picture).convert("RGB").quantize(128).save(file, optimize=True)
    print(f"wrote {file}, {file.stat().st_size / 1e6:.2f} MB")


def states() -> None:
    """The pictures of states.md."""
    rule = "rules.swarmalators"
    model = mm.load("swarmalators")
    five = [
        model.set({f"{rule}.phase_attraction": j, f"{rule}.synchronisation": k}) for j, k in FIVE
    ]
    _row(SWARMALATORS, [(state, 1500) for state in five])
    _row(ALARM, [(_alarmed(), step) for step in (15, 30, 45, 60)])
    _contagions(CONTAGION)


def _row(path: Path, stills: list[tuple[mm.Model, int]]) -> None:
    """Write stills of models at steps, side by side."""
    width, height = SQUARE
    sheet = Image.new("RGB", (len(stills) * width, height))
    for index, (model, step) in enumerate(stills):
        with tempfile.TemporaryDirectory() as folder:
            picture = mm.still(
                model,
                Path(folder) / "one.png",
                at=step,
                size=SQUARE,
                view=model.view.model_copy(update={"text": False}),
            )
            sheet.paste(Image.open(picture), (index * width, 0))
    sheet.quantize(256).save(path, optimize=True)
    print(f"wrote {path}, {path.stat().st_size / 1e6:.2f} MB")


def _alarmed() -> mm.Model:
    """A flock at rest on a lattice, in which the boids in the middle are alarmed."""
    side, middle = 41, 20
    first = tuple(
        1.0 if abs(k // side - middle) + abs(k % side - middle) < 2 else 0.0
        for k in range(side * side)
    )
    alarm = mm.Alarm(
        radius=1.5,
        reaction=0.2,
        duration=0.9,
        rest=3.0,
        initial_alarm=mm.Each(values=first),
        weight=0.0,
    )
    return mm.Model(
        dt=0.1,
        space=mm.Space(size=(44.0, 44.0)),
        flocks={
            "boids": mm.Flock(
                count=side * side,
                start=mm.OnLattice(spacing=1.0, velocity=mm.Stationary()),
                motion=mm.Replace(),
                look=mm.Look(shape="disc"),
            )
        },
        rules={"alarm": alarm},
        view=mm.View(colour_by="alarm", colour_range=(-1.0, 1.0)),
    )


def _contagions(path: Path) -> None:
    """Plot simple contagion in a mixed flock, and complex contagion on a ring."""
    import matplotlib as mpl

    mpl.use("agg")
    import matplotlib.pyplot as plt
    import numpy as np

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
    count, first, dt = 400, 20, 0.05
    start = mm.Each(values=tuple(1.0 if k < first else 0.0 for k in range(count)))
    mixed = mm.Model(
        dt=dt,
        space=mm.Space(size=(10.0, 10.0)),
        flocks={"boids": mm.Flock(count=count)},
        rules={"contagion": mm.Contagion(rate=2.0 / count, initial=start)},
    )
    times = dt * np.arange(81)
    for seed in range(6):
        label = "six runs" if seed == 0 else None
        left.plot(times, _adopted(mixed, 80, seed), color="#7aa6d8", lw=1, label=label)
    logistic = count / (1 + (count / first - 1) * np.exp(-2 * times))
    left.plot(times, logistic, "k--", lw=1.2, label="logistic curve")
    left.set(title="simple, all meet all", xlabel="time", ylabel="boids that have it")
    left.legend(frameon=False)
    for threshold in (1 / 6, 1 / 3, 1 / 2, 0.51):
        adopted = _adopted(_ring(threshold), 20, 0)
        right.plot(adopted, marker=".", label=f"threshold {threshold:.2f}")
    right.set(title="complex, on a ring of 60, three neighbours on either side", xlabel="step")
    right.title.set_fontsize(10)
    right.legend(frameon=False)
    figure.savefig(path, dpi=110)
    print(f"wrote {path}, {path.stat().st_size / 1e6:.2f} MB")


def _ring(threshold: float) -> mm.Model:
    """Sixty boids at rest on a ring, of which six in a block have adopted."""
    reach = 20.0 * math.sin(math.pi * 3.5 / 60)
    start = mm.Each(values=tuple(1.0 if k < 6 else 0.0 for k in range(60)))
    rule = mm.Contagion(form="complex", threshold=threshold, radius=reach, initial=start)
    return mm.Model(
        space=mm.Space(size=(30.0, 30.0)),
        flocks={"boids": mm.Flock(count=60, start=mm.OnRing(radius=10.0, speed=0.0))},
        rules={"contagion": rule},
    )


def _adopted(model: mm.Model, steps: int, seed: int) -> list[float]:
    """Return the number of boids that have adopted, step by step."""
    simulation = mm.Simulation(model, seed=seed)
    numbers = [float(simulation.frame["boids"].per_boid("adopted").sum())]
    for _ in range(steps):
        numbers.append(float(simulation.step().frame["boids"].per_boid("adopted").sum()))
    return numbers


def shapes() -> None:
    """The word of shapes.md: in flight, as it forms, and as it breaks up."""
    page = SHAPES.with_suffix(".md").read_text(encoding="utf-8")
    model = mm.parse(page.split("```toml\n")[1].split("```")[0])
    width, height = COLOURED_TILE
    sheet = Image.new("RGB", (2 * width, 2 * height))
    for index, step in enumerate((210, 275, 480, 575)):
        row, column = divmod(index, 2)
        with tempfile.TemporaryDirectory() as folder:
            picture = mm.still(model, Path(folder) / "a.png", at=step, size=COLOURED_TILE, seed=1)
            sheet.paste(Image.open(picture), (column * width, row * height))
    sheet.save(SHAPES, optimize=True)
    print(f"wrote {SHAPES}, {SHAPES.stat().st_size / 1e6:.2f} MB")
    _small_film(model, SHAPES.with_suffix(".webp"), slice(200, None, 4))


def mesh() -> None:
    """The film of model-files.md: a flock flies through an arch of stone."""
    model = mm.load(ARCH).set({"obstacles.arch": _arch().model_dump()})
    _small_film(model, MESH, slice(270, 540, 4))


def _arch() -> mm.Mesh:
    """Return an arch of rough stone: a tube along two legs and half a circle."""
    import numpy as np

    rows, columns, leg, radius = 96, 40, 14.0, 26.0
    way = np.linspace(0.0, 2 * leg + np.pi * radius, rows)[:, None]
    angle = np.clip((way - leg) / radius, 0.0, np.pi)
    straight = np.minimum(way, leg) - np.maximum(way - leg - np.pi * radius, 0.0)
    x, z = -radius * np.cos(angle), straight + radius * np.sin(angle)
    around = 2 * np.pi * np.arange(columns) / columns
    wide = 8.5 + 5.0 * np.abs(2 * way / way[-1] - 1) ** 3
    out = np.stack([
        -np.cos(angle) * np.cos(around), 1.15 * np.sin(around) + 0 * angle,
        np.sin(angle) * np.cos(around),
    ], axis=-1)  # fmt: skip
    points = np.stack([x, 0 * x, z], axis=-1) + wide[..., None] * out
    rough = np.zeros(points.shape[:2])
    for frequency, height in ((0.08, 2.4), (0.19, 1.1), (0.43, 0.55), (0.9, 0.22)):
        random = np.random.default_rng(int(frequency * 1000))
        for _ in range(3):
            waves = points @ (frequency * random.normal(size=3)) + random.uniform(0.0, 6.28)
            rough += height / 1.5 * np.sin(waves)
    points += rough[..., None] * out
    i, j = (n.ravel() for n in np.indices((rows - 1, columns)))
    k = (j + 1) % columns
    a, b, c, d = i * columns + j, i * columns + k, (i + 1) * columns + j, (i + 1) * columns + k
    ends = np.arange(columns), (np.arange(columns) + 1) % columns
    last, top = rows * columns, (rows - 1) * columns
    faces = np.concatenate([
        np.stack([a, b, d], 1), np.stack([a, d, c], 1),
        np.stack([0 * ends[0] + last, ends[1], ends[0]], 1),
        np.stack([0 * ends[0] + last + 1, top + ends[0], top + ends[1]], 1),
    ])  # fmt: skip
    vertices = np.concatenate([points.reshape(-1, 3), points[[0, -1]].mean(axis=1)])
    return mm.Mesh.from_arrays(vertices, faces, (0.0, 0.0, 23.0))


def _small_film(model: mm.Model, file: Path, pictures: slice) -> None:
    """Write some pictures of the film of a model as an animation, 12.5 pictures a second."""
    import av

    with tempfile.TemporaryDirectory() as folder:
        film = mm.film(model, Path(folder) / "a.mp4", size=(480, 270), seed=1)
        with av.open(str(film.path)) as stream:
            shots = [each.to_image() for each in list(stream.decode(video=0))[pictures]]
    shots[0].save(
        file, save_all=True, append_images=shots[1:], duration=round(1000 / RATE), loop=0,
        quality=50, method=4, minimize_size=True,
    )  # fmt: skip
    print(f"wrote {file}, {file.stat().st_size / 1e6:.2f} MB")


DRAWINGS = {
    "shapes": shapes,
    "sliders": sliders,
    "strip": strip,
    "colours": colours,
    "individuals": individuals,
    "states": states,
    "population": population,
    "wire": wire,
    "mesh": mesh,
}

if __name__ == "__main__":
    for name in sys.argv[1:] or DRAWINGS:
        DRAWINGS[name]()
