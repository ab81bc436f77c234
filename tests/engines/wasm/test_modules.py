"""Modules contain random numbers and mathematics, and import nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest
import wasmtime

from murmurate.codegen.intrinsics import array2, number
from murmurate.codegen.kernel_functions import philox
from murmurate.engines.reference import mathematics
from murmurate.engines.wasm.module_file import link_module, read_object
from murmurate.engines.wasm.object_code import wasm_object
from murmurate.engines.wasm.target import decorate_functions, wasm_jit
from murmurate.errors import RuleError
from murmurate.language.maths import PLAIN

TABLE, ARRAYS = 65536, 131072


def run(function, table: list[int], size: int, data: bytes = b"") -> np.ndarray:
    """Run a function of a table, and return the `size` bytes from ARRAYS on; `data` follow them."""
    module = link_module(read_object(wasm_object({"main": function})), 64, TABLE, ["main"])
    engine = wasmtime.Engine()
    store = wasmtime.Store(engine)
    compiled = wasmtime.Module(engine, module)
    assert not list(compiled.imports)
    exports = wasmtime.Instance(store, compiled, []).exports(store)
    exports["memory"].write(store, np.array(table, np.int64).tobytes(), TABLE)
    exports["memory"].write(store, data, ARRAYS + size)
    exports["main"](store, TABLE)
    return np.frombuffer(bytes(exports["memory"].read(store, ARRAYS, ARRAYS + size)), np.uint8)


def test_random_numbers_equal_those_of_python() -> None:
    draw = decorate_functions({"philox": philox})["philox"]

    @wasm_jit(fastmath=True, error_model="numpy")
    def draws(table):
        out = array2(table, 0, np.uint64(0))
        for boid in range(out.shape[0]):
            a, b, c, d = draw(boid, number(table, 3), number(table, 4), 123456789, 4000000000)
            out[boid, 0], out[boid, 1], out[boid, 2], out[boid, 3] = a, b, c, d
        return 0

    step, stream = 2**40 + 17, 3_123_456_789
    drawn = run(draws, [ARRAYS, 500, 4, step, stream], 500 * 4 * 8).view(np.uint64)
    key = 123456789, 4000000000
    for boid, numbers in enumerate(drawn.reshape(500, 4).tolist()):
        counter = boid, step & 0xFFFFFFFF, step >> 32, stream
        assert tuple(numbers) == mathematics.philox(counter, key)


# function -> range of its argument, and the exact function
CASES = {
    "sin": (-50, 50, np.sin), "cos": (-50, 50, np.cos), "tan": (-50, 50, np.tan),
    "asin": (-1, 1, np.arcsin), "acos": (-1, 1, np.arccos), "atan": (-9, 9, np.arctan),
    "exp": (-80, 80, np.exp), "exp2": (-90, 90, np.exp2), "expm1": (-3, 3, np.expm1),
    "log": (1e-6, 1e4, np.log), "log1p": (-0.9, 9, np.log1p), "log2": (1e-3, 1e3, np.log2),
    "log10": (1e-3, 1e3, np.log10), "sinh": (-9, 9, np.sinh), "cosh": (-9, 9, np.cosh),
    "tanh": (-9, 9, np.tanh), "asinh": (-80, 80, np.arcsinh), "acosh": (1.001, 50, np.arccosh),
    "atanh": (-0.999, 0.999, np.arctanh),
}  # fmt: skip
PAIRS = {"atan2": np.arctan2, "pow": np.power, "fmod": lambda x, y: np.fmod(x, np.abs(y))}
PAIRS |= {"hypot": np.hypot}
COUNT = 1000


@pytest.mark.parametrize("real", [np.float32, np.float64])
def test_errors_of_mathematics(real: type) -> None:
    """At most 0.51 units in the last place of float32, so nearly all results are exact."""
    assert {*CASES, *PAIRS} == set(PLAIN)
    lines = [f"out[{k}, i] = math.{name}(x[{k}, i])" for k, name in enumerate(CASES)]
    lines += [
        "out[19, i] = math.atan2(x[19, i], x[0, i])",
        "out[20, i] = x[20, i] ** x[0, i]",
        "out[21, i] = x[21, i] % abs(x[0, i])",
        "out[22, i] = math.hypot(x[22, i], x[0, i])",
    ]
    names = {"array2": array2, "real": real, "math": math}
    text = "def each(table):\n out, x = array2(table, 0, real(0)), array2(table, 3, real(0))\n"
    text += f" for i in range({COUNT}):\n  " + "\n  ".join(lines) + "\n return 0"
    exec(text, names)
    random = np.random.default_rng(1)
    ranges = [case[:2] for case in CASES.values()] + [(-9, 9), (0.5, 1.9), (0, 1e6), (-99, 99)]
    x = np.array([random.uniform(a, b, COUNT) for a, b in ranges]).astype(real)
    table = [ARRAYS, *x.shape, ARRAYS + x.nbytes, *x.shape]
    each = wasm_jit(error_model="numpy")(names["each"])
    results = run(each, table, x.nbytes, x.tobytes()).view(real).reshape(x.shape)
    exact = x.astype(float)
    for k, (name, function) in enumerate([(n, c[2]) for n, c in CASES.items()] + [*PAIRS.items()]):
        expected = function(exact[k]) if name in CASES else function(exact[k], exact[0])
        error = np.abs(results[k] - expected)
        last_place = np.spacing(np.abs(expected).astype(real))
        assert (error <= (0.51 if real is np.float32 else 64) * last_place).all(), name


def test_unsupported_mathematics_is_named() -> None:
    def main(table):
        return int(math.erf(number(table, 0)) * 9)

    with pytest.raises(RuleError, match="calls erf; WebAssembly supports only acos"):
        wasm_object({"main": wasm_jit()(main)})


@pytest.mark.parametrize("data", [b"", b"\x7fELF", b"\0asm\2\0\0\0"])
def test_other_data_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="expected a WebAssembly object"):
        read_object(data)
