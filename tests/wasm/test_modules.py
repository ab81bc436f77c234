"""What is in a module: random numbers, mathematics, and nothing that it would have to import."""

from __future__ import annotations

import math

import numpy as np
import pytest
import wasmtime

from murmurate.codegen.intrinsics import array2, number
from murmurate.codegen.kernel_functions import philox
from murmurate.engines import rng
from murmurate.engines.wasm.module_file import module_file, object_file
from murmurate.engines.wasm.object_code import wasm_object
from murmurate.engines.wasm.target import plain_decorated, wasm_jit
from murmurate.errors import RuleError
from murmurate.language.maths import PLAIN

TABLE, ARRAYS = 65536, 131072


def flown(function, table: list[int], size: int, given: bytes = b"") -> np.ndarray:
    """What a function of a table writes into memory, from ARRAYS on; behind that is what is
    given."""
    module = module_file(object_file(wasm_object({"it": function})), 64, TABLE, ["it"])
    engine = wasmtime.Engine()
    store = wasmtime.Store(engine)
    compiled = wasmtime.Module(engine, module)
    assert not list(compiled.imports)
    exports = wasmtime.Instance(store, compiled, []).exports(store)
    exports["memory"].write(store, np.array(table, np.int64).tobytes(), TABLE)
    exports["memory"].write(store, given, ARRAYS + size)
    exports["it"](store, TABLE)
    return np.frombuffer(bytes(exports["memory"].read(store, ARRAYS, ARRAYS + size)), np.uint8)


def test_random_numbers_have_the_same_bits() -> None:
    draw = plain_decorated({"philox": philox})["philox"]

    @wasm_jit(fastmath=True, error_model="numpy")
    def draws(table):
        out = array2(table, 0, np.uint64(0))
        for boid in range(out.shape[0]):
            a, b, c, d = draw(boid, number(table, 3), number(table, 4), 123456789, 4000000000)
            out[boid, 0], out[boid, 1], out[boid, 2], out[boid, 3] = a, b, c, d
        return 0

    step, purpose = 2**40 + 17, 3_123_456_789
    found = flown(draws, [ARRAYS, 500, 4, step, purpose], 500 * 4 * 8).view(np.uint64)
    seed = 123456789 + (4000000000 << 32)
    expected = rng.uniforms(seed, step, purpose, 500)
    assert ((found.reshape(500, 4) >> np.uint64(8)) * 2.0**-24 == expected).all()


# function -> where it is asked, and what it should give
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
def test_mathematics_is_right_to_the_last_place(real: type) -> None:
    """In float32 to the last bit, but for some that are as near to another number."""
    assert {*CASES, *PAIRS} == set(PLAIN)
    lines = [f"out[{k}, i] = math.{name}(given[{k}, i])" for k, name in enumerate(CASES)]
    lines += [
        "out[19, i] = math.atan2(given[19, i], given[0, i])",
        "out[20, i] = given[20, i] ** given[0, i]",
        "out[21, i] = given[21, i] % abs(given[0, i])",
        "out[22, i] = math.hypot(given[22, i], given[0, i])",
    ]
    names = {"array2": array2, "real": real, "math": math}
    text = "def each(table):\n out, given = array2(table, 0, real(0)), array2(table, 3, real(0))\n"
    text += f" for i in range({COUNT}):\n  " + "\n  ".join(lines) + "\n return 0"
    exec(text, names)
    random = np.random.default_rng(1)
    ranges = [case[:2] for case in CASES.values()] + [(-9, 9), (0.5, 1.9), (0, 1e6), (-99, 99)]
    given = np.array([random.uniform(a, b, COUNT) for a, b in ranges]).astype(real)
    table = [ARRAYS, *given.shape, ARRAYS + given.nbytes, *given.shape]
    each = wasm_jit(error_model="numpy")(names["each"])
    found = flown(each, table, given.nbytes, given.tobytes()).view(real).reshape(given.shape)
    exact = given.astype(float)
    for k, (name, function) in enumerate([(n, c[2]) for n, c in CASES.items()] + [*PAIRS.items()]):
        expected = function(exact[k]) if name in CASES else function(exact[k], exact[0])
        gap = np.abs(found[k] - expected)
        assert (
            gap <= (0.51 if real is np.float32 else 64) * np.spacing(np.abs(expected).astype(real))
        ).all(), name


def test_what_no_module_has_is_named() -> None:
    def it(table):
        return int(math.erf(number(table, 0)) * 9)

    with pytest.raises(RuleError, match="calls erf, which WebAssembly has not: there are acos"):
        wasm_object({"it": wasm_jit()(it)})


@pytest.mark.parametrize("data", [b"", b"\x7fELF", b"\0asm\2\0\0\0"])
def test_what_is_no_object_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="no WebAssembly object"):
        object_file(data)
