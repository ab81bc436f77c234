"""Pages in which a flock flies: the model's own kernels as WebAssembly, the viewer, and all that
these two need to know of the model, in one HTML file."""

from __future__ import annotations

import base64
import copy
import hashlib
import html
import io
import json
import math
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from murmurate.codegen.cache_folder import cached_file
from murmurate.errors import ModelError, RunError
from murmurate.model.model import Model
from murmurate.model.quantity import extent
from murmurate.model.warnings import check_precision
from murmurate.show import scene
from murmurate.show.html_file import deflate_base64, html_page, viewer_file
from murmurate.show.page import Page
from murmurate.show.scene import jsonable
from murmurate.version import __version__

FORMAT = 1
LEAST_ROOM = 2000  # boids that a page has room for: so many, or twice those of the model
MOST_ROOM = 200_000
STILL, STILL_STEPS = (640, 360), 60
# The sentence appears by itself when no viewer has taken the page: no script need run for that.
_INSIDE = """
<style>
#murmurate figure{{margin:0;height:100%;display:flex;flex-direction:column;align-items:center;\
justify-content:center;gap:1em;background:#0d111a;color:#e2e9f4;font:15px/1.5 system-ui,sans-serif}}
#murmurate img{{max-width:100%;min-height:0;border-radius:8px}}
#murmurate figcaption{{padding:0 1.5em;animation:murmurate 0s 4s both}}
@keyframes murmurate{{from{{visibility:hidden}}to{{visibility:visible}}}}
</style>
<figure><img src="data:image/webp;base64,{picture}" alt="{title}">
<figcaption>This flock flies in browsers that know WebAssembly with SIMD: Chrome or Edge from 97,
Firefox from 113, Safari from 16.4 on. Here is a picture of it.</figcaption></figure>
"""
_POLICY = "'wasm-unsafe-eval'"
COMPILED = "It is compiled into this page, and stays as it is here. In Python it can be changed."
GIVEN = "Its boids are given one by one, so their number stays as it is."


def room_for(model: Model, max_boids: int | None) -> int:
    """How many boids a page is to have room for. Raises ModelError for too many or too few."""
    boids = sum(flock.count for flock in model.flocks.values())
    if max_boids is None:
        return max(LEAST_ROOM, min(2 * boids, MOST_ROOM), boids)
    if not boids <= max_boids <= MOST_ROOM:
        raise ModelError(
            f"max_boids is {max_boids:,}: this model has {boids:,} boids, and a page has room for "
            f"{MOST_ROOM:,} at most; give a number between the two"
        )
    return max_boids


def live_page(
    model: Model, seed: int = 0, max_boids: int | None = None, beside: Model | None = None
) -> Page:
    """The page in which a model flies from its start.

    max_boids  how many boids there may be, of all flocks of a model together; 2,000 or twice those
               of the model unless given
    beside     another model, which flies beside it, step by step with it
    Raises ModelError for a model that a page cannot fly, RuleError for a rule that does not
    compile, ShowError where the viewer was not built.
    """
    for one in [model] if beside is None else [model, beside]:
        check_precision(one, "float32")
    head = flight_head(model, seed, room_for(model, max_boids)) | {
        "worker": viewer_file("flight.js")
    }
    if beside is not None:
        head["beside"] = flight_head(beside, seed, room_for(beside, max_boids))
    flight = json.dumps(head, separators=(",", ":"), allow_nan=False).encode()
    models = [model] if beside is None else [model, beside]
    title = model.title or model.name
    if beside is not None and beside.name != model.name:
        title = f"{model.name} and {beside.name}"
    page = Page(
        html_page(
            "mountFlight",
            {"format": FORMAT, "name": model.name},
            {"flight": deflate_base64(flight)},
            title=title,
            generator=f"murmurate {__version__}, {', '.join(m.name for m in models)}, seed {seed}",
            policy=_POLICY,
            inside=_INSIDE.format(
                picture=base64.b64encode(_still(model, seed, flight)).decode(),
                title=html.escape(title, quote=True),
            ),
        )
    )
    page.live = True
    return page


def _still(model: Model, seed: int, flight: bytes) -> bytes:
    """A picture for browsers in which the page cannot fly, kept in the cache: most of what a page
    takes that is made again would be its picture.

    flight  all that flies in the page
    """
    digest = hashlib.sha256(__version__.encode() + flight).hexdigest()[:24]
    return cached_file(f"{digest}.webp", lambda: _drawn(model, seed), "stills")


