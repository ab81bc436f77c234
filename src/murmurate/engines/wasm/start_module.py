"""The module with which a page draws starts and turns, of any seed and number of boids: one for all
models; and the numbers of a model's start for it."""

from __future__ import annotations

import zlib
from typing import Any

from murmurate.engines.wasm import draw_functions, start_functions
from murmurate.engines.wasm.module_file import PAGE, module_file, object_file
from murmurate.engines.wasm.object_cache import cached_object
from murmurate.engines.wasm.object_code import wasm_object
from murmurate.engines.wasm.target import plain_decorated
from murmurate.model.flock import Flock
from murmurate.model.space import Space

STACK = 65536  # bytes
LINE = 64  # bytes
KINDS = ("box", "ball", "ring", "lattice", "off-screen")
LAWS = ("stationary", "directions", "cube", "heading")
EXPORTED = ("start", "turns")


def start_module(boids: int, dims: int) -> tuple[bytes, dict[str, Any]]:
    """The module for up to so many boids, and its manifest: `table`, and the address of each array
    that the table points to. Its exported functions start(table) and turns(table) are those of
    start_functions.py."""
    found = object_file(cached_object("start", (), draw_functions, start_functions, make=_compiled))
    table = _aligned(found.data_end) + STACK
    arrays = {
        "whole": start_functions.WHOLE_NUMBERS, "numbers": start_functions.START_NUMBERS,
        "drawn": draw_functions.GENERATOR, "positions": boids * dims, "velocities": boids * dims,
        "order": boids,
    }  # fmt: skip
    address = _aligned(table + 8 * start_functions.TABLE_WORDS)
    addresses = {}
    for name, size in arrays.items():
        addresses[name] = address
        address = _aligned(address + 8 * size)
    code = module_file(found, -(-address // PAGE), table, list(EXPORTED))
    return code, {"table": table, "addresses": addresses}


def start_numbers(name: str, flock: Flock, space: Space) -> dict[str, Any]:
    """A flock's start as rows of whole numbers and numbers, see start_functions.py: all but the
    seed. Of a start that is given, its positions and velocities instead."""
    start: Any = flock.start
    if start.kind == "given":
        rows = start.velocities or ((0.0,) * space.dims,) * flock.count
        return {"given": [[list(p) for p in start.positions], [list(v) for v in rows]]}
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
        *_three(getattr(start, "lower", ()) or space.lower),
        *_three(getattr(start, "upper", ()) or space.upper),
        *_three(getattr(start, "centre", ()) or middle),
        size, getattr(start, "speed", 0.0),
        *_three(slow), *_three(getattr(law, "upper", ())),
        speed or 0.0, (speed or 0.0) if top is None else top,
        *_three(space.lower), *_three(space.size),
    ]  # fmt: skip
    whole = [
        KINDS.index(start.kind), LAWS.index(kind), 0, zlib.crc32(f"start/{name}".encode()) << 32, 0,
        *(int(x) for x in _three(space.periodic)), int(speed is not None),
    ]  # fmt: skip
    return {"whole": [str(x) for x in whole], "numbers": numbers}


def turn_key() -> str:
    """The second key of the generator that turns are drawn from."""
    return str(zlib.crc32(b"turns") << 32)


def _compiled() -> bytes:
    functions = plain_decorated({**vars(draw_functions), **vars(start_functions)})
    return wasm_object({name: functions[name] for name in EXPORTED})


def _three(numbers: Any) -> list[float]:
    return [*(float(x) for x in numbers), 0.0, 0.0, 0.0][:3]


def _aligned(address: int) -> int:
    return -(-address // LINE) * LINE
