"""Voronoi neighbours, against cells that are cut out of the plane one bisector at a time, and
against all spheres through four points."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import murmurate as mm
from murmurate.neighbours.voronoi import voronoi_neighbours


def rows(positions: np.ndarray, space: mm.Space) -> list[set[int]]:
    offsets, links = voronoi_neighbours(positions, space)
    return [set(links[offsets[i] : offsets[i + 1]].tolist()) for i in range(len(positions))]


def clipped(cell: list[tuple[np.ndarray, int]], way: np.ndarray, name: int) -> list:
    """A cell around the origin, corners with the name of the edge that follows each, less what is
    nearer to `way` than to the origin."""
    half, out = way @ way / 2, []
    for k, (corner, edge) in enumerate(cell):
        after = cell[(k + 1) % len(cell)][0]
        distance, next_distance = corner @ way - half, after @ way - half
        if distance <= 0:
            out.append((corner, edge))
        if (distance <= 0) != (next_distance <= 0):
            cut = corner + (after - corner) * distance / (distance - next_distance)
            out.append((cut, name if distance <= 0 else edge))
    return out


def cut_out(positions: np.ndarray, sides: list[float]) -> list[set[int]]:
    """Neighbours in 2-D: whose bisectors are left in the cell; periodic along axes of finite
    side."""
    far = 1e4
    result = []
    shifts = [range(-2, 3) if np.isfinite(s) else range(1) for s in sides]
    steps = [
        np.array([k * s if np.isfinite(s) else 0.0 for k, s in zip(shift, sides, strict=True)])
        for shift in itertools.product(*shifts)
    ]
    for i, x in enumerate(positions):
        cell = [(np.array(c) * far, -1) for c in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        for (j, other), step in itertools.product(enumerate(positions), steps):
            if j != i or step.any():
                cell = clipped(cell, other + step - x, j)
        result.append({edge for _, edge in cell} - {-1, i})
    return result


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 16])
@pytest.mark.parametrize(
    ("boundary", "sides"),
    [
        ("open", [np.inf, np.inf]),
        ("periodic", [7.0, 4.0]),
        (["periodic", "open"], [7.0, np.inf]),
    ],
)
def test_cells_in_the_plane(count: int, boundary: object, sides: list[float]) -> None:
    space = mm.Space(size=(7.0, 4.0), boundary=boundary)  # type: ignore[arg-type]
    for seed in range(4):
        positions = np.random.default_rng(seed).random((count, 2)) * (7.0, 4.0)
        assert rows(positions, space) == cut_out(positions, sides)


def test_cells_of_a_clump_on_a_torus() -> None:
    """A crowd in a corner: its outer cells reach round the torus."""
    positions = np.random.default_rng(1).random((20, 2)) * 0.3
    space = mm.Space(size=(7.0, 7.0), boundary="periodic")
    assert rows(positions, space) == cut_out(positions, [7.0, 7.0])


def test_cells_in_space() -> None:
    """Two points are neighbours where some sphere through them and two others holds no fifth."""
    positions = np.random.default_rng(3).random((11, 3))
    expected: list[set[int]] = [set() for _ in positions]
    for four in itertools.combinations(range(11), 4):
        a = positions[list(four)]
        ways = a[1:] - a[0]
        centre = a[0] + np.linalg.solve(ways, (ways**2).sum(axis=1) / 2)
        radius = np.linalg.norm(a[0] - centre)
        if (np.linalg.norm(positions - centre, axis=1) >= radius * (1 - 1e-12)).all():
            for i, j in itertools.permutations(four, 2):
                expected[i].add(j)
    assert rows(positions, mm.Space(size=(1.0, 1.0, 1.0))) == expected


def test_a_cubic_torus() -> None:
    """On a slightly shaken lattice the six nearest are neighbours, round the faces too."""
    lattice = np.stack(np.meshgrid(*[np.arange(4.0)] * 3), axis=-1).reshape(-1, 3) + 0.5
    shaken = lattice + 1e-3 * np.random.default_rng(2).normal(size=lattice.shape)
    result = rows(shaken, mm.Space(size=(4.0,) * 3, boundary="periodic"))
    for i, position in enumerate(lattice):
        gaps = np.abs(lattice - position)
        near = np.minimum(gaps, 4.0 - gaps).sum(axis=1)
        assert set(np.flatnonzero(near == 1.0).tolist()) <= result[i]
        assert i not in result[i]
    assert all(i in result[j] for i in range(64) for j in result[i])


def test_lines_and_places_shared() -> None:
    """On a line each has the one before and the one after; at one place all others' neighbours are
    shared."""
    space = mm.Space(size=(9.0, 9.0))
    line = np.array([[3.0, 3.0], [1.0, 1.0], [7.0, 7.0], [4.0, 4.0]])
    assert rows(line, space) == [{1, 3}, {0}, {3}, {0, 2}]
    twice = np.concatenate([line, line[:1]])
    assert rows(twice, space) == [{1, 3, 4}, {0, 4}, {3}, {0, 2, 4}, {0, 1, 3}]
    assert rows(np.ones((3, 2)), space) == [{1, 2}, {0, 2}, {0, 1}]
    assert rows(np.zeros((0, 2)), space) == []
    flat = mm.Space(size=(9.0, 9.0, 9.0))
    assert rows(np.array([[1.0, 1.0, 1.0], [2.0, 1.0, 1.0], [1.0, 2.0, 1.0]]), flat) == [
        {1, 2}, {0, 2}, {0, 1},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rules.cohesion.nearest": 3}, "Leave one out"),
        ({"flocks.boids.sensing": {"delay": 1.0}}, "flocks.boids.sensing"),
    ],
)
def test_what_it_cannot_go_with(changes: dict[str, object], words: str) -> None:
    model = mm.Model(
        space=mm.Space(size=(9.0, 9.0)),
        flocks={"boids": mm.Flock(count=3)},
        rules={"cohesion": mm.Cohesion(neighbours="voronoi")},
    )
    with pytest.raises(mm.ModelError, match=words):
        model.set(changes)
