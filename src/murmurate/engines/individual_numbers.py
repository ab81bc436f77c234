"""Individual numbers: the numbers of rules and motions that differ between boids.

They are a pure function of model, seed, flock, index and name, so that every engine, a resumed
simulation and a boid that joins later have the same. A number with a distribution is its quantile
at a uniform random number of the boid: Philox4x32-10 (Salmon et al. 2011,
doi:10.1145/2063384.2063405) with the index as counter, the seed as key, and the CRC-32 of
'FLOCK/individual/NAME' as stream. NAME is the number's name, such as 'rules.cohesion.weight', or
its draw name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from murmurate.codegen.plan import Plan
from murmurate.engines.cpu.argument_table import aligned_zeros
from murmurate.engines.manifest_types import TraitSource
from murmurate.errors import ModelError
from murmurate.model.distribution import Distribution, Each
from murmurate.model.model import Model
from murmurate.model.rng_streams import rng_stream_id, trait_stream
from murmurate.model.value import to_plain

Indices = NDArray[np.int64]
MAX_STORED = 8  # results that are stored, since each frame of a simulation asks for the same
MAX_STORED_NUMBERS = 2**22  # in one of them
BLOCK = 2**16  # boids that are drawn at a time, so that arrays stay in the cache


class _Stored(NamedTuple):
    """A result of `individual_numbers` and its arguments."""

    values: Mapping[str, Distribution]
    seed: int
    flock: str
    indices: Indices
    numbers: Mapping[str, np.ndarray]


_stored: list[_Stored] = []


def individual_numbers(
    model: Model, seed: int, flock: str, indices: Indices
) -> Mapping[str, np.ndarray]:
    """Return the numbers that differ between some boids of a flock.

    indices  (N,) indices of the boids within the flock
    returns  (N,) the numbers by name, such as 'rules.cohesion.weight', in the order of
        Model.traits_of. The arrays are read-only.
    raises ModelError  the model has numbers of each boid, and fewer than the flock has boids
    """
    values = model.individuals_of(flock)
    if not values:
        return {}
    for stored in _stored:
        is_same = stored[1:3] == (seed, flock) and _same(stored.values, values)
        if is_same and np.array_equal(stored.indices, indices):
            return stored.numbers
    numbers = {name: _draw(value, name, seed, flock, indices) for name, value in values.items()}
    for array in numbers.values():
        array.flags.writeable = False
    if len(numbers) * len(indices) <= MAX_STORED_NUMBERS:
        _stored.insert(0, _Stored(values, seed, flock, indices.copy(), numbers))
        del _stored[MAX_STORED:]
    return numbers


def check_counts(model: Model, sizes: Mapping[str, int]) -> None:
    """Check that a model with a number for each boid has as many as a start has boids.

    model  the model, whose numbers fit to its own counts
    sizes  number of boids of each flock at the start, which the user's arrays may decide
    raises ModelError  a flock has another number of boids
    """
    for flock, size in sizes.items():
        for name, value in model.individuals_of(flock).items():
            if isinstance(value, Each) and len(value.values) != size:
                raise ModelError(
                    f"start[{flock!r}]: got {size:,} boids; expected {len(value.values):,}, as "
                    f"many as {name} has values. Change the values, or use another distribution"
                )


def _same(first: Mapping[str, Distribution], second: Mapping[str, Distribution]) -> bool:
    """Return whether the values are the same objects: to compare long lists would take longer."""
    return list(first) == list(second) and all(
        a is b for a, b in zip(first.values(), second.values(), strict=True)
    )


def _draw(
    value: Distribution, name: str, seed: int, flock: str, indices: Indices
) -> NDArray[np.float64]:
    """Return the number of each boid, (N,)."""
    if isinstance(value, Each):
        values = np.array(value.values, float)
        if len(indices) and int(indices.max()) >= len(values):
            raise ModelError(
                f"{name}: got {len(values):,} values; expected one for each boid of flock "
                f"{flock!r}, of which one has the index {int(indices.max()):,}. Use another "
                "distribution"
            )
        return values[indices]
    stream = rng_stream_id(trait_stream(flock, getattr(value, "draw", "") or name))
    numbers = np.empty(len(indices))
    for first in range(0, len(indices), BLOCK):
        block = slice(first, first + BLOCK)
        numbers[block] = value.quantiles(uniform(indices[block], seed, stream))
    return numbers


def uniform(indices: Indices, seed: int, stream: int) -> NDArray[np.float64]:
    """Return a uniform random number of each boid, (N,), between 0 and 1 and neither of them.

    It is (k + 1/2) / 2**52, where k has 52 random bits: 32 of the first word of Philox, 20 of the
    second.
    """
    a, b, _, _ = philox(indices.astype(np.uint64), seed, stream)
    bits = (a << np.uint64(20)) | (b >> np.uint64(12))
    return (bits.astype(float) + 0.5) * 2.0**-52


def uniforms(seed: int, stream: str, indices: Indices, step: int = 0) -> NDArray[np.float64]:
    """Return two uniform random numbers in [0, 1) of each boid in a step: (N, 2), of 53 bits."""
    words = philox(indices.astype(np.uint64), seed, rng_stream_id(stream), step)
    pairs = words[:2], words[2:]
    return np.stack([((x >> 5) * 2.0**26 + (y >> 6)) * 2.0**-53 for x, y in pairs], axis=1)


def philox(
    indices: NDArray[np.uint64], seed: int, stream: int, step: int = 0
) -> tuple[NDArray[np.uint64], ...]:
    """Return four random 32-bit numbers of each counter (index, step, stream), (N,) uint64.

    Indices of 2^32 or more are for step 0 only.
    """
    low = np.uint64(0xFFFFFFFF)
    shift = np.uint64(32)
    a, b = indices & low, (indices >> shift) ^ np.uint64(step & 0xFFFFFFFF)
    c, d = np.full_like(a, step >> 32), np.full_like(a, stream)
    k, m = seed & 0xFFFFFFFF, (seed >> 32) & 0xFFFFFFFF
    for _ in range(10):
        p, q = np.uint64(0xD2511F53) * a, np.uint64(0xCD9E8D57) * c
        a, b = (q >> shift) ^ b ^ np.uint64(k), q & low
        c, d = (p >> shift) ^ d ^ np.uint64(m), p & low
        k, m = (k + 0x9E3779B9) & 0xFFFFFFFF, (m + 0xBB67AE85) & 0xFFFFFFFF
    return a, b, c, d


def trait_sources(plan: Plan) -> list[TraitSource]:
    """Return where the columns of `individual_rows` come from, as JSON represents it."""
    values = {flock: plan.model.individuals_of(flock) for flock in plan.counts}
    return [
        {
            "name": slot.trait, "kind": slot.kind, "path": slot.path, "value": to_plain(slot.value),
            "flocks": [
                flock
                for flock, own in values.items()
                if slot.owner in ("", flock) and slot.trait in own
            ],
        }
        for slot in plan.individual_slots
    ]  # fmt: skip


def individual_rows(
    plan: Plan, seed: int, indices: Mapping[str, Indices], dtype: Any = float
) -> np.ndarray:
    """Return the individual numbers of a plan as kernels read them, a row for each boid.

    indices  (N,)
    dtype  precision of the result. The default is float64.
    returns  (boids, plan.individual_columns) a row for each boid, flock after flock, and a column
        for each of `plan.individual_slots`, then columns of zeros. 0 too for boids that a rule does
        not move
    """
    total = sum(map(len, indices.values()))
    rows, first = aligned_zeros((total, plan.individual_columns), np.dtype(dtype)), 0
    for flock, own in indices.items():
        values = plan.model.individuals_of(flock)
        for column, slot in enumerate(plan.individual_slots):
            if slot.owner in ("", flock) and slot.trait in values:
                numbers = _draw(values[slot.trait], slot.trait, seed, flock, own)
                rows[first : first + len(own), column] = slot.passed(numbers)
        first += len(own)
    return rows
