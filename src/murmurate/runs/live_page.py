"""Live pages: one HTML file that simulates a model in the browser.

It contains the kernels of the model as WebAssembly, the viewer, and the data that both need.
"""

from __future__ import annotations

import base64
import copy
import hashlib
import html
import io
import json
import math
import os
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from typing import Any, get_args

import numpy as np

from murmurate.classroom import scorm as scorm_file
from murmurate.classroom.task import Task, check_task, in_language, load_task, model_for
from murmurate.codegen.cache_folder import cached_file
from murmurate.disk import atomic_write
from murmurate.engines.initial_memory import memory_sources
from murmurate.engines.manifest_types import Programmed, Unprogrammed
from murmurate.engines.memory import check_memory
from murmurate.engines.options import RunOptions
from murmurate.errors import ModelError, NotebookError, RunError, TaskError
from murmurate.frame import Frame
from murmurate.language.formula_tables import formula_tables
from murmurate.language.function_text import function_texts
from murmurate.measures.defaults import NAMES, charted_measures
from murmurate.model.distribution import Each
from murmurate.model.model import Model
from murmurate.model.quantity import extent
from murmurate.model.view import View
from murmurate.model.warnings import check_precision
from murmurate.runs.drawable_parts import SpareParts, describe, spare_parts
from murmurate.runs.live_page_types import PackedFlight, PackedPage
from murmurate.runs.sources import open_named, view_changes
from murmurate.show import scene
from murmurate.show.html_file import deflate_base64, deflate_text, html_page, viewer_file
from murmurate.show.languages import check_language, translated
from murmurate.show.output import check_output
from murmurate.show.page import IFRAME_HEIGHT, Page
from murmurate.show.scene import jsonable
from murmurate.show.scene_types import Abilities, SceneMessage
from murmurate.version import __version__

FORMAT = 1
MIN_CAPACITY = 4000  # boids of a page, unless twice the boids of the model are more
MAX_CAPACITY = 200_000  # boids
MIN_HEIGHT, MAX_HEIGHT = 100, 10_000  # pixels
STILL_SIZE, STILL_STEPS = (640, 360), 60
# CSS displays the sentence after 4 s if no viewer has replaced it: this needs no script.
_INSIDE = """
<style>
#murmurate figure{{margin:0;height:100%;display:flex;flex-direction:column;align-items:center;\
justify-content:center;gap:1em;background:#0d111a;color:#e2e9f4;font:15px/1.5 system-ui,sans-serif}}
#murmurate img{{max-width:100%;min-height:0;border-radius:8px}}
#murmurate figcaption{{padding:0 1.5em;animation:murmurate 0s 4s both}}
@keyframes murmurate{{from{{visibility:hidden}}to{{visibility:visible}}}}
</style>
<figure><img src="data:image/webp;base64,{picture}" alt="{title}">
<figcaption>{caption}</figcaption></figure>
"""
CAPTION = (
    "This page simulates the flock in browsers that support WebAssembly with SIMD: Chrome or Edge "
    "from 97, Firefox from 113, Safari from 16.4 on. Above is a picture of it."
)
_POLICY = "'wasm-unsafe-eval'"
COMPILED = "It is compiled into this page and cannot be changed here. Change it in Python."
GIVEN = "The model lists each boid, so their number cannot be changed here."


def page_capacity(model: Model, max_boids: int | None) -> int:
    """Return the largest number of boids of all flocks of a page.

    max_boids  of its largest flock. Raises ModelError for too many or too few
    """
    sizes = {name: model.max_boids(name) for name in model.flocks}
    for name in filter(model.grows, sizes):
        if sizes[name] > MAX_CAPACITY:
            raise ModelError(
                f"flocks.{name}.max_boids: got {sizes[name]:,}; expected at most {MAX_CAPACITY:,} "
                "in a live page, which has room for all of them. State a smaller max_boids"
            )
    boids = max(sizes.values())
    if max_boids is None:
        max_boids = max(MIN_CAPACITY, min(2 * boids, MAX_CAPACITY), boids)
    elif not boids <= max_boids <= MAX_CAPACITY:
        raise ModelError(
            f"max_boids: got {max_boids:,}; expected {boids:,} (the boids that the largest "
            f"flock may have) to {MAX_CAPACITY:,}"
        )
    return max_boids + _other_boids(model)


