"""What stands in the table of arguments is what kernels take from it."""

from __future__ import annotations

import math

import numba
import numpy as np
import pytest

from murmurate.codegen import intrinsics as it
from murmurate.codegen.arguments import OFFSETS
from murmurate.engines.cpu.argument_table import ArgumentTable

FLOAT32 = np.dtype("float32")
STATE, NEW, OBSTACLES, IDS = (
    OFFSETS[n] for n in ("state", "next_state", "obstacles_by_step", "ids")
)
SHARED = OFFSETS["shared"]
TIME, KEY0, STEP, CONTROL = (OFFSETS[n] for n in ("time", "key0", "step", "control"))


@numba.njit
def read(table):
    state = it.array2(table, STATE, np.float32(0))
    obstacles = it.array3(table, OBSTACLES, np.float32(0))
    ids = it.array1(table, IDS, np.int32(0))
    return (
        state[1, 2], state.shape, obstacles[1, 0, 6], obstacles.shape, ids[3],
        it.float_of(table, TIME), it.unsigned(table, KEY0), it.number(table, STEP),
    )  # fmt: skip


@numba.njit
def shared(table):
    return it.number(table, SHARED)


@numba.njit
def write(table):
    it.set_number(table, STEP, 7)
    it.set_float(table, TIME, 0.125)
    it.exchange(table, STATE, NEW)
    it.array2(table, STATE, np.float32(0))[0, 0] = 42
    control = it.array1(table, CONTROL, np.int64(0))
    first = it.add_shared(control, 0, 2) * 10
    if it.replace_shared(control, 0, 5, 1) or not it.replace_shared(control, 0, 6, 7):
        return 0
    return first + it.get_shared(control, 0)


def filled(threads: int = 1) -> tuple[ArgumentTable, dict[str, np.ndarray]]:
    table = ArgumentTable(FLOAT32, threads)
    arrays = {
        "state": np.arange(12, dtype=np.float32).reshape(4, 3),
        "next_state": np.zeros((4, 3), np.float32),
        "obstacles_by_step": np.arange(14, dtype=np.float32).reshape(2, 1, 7),
        "ids": np.array([5, 6, 7, 8], np.int32),
        "control": np.array([4], np.int64),
    }
    for name, array in arrays.items():
        table.put(name, array)
    table.set("time", 0.1)
    table.set("key0", np.uint64(2**64 - 1))
    table.set("step", 2**60)
    return table, arrays


def test_kernels_read_what_was_put() -> None:
    table, _ = filled(threads=2)
    for address in table.addresses:
        values = read(shared(address))
        assert values == (5.0, (4, 3), 13.0, (2, 1, 7), 8, 0.1, 2**64 - 1, 2**60)


def test_kernels_write_into_the_table_and_count() -> None:
    table, arrays = filled()
    assert write(table.addresses[0]) == 67
    assert arrays["control"][0] == 7
    assert arrays["next_state"][0, 0] == 42 and arrays["state"][0, 0] == 0  # which were exchanged
    assert table.number("step") == 7
    assert read(table.addresses[0])[5] == 0.125


def test_a_thread_has_scratch_of_its_own() -> None:
    table = ArgumentTable(FLOAT32, 3)
    (first,) = table.allocate(["near_id"], {"nearest": 5})
    assert first.shape == (5,) and first.dtype == np.int32
    addresses = {int(row[OFFSETS["near_id"]]) for row in table._words}
    assert len(addresses) == 3
    table.set("chunk", 9, thread=1)
    assert [table.number("chunk", k) for k in range(3)] == [0, 9, 0]
    table.set("chunk", 5)
    assert [table.number("chunk", k) for k in range(3)] == [5, 5, 5]


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((4, 3)),  # float64
        np.zeros(4, np.float32),  # one side
        np.zeros((3, 4), np.float32).T,  # not contiguous
    ],
)
def test_an_array_of_another_kind_is_refused(array: np.ndarray) -> None:
    """One swap of two arrays would else be silent."""
    with pytest.raises(TypeError, match="expected a contiguous one of float32"):
        ArgumentTable(FLOAT32, 1).put("state", array)


def test_floats_keep_their_bits() -> None:
    table = ArgumentTable(FLOAT32, 1)
    for value in (math.pi, -0.0, 1e-310, 5e300):
        table.set("time", value)
        word = table._words[0, OFFSETS["time"]]
        assert math.copysign(1.0, word.view(np.float64)) == math.copysign(1.0, value)
        assert word.view(np.float64) == value
