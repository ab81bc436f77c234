"""Views of boids: what closer ones hide, and the arcs that all cover together."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm
from murmurate.codegen.candidates import view_functions
from murmurate.codegen.opened_rules import opened_model
from murmurate.engines.initial_state import initial_state
from murmurate.engines.options import RunOptions
from murmurate.engines.reference.view import look_around
from murmurate.engines.slabs.slab_engine import SlabEngine
from murmurate.engines.wasm.page_modules import changeable, open_model
from murmurate.errors import ModelError
from murmurate.language.function_text import function_text

SEES = {"neighbours": "visible"}


def two_kinds(size: float = 20.0, scale: int = 1, **numbers: Any) -> mm.Model:
    """Small and large boids on a torus, with every kind of rule from which boids hide others."""
    start = mm.InBox(velocity=mm.Directions(speed=1.0))
    both = {"moves": ("small", "large"), "senses": ("small", "large"), **numbers}
    return mm.Model(
        dt=0.1,
        space=mm.Space(size=(size, size), boundary="periodic"),
        flocks={
            "small": mm.Flock(
                count=40 * scale, diameter=1.0, motion=mm.Add(max_speed=2.0), start=start
            ),
            "large": mm.Flock(
                count=15 * scale, diameter=2.0, motion=mm.Add(max_speed=2.0), start=start
            ),
        },
        rules={
            "edges": mm.Projection(**both),
            "sight": mm.VisualField(
                moves="small", acceleration_by_edges=0.1, turning_by_edges=0.2, **numbers
            ),
            "align": mm.HeadingAlignment(
                **both, **SEES, nearest=4, field_of_view=150.0, divide_by="neighbours"
            ),
            "meet": mm.Cohesion(moves="large", senses="small", **SEES, inner_radius=1.0, **numbers),
        },
    )


engines = pytest.mark.parametrize(
    "make", [flights.reference, pytest.param(flights.interpreted, marks=pytest.mark.slow)]
)


def seen_by_first(make: Any, others: list[tuple[float, float]], **numbers: Any) -> list[int]:
    """Return which of some boids the first boid, at the origin, senses."""
    rule = mm.Cohesion(**{**SEES, **numbers})
    senses = []
    for j in range(len(others)):  # only boid j changes the mean of what is visible
        moved = np.array([(0.0, 0.0), *others])
        mean = sensed_mean(rule, moved, make)
        moved[j + 1] *= 1.0001  # along the line of sight
        if not np.allclose(sensed_mean(rule, moved, make), mean, rtol=0, atol=1e-9):
            senses.append(j)
    return senses


def sensed_mean(rule: Any, positions: np.ndarray, make: Any) -> np.ndarray:
    """Return the mean vector to what the first boid senses."""
    model = mm.Model(
        space=mm.Space(size=(100.0, 100.0)),
        flocks={"boids": mm.Flock(count=len(positions), diameter=1.0)},
        rules={"see": rule},
    )
    velocities = np.zeros_like(positions)
    velocities[:, 0] = 1.0
    engine = make(model, {"boids": (positions + 50.0, velocities)})
    engine.step(1)
    return flights.arrays(engine)["boids"][1][0] - velocities[0]


@engines
def test_a_boid_is_hidden_by_closer_ones_alone(make: Any) -> None:
    """Discs of diameter 1: one behind another; behind two that hide half each; a sliver seen."""
    assert seen_by_first(make, [(2.0, 0.0), (4.0, 0.0), (-3.0, 0.0)]) == [0, 2]
    assert seen_by_first(make, [(2.0, 0.4), (2.0, -0.4), (5.0, 0.0)]) == [0, 1]
    sticks_out = math.asin(0.25) - math.asin(0.125)  # the angle from which the farther disc does
    for factor, visible in ((0.99, [0]), (1.01, [0, 1])):
        a = factor * sticks_out
        assert seen_by_first(make, [(2.0, 0.0), (4 * math.cos(a), 4 * math.sin(a))]) == visible


@engines
def test_what_hides_and_what_is_selected(make: Any) -> None:
    """Of visible boids the nearest count; a boid out of the zone hides others all the same."""
    row = [(2.0, 0.0), (4.0, 0.0), (0.0, 6.0), (-7.0, 0.0)]
    assert seen_by_first(make, row, nearest=2) == [0, 2]
    assert seen_by_first(make, row, inner_radius=3.0) == [2, 3]
    assert seen_by_first(make, row, radius=6.5) == [0, 2]
    assert seen_by_first(make, [(-2.0, 0.1), (-2.0, 3.0), (0.5, 3.0)], field_of_view=100.0) == [2]
    assert seen_by_first(make, [(0.3, 0.0), (4.0, 0.0), (-3.0, 0.0)]) == [0]  # inside of a disc


def test_random_views_by_angles_and_without() -> None:
    dice = np.random.default_rng(1)
    for _ in range(300):
        count = int(dice.integers(1, 40))
        discs = dice.normal(size=(count, 2)) * dice.choice([1.0, 3.0, 10.0])
        discs = discs[np.argsort((discs**2).sum(axis=1))]
        diameters = dice.choice([0.2, 1.0, 2.0], size=count)
        visible, arcs = look_around(discs, diameters)
        rows, n = np.zeros((count + 3, 6)), 0
        for (x, y), diameter, expected in zip(discs, diameters, visible, strict=True):
            n, shown = view_functions.cover_view(rows, n, x, y, diameter)
            assert shown == expected
        n = view_functions.close_view(rows, n)
        assert n == len(arcs)
        np.testing.assert_allclose(rows[:n, 2:], np.array(arcs).reshape(-1, 4), atol=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("numbers", [{}, {"radius": 6.0}])
def test_engines_agree(numbers: dict[str, Any]) -> None:
    """With and without a radius, and with cells where there is one."""
    model = two_kinds(**numbers)
    slow, fast = flights.reference(model, seed=2), flights.interpreted(model, seed=2)
    with flights.in_cells():
        cells = flights.interpreted(model, seed=2)
    for engine in (slow, fast, cells):
        engine.step(3)
    flights.assert_agree(fast, slow)
    flights.assert_agree(cells, slow)


@pytest.mark.slow
@pytest.mark.parametrize("order", ["one-by-one", pytest.param("shuffled", marks=pytest.mark.long)])
def test_sequential_updates(order: str) -> None:
    model = two_kinds(radius=6.0).set({"order": order})
    slow = flights.reference(model, seed=2)
    with flights.in_cells():
        cells = flights.interpreted(model, seed=2)
    slow.step(3)
    cells.step(3)
    flights.assert_agree(cells, slow)


@pytest.mark.slow
def test_threads_and_workers_give_the_same_bits() -> None:
    model = two_kinds(60.0, 10, radius=3.0)
    engines: list[Any] = [flights.cpu(model, threads=threads) for threads in (1, 3)]
    options = RunOptions(
        "slabs", engine_options=mm.Slabs(3, "here"), dtype="float64", seed=1, threads=1
    )
    engines.append(SlabEngine(model, initial_state(model, 1), options))
    for engine in engines:
        engine.step(4)
        flights.assert_same_bits(engine, engines[0])


@engines
@pytest.mark.parametrize("distance", [0.6, 1.0, 3.0, 40.0])
def test_the_edges_of_one_disc(make: Any, distance: float) -> None:
    """Pearce et al. 2014: |delta| = cos(asin(1 / 2d)) towards it; zero within the disc."""
    for near, expected in ((distance, math.cos(math.asin(0.5 / distance))), (0.4, 0.0)):
        model = mm.Model(
            dt=1.0,
            space=mm.Space(size=(200.0, 200.0)),
            flocks={"boids": mm.Flock(count=2, diameter=1.0)},
            rules={"edges": mm.Projection()},
        )
        x = np.array([[50.0, 50.0], [50.0 + near * 0.8, 50.0 + near * 0.6]])
        engine = make(model, {"boids": (x, np.zeros((2, 2)))})
        engine.step(1)
        velocities = flights.arrays(engine)["boids"][1]
        np.testing.assert_allclose(velocities[0], [0.8 * expected, 0.6 * expected], atol=1e-12)
        np.testing.assert_allclose(velocities[1], -velocities[0], atol=1e-12)


@engines
def test_arcs_around_the_whole_view(make: Any) -> None:
    """A ring without gaps has no edges; with one gap it has two."""
    model = mm.Model(
        space=mm.Space(size=(100.0, 100.0)),
        flocks={"boids": mm.Flock(count=21, diameter=2.0)},
        rules={"edges": mm.Projection()},
    )
    for count, gap in ((20, False), (18, True)):
        angles = 2 * math.pi * np.arange(20) / 20
        ring = 5.0 * np.stack([np.cos(angles), np.sin(angles)], axis=1)[:count]
        outside = np.full((20 - count, 2), 40.0)  # behind the ring
        x = np.concatenate([[[0.0, 0.0]], ring, outside]) + 50.0
        engine = make(model, {"boids": (x, np.zeros((21, 2)))})
        engine.step(1)
        velocity = flights.arrays(engine)["boids"][1][0]
        half = 2 * math.pi * 3 / 40 - math.asin(0.2)  # of the gap
        middle = 2 * math.pi * 37 / 40
        edge = math.cos(half) * np.array([math.cos(middle), math.sin(middle)])
        np.testing.assert_allclose(velocity, edge * gap, atol=1e-12)


def test_what_is_refused() -> None:
    flock = mm.Flock(count=3, diameter=1.0)
    plane, cube = mm.Space(size=(9.0, 9.0)), mm.Space(size=(9.0, 9.0, 9.0))

    def refusal(space: mm.Space = plane, flock: mm.Flock = flock, **rules: Any) -> str:
        with pytest.raises(ModelError) as error:
            mm.Model(space=space, flocks={"boids": flock}, rules=rules, obstacles={
                "rock": mm.Sphere(centre=(2.0,) * space.dims, radius=1.0)
            })  # fmt: skip
        return str(error.value)

    sees = mm.Cohesion(neighbours="visible")
    assert refusal(cube, see=sees).startswith("rules.see.neighbours: got 'visible' in a space with")
    assert refusal(cube, edges=mm.Projection()).startswith("rules.edges.kind: got 'projection'")
    assert refusal(flock=mm.Flock(count=3), see=sees).startswith("flocks.boids.diameter: got none")
    for numbers in (
        {"nearest": 3}, {"neighbours": "voronoi"}, {"most_influential": 1}, {"inner_radius": 1.0},
        {"field_of_view": 90.0}, {"include_self": True}, {"senses": "rock"},
    ):  # fmt: skip
        (name,) = numbers
        message = refusal(edges=mm.Projection(**numbers))
        assert message.startswith(f"rules.edges.{name}: got"), message
        assert ("expected flocks" if name == "senses" else "senses the whole view") in message


def test_workers_that_refuse() -> None:
    model = two_kinds()
    assert any(
        ".radius: got" in why or "in the grid" in why
        for why in SlabEngine.problems(model, RunOptions("slabs"))
    )


EDGES = """
def pair(self, me, arc):
    return 2, arc.right_x + arc.left_x, arc.right_y + arc.left_y