def _other_boids(model: Model) -> int:
    """Return the number of boids that are not in the largest flock."""
    counts = [model.max_boids(name) for name in model.flocks]
    return sum(counts) - max(counts)


def live_page(
    model: Model | str | os.PathLike[str],
    path: str | os.PathLike[str] | None = None,
    *,
    seed: int = 0,
    view: View | None = None,
    max_boids: int | None = None,
    beside: Model | str | os.PathLike[str] | None = None,
    draw: bool = False,
    edit: bool = False,
    height: int = IFRAME_HEIGHT,
    force: bool = False,
) -> Page:
    """Make one HTML file that simulates a model from its start, with a slider for every number.

    In a notebook that is opened again, exported or published it runs where no Python does.

    Parameters
    ----------
    model : Model, str or path
        A Model, the name of a published flock, or a model file. Its rules may not have Voronoi
        neighbours, and a `lifetime` needs one duration for all boids.
    path : path, optional
        The .html file to write.
    seed : int, default 0
        Seed of the simulation.
    view : View, optional
        Settings of the page, such as View(style="light", charts=["milling"]). Those that it is made
        with override the model's. `every` and `frames_per_second` say how fast it simulates;
        `charts` may have polarization, milling, nearest_neighbour_distance and speed.
    max_boids : int, optional
        The largest number of boids of the largest flock that readers can choose; by default 4,000
        or twice the model's with WebAssembly, and 200,000 with WebGPU. The page has room for the
        boids of the other flocks besides.
    beside : Model, str or path, optional
        Another model, simulated in the same page at the same step.
    draw : bool, default False
        Readers can draw obstacles, a goal, a path and predators. The rules are then compiled with
        room for these, so that steps take a little longer and results differ by rounding.
    edit : bool, default False
        Readers can edit the functions of rules, which the page then compiles itself. Until then the
        flock has the bits of a page without.
    height : int, default 480
        Height in a notebook's cell, 100 to 10,000 pixels.
    force : bool, default False
        Replace an existing file.

    Returns
    -------
    Page
        The page, which a notebook displays. `save(path)` writes it.

    Raises
    ------
    ModelError
        A page cannot simulate the model.
    NotebookError
        The height is not allowed.
    RuleError
        A rule does not compile.
    ShowError
        The viewer was not built.
    """
    if isinstance(height, bool) or not isinstance(height, int):
        raise NotebookError(f"height: got {height!r}; expected a whole number of pixels")
    if not MIN_HEIGHT <= height <= MAX_HEIGHT:
        raise NotebookError(f"height: got {height}; expected {MIN_HEIGHT} to {MAX_HEIGHT:,} pixels")
    changes = view_changes(view)
    models = [_model_of("model", model, changes)]
    if beside is not None:
        models.append(_model_of("beside", beside, changes))
    _check(models, seed)
    if path is not None:
        path = check_output(path, force, "page")
    page = _page_of(models, seed, max_boids, draw, edit)
    page.height = height
    if path is not None:
        page.save(path, force=force)
    return page


def task_page(
    model: Model | str | os.PathLike[str],
    path: str | os.PathLike[str] | None = None,
    *,
    task: Task | str | os.PathLike[str],
    scorm: scorm_file.Version | None = None,
    seed: int = 0,
    view: View | None = None,
    max_boids: int | None = None,
    draw: bool = False,
    edit: bool = False,
    force: bool = False,
) -> Page:
    """Make a live page with a task: questions that the page checks, beside the flock.

    Parameters
    ----------
    model : Model, str or path
        As in `live_page`. The steps of the task are about it.
    path : path, optional
        The file to write: .html, or with `scorm` .zip.
    task : Task, str or path
        A Task, the name of one that comes with murmurate, or a task file.
    scorm : {"1.2", "2004"}, optional
        Write a SCORM package for a learning platform, with the page as its only part.
    seed, view, max_boids, draw, edit
        As in `live_page`.
    force : bool, default False
        Replace an existing file.

    Returns
    -------
    Page
        The page. `save(path)` writes it.

    Raises
    ------
    ModelError
        A page cannot simulate the model.
    TaskError
        The task is not one, or the page cannot have its steps.
    OutputError
        The path cannot be written to, or the file exists.
    """
    if scorm not in (None, *get_args(scorm_file.Version)):
        raise TaskError(f"scorm: got {scorm!r}; expected '1.2' or '2004'")
    task = task if isinstance(task, Task) else load_task(task)
    flock = model_for(task, _model_of("model", model, view_changes(view)))
    _check([flock], seed)
    if path is not None:
        path = check_output(path, force, "package" if scorm else "page")
    page = _page_of([flock], seed, max_boids, draw, edit, task)
    if path is not None and scorm:
        with atomic_write(path) as draft:
            draft.write_bytes(scorm_file.package(page.html, task, scorm, flock.view.language))
        page.path = path
    elif path is not None:
        page.save(path, force=force)
    return page


