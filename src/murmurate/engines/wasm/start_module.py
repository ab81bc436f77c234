"""The module with which a page draws initial states, shuffled orders and numbers that differ.

It is the same for all models, any seed and any number of boids. `start_numbers` writes its
arguments for a flock.
"""

from __future__ import annotations

from typing import Any

from murmurate.engines.manifest_types import DrawnNumber, StartManifest, StartNumbers
from murmurate.engines.wasm import random_functions, start_functions, trait_functions
from murmurate.engines.wasm.module_compiler import ModuleObject
from murmurate.engines.wasm.module_file import PAGE, link_module, read_object
from murmurate.engines.wasm.module_memory import STACK, align
from murmurate.engines.wasm.object_code import wasm_object
from murmurate.engines.wasm.target import decorate_functions
from murmurate.model.flock import Flock
from murmurate.model.rng_streams import rng_stream_id
from murmurate.model.space import Space

KINDS = ("box", "ball", "ring", "lattice", "off-screen")
LAWS = ("stationary", "directions", "cube", "heading")
EXPORTED = ("start", "update_order", "traits")
MODULES = [start_functions, random_functions, trait_functions]


def start_module() -> tuple[bytes, StartManifest]:
    """Return the module, and its manifest.

    The manifest has `table`, the address of the table, and `addresses`, those of the arrays to
    which the table points. Arrays with a row for each boid begin at `rows`: the page makes room for
    them, since graphics cards simulate more boids than WebAssembly. The exported functions are
    start(table) and update_order(table) of start_functions.py, and traits(table) of
    trait_functions.py.
    """
    compiled = read_object(start_object().load())
    table = align(compiled.data_end) + STACK
    arrays = {
        "integers": start_functions.N_INTEGERS, "numbers": start_functions.N_NUMBERS,
        "generator": start_functions.N_GENERATOR, "rows": 0,
    }  # fmt: skip
    address = align(table + 8 * start_functions.TABLE_WORDS)
    addresses = {}
    for name, size in arrays.items():
        addresses[name] = address
        address = align(address + 8 * size)
    code = link_module(compiled, -(-address // PAGE), table, list(EXPORTED))
    return code, {"table": table, "addresses": addresses}


def start_object() -> ModuleObject:
    """Return the object of the module."""
    return ModuleObject.of("start", "initial states", _compile, modules=MODULES)


def start_numbers(
    name: str, flock: Flock, space: Space, memory: list[float | DrawnNumber]
) -> StartNumbers:
    """Return a flock's start as rows of integers and numbers, without the seed.

    See start_functions.py for their order. For a start of kind 'given', return positions and
    velocities.
    """
    start: Any = flock.start
    if start.kind == "given":
        rows = start.velocities or ((0.0,) * space.dims,) * flock.count
        return {
            "positions": [list(row) for row in start.positions],
            "velocities": [list(row) for row in rows],
            "memory": memory,
        }
    law: Any = getattr(start, "velocity", None)
    kind = law.kind if law else "stationary"
    middle = tuple((a + b) / 2 for a, b in zip(space.lower, space.upper, strict=True))
    size = next(
        (getattr(start, k) for k in ("radius", "spacing", "distance") if hasattr(start, k)), 0.0
    )
    slow = getattr(law, "velocity", ()) or getattr(law, "lower", ())
    speed = getattr(law, "speed", None)
    top = getattr(law, "spread", None) if kind == "heading" else getattr(law, "up_to", None)
    numbers = [
        *_pad(getattr(start, "lower", ()) or space.lower),
        *_pad(getattr(start, "upper", ()) or space.upper),
        *_pad(getattr(start, "centre", ()) or middle),
        size, getattr(start, "speed", 0.0),
        *_pad(slow), *_pad(getattr(law, "upper", ())),
        speed or 0.0, (speed or 0.0) if top is None else top,
        *_pad(space.lower), *_pad(space.size),
    ]  # fmt: skip
    integers = [
        KINDS.index(start.kind), LAWS.index(kind), 0, rng_stream_id("start", name) << 32, 0,
        *(int(x) for x in _pad(space.periodic)), int(speed is not None),
    ]  # fmt: skip
    return {"integers": [str(x) for x in integers], "numbers": numbers, "memory": memory}


def update_order_key() -> str:
    """Return the second key of the generator of shuffled orders."""
    return str(rng_stream_id("turns") << 32)


def _compile() -> bytes:
    functions = decorate_functions({k: v for each in MODULES for k, v in vars(each).items()})
    return wasm_object({name: functions[name] for name in EXPORTED})


def _pad(numbers: Any) -> list[float]:
    """Return three numbers: the given ones, then zeros."""
    return [*(float(x) for x in numbers), 0.0, 0.0, 0.0][:3]
