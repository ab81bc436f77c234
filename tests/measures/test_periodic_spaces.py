"""Measures on periodic spaces: a flock that fills a torus has no border, and complete cells."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flocks_for_measures import blob, gas, space_of, wrap
from test_all_measures import OPTIONS, numbers, with_trait

from cases import cases
from murmurate.frame import FlockFrame
from murmurate.measures import (
    MEASURES,
    anisotropy,
    border_to_core,
    clark_evans,
    density,
    extent,
    of_arrays,
    voronoi_density,
)
from murmurate.measures.by_parts import measure_by_parts
from murmurate.model.space import Space
from murmurate.neighbours.periodic import displacements
from murmurate.neighbours.voronoi import cell_volumes

AGREE = pytest.approx
dimensions = pytest.mark.parametrize("dims", [2, 3])
BOXES = [
    ("periodic", "periodic"),
    ("periodic", "open"),
    ("open", "periodic"),
    ("periodic",) * 3,
    ("periodic", "periodic", "open"),
    ("open", "periodic", "open"),
]


def random_flock(number: int) -> FlockFrame:
    """Return a flock that fills a random, partly periodic box, or is a clump or a band in it."""
    random = np.random.default_rng(number)
    words = BOXES[number % len(BOXES)]
    sides = random.uniform(2, 12, len(words))
    lower = random.uniform(-5, 5, len(words))
    x = random.uniform(0, 1, (int(random.integers(8, 150)), len(words))) * sides
    narrow = random.uniform(size=len(words)) < 0.4
    x = np.where(narrow, 0.3 * x, x) + lower
    space = Space(size=tuple(sides), origin=tuple(lower), boundary=words)
    return of_arrays(wrap(x, space), random.normal(size=x.shape) + 0.5, space)


@dimensions
@pytest.mark.parametrize("count", [1, 2, 7, 200])
def test_voronoi_density_of_a_torus_is_that_of_the_box(dims, count):
    """200 random points in 3-D had 1.17 times that, by cells within an unwrapped hull."""
    assert voronoi_density(gas(dims, count, side=10.0)) == AGREE(count / 10.0**dims, rel=1e-12)
    clump = gas(dims, count, side=0.1)
    clump = of_arrays(clump.positions, space=space_of("torus", dims, 10.0))
    assert voronoi_density(clump) == AGREE(count / 10.0**dims, rel=1e-12)


@cases("count", [1, 2, 3, 5, 15])
@pytest.mark.parametrize(
    "sides",
    [
        (1.0, 1.0),
        (10.0, 0.7),
        (2.0, 3.0, 1.0),
        pytest.param((9.0, 1.0, 4.0), marks=pytest.mark.slow),
    ],
)
def test_cells_of_a_torus_fill_it(count, sides):
    sides = np.array(sides)
    x = np.random.default_rng(count).uniform(-1, 1, (count, len(sides))) * sides
    cells = cell_volumes(x, sides)
    assert np.isfinite(cells).all() and (cells > 0).all()
    assert cells.sum() == AGREE(np.prod(sides), rel=1e-9)
    clump = cell_volumes(0.02 * x, sides)
    assert clump.sum() == AGREE(np.prod(sides), rel=1e-9)


@dimensions
def test_cells_of_a_lattice_on_a_torus(dims):
    axis = np.arange(4.0)
    x = np.stack(np.meshgrid(*[axis] * dims), axis=-1).reshape(-1, dims)
    x[:, 0] *= 2.0  # a spacing of 2 by 1 by 1
    sides = np.array([8.0, 4.0, 4.0])[:dims]
    assert cell_volumes(x, sides) == AGREE(np.full(len(x), 2.0))


@pytest.mark.parametrize(
    "numbers",
    [
        (0, 1, 2, 4, 5),
        pytest.param((3,), marks=pytest.mark.slow),  # 125 copies
        pytest.param(range(6, 24), marks=pytest.mark.long),
    ],
)
def test_cells_are_those_among_all_images(numbers):
    """Against the middle of five copies along each periodic axis, in open space."""
    for number in numbers:
        assert_cells_among_images(number)


def assert_cells_among_images(number: int) -> None:
    flock = random_flock(number)
    space, x = flock.space, flock.positions - np.array(flock.space.lower)
    if number % 3 == 0 and space.dims == 2:
        x = x[:5]
    sides = np.where(space.periodic, space.size, np.inf)
    copies = x
    for axis in np.flatnonzero(space.periodic):
        shift = np.eye(space.dims)[axis] * space.size[axis]
        copies = np.concatenate([copies + k * shift for k in (0, -2, -1, 1, 2)])
    middle = cell_volumes(copies - copies.mean(axis=0))[: len(x)]
    ours = cell_volumes(x - x.mean(axis=0), sides)
    if all(space.periodic):
        assert ours == AGREE(middle, rel=1e-9) and ours.sum() == AGREE(np.prod(space.size))
        return
    finite = np.isfinite(ours) & np.isfinite(middle)
    assert ours[finite] == AGREE(middle[finite], rel=1e-9)
    # The hull of copies ends, so it may miss cells; the periodic hull does not.
    assert finite.sum() >= np.isfinite(middle).sum() - 1


@dimensions
def test_a_lattice_in_a_channel(dims):
    """It fills the first axis: all layers except those at the open sides have complete cells."""
    axes = [np.arange(5) * 2.0] + [np.arange(5) * 0.5] * (dims - 1)
    x = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, dims)
    flock = of_arrays(x, space=space_of("channel", dims, 10.0))
    assert voronoi_density(flock) == AGREE(1 / (2.0 * 0.5 ** (dims - 1)))
    assert density(flock) == AGREE(5**dims / (10.0 * 2.0 ** (dims - 1)))
    seven = [np.arange(5) * 2.0] + [np.arange(7) * 0.5] * (dims - 1)
    x = np.stack(np.meshgrid(*seven), axis=-1).reshape(-1, dims)
    assert border_to_core(of_arrays(x, space=space_of("channel", dims, 10.0))) == AGREE(1)


@dimensions
def test_random_points_in_a_channel(dims):
    """The density times the volume between the outermost points is their number on average."""
    result = []
    for seed in range(30):
        x = np.random.default_rng(seed).uniform(0, 1, (200, dims)) * [10.0, *[1.0] * (dims - 1)]
        result.append(density(of_arrays(x, space=space_of("channel", dims, 10.0))))
    if dims == 2:  # the hull of n points on [0, 1] is (n - 1) / (n + 1) wide
        error = np.std(result, ddof=1) / math.sqrt(30)
        assert abs(np.mean(result) - 20 * 201 / 199) < 4 * error < 0.2
    flock = of_arrays(x, space=space_of("channel", dims, 10.0))
    assert clark_evans(flock) == AGREE(1, abs=0.15)


@dimensions
def test_a_flock_that_fills_a_torus_has_no_border(dims):
    flock = gas(dims, 300, side=10.0)
    assert density(flock) == AGREE(300 / 10.0**dims, rel=1e-12)
    assert math.isnan(border_to_core(flock))
    assert anisotropy(flock, inner=True) == anisotropy(flock)


@dimensions
@pytest.mark.parametrize("name", ["density", "extent", "border_to_core"])
def test_a_flock_across_the_edge_is_as_in_open_space(dims, name):
    flock_in_space = blob("open", dims)
    away = 0.5 * (flock_in_space.positions - flock_in_space.positions.mean(axis=0))
    open_ = of_arrays(away, space=space_of("open", dims))
    across = of_arrays(wrap(away, space_of("torus", dims)), space=space_of("torus", dims))
    measure = MEASURES[name].function
    assert measure(across) == AGREE(measure(open_), rel=1e-9)


@cases("number", range(60))
def test_extent_is_that_of_all_pairs(number):
    flock = random_flock(number)
    x = flock.positions
    away = displacements(x[None], x[:, None], flock.space)
    assert extent(flock) == AGREE(np.sqrt((away**2).sum(axis=2)).max(), rel=1e-9)


@pytest.mark.parametrize("dims", [2, 3])
def test_extent_of_a_large_flock_on_a_torus(dims):
    flock = gas(dims, 4000, side=10.0)
    x = flock.positions
    largest = max(
        float((displacements(x, point, flock.space) ** 2).sum(axis=1).max()) for point in x[:500]
    )
    assert math.sqrt(largest) <= extent(flock) * (1 + 1e-12)
    assert extent(flock) <= 5 * math.sqrt(dims)


@cases("number", range(24))
@pytest.mark.parametrize("name", ["density", "extent"])
def test_by_parts_on_periodic_spaces(number, name):
    flock = random_flock(number)
    cuts = np.array_split(np.arange(len(flock)), 3)
    parts = [
        of_arrays(flock.positions[rows], flock.velocities[rows], flock.space, ids=flock.ids[rows])
        for rows in cuts
    ]
    result = measure_by_parts([name], ["boids"], lambda ask: [ask([part]) for part in parts])
    want = MEASURES[name].function(flock)
    assert result["boids"][name] == AGREE(want, rel=1e-9, nan_ok=True)


@pytest.mark.parametrize(
    ("kind", "dims"),
    [
        ("torus", 2),
        ("channel", 3),
        pytest.param("torus", 3, marks=pytest.mark.slow),
        pytest.param("channel", 2, marks=pytest.mark.slow),
    ],
)
@cases("name", sorted(n for n, m in MEASURES.items() if m.kind in ("number", "curve", "word")))
def test_where_the_box_is_cut_does_not_matter(kind, dims, name):
    """A flock that fills its box, shifted along the periodic axes."""
    random = np.random.default_rng(3)
    x, v = random.uniform(0, 10, (150, dims)), random.normal(size=(150, dims)) + 0.5
    space = space_of(kind, dims)
    shift = np.where(space.periodic, [3.3, 4.7, 8.1][:dims], 0.0)
    function, options = MEASURES[name].function, OPTIONS.get(name, {})
    point, other = (
        numbers(function(with_trait(of_arrays(wrap(at, space), v, space)), **options))
        for at in (x, x + shift)
    )
    np.testing.assert_allclose(point, other, rtol=1e-6, atol=1e-7)


@dimensions
@cases(
    "name",
    ["density", "local_density", "voronoi_density", "nearest_neighbour_distance", "clark_evans",
     "kth_neighbour_distance", "polarization", "nematic_order", "speed", "speed_spread",
     "bond_orientational_order", "anisotropy", "frontness", "minimum_distance",
     "relative_connectivity"],
)  # fmt: skip
def test_a_box_twice_as_long_with_the_flock_twice(name, dims):
    """Intensive measures stay the same."""
    random = np.random.default_rng(4)
    x, v = random.uniform(0, 10, (150, dims)), random.normal(size=(150, dims)) + 0.5
    size = np.full(dims, 10.0)
    longer = np.eye(dims)[0] * 10.0
    function = MEASURES[name].function
    point = function(of_arrays(x, v, Space(size=tuple(size), boundary="periodic")))
    space = Space(size=tuple(size + longer), boundary="periodic")
    two = function(of_arrays(np.concatenate([x, x + longer]), np.tile(v, (2, 1)), space))
    assert two == AGREE(point, rel=1e-9)