def _check(models: list[Model], seed: int) -> None:
    """Check the models of a page before anything is compiled."""
    check_language(models[0].view.language)
    for each in models:
        scene.check_charts(each, NAMES)
        check_memory(each, RunOptions(seed=seed))
        check_precision(each, "float32")


def _model_of(
    argument: str, source: Model | str | os.PathLike[str], changes: dict[str, Any]
) -> Model:
    """Return the model of an argument. Raises ModelError for one that pages do not simulate."""
    from murmurate.engines.wasm.page_modules import check_page

    model: object = source
    if isinstance(source, str | os.PathLike):
        model = open_named(source)
    if not isinstance(model, Model):
        raise ModelError(
            f"{argument}: got a {type(model).__name__}; expected a model or its name, which a live "
            "page simulates from its start. Make a replay of it"
        )
    check_page(model, argument)
    return model.set(changes)


def _page_of(
    models: list[Model],
    seed: int,
    max_boids: int | None,
    draw: bool,
    edit: bool,
    task: Task | None = None,
) -> Page:
    """Return the page of a model, or of two at the same step."""
    capacities = [page_capacity(each, max_boids) for each in models]  # before kernels compile
    if task is not None:
        _check_task(task, models[0], capacities[0])
    heads = [
        flight_head(each, seed, capacity, draw, edit)
        for each, capacity in zip(models, capacities, strict=True)
    ]
    for each, own in zip(models, heads, strict=True):
        own["gpu"] = page_gpu(each, seed, max_boids, draw, edit)
    worker = viewer_file("formulas.js") * edit + viewer_file("flight.js")
    second = heads[1] if len(heads) > 1 else None
    head: PackedPage = {**heads[0], "worker": worker, "second": second}
    scripts = [worker]
    if task is not None:
        scripts.append(viewer_file("tasks.js"))
        about: Any = in_language(task, models[0].view.language)
        head["task"] = {"script": scripts[-1], "digest": task.digest.hex(), "task": about}
    flight = json.dumps(head, separators=(",", ":"), allow_nan=False).encode()
    language = models[0].view.language
    names = dict.fromkeys(each.name for each in models)
    title = " and ".join(names) if len(names) > 1 else models[0].title or models[0].name
    page = Page(
        html_page(
            "mountFlight",
            {"format": FORMAT, "name": models[0].name},
            {"flight": deflate_text(flight)},
            title=title,
            generator=f"murmurate {__version__}, {', '.join(m.name for m in models)}, seed {seed}",
            scenes=[each["scene"] for each in heads],
            language=language,
            policy=_POLICY,
            scripts=scripts,
            inside=_INSIDE.format(
                picture=base64.b64encode(_still(models, seed, flight)).decode(),
                title=html.escape(translated(title, language), quote=True),
                caption=html.escape(translated(CAPTION, language)),
            ),
        )
    )
    page.live = True
    return page


def _check_task(task: Task, model: Model, capacity: int) -> None:
    """Raise TaskError if the page of a model cannot have a task."""
    from murmurate.engines.wasm.page_modules import changeable

    free = changeable(model, capacity)
    values = scene.values(model)
    numbers = {path: value for path, value in values.items() if _may_change(model, path, free)}
    measures = [measure.name for measure in charted_measures(model.view.charts)]
    check_task(task, model, numbers, measures)


