"""Only the parts of a step that a model has are compiled."""

from __future__ import annotations

from typing import Any

import pytest

import flights
import murmurate as mm
import pairwise
from murmurate.codegen.candidates.search import Memory
from murmurate.engines.cpu.phase_loop import PhaseLoop

ALONE = """
order = "one-by-one"
[space]
size = [50, 50]
boundary = "periodic"
[flocks.boids]
count = 4
motion = { kind = "constant-speed", speed = 0.4 }
start = { kind = "box", velocity = { kind = "directions", speed = 0.4 } }
"""


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("ucl", set()),
        ("p5", set()),
        ("vicsek-1995", {"sort_cells"}),
        pytest.param("cucker-smale", {"integrate"}, marks=pytest.mark.slow),
        pytest.param("vasarhelyi-2018", {"perceive", "arrange_perceived"}, marks=pytest.mark.slow),
    ],
)
def test_only_the_parts_of_a_model_are_compiled(name: str, parts: set[str]) -> None:
    engine = flights.interpreted(mm.load(name))
    engine.step(1)
    diagnostics = engine.diagnostics()
    kernels = diagnostics.kernels_compiled + diagnostics.kernels_loaded
    assert {name.removesuffix("_alone") for name in kernels if name.endswith("_alone")} == parts


@pytest.mark.parametrize(("boids", "work", "threads"), [(4, 1, 3), (4, 400, 1), (16, 400, 2)])
def test_threads_that_a_sequential_step_is_worth(boids: int, work: float, threads: int) -> None:
    """An update counts 50. At least one thread, and at most all."""
    begun: list[int | None] = []

    class Watched(PhaseLoop):
        def begin(self, kernel: Any, threads: int | None = None) -> None:
            begun.append(threads)
            super().begin(kernel, threads)

    engine = flights.interpreted(
        mm.parse(ALONE).set({"flocks.boids.count": boids}),
        threads=3, make_loop=Watched, memory=Memory(min_thread_work=work),
    )  # fmt: skip
    engine.step(1)
    assert begun == [threads]


def test_threads_of_a_crowded_sequential_step() -> None:
    """An update also counts the boids of the cells around, at the density of the last grid."""
    begun: list[int | None] = []

    class Watched(PhaseLoop):
        def begin(self, kernel: Any, threads: int | None = None) -> None:
            begun.append(threads)
            super().begin(kernel, threads)

    model = pairwise.model_of(pairwise.ROWS["in-turn"])
    boids = sum(flock.count for flock in model.flocks.values())
    with flights.in_cells():
        engine = flights.interpreted(
            model, threads=2, make_loop=Watched, memory=Memory(min_thread_work=25.5 * boids)
        )
    engine.step(1)
    engine.step(1)
    assert begun == [1, 2]
