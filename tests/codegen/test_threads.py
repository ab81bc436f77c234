"""Models may be made ready in several threads at once: parsing and loading are done one by one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import murmurate as mm
from murmurate.engines.options import cores


def simulate(seed: int) -> np.ndarray:
    model = mm.Model(
        space=mm.Space(size=(9.0, 9.0)),
        flocks={"boids": mm.Flock(count=5)},
        rules={
            f"place-{k}": mm.TendToPlace(place=(1.0, 2.0), weight=0.01) for k in range(seed % 3 + 1)
        },
    )
    return mm.Simulation(model, seed, threads=1).step(2).frame["boids"].positions


@pytest.mark.slow
def test_models_of_several_structures_at_once() -> None:
    seeds = range(12)
    with ThreadPoolExecutor(6) as pool:
        states = list(pool.map(simulate, seeds))
    for seed, positions in zip(seeds, states, strict=True):
        np.testing.assert_array_equal(positions, simulate(seed))


def test_as_many_threads_as_a_machine_can_bear() -> None:
    model = mm.Model(space=mm.Space(size=(9.0, 9.0)), flocks={"boids": mm.Flock(count=5)})
    max_threads = max(4 * cores(), 256)
    simulation = mm.Simulation(model, threads=max_threads)
    for threads in (0, max_threads + 1, 1_000_000):
        message = f"threads: got {threads}; expected a whole number from 1 to {max_threads}"
        with pytest.raises(mm.ModelError, match=message):
            mm.Simulation(model, threads=threads)
        with pytest.raises(mm.ModelError, match=message):
            simulation.copy(threads=threads)
        with pytest.raises(mm.ModelError, match=message):
            mm.Simulation.from_frame(model, simulation.frame, seed=0, threads=threads)
