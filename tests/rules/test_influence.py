"""Neighbours that are selected by their influence: the length of the vector that `pair` returns."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
import pytest

import flights
import murmurate as mm
from murmurate.engines.gpu import device
from murmurate.errors import RuleError
from murmurate.model.rule_arguments import Me, Other, Parameters, Vector3


def school(dims: int, count: int = 40, **numbers: Any) -> mm.Model:
    """Fish that turn by one or two others, and hawks that follow two of either kind."""
    start = mm.InBox(velocity=mm.Directions(speed=1.0))
    return mm.Model(
        dt=0.1,
        space=mm.Space(size=(8.0,) * dims, boundary="periodic"),
        flocks={
            "fish": mm.Flock(count=count, motion=mm.Turning(), start=start),
            "hawks": mm.Flock(count=5, motion=mm.Add(max_speed=1.0), start=start),
        },
        rules={
            "turn": mm.SocialTurn(
                moves="fish", attraction=0.6, alignment=0.6, attraction_range=3.0,
                alignment_range=3.0, **{"most_influential": 2, **numbers},
            ),
            "chase": mm.Attraction(
                moves="hawks", senses=("fish", "hawks"), law="inverse", most_influential=2,
                field_of_view=130.0, include_self=True,
            ),
        },
    )  # fmt: skip


def test_the_published_turn() -> None:
    """In 2-D, by the angles of Wang et al. 2025: the sum of the k turns of largest size."""
    model = school(2, count=30).set({"space.boundary": "open"})
    simulation = mm.Simulation(model, seed=4, engine="reference")
    before = simulation.frame["fish"]
    x, phi = before.positions, np.arctan2(before.velocities[:, 1], before.velocities[:, 0])
    after = simulation.step(1).frame["fish"]
    for i in range(30):
        d = np.hypot(*(x - x[i]).T)
        psi = np.arctan2(*(x - x[i]).T[::-1]) - phi[i]
        turns = 0.6 * d * np.sin(psi) / (1 + (d / 3.0) ** 2)
        turns += 0.6 * (1 + 0.8 * np.cos(psi)) * np.exp(-((d / 3.0) ** 2)) * np.sin(phi - phi[i])
        turns[i] = 0.0
        largest = turns[np.argsort(-np.abs(turns))[:2]].sum()
        turned = np.arctan2(after.velocities[i, 1], after.velocities[i, 0]) - phi[i]
        turned = (turned + math.pi) % (2 * math.pi) - math.pi
        assert turned == pytest.approx(0.1 * largest, abs=1e-12)


SELECTIONS: list[Any] = [
    (2, {"radius": 2.5}),
    pytest.param(3, {"radius": 3.0, "field_of_view": 140.0}, marks=pytest.mark.long),
    pytest.param(3, {"most_influential": 3}, marks=pytest.mark.long),
    pytest.param(2, {"nearest": 6, "most_influential": 1}, marks=pytest.mark.long),
]


@pytest.mark.slow
@pytest.mark.parametrize(("dims", "numbers"), SELECTIONS)
def test_engines_agree(dims: int, numbers: dict[str, Any]) -> None:
    """With and without cells, and within a radius, a view or the nearest."""
    model = school(dims, **numbers)
    slow, fast = flights.reference(model, seed=2), flights.interpreted(model, seed=2)
    with flights.in_cells():
        cells = flights.interpreted(model, seed=2)
    for engine in (slow, fast, cells):
        engine.step(4)
    flights.assert_agree(fast, slow)
    flights.assert_agree(cells, slow)


@pytest.mark.parametrize("engine", ["reference", pytest.param("cpu", marks=pytest.mark.long)])
def test_a_pair_that_is_no_vector_is_refused(engine: str) -> None:
    model = school(2).set({"rules.turn": mm.Cohesion(moves="fish", most_influential=2)})
    with pytest.raises(RuleError, match="whose pair function returns 4 numbers; expected 0"):
        mm.Simulation(model, engine=engine).step(1)


class UndefinedFar(mm.NeighbourRule):
    """A rule whose vector is undefined for far neighbours."""

    formula: ClassVar = "sqrt(2 - r)"

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        return math.sqrt(2.0 - other.distance), 0.0, 0.0

    def finish(self: Parameters, sums: Vector3, me: Me) -> Vector3:
        return sums


@pytest.mark.parametrize("engine", ["reference", pytest.param("cpu", marks=pytest.mark.long)])
def test_an_undefined_influence_ends_the_run(engine: str) -> None:
    """Wherever the neighbour is in the order of candidates."""
    for count in (1, 2):
        model = school(2).set({"rules.turn": UndefinedFar(moves="fish", most_influential=count)})
        with pytest.raises(mm.RunError, match="pair of rule turn"):
            mm.Simulation(model, engine=engine).step(1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dims", "numbers"),
    [
        (2, {"radius": 2.5, "inner_radius": mm.Uniform(min=0.0, max=1.0)}),
        (3, {"field_of_view": 140.0, "most_influential": 16, "include_self": True}),
        (2, {"nearest": 6, "most_influential": 1}),
    ],
)
def test_engine_gpu_agrees(dims: int, numbers: dict[str, Any]) -> None:
    """Also where boids at one place with one velocity have equal influence, and at an obstacle."""
    pytest.importorskip("wgpu")
    if not device.adapters():
        pytest.skip("no adapter for WebGPU")
    random = np.random.default_rng(1)
    pairs = np.repeat(random.uniform(0.0, 8.0, (20, dims)), 2, axis=0).tolist()
    velocities = np.repeat(random.normal(size=(20, dims)), 2, axis=0).tolist()
    start = mm.Given(positions=pairs, velocities=velocities)
    model = school(dims, **numbers).set({"flocks.fish.start": start})
    wall = mm.WallTurn(moves="fish", range=1.0, most_influential=1)
    rock = mm.Sphere(centre=(4.0,) * dims, radius=1.0)
    model = mm.Model(
        **dict(model) | {"rules": {**model.rules, "wall": wall}, "obstacles": {"rock": rock}}
    )
    frames = [mm.Simulation(model, seed=2, engine=e).step(4).frame for e in ("gpu", "reference")]
    for flock in model.flocks:
        boids, expected = (frame[flock].velocities for frame in frames)
        assert np.quantile(np.abs(boids - expected).max(axis=1), 0.9) < 1e-4