def finish(self, sums, me):
    n, x, y = sums
    return (x / n, y / n, 0) if n > 0 else (0, 0, 0)
"""


def test_functions_of_arcs_as_text() -> None:
    """A rule of neighbours becomes one of arcs, and the functions of such a rule are printed."""
    model = two_kinds()
    edited = model.set({"rules.edges": mm.Cohesion(
        moves=("small", "large"), senses=("small", "large"), functions=EDGES
    )})  # fmt: skip
    one, other = flights.reference(model), flights.reference(edited)
    one.step(1)
    other.step(1)
    flights.assert_agree(one, other)
    text = function_text(model.rules["edges"], model.space)
    assert text.startswith("def pair(self, me, arc):\n    return 2.0, arc.right_x + arc.left_x")
    with pytest.raises(ModelError, match="sense the view"):
        opened_model(model, ["edges", "sight"])


def test_pages_have_these_rules() -> None:
    """A page may limit the view of visible neighbours, and change diameters."""
    model = open_model(two_kinds(), 100)
    views = {name: rule.field_of_view for name, rule in model.rules.items()}
    assert views == {"edges": 180.0, "sight": 180.0, "align": 150.0, "meet": 179.0}
    paths = changeable(two_kinds(), 100)
    assert {"flocks.small.diameter", "flocks.large.diameter"} <= paths
    assert "rules.edges.field_of_view" not in paths
