"""Make the pictures of README.md and of the pages.

    python docs/make_pictures.py [NAME ...]

sliders           README.md: a page whose sliders move a flock
strip             README.md: six flocks
colours           films-and-stills.md: flocks coloured by numbers of their boids
individuals       individuals.md: a school that is sorted by speed
population        population.md: a stream
states            states.md: five states of swarmalators, an alarm wave, and contagion
agitation         states.md: a wave of agitation
fish              model-files.md: a swarm, a school and a mill
shapes            shapes.md: a word
texture           file-formats.md: a vertex animation texture
labels            films-and-stills.md: a school with boxes around its fish
wire, mesh        model-files.md: birds on a wire, and a flock that flies through an arch
trained-dog       learning.md: the page of a trained dog, of trained-dog.npz
live, live-individuals, live-drawing
                  live.md: a live view, one with numbers that differ, and one with drawings

Without names, all of them. `sliders`, `trained-dog` and those of live.md need Chromium and
playwright, like the browser tests.
"""

from __future__ import annotations

import io
import math
import os
import runpy
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from PIL import Image

import murmurate as mm

HERE = Path(__file__).resolve().parent
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist"]
HOOK = "document.querySelector('#murmurate').__murmurate"

# --- the film of sliders

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

# --- stills

# flock -> step
SIX = {
    "starlings": 900,
    "parker-gate": 260,
    "sort-sol-hunt": 600,
    "couzin-2002": 1500,
    "strombom-2014": 466,
    "vicsek-1995": 600,
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
    """The page of `murmurate page starlings --live`, while its sliders are drawn."""
    model = mm.load("starlings").set({"flocks.boids.count": BOIDS})
    with tempfile.TemporaryDirectory() as folder, _browser_tab(SIZE) as tab:
        path = Path(folder) / "page.html"
        mm.live_page(model, path, seed=4)
        tab.goto(path.as_uri())
        pictures = [Image.open(io.BytesIO(shot)) for shot in _shots(tab, model)]
    _save_animation("sliders", pictures)


def _shots(tab: Any, model: mm.Model) -> Iterator[bytes]:
    own = {path: float(model.rules[path.split(".")[1]].weight) for path in DRAWN}
    _until(tab, f"{HOOK}?.step > {BEFORE}")
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
            step = tab.evaluate(f"{HOOK}.step")
            tab.keyboard.press(".")
            _until(tab, f"{HOOK}.step > {step}")
        tab.wait_for_timeout(60)
        yield tab.screenshot()


def _drawn(picture: int, keys: tuple[tuple[int, float | None], ...], own: float) -> float | None:
    """Where a slider is at a picture; None before it is first drawn and after it was last."""
    for (begin, low), (end, high) in pairwise(keys):
        if begin <= picture <= end:
            first, last = (own if value is None else value for value in (low, high))
            return first + (last - first) * (picture - begin) / (end - begin)
    return None


def strip() -> None:
    """Six stills, side by side."""
    view = mm.View(text=False)
    stills = [(name, {"at": step, "view": view}) for name, step in SIX.items()]
    _save("strip", _sheet(stills, 3, TILE))


def colours() -> None:
    """Four flocks whose colours show a number of each boid."""
    stills = [(mm.load(name).set(changes), {"at": step}) for name, changes, step in COLOURED]
    _save("colours", _sheet(stills, 2, COLOURED_TILE))


def individuals() -> None:
    """The school of individuals.md."""
    _save_wide("individuals", _first_model("individuals"), step=600)


def population() -> None:
    """The stream of population.md."""
    _save_wide("population", mm.load("river").set({"view.camera.zoom": 1.1}), step=330)


def texture() -> None:
    """The vertex animation texture of file-formats.md, with three pixels for each of its own."""
    import av

    with tempfile.TemporaryDirectory() as folder:
        model = mm.load("starlings").set({"flocks.boids.count": 256, "view.steps": 120})
        exported = mm.export(model, Path(folder) / "a_vat.png", flocks="boids")
        with av.open(str(exported.path)) as file:
            pixels = next(file.decode(video=0)).to_ndarray(format="rgb24")
    size = 3 * pixels.shape[1], 3 * pixels.shape[0]
    _save("texture", Image.fromarray(pixels).resize(size, Image.Resampling.NEAREST).quantize(256))


def labels() -> None:
    """A part of a picture of films-and-stills.md, with its labels."""
    import av
    import pandas
    from PIL import ImageDraw

    with tempfile.TemporaryDirectory() as folder:
        model = mm.load("couzin-2002").set({"flocks.boids.count": 60})
        view = mm.View(size=(1920, 1080), text=False, steps=60, every=3)
        report = mm.film(model, Path(folder) / "a.mp4", view=view, passes=["labels"])
        with av.open(str(report.path)) as film:
            picture = list(film.decode(video=0))[-1].to_image()
        with zipfile.ZipFile(report.passes[0]) as file, file.open("labels.csv") as table:
            rows = pandas.read_csv(table)
    draw = ImageDraw.Draw(picture)
    rows = rows[rows.frame == rows.frame.max()]
    for row in rows.itertuples():
        box = (row.left, row.top, row.left + row.width, row.top + row.height)
        draw.rectangle(box, outline=(255, 90, 60) if row.visibility > 0.5 else (255, 220, 80))
        draw.line([row.nose_x, row.nose_y, row.tail_x, row.tail_y], fill=(0, 60, 0))
    x, y = int(rows.centre_x.median()), int(rows.centre_y.median())
    cut = picture.crop((x - 400, y - 225, x + 400, y + 225))
    _save("labels", cut.quantize(128))


def wire() -> None:
    """The birds on a wire of model-files.md."""
    _save_wide("wire", mm.load(str(HERE / "wire.toml")), step=300)


def states() -> None:
    """The pictures of states.md."""
    rule = "rules.swarmalators"
    model = mm.load("swarmalators")
    five = [
        model.set({f"{rule}.phase_attraction": j, f"{rule}.synchronisation": k}) for j, k in FIVE
    ]
    _row("swarmalators", [(state, 1500) for state in five])
    _row("alarm-wave", [(_alarmed(), step) for step in (15, 30, 45, 60)])
    _contagions()


def agitation() -> None:
    """The wave of agitation of states.md, at three times."""
    model = mm.load(str(HERE / "agitation-waves.toml"))
    options = [
        (model, {"at": step, "view": model.view.model_copy(update={"text": False})})
        for step in (640, 690, 740)
    ]
    _save("agitation-wave", _sheet(options, 1, (900, 330)).quantize(256))


def fish() -> None:
    """Swarm, school and mill of model-files.md: one flock of fish, other numbers."""
    options = []
    for attraction, alignment, step, zoom in (
        (0.6, 0.6, 600, 1.3), (0.22, 0.6, 500, 1.0), (0.37, 0.2, 600, 1.05)
    ):  # fmt: skip
        numbers = {"rules.social.attraction": attraction, "rules.social.alignment": alignment}
        view = {"view.camera.zoom": zoom, "view.boid_size": 0.8 / zoom, "view.text": False}
        model = mm.load("wang-2025").set({**numbers, **view})
        options.append((model, {"at": step, "seed": 6}))  # a seed whose school does not split
    _save("fish-phases", _sheet(options, 3, (360, 360)).quantize(256))


def _row(name: str, stills: list[tuple[mm.Model, int]]) -> None:
    """Write stills of models at steps, side by side."""
    options = [
        (model, {"at": step, "view": model.view.model_copy(update={"text": False})})
        for model, step in stills
    ]
    _save(name, _sheet(options, len(stills), SQUARE).quantize(256))


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


def _contagions() -> None:
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
    path = HERE / "contagion.png"
    figure.savefig(path, dpi=110)
    _report(path)


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
    model = _first_model("shapes")
    stills = [(model, {"at": step, "seed": 1}) for step in (210, 275, 480, 575)]
    _save("shapes", _sheet(stills, 2, COLOURED_TILE))
    _small_film("shapes", model, slice(200, None, 4))


def mesh() -> None:
    """The film of model-files.md: a flock flies through an arch of stone."""
    model = mm.load(HERE / "arch.toml").set({"obstacles.arch": _arch().model_dump()})
    _small_film("mesh", model, slice(270, 540, 4))


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


# --- live views

LIVE_SIZE = (1280, 720)
AROUND = {"view.camera.elevation": 12, "view.camera.follow": "space", "view.box": True}


def trained_dog() -> None:
    """The page of examples/train_a_dog.py: the dog drives its sheep."""
    example = runpy.run_path(str(HERE.parent / "examples" / "train_a_dog.py"))
    model = example["model_of"](HERE / "trained-dog.npz")
    with tempfile.TemporaryDirectory() as folder, _browser_tab(LIVE_SIZE) as tab:
        path = Path(folder) / "page.html"
        mm.live_page(model, path, seed=4)
        tab.goto(path.as_uri())
        _until(tab, f"{HOOK}?.step > 420")
        tab.locator("[data-test=pause]").click()
        _save_tab(tab, "trained-dog")


@contextmanager
def _live_view(model: mm.Model, step: int) -> Iterator[tuple[Any, Any]]:
    """Yield the tab of a live view, from a step on, and the view."""
    view = mm.watch(model, seed=1, block=False, open_browser=False, port=0)
    with _browser_tab(LIVE_SIZE) as tab:
        tab.goto(f"{view.url}#draw=gl")
        _until(tab, f"{HOOK}?.step >= {step}")
        yield tab, view
    view.close()


def _save_tab(tab: Any, name: str) -> None:
    """Write a picture of a tab."""
    _save(name, Image.open(io.BytesIO(tab.screenshot())).convert("RGB"))


def live() -> None:
    """Starlings, with charts and sliders."""
    with _live_view(mm.load("starlings"), 200) as (tab, _):
        _save_tab(tab, "live")


def live_individuals() -> None:
    """Boids coloured by the weight of their cohesion, whose card is open."""
    normal = {"kind": "normal", "mean": 0.01, "sd": 0.004}
    changes = {"rules.cohesion.weight": normal, "view.colour_by": "rules.cohesion.weight"}
    model = mm.load("ucl").set({**changes, "flocks.boids.count": 120})
    with _live_view(model, 200) as (tab, _):
        tab.get_by_text("cohesion", exact=True).first.click()
        tab.wait_for_timeout(500)
        _save_tab(tab, "live-individuals")


def live_drawing() -> None:
    """A drawn sphere and predator, and a box that is being drawn."""
    with _live_view(mm.load("parker").set(AROUND), 260) as (tab, view):

        def drag(kind: str, start: tuple[int, int], end: tuple[int, int], release: bool) -> None:
            button = tab.locator(f"[data-test=draw-{kind}]")
            if button.get_attribute("aria-pressed") == "false":
                button.click()
            tab.mouse.move(*start)
            tab.mouse.down()
            tab.mouse.move(*end, steps=5)
            if release:
                tab.mouse.up()
                tab.wait_for_timeout(1000)
                while view.session.runner.simulation.model != view.session.controller.requested:
                    tab.wait_for_timeout(100)  # it compiles
                tab.wait_for_timeout(1000)

        tab.locator("[data-test=draw]").click()
        drag("sphere", (420, 300), (462, 300), release=True)
        drag("predator", (560, 220), (561, 220), release=True)
        drag("box", (690, 370), (770, 440), release=False)
        tab.wait_for_timeout(700)
        _save_tab(tab, "live-drawing")


# --- what all of them need


@contextmanager
def _browser_tab(size: tuple[int, int]) -> Iterator[Any]:
    """Yield an empty tab of a browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser.new_page(viewport={"width": size[0], "height": size[1]})
        browser.close()


def _until(tab: Any, holds: str) -> None:
    """Wait until an expression is true. Pages forbid wait_for_function of playwright."""
    while not tab.evaluate(holds):
        tab.wait_for_timeout(10)


def _first_model(page: str) -> mm.Model:
    """Return the first model file of a page."""
    text = (HERE / f"{page}.md").read_text(encoding="utf-8")
    return mm.parse(text.split("```toml\n")[1].split("```")[0])


def _still(model: mm.Model | str, size: tuple[int, int], options: dict[str, Any]) -> Image.Image:
    """Return a still of a model."""
    with tempfile.TemporaryDirectory() as folder:
        view = options.get("view", mm.View()).model_copy(update={"size": size})
        picture = Image.open(mm.still(model, Path(folder) / "a.png", **options | {"view": view}))
        picture.load()
    return picture


def _sheet(
    stills: Sequence[tuple[mm.Model | str, dict[str, Any]]], columns: int, size: tuple[int, int]
) -> Image.Image:
    """Return stills of models with their options, in rows."""
    width, height = size
    sheet = Image.new("RGB", (columns * width, math.ceil(len(stills) / columns) * height))
    for index, (model, options) in enumerate(stills):
        row, column = divmod(index, columns)
        sheet.paste(_still(model, size, options), (column * width, row * height))
    return sheet


def _save_wide(name: str, model: mm.Model, step: int) -> None:
    """Write a wide still of a model at a step."""
    picture = _still(model, (960, 400), {"at": step, "seed": 1})
    _save(name, picture.convert("RGB").quantize(128))


def _save(name: str, picture: Image.Image) -> None:
    """Write a picture as NAME.png."""
    path = HERE / f"{name}.png"
    picture.save(path, optimize=True)
    _report(path)


def _save_animation(name: str, pictures: Sequence[Image.Image]) -> None:
    """Write pictures as NAME.webp."""
    path = HERE / f"{name}.webp"
    pictures[0].save(
        path, save_all=True, append_images=pictures[1:], duration=round(1000 / RATE), loop=0,
        quality=50, method=4, minimize_size=True,
    )  # fmt: skip
    _report(path)


def _small_film(name: str, model: mm.Model, pictures: slice) -> None:
    """Write some pictures of the film of a model as an animation."""
    import av

    with tempfile.TemporaryDirectory() as folder:
        film = mm.film(model, Path(folder) / "a.mp4", view=mm.View(size=(480, 270)), seed=1)
        with av.open(str(film.path)) as stream:
            shots = [each.to_image() for each in list(stream.decode(video=0))[pictures]]
    _save_animation(name, shots)


def _report(path: Path) -> None:
    print(f"wrote {path}, {path.stat().st_size / 1e6:.2f} MB")


MAKE: dict[str, Callable[[], None]] = {
    "sliders": sliders,
    "strip": strip,
    "colours": colours,
    "individuals": individuals,
    "population": population,
    "states": states,
    "agitation": agitation,
    "fish": fish,
    "shapes": shapes,
    "texture": texture,
    "labels": labels,
    "wire": wire,
    "mesh": mesh,
    "trained-dog": trained_dog,
    "live": live,
    "live-individuals": live_individuals,
    "live-drawing": live_drawing,
}

if __name__ == "__main__":
    for name in sys.argv[1:] or MAKE:
        MAKE[name]()
