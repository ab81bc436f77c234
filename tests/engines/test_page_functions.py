"""Functions of pages, which WebAssembly executes there, executed by Python: mathematics against
that of numpy, and starts and orders against those of engines, bit for bit."""

from __future__ import annotations

import math
import re
import struct
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import interpreted
import murmurate as mm
from murmurate.engines.individual_numbers import uniform
from murmurate.engines.initial_state import initial_state
from murmurate.engines.rng import make_generator, shuffled_orders
from murmurate.engines.wasm import plain_math, start_functions, trait_functions
from murmurate.engines.wasm.start_module import start_numbers, update_order_key
from murmurate.language.maths import PLAIN
from murmurate.model.rng_streams import rng_stream_id


def executed(module: ModuleType, **intrinsics: Any) -> dict[str, Any]:
    """Return the names of a module, whose functions call Python's versions of intrinsics."""
    names = {**vars(module), **intrinsics}
    for name, value in vars(module).items():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            names[name] = FunctionType(value.__code__, names)
    return names


def floor(x: float) -> int:
    """Return the floor as WebAssembly does, where it is that of a number."""
    return math.floor(x) if math.isfinite(x) else 0


MATHS = executed(
    plain_math,
    math=SimpleNamespace(**{**vars(math), "floor": floor}),
    bits_of=lambda x: struct.unpack("<q", struct.pack("<d", x))[0],
    from_bits=lambda n: struct.unpack("<d", struct.pack("<q", int(n)))[0],
) | {name: plain_math.FUNCTIONS[name] for name in ("sin", "cos", "pow")}
ARRAYS = {"array1": interpreted.array1, "array2": interpreted.array2}
STARTS = executed(start_functions, **ARRAYS) | {
    "traits": executed(trait_functions, **ARRAYS)["traits"]
}

ANY = [0.0, 1e-320, 3e-310, 1e-20, 1e-8, 1e-3, 0.2, 0.34, 0.36, 0.5, 0.77, 0.79, 1.0, 1.4, 1.6, 2.4,
       3.2, 4.8, 7.9, 25.0, 41.5, 300.0]  # fmt: skip
BOTH = [*ANY, *(-x for x in ANY)]
UNIT = [x for x in BOTH if abs(x) <= 1.0]
INF, NAN = np.inf, np.nan
ENDS = [INF, -INF, NAN]
CASES: dict[str, tuple[list[float], Any]] = {
    "sin": ([*BOTH, 1e5, NAN], np.sin), "cos": ([*BOTH, 1e5, NAN], np.cos),
    "tan": ([*BOTH, 1e5], np.tan), "asin": (UNIT, np.arcsin), "acos": (UNIT, np.arccos),
    "atan": ([*BOTH, *ENDS], np.arctan),
    "exp": ([*BOTH, 700.0, 710.0, -700.0, -744.0, -746.0, *ENDS], np.exp),
    "exp2": ([*BOTH, 1000.5, 1025.0, -1060.0, -1080.0, INF, -INF], np.exp2),
    "expm1": ([*BOTH, 700.0, -50.0], np.expm1),
    "log": ([*ANY, -0.0, -1.0, 1e300, INF, NAN], np.log), "log1p": ([*ANY, -0.3, -0.9], np.log1p),
    "log2": ([*ANY[1:], 1e300], np.log2), "log10": ([*ANY[1:], 1e300], np.log10),
    "sinh": ([*BOTH, 699.0, 705.0, -705.0], np.sinh), "cosh": ([*BOTH, 705.0], np.cosh),
    "tanh": ([*BOTH, *ENDS], np.tanh), "asinh": ([*BOTH, 1e160, -1e160], np.arcsinh),
    "acosh": ([x for x in ANY if x >= 1.0] + [1.001, 1e160], np.arccosh),
    "atanh": ([x for x in UNIT if abs(x) < 1.0], np.arctanh),
}  # fmt: skip
PAIRS: dict[str, tuple[list[float], list[float], Any]] = {
    "atan2": ([*BOTH, -0.0, INF, -INF], [*BOTH, -0.0, NAN], np.arctan2),
    "pow": ([*ANY, *(-x for x in ANY if x), INF, NAN],
            [0.0, 0.25, -0.25, 1.0, 2.0, 3.0, -3.0, 7.25, 1e17, NAN], np.power),
    "fmod": ([*BOTH, 1e9, INF, NAN], [x for x in ANY if x] + [1e-3, NAN], np.fmod),
    "hypot": ([*BOTH, 1e200, INF], [*BOTH, 1e200], np.hypot),
}  # fmt: skip
BOUNDS = {"pow": 1e-13, "log2": 2e-15, "log10": 2e-15}
"""Relative errors; 4 units in the last place for others, as the docstring of plain_math says."""


