"""Counter-based random numbers: value = f(seed, step, boid, stream), without a sequence.

Random numbers therefore do not depend on threads, on restarts, or on how often frames are read.
Rules draw from Philox4x32-10 in the kernels (codegen/kernel_functions.py). Numbers for a whole
flock, such as starts and the order of shuffled updates, come from numpy's Philox with the same
seed.
"""

from __future__ import annotations

import numpy as np

from murmurate.model.rng_streams import rng_stream_id


def split_seed(seed: int) -> tuple[np.uint64, np.uint64]:
    """Return the lower and the upper 32 bits of a seed: the keys of Philox4x32-10."""
    return np.uint64(seed & 0xFFFFFFFF), np.uint64((seed >> 32) & 0xFFFFFFFF)


def make_generator(seed: int, rng_stream: str, step: int = 0) -> np.random.Generator:
    """Return a generator of random numbers for a whole flock."""
    key = np.array([seed & 0xFFFFFFFFFFFFFFFF, rng_stream_id(rng_stream) << 32], np.uint64)
    counter = np.array([0, 0, 0, step], np.uint64)
    return np.random.Generator(np.random.Philox(key=key, counter=counter))


def shuffled_orders(seed: int, step: int, count: int, steps: int = 1) -> np.ndarray:
    """Return the order of update in each of some shuffled steps: (steps, count) int64 boid numbers.

    seed, step  seed, and number of the first step. The order of a step depends on its number alone.
    """
    generator = make_generator(seed, "turns", step)
    state = generator.bit_generator.state  # setting it is faster than making a generator per step
    orders = np.empty((steps, count), np.int64)
    for number, order in enumerate(orders, step):
        state["state"]["counter"][3] = number
        generator.bit_generator.state = state
        order[:] = generator.permutation(count)
    return orders


def run_seed(seed: int, index: int) -> int:
    """Return the seed of run or world `index`: a hash of both (SeedSequence), below 2^63."""
    return int(np.random.SeedSequence((seed, index)).generate_state(1, np.uint64)[0] >> 1)
