"""Pages in which a flock flies: the model's own kernels as WebAssembly, the viewer, and all that
these two need to know of the model, in one HTML file."""

from __future__ import annotations

import copy
import html
import math
from collections.abc import Iterator
from typing import Any

from murmurate.errors import ModelError
from murmurate.model.model import Model
from murmurate.model.schedule import extent
from murmurate.show import scene
from murmurate.show.html_file import built, html_page, packed
from murmurate.show.page import Page
from murmurate.show.plain_json import jsonable

FORMAT = 1
LEAST_ROOM = 2000  # boids that a page has room for: so many, or twice those of the model
MOST_ROOM = 200_000
OLD = (
    "This flock flies in browsers that know WebAssembly with SIMD: Chrome or Edge 97, Firefox 113, "
    "Safari 16.4, or newer."
)
_POLICY = "'wasm-unsafe-eval'"


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


def flight_page(model: Model, seed: int = 0, max_boids: int | None = None) -> Page:
    """The page in which a model flies from its start.

    max_boids  how many boids there may be, of all flocks together; 2,000 or twice those of the
               model unless given
    Raises ModelError for a model that a page cannot fly, RuleError for a rule that does not
    compile, ShowError where the viewer was not built.
    """
    from murmurate.version import __version__

    worker = built("flight.js")
    page = Page(
        html_page(
            "mountFlight",
            flight_head(model, seed, room_for(model, max_boids)),
            {"worker": packed(worker.encode())},
            title=model.title or model.name,
            made=f"murmurate {__version__}, {model.name}, seed {seed}",
            policy=_POLICY,
            inside=f'<p class="plain">{html.escape(OLD)}</p>',
        )
    )
    page.flies = True
    return page


def flight_head(model: Model, seed: int, most: int) -> dict[str, Any]:
    """What a page holds of a model, as JSON can say it: see viewer/src/flightpage.ts."""
    from murmurate.wasm.page_modules import changeable, page_modules
    from murmurate.wasm.start_module import start_module, start_numbers, turn_key

    modules = page_modules(model, most)
    code, manifest = start_module(most, model.space.dims)
    head = {
        "format": FORMAT,
        "scene": _scene(model, changeable(model), most),
        "tables": model.to_dict(),
        "endless": list(_endless(model.to_dict(), "")),
        "modules": [{"code": packed(m.code), "manifest": m.manifest} for m in modules],
        "start": {"code": packed(code), "manifest": manifest},
        "starts": {n: start_numbers(n, f, model.space) for n, f in model.flocks.items()},
        "turn_key": turn_key(),
        "seed": str(seed),
        "most": most,
        "name": model.name,
    }
    made: dict[str, Any] = jsonable(head)
    return made


def _scene(model: Model, free: set[str], most: int) -> dict[str, Any]:
    """The scene message of a page: only what it can change has a control."""
    made = scene.scene(model, model, 1, 0.0)
    schemas = {}
    for path, schema in made["schemas"].items():
        properties = {
            name: _bounded(model, f"{path}.{name}" if path else name, about, most)
            for name, about in schema["properties"].items()
            if _may_change(model, f"{path}.{name}" if path else name, free)
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


def _bounded(model: Model, path: str, about: dict[str, Any], most: int) -> dict[str, Any]:
    """The schema of a number, with the bounds that it has in this model."""
    found = copy.copy(about)
    parts = path.split(".")
    if parts[-1] == "count":
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