def _drawn(model: Model, seed: int) -> bytes:
    """A picture of the flock at its start or, where that takes no compiling, after some steps."""
    from PIL import Image

    from murmurate.runs.film import looks
    from murmurate.runs.simulation import Simulation
    from murmurate.show.painter import Painter
    from murmurate.show.scene import path_lines

    simulation = Simulation(model, seed=seed)
    if simulation.compiled:
        with suppress(RunError):
            simulation.step(STILL_STEPS)
    small = model.set({"view.size": list(STILL)})
    picture = Painter(model.space, small.view, looks(model), path_lines(model)).draw(
        simulation.frame
    )
    out = io.BytesIO()
    Image.fromarray(picture).save(out, "WEBP", quality=60)
    return out.getvalue()


def flight_head(model: Model, seed: int, most: int) -> dict[str, Any]:
    """What a page holds of a model, as JSON can say it: see viewer/src/flightpage.ts."""
    from murmurate.engines.wasm.page_modules import changeable, page_modules
    from murmurate.engines.wasm.start_module import start_module, start_numbers, update_order_key

    modules = page_modules(model, most)
    code, manifest = start_module(most, model.space.dims)
    head = {
        "format": FORMAT,
        "scene": _scene(model, changeable(model, most), most),
        "tables": model.to_dict(),
        "endless": list(_endless(model.to_dict(), "")),
        "modules": [{"code": deflate_base64(m.code), "manifest": m.manifest} for m in modules],
        "start": {"code": deflate_base64(code), "manifest": manifest},
        "starts": {n: start_numbers(n, f, model.space) for n, f in model.flocks.items()},
        "turn_key": update_order_key(),
        "seed": str(seed),
        "most": most,
        "name": model.name,
    }
    made: dict[str, Any] = jsonable(head)
    return made


def _scene(model: Model, free: set[str], most: int) -> dict[str, Any]:
    """The scene message of a page: what it cannot change is `fixed` in its schema, and why."""
    made = scene.scene(model, model, 1, 0.0)
    schemas = {}
    for path, schema in made["schemas"].items():
        properties = {
            name: _bounded(model, f"{path}.{name}" if path else name, about, most, free)
            for name, about in schema["properties"].items()
        }
        schemas[path] = {**schema, "properties": properties}
    can = {"film": False, "page": False, "toml": True, "open": False, "change": True, "alone": True}
    return made | {
        "schemas": schemas,
        "tries": [line for line in model.tries if _may_try(line, model, free, most)],
        "zoo": scene.menu(model, others=False),
        "off": [],
        "can": can,
    }


def _may_change(model: Model, path: str, free: set[str]) -> bool:
    if path.startswith("obstacles."):
        return not path.endswith(".kind")
    if path.endswith(".count") and path.startswith("flocks."):
        return model.flocks[path.split(".")[1]].start.kind != "given"
    return path in free


def _may_try(line: str, model: Model, free: set[str], most: int) -> bool:
    """Whether a page can do what a line of `tries` says."""
    path, _, rest = line.partition("=")
    value = rest.partition(":")[0].strip()
    if path.endswith(".count"):
        boids = sum(flock.count for flock in model.flocks.values())
        own = model.flocks[path.split(".")[1]].count if _may_change(model, path, free) else most
        return boids - own + float(value) <= most
    owner = path
    while owner and owner not in free and not owner.startswith("obstacles."):
        owner = owner.rpartition(".")[0]
    return bool(owner)


def _bounded(
    model: Model, path: str, about: dict[str, Any], most: int, free: set[str]
) -> dict[str, Any]:
    """The schema of a value, with the bounds that it has in this model; fixed where a page cannot
    change it."""
    found = copy.copy(about)
    parts = path.split(".")
    if not _may_change(model, path, free):
        found["fixed"] = GIVEN if parts[-1] == "count" else COMPILED
    elif parts[-1] == "count":
        found |= {"minimum": 1, "maximum": most}
    elif parts[-1] == "radius" and parts[0] == "rules" and any(model.space.periodic):
        sides = zip(model.space.size, model.space.periodic, strict=True)
        found["maximum"] = min(side for side, around in sides if around) / 2
    elif parts[-1] in ("max_speed", "max_force") and _needs_finite(model, parts[1], parts[-1]):
        found["infinite"] = False
    return found


def _needs_finite(model: Model, flock: str, key: str) -> bool:
    """Whether a rule would have nothing to go by without this limit of a flock's motion."""
    if math.isinf(extent(getattr(model.flocks[flock].motion, key))[1]):
        return False
    if key == "max_force":
        return model.flocks[flock].combine == "priority"
    return any(getattr(r, "form", "") == "steering" for r in model.moved_by(flock).values())


def _endless(value: Any, path: str) -> Iterator[str]:
    """Paths of infinite numbers, which JSON can say as words only."""
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _endless(part, f"{path}.{key}" if path else str(key))
    elif isinstance(value, float) and math.isinf(value):
        yield path
