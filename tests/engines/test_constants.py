"""Constants are put into each kind of table in the same way."""

from __future__ import annotations

import numpy as np
import pytest

import murmurate as mm
from murmurate.codegen.arguments import BY_NAME
from murmurate.engines import rng
from murmurate.engines.cpu.argument_table import ArgumentTable, put_constants
from murmurate.engines.cpu.model_arguments import model_constants
from murmurate.engines.cpu.model_kernels import layout_and_source
from murmurate.engines.wasm.module_memory import MemoryLayout, ModuleMemory

# a torus; herds; late senses; obstacles and perching; two flocks; the evaluations of an integrator
MODELS = ["ucl", "strombom-2014", "vasarhelyi-2018", "parker", "starlings", "cucker-smale"]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", MODELS)
def test_the_table_and_the_memory_of_a_page_hold_the_same(name: str, dtype: str) -> None:
    model = mm.load(name)
    counts = {name: flock.count for name, flock in model.flocks.items()}
    layout, _ = layout_and_source(model, counts, dtype)
    memory_layout = MemoryLayout(layout, dtype, 0)
    memory = ModuleMemory(memory_layout, np.zeros(memory_layout.pages * 65536, np.uint8))
    table = ArgumentTable(np.dtype(dtype), 1)
    constants, seed = model_constants(layout), 2**63 + 5
    for arguments in (memory, table):
        put_constants(arguments, constants, memory_layout.sides, seed)
    for argument in constants:
        if BY_NAME[argument].shape:
            array = table.array(argument).reshape(-1)
            np.testing.assert_array_equal(array, memory.array(argument).reshape(-1))
            expected = np.array(constants[argument]).astype(array.dtype)
            np.testing.assert_array_equal(array[: len(expected)], expected)
            assert not array[len(expected) :].any()
        else:
            assert table.number(argument) == memory.number(argument)
    for argument, key in zip(("key0", "key1"), rng.split_seed(seed), strict=True):
        assert table.number(argument) % 2**64 == memory.number(argument) % 2**64 == int(key)