def _still(models: list[Model], seed: int, flight: bytes) -> bytes:
    """Return the picture for browsers that cannot simulate the page, from the cache if possible.

    Drawing it takes most of the time of making a page. `flight` is the content of the page.
    """
    digest = hashlib.sha256(__version__.encode() + flight).hexdigest()[:24]
    return cached_file(f"{digest}.webp", lambda: _draw(models, seed), "stills")


def _draw(models: list[Model], seed: int) -> bytes:
    """Draw the flock; two side by side, with their names."""
    from PIL import Image

    width, height = STILL_SIZE
    changes: dict[str, Any] = {"view.size": [width // len(models), height]}
    pictures = [
        _picture(
            model.set(changes | {"view.caption": model.name} if len(models) > 1 else changes), seed
        )
        for model in models
    ]
    out = io.BytesIO()
    Image.fromarray(np.hstack(pictures)).save(out, "WEBP", quality=60)
    return out.getvalue()


def _picture(model: Model, seed: int) -> np.ndarray:
    """Draw the flock after some steps, or at its start if a step needs compiling."""
    from murmurate.runs.film import looks
    from murmurate.runs.simulation import Simulation
    from murmurate.show.painter import Painter
    from murmurate.show.scene import path_lines

    simulation = Simulation(model, seed=seed)
    if simulation.compiled:
        with suppress(RunError):
            simulation.step(STILL_STEPS)
    painter = Painter(model.space, model.view, looks(model), path_lines(model))
    return painter.draw(simulation.frame)


def flight_head(
    model: Model, seed: int, capacity: int, draw: bool = False, edit: bool = False
) -> PackedFlight:
    """Return the data of a model in a page, as JSON."""
    from murmurate.engines.wasm.page_modules import changeable, page_modules
    from murmurate.engines.wasm.population_module import population_module
    from murmurate.engines.wasm.start_module import start_module, start_numbers, update_order_key

    spares = _spares(model, seed, draw)
    full = model if spares is None else spares.model
    modules = page_modules(full, capacity, list(model.rules) if edit else ())
    free = changeable(full, capacity)
    code, manifest = start_module()
    head: PackedFlight = {
        "format": FORMAT,
        "scene": _scene(model, free, capacity, spares, edit),
        "tables": model.to_dict(),
        "infinite": list(_infinite(model.to_dict())),
        "modules": [{"code": deflate_base64(m.code), "manifest": m.manifest} for m in modules],
        "start": {"code": deflate_base64(code), "manifest": manifest},
        "starts": {
            name: start_numbers(name, flock, model.space, memory_sources(full, name))
            for name, flock in full.flocks.items()
        },
        "order_key": update_order_key(),
        "seed": str(seed),
        "max_boids": capacity,
        "states": {name: list(full.memory_of(name)) for name in full.flocks},
        "name": model.name,
    }
    if full.changes_numbers:
        births, where = population_module(full, capacity)
        head["population"] = {"code": deflate_base64(births), "manifest": where}
    if edit:
        head["formulas"] = formula_tables()
    if spares is not None:
        head["drawing"] = describe(spares, _schemas(full, free, capacity))
    data: PackedFlight = jsonable(head)
    return data


def page_gpu(
    model: Model, seed: int, max_boids: int | None = None, draw: bool = False, edit: bool = False
) -> Programmed | Unprogrammed:
    """Return the JSON by which a page simulates a model by WebGPU, or the reason why it cannot."""
    from murmurate.engines.gpu.page_program import page_program

    spares = _spares(model, seed, draw)
    full = model if spares is None else spares.model
    rules = list(model.rules) if edit else ()
    program = page_program(full, page_capacity(model, max_boids), max_boids is not None, rules)
    plain: Programmed | Unprogrammed = jsonable(program)
    return plain


@lru_cache(maxsize=4)
def _spares(model: Model, seed: int, draw: bool) -> SpareParts | None:
    """Return the model with room for drawn parts; None if it has none."""
    return spare_parts(model, _start(model, seed), draw)


def _start(model: Model, seed: int) -> Frame:
    """Return the frame at the start of a model."""
    from murmurate.runs.simulation import Simulation

    return Simulation(model, seed=seed).frame


def _schemas(model: Model, free: set[str], capacity: int) -> dict[str, Any]:
    """Return the schemas of a model's parts. `fixed` in one is the reason for a constant value."""
    schemas = {}
    for path, schema in scene.schemas(model).items():
        properties = {
            name: _bounded(model, f"{path}.{name}" if path else name, about, capacity, free)
            for name, about in schema["properties"].items()
        }
        schemas[path] = {**schema, "properties": properties}
        schemas[path].pop("may_differ", None)  # it would need a compiler
    return schemas


def _scene(
    model: Model, free: set[str], capacity: int, spares: SpareParts | None, edit: bool
) -> SceneMessage:
    """Return the scene message of a page."""
    can: Abilities = {
        "film": False, "page": False, "toml": True, "open": False, "change": True, "alone": True,
    }  # fmt: skip
    if edit:
        can["functions"] = True
    if spares is not None:
        can["draw"], can["kinds"] = True, spares.kinds
    message = scene.scene(model, model, 1, 0.0)
    message["schemas"] = _schemas(model, free, capacity)
    message["tries"] = [line for line in model.tries if _may_try(line, model, free, capacity)]
    return {
        **message,
        "functions": function_texts(model.rules, model.space),
        "zoo": scene.menu(model, others=False),
        "off": [],
        "can": can,
    }


def _may_change(model: Model, path: str, free: set[str]) -> bool:
    if path.startswith("obstacles."):
        name, key = [*path.split("."), ""][1:3]
        shape = model.obstacles[name]
        return key in (shape.position_field, *shape.lengths)
    if path.endswith(".count") and path.startswith("flocks."):
        flock = path.split(".")[1]
        listed = any(isinstance(value, Each) for value in model.individuals_of(flock).values())
        return model.flocks[flock].start.kind != "given" and not listed
    return path in free


def _may_try(line: str, model: Model, free: set[str], capacity: int) -> bool:
    """Return whether a page can make the change that a line of `tries` proposes."""
    path, _, rest = line.partition("=")
    value = rest.partition(":")[0].strip()
    if path.endswith(".count"):
        boids = sum(flock.count for flock in model.flocks.values())
        own = model.flocks[path.split(".")[1]].count if _may_change(model, path, free) else capacity
        return boids - own + float(value) <= capacity
    owner = path
    while owner and not _may_change(model, owner, free):
        owner = owner.rpartition(".")[0]
    return bool(owner)


def _bounded(
    model: Model, path: str, about: dict[str, Any], capacity: int, free: set[str]
) -> dict[str, Any]:
    """Return the schema of a value with its bounds in this model, and whether it is fixed."""
    schema = copy.copy(about)
    parts = path.split(".")
    if not _may_change(model, path, free):
        schema["fixed"] = GIVEN if parts[-1] == "count" else COMPILED
    elif parts[-1] == "count":
        grows, limit = model.grows(parts[1]), capacity - _other_boids(model)
        limit = model.max_boids(parts[1]) if grows else limit
        schema |= {"minimum": int(not grows), "maximum": limit}
    elif parts[-1] == "radius" and parts[0] == "rules" and any(model.space.periodic):
        sides = zip(model.space.size, model.space.periodic, strict=True)
        schema["maximum"] = min(side for side, around in sides if around) / 2
    elif parts[-1] in ("max_speed", "max_force") and _needs_finite(model, parts[1], parts[-1]):
        schema["infinite"] = False
    return schema


def _needs_finite(model: Model, flock: str, key: str) -> bool:
    """Return whether a rule needs this limit of a flock's motion to be finite."""
    if math.isinf(extent(getattr(model.flocks[flock].motion, key))[1]):
        return False
    if key == "max_force":
        return model.flocks[flock].combine == "priority"
    return any(getattr(r, "form", "") == "steering" for r in model.moved_by(flock).values())


def _infinite(value: Any, *keys: str) -> Iterator[list[str]]:
    """Yield the keys of infinite numbers, which JSON has no numbers for."""
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _infinite(part, *keys, str(key))
    elif isinstance(value, float) and math.isinf(value):
        yield list(keys)