@pytest.mark.parametrize("name", [*CASES, *PAIRS])
def test_mathematics_of_pages(name: str) -> None:
    """At small, large and special arguments, and on both sides of each branch."""
    if name in CASES:
        arguments, function = CASES[name]
        pairs = [(x,) for x in arguments]
    else:
        first, second, function = PAIRS[name]
        pairs = [(x, y) for x in first for y in second if x or y >= 0.0 or name != "pow"]
    with np.errstate(all="ignore"):
        results = np.array([MATHS[name](*map(np.float64, pair)) for pair in pairs], float)
        expected = np.array([function(*pair) for pair in pairs], float)
        special = ~np.isfinite(expected) | (expected == 0.0)
        assert np.array_equal(results[special], expected[special], equal_nan=True)
        if name in PAIRS:  # the sign of a zero has a meaning
            signs = np.signbit(results) == np.signbit(expected)
            assert signs[special & ~np.isnan(expected)].all()
        size = np.abs(expected)
        bound = size * BOUNDS[name] if name in BOUNDS else 4.0 * np.spacing(size)
        wrong = ~special & ~(np.abs(results - expected) <= np.maximum(bound, 5e-324))
    assert not wrong.any(), [(pairs[k], results[k], expected[k]) for k in np.flatnonzero(wrong)]


def test_every_function_of_rules_is_compared() -> None:
    assert {*CASES, *PAIRS} == set(PLAIN)


VELOCITIES = {
    "stationary": '{ kind = "stationary" }',
    "directions": '{ kind = "directions", speed = 1.5, up_to = 2.5 }',
    "cube": '{ kind = "cube", lower = [-1, 0, 2], upper = [1, 1, 3] }',
    "cube of a speed": '{ kind = "cube", lower = [-1, 0, 2], upper = [1, 1, 3], speed = 2 }',
    "heading": '{ kind = "heading", velocity = [1, 2, 3], spread = 0.5 }',
}
STARTS_OF_FLOCKS = {
    "box": 'kind = "box", lower = [-3, 1, 2], upper = [14, 5, 4], velocity = {}',
    "ball": 'kind = "ball", centre = [9, 2, 3], radius = 3, velocity = {}',
    "lattice": 'kind = "lattice", centre = [9, 2, 3], spacing = 0.5, velocity = {}',
    "off-screen": 'kind = "off-screen", distance = 4, velocity = {}',
    "ring": 'kind = "ring", centre = [9, 2, 3], radius = 3, speed = 2',
}


def in_plane(text: str) -> str:
    """Return a start without its third numbers."""
    return re.sub(r"(\[[^\]]*), [^,\]]*\]", r"\1]", text)


@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize(
    ("kind", "law"),
    [("box", law) for law in VELOCITIES]
    + [("ball", "directions"), ("lattice", "cube"), ("off-screen", "heading"), ("ring", "")],
)
def test_starts_of_pages(kind: str, law: str, dims: int) -> None:
    """They are those of engines, bit for bit but for the cube roots of a ball."""
    text = STARTS_OF_FLOCKS[kind].format(VELOCITIES.get(law, ""))
    size, text = ("[10, 8, 6]", text) if dims == 3 else ("[10, 8]", in_plane(text))
    model = mm.parse(
        f'[space]\nsize = {size}\nboundary = "periodic"\n[flocks.boids]\ncount = 300\n'
        f"start = {{ {text} }}\n"
    )
    flock, seed = model.flocks["boids"], 12
    positions, velocities = np.zeros((2, 300, dims))
    run_start(start_numbers("boids", flock, model.space, []), seed, positions, velocities)
    expected = initial_state(model, seed).flocks["boids"]
    assert np.allclose(positions, expected.positions, rtol=1e-12 if kind == "ball" else 0, atol=0)
    assert np.array_equal(velocities, expected.velocities)


