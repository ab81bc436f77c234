"""Functions printed as WGSL compute the same as Python, interpreted and on a device.

They are random functions in the language of rules, mathematics, and all rules and motions of
murmurate.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from test_printed_functions import (
    NUMBERS,
    WAYS,
    Writer,
    filled,
    given_to,
    in_python,
    module_of,
    outcome,
    parts,
)
from wgsl_device import HEAD, device, interpret, kernel, run

import murmurate as mm
from murmurate.language.library import Library
from murmurate.language.methods import read_method, sums_of
from murmurate.language.reader import Readings
from murmurate.language.source import arguments
from murmurate.language.state_reads import reads_of
from murmurate.language.tree import INT, REAL, Plain, Record, StateRecord, Tuple, Type
from murmurate.language.wgsl_library import MORE, RECORDS, WgslLibrary
from murmurate.language.wgsl_types import WgslTypes, identifier
from murmurate.model.registry import MOTIONS, RULES
from murmurate.model.rule_functions import is_of_user

Run = Callable[[str, str, np.ndarray, int], np.ndarray]


@pytest.fixture(params=["python", pytest.param("device", marks=pytest.mark.slow)], scope="module")
def execute(request: pytest.FixtureRequest) -> Run:
    """Return what runs a kernel for rows of numbers."""
    return interpret if request.param == "python" else partial(run, device())


def close(result: np.ndarray, expected: Any, rough: Any) -> bool:
    """Return whether numbers agree as well as float32 can.

    rough  results of arguments that differ by rounding: if they differ much, the function jumps.
           Numbers above 1e15 are beyond those of rules
    """
    if isinstance(expected, type) or not (np.abs(expected) < 1e15).all():
        return True
    spread = np.zeros(len(expected))
    for other in rough:
        if isinstance(other, type):
            return True
        spread = np.maximum(spread, np.abs(np.array(other) - np.array(expected)))
    size = np.maximum(1.0, np.abs(expected))
    if (spread > 1e-3 * size).any():
        return True
    return bool((np.abs(result - expected) <= 2e-5 * size + 20 * spread).all())


def in_single(function: Any) -> Any:
    """Return a function that rounds elementary functions and constants to single precision."""
    library = Library()
    tree = Readings().read(function, [REAL, REAL, INT, Tuple((REAL, REAL))])
    name = library.add(tree, "helper", "tried")

    def rounded_function(word: str) -> Any:
        return lambda *numbers: np.float32(getattr(math, word)(*numbers))

    words = ("sin", "cos", "exp", "log", "atan", "tanh", "fabs", "sqrt", "atan2")
    rounded = {word: rounded_function(word) for word in words}
    names = in_python(library, real=np.float32, math=SimpleNamespace(**vars(math) | rounded), **{
        f"{word}_real": rounded[word] for word in ("sin", "cos", "exp", "log")
    })  # fmt: skip
    return names[name]


@pytest.mark.parametrize(
    "batch", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(1, 10))]
)
def test_random_functions_compute_the_same(tmp_path: Path, batch: int, execute: Run) -> None:
    library, kernels, runs = WgslLibrary(), [], []
    for seed in range(20 * batch, 20 * batch + 20):
        text = Writer(seed).function()
        tried = module_of(tmp_path, text).tried
        tree = Readings().read(tried, [REAL, REAL, INT, Tuple((REAL, REAL))])
        name = library.add(tree, "helper", "tried", seed)
        call = f"  let v = {name}(a[0], a[1], i32(a[2]), array<f32, 2>(a[3], a[4]));\n"
        items = range(3)
        parts_of = [f"  r[{k}] = f32(v.item{k});" for k in items]
        if tree.result == Tuple((REAL,) * 3):
            parts_of = [f"  r[{k}] = v[{k}];" for k in items]
        kernels.append(kernel(f"kernel{seed}", 5, 3, call + "\n".join(parts_of)))
        numbers = random.Random(seed)
        rows = [
            [
                numbers.choice(NUMBERS),
                numbers.choice(NUMBERS),
                n,
                *(numbers.choice(NUMBERS) for _ in "ab"),
            ]
            for n in (0, 1, 2, 5)
        ]
        runs.append((seed, tried, in_single(tried), text, np.array(rows)))
    module = HEAD + library.text() + "".join(kernels)
    for seed, tried, single, text, rows in runs:
        results = execute(module, f"kernel{seed}", rows, 3)
        for result, (x, y, n, a, b) in zip(results, rows.tolist(), strict=True):
            expected = outcome(tried, x, y, int(n), (a, b))
            rough = [
                outcome(tried, x + d * abs(x) + d, y - d * abs(y), int(n), (a + d, b - d))
                for d in (-1e-7, 1e-7)
            ]
            with np.errstate(all="raise", under="ignore"):
                rough.append(outcome(single, *map(np.float32, (x, y)), int(n), (a, b)))
            assert close(result, expected, rough), (text, (x, y, n, a, b), result, expected)


@pytest.mark.parametrize("name", sorted({*MORE, "exp", "log", "sin", "cos", "pow"} - {"isnan"}))
def test_mathematics_is_accurate(name: str, execute: Run) -> None:
    function: Any = getattr(math, name)
    takes = 2 if name in ("pow", "atan2", "hypot", "copysign") else 1
    ranges = {"log": (1e-3, 50.0), "log2": (1e-3, 50.0), "log10": (1e-3, 50.0),
              "log1p": (-0.9, 50.0), "acosh": (1.0, 50.0), "asin": (-1.0, 1.0), "acos": (-1.0, 1.0),
              "atanh": (-0.99, 0.99), "pow": (0.01, 8.0), "tan": (-1.4, 1.4)}  # fmt: skip
    low, high = ranges.get(name, (-9.0, 9.0))
    numbers = np.float32(np.random.default_rng(3).uniform(low, high, (500, takes)))
    library = WgslLibrary()
    library.called.add(name)
    call = f"{name}_real({', '.join(f'a[{k}]' for k in range(takes))})"
    module = HEAD + library.text() + kernel("tried", takes, 1, f"  r[0] = f32({call});")
    result = execute(module, "tried", numbers, 1)[:, 0]
    expected = [float(function(*map(float, row))) for row in numbers]
    assert result == pytest.approx(expected, rel=3e-6, abs=3e-7)


def texts_of(type_: Type, numbers: Any, library: WgslLibrary) -> str:
    """Return numbers as a WGSL value of a type."""
    match type_:
        case Plain():
            return f"{library.types.text(type_)}({float(numbers)!r})"
        case Tuple(items):
            inner = [
                texts_of(kind, item, library) for kind, item in zip(items, numbers, strict=True)
            ]
        case Record(owner, fields):
            own = [pair for pair in fields if not isinstance(pair[1], StateRecord)]
            inner = [texts_of(kind, getattr(numbers, name), library) for name, kind in own]
            states = library.types.states.get(owner, ())
            inner += [f"f32({getattr(numbers.state, name)!r})" for name in states]
    return f"{library.types.text(type_)}({', '.join(inner) or '0.0'})"


@pytest.mark.slow
def test_rules_and_motions_compute_the_same(execute: Run) -> None:
    compared = set()
    runs: list[Any] = []
    modules: list[str] = []
    for name, (part, numbers_of_part) in parts().items():
        key = part.cls, part.words
        if key in compared:
            continue
        compared.add(key)
        readings, kernels, first = Readings(), [], len(runs)
        reads = reads_of(part, readings)
        states = {"me": reads.own, "other": reads.others}
        library = WgslLibrary(types=WgslTypes(RECORDS, states))
        sums = sums_of(part, readings) if hasattr(part.cls, "pair") else 0
        methods = [way for way in WAYS if hasattr(part.cls, way)]
        for way, seed in itertools.product(methods, range(2)):
            numbers = random.Random(seed)
            method = getattr(part.cls, way)
            tree = read_method(part, way, readings)
            printed = library.add(tree, way, "part", part.words)
            own = SimpleNamespace(
                **filled(numbers_of_part.fields, numbers), **numbers_of_part.constants
            )
            values = [given_to(part, arg, sums, numbers) for arg in arguments(method)[1:]]
            expected = outcome(method, own, *values)
            if isinstance(expected, type):
                continue
            types = list(tree.arguments.values())
            texts = [texts_of(t, v, library) for t, v in zip(types, [own, *values], strict=True)]
            items = tree.result.items  # type: ignore[union-attr]
            fields = [
                f"v[{k}]" if len(set(items)) == 1 else f"v.item{k}" for k in range(len(items))
            ]
            body = f"  let v = {printed}({', '.join(texts)});\n"
            body += "\n".join(f"  r[{k}] = f32({field});" for k, field in enumerate(fields))
            entry = f"kernel{len(runs)}"
            kernels.append(kernel(entry, 1, len(items), body))
            runs.append((name, way, entry, len(items), expected))
        module = HEAD + library.text() + "".join(kernels)
        modules += [module] * (len(runs) - first)
    for module, (name, way, entry, width, expected) in zip(modules, runs, strict=True):
        result = execute(module, entry, np.zeros((1, 1)), width)[0]
        assert result == pytest.approx(expected, rel=2e-5, abs=2e-5), (name, way)
    own_parts = {cls for cls in (*RULES.values(), *MOTIONS.values()) if not is_of_user(cls)}
    own_parts -= {
        mm.Learned,
        mm.LearnedWalls,
        mm.Policy,
    }  # of tables: see test_tables.py, rules/test_policies.py
    assert {cls for cls, _ in compared} >= own_parts
    assert identifier("x'1") == "x_1_"


def test_half_powers_are_roots(tmp_path: Path) -> None:
    text = "def tried(x, y, n, pair):\n    return x**1.5, 1 / y**0.5, x**2 + y"
    library = WgslLibrary()
    tree = Readings().read(module_of(tmp_path, text).tried, [REAL, REAL, INT, Tuple((REAL, REAL))])
    name = library.add(tree, "helper", "tried", 0)
    assert "pow" not in library.text().split(f"fn {name}(")[1]
    body = f"  let v = {name}(a[0], a[1], 0i, array<f32, 2>());\n"
    body += "\n".join(f"  r[{k}] = v[{k}];" for k in range(3))
    result = interpret(HEAD + library.text() + kernel("tried", 2, 3, body), "tried",
                       np.array([[4.0, 0.25]]), 3)  # fmt: skip
    assert result.tolist() == [[8.0, 2.0, 16.25]]