def run_start(start: dict[str, Any], seed: int, positions: Any, velocities: Any) -> None:
    """Let a page's function fill arrays for a flock."""
    integers = np.array([word(int(x)) for x in start["integers"]])
    integers[start_functions.KEY0] = seed
    arrays = [integers, np.array(start["numbers"]), new_generator(), positions, velocities]
    call("start", arrays)


def word(integer: int) -> np.int64:
    """Return the 64 lowest bits of an integer, as a page stores them."""
    return np.uint64(integer & (2**64 - 1)).astype(np.int64)


def new_generator() -> np.ndarray:
    generator = np.zeros(start_functions.N_GENERATOR, np.uint64)
    generator[start_functions.LOWER_HALF] = 0xFFFFFFFF
    return generator


def call(name: str, arrays: list[np.ndarray], order: np.ndarray | None = None) -> None:
    """Call a function of a page with the table of its arrays."""
    table = np.zeros(start_functions.TABLE_WORDS, np.int64)
    words = [word for array in arrays for word in (array.ctypes.data, *array.shape)]
    table[: len(words)] = words
    if order is not None:
        table[start_functions.ORDER :] = [order.ctypes.data, len(order)]
    with np.errstate(over="ignore"):
        assert STARTS[name](table.ctypes.data) == 0


TRAITS = {
    trait_functions.UNIFORM: [mm.Uniform(min=-2.0, max=5.0)],
    trait_functions.NORMAL: [
        mm.Normal(mean=1.0, sd=0.3),
        mm.Normal(mean=1.0, sd=0.3, min=0.5, max=1.1),
        mm.Normal(mean=-1.0, sd=0.5, min=1.5),  # above the mean: quantiles are mirrored
        mm.Normal(mean=1.0, sd=0.1, max=0.45),
        mm.Normal(mean=3.0, sd=0.0),
    ],
    trait_functions.LOGNORMAL: [
        mm.Lognormal(mean=2.0, sd=1.0),
        mm.Lognormal(mean=2.0, sd=1.0, min=3.0, max=9.0),
        mm.Lognormal(mean=2.0, sd=0.0),
    ],
}


@pytest.mark.parametrize(("kind", "value"), [(k, value) for k in TRAITS for value in TRAITS[k]])
@pytest.mark.parametrize("seed", [0, 2**62 + 7])
def test_numbers_that_differ_in_pages(kind: int, value: Any, seed: int) -> None:
    """They are those of engines: bit for bit as float32, which kernels read."""
    indices, stream, numbers = np.arange(5, 400, 13), 4_000_000_000, np.zeros((31, 2))
    integers = np.zeros(start_functions.N_INTEGERS, np.int64)
    integers[[start_functions.KIND, start_functions.KEY0, start_functions.KEY1]] = [
        kind, seed, stream,
    ]  # fmt: skip
    mean, sd = getattr(value, "mean", 0.0), getattr(value, "sd", 0.0)
    low, high = (mean, mean) if mean and not sd else (value.min, value.max)
    row = np.array([low, high, mean, sd])
    call("traits", [integers, row, new_generator(), numbers], indices)
    expected = value.quantiles(uniform(indices, seed, stream))
    assert np.array_equal(numbers[:, 0].astype(np.float32), expected.astype(np.float32))
    assert np.allclose(numbers[:, 0], expected, rtol=1e-13, atol=0)


@pytest.mark.parametrize("step", [0, 3, 2**33])
def test_shuffled_orders_of_pages(step: int) -> None:
    integers = np.zeros(start_functions.N_INTEGERS, np.int64)
    integers[start_functions.KEY0] = 7
    integers[start_functions.KEY1] = word(int(update_order_key()))
    integers[start_functions.STEP] = step
    order = np.zeros(200, np.int64)
    call("update_order", [integers, np.zeros(start_functions.N_NUMBERS), new_generator()], order)
    assert np.array_equal(order, shuffled_orders(7, step, 200)[0])


def test_many_normal_numbers_of_pages() -> None:
    """Rare branches of the ziggurat too: its wedges and its tail."""
    generator = new_generator()
    with np.errstate(over="ignore"):
        STARTS["seed"](generator, 5, rng_stream_id("start", "boids") << 32, 0)
        drawn = [STARTS["normal"](generator) for _ in range(20_000)]
    assert drawn == make_generator(5, "start/boids").standard_normal(20_000).tolist()
