"""Boids among meshes, on graphics cards and processors: nobody inside, and the same movements."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from mesh_body import body_of

import flights
import meshes
import murmurate as mm
from murmurate.engines.gpu.device import adapters


@pytest.fixture
def adapter() -> None:
    """Skip the test without an adapter for WebGPU."""
    pytest.importorskip("wgpu")
    if not adapters():
        pytest.skip("no adapter for WebGPU")


def room(random: np.random.Generator) -> mm.Mesh:
    """Return a hollow box: the outer surface, and the inner one around the room."""
    points = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
    half = random.uniform(0.3, 0.5, 3)
    faces = np.array(meshes.BOX_FACES)
    corners = np.concatenate([points * half, points * (half - 0.05)])
    return mm.Mesh.from_arrays(corners, [*faces, *(faces[:, ::-1] + 8)], (0.0, 0.0, 0.0))


def mesh(random: np.random.Generator) -> mm.Mesh:
    """Return a convex or concave mesh, or a room."""
    shape = random.choice(["box", "corner", "ring", "ball", "room"])
    if shape == "box":
        return meshes.box(tuple(random.uniform(0.02, 1.0, 3)))
    if shape == "ring":
        around, across = random.integers(5, 30), random.integers(3, 12)
        return meshes.ring(3.0, float(random.uniform(0.2, 1.5)), int(around), int(across))
    if shape == "ball":
        return meshes.ball(int(random.integers(0, 4)))
    return meshes.corner() if shape == "corner" else room(random)


def scene(number: int, boids: int = 24) -> mm.Model:
    """Return boids that move at a mesh, at most 30 sides of the space in a step."""
    random = np.random.default_rng(number)
    size, periodic = float(10.0 ** random.uniform(-1, 3)), number % 2 == 1
    first = mesh(random)
    sides = np.array(first.triangles().size)
    sides *= random.uniform(0.3, 0.9) * (0.55 if periodic else 1.0) * size / sides.max()
    origin = random.uniform(-2.0, 2.0, 3) * size
    centre = origin + size / 2
    first = first.model_copy(
        update={
            "size": tuple(sides.tolist()),
            "rotation": tuple(random.uniform(0, 360, 3).tolist()),
            "centre": tuple(centre.tolist()),
        }
    )
    way = size * 10.0 ** random.uniform(-2.5, 1.5)
    tried = random.uniform(origin + 0.01 * size, origin + 0.99 * size, (20 * boids, 3))
    body = body_of(first)
    free = (p for p in tried if body.clearance(p - centre)[0] > 1e-3 * size)
    positions = np.array(list(itertools.islice(free, boids)))
    shape = positions.shape
    velocities = (centre - positions) * random.uniform(0, 1, (len(positions), 1))
    velocities += 0.3 * size * random.normal(size=shape)
    velocities *= way / np.linalg.norm(velocities, axis=1, keepdims=True)
    start = mm.Given(
        positions=tuple(map(tuple, positions.tolist())),
        velocities=tuple(map(tuple, velocities.tolist())),
    )
    return mm.Model(
        space=mm.Space(
            size=(size,) * 3,
            origin=tuple(origin.tolist()),
            boundary="periodic" if periodic else ("reflecting", "held", "open"),
        ),
        flocks={"boids": mm.Flock(count=len(positions), start=start, motion=mm.Add(max_speed=way))},
        rules={"wind": mm.Wind(vector=tuple((0.2 * way * random.normal(size=3)).tolist()))},
        obstacles={"mesh": first},
    )


def depth(model: mm.Model, positions: np.ndarray) -> float:
    """Return the smallest distance of boids from the mesh, negative inside of it."""
    body, sides = body_of(model.obstacles["mesh"]), np.array(model.space.size)
    x = positions - np.array(model.obstacles["mesh"].centre)
    if model.space.periodic[0]:
        x = (x + sides / 2) % sides - sides / 2
    return min(body.clearance(p)[0] for p in x)


@pytest.mark.long
@pytest.mark.parametrize("engine", ["cpu", "gpu"])
@pytest.mark.parametrize("block", range(4))
def test_nobody_is_inside_a_mesh(engine: str, block: int, request: pytest.FixtureRequest) -> None:
    """A step in f32 ends where one in float64 does, for half of the boids to a hundred thousandth.

    Faster boids meet so much in a step that rounding decides where they end.
    """
    if engine == "gpu":
        request.getfixturevalue("adapter")
    for number in range(25 * block, 25 * (block + 1)):
        model = scene(number)
        expected = flights.cpu(model)
        expected.step(1)
        simulation = mm.Simulation(model, seed=1, engine=engine, dtype="float32")
        for step in range(8):
            positions = simulation.step(1).frame["boids"].positions.astype(float)
            assert depth(model, positions) >= 0.0
            if step == 0 and model.flocks["boids"].motion.max_speed < 0.5 * model.space.size[0]:
                ends = flights.arrays(expected)["boids"][0]
                error = np.abs(positions - ends).max(axis=1)
                assert np.median(error) < 1e-5 * max(model.space.size + model.space.upper)


def with_meshes(boundary: str) -> mm.Model:
    """Return boids in wind among a ring that moves, a box and a sphere."""
    random = np.random.default_rng(7)
    starts = random.uniform(-6.0, 6.0, (40, 3))
    outside = np.hypot.reduce(starts, axis=1) > 4.6
    start = mm.Given(
        positions=tuple(map(tuple, starts[outside].tolist())),
        velocities=tuple(map(tuple, -0.3 * starts[outside])),
    )
    perching, motion = mm.Perching(), mm.Add(max_speed=2.0)
    flock = mm.Flock(count=int(outside.sum()), start=start, motion=motion, perching=perching)
    ring = meshes.ring().model_copy(
        update={"centre": (mm.Ramp(start=-0.5, stop=0.5, end=3.0), 0.0, 0.0)}
    )
    return mm.Model(
        space=mm.Space(size=(14.0,) * 3, origin=(-7.0,) * 3, boundary=boundary),
        dt=0.25,
        flocks={"boids": flock},
        rules={
            "wire": mm.Perch(start=(-6.0, 0.0, 5.5), end=(6.0, 0.0, 5.5), reach=0.6),
            "wind": mm.Wind(vector=(0.1, 0.2, 0.0)),
            "avoid": mm.AvoidObstacles(radius=1.0, look_ahead=1.0, weight=0.1),
        },
        obstacles={
            "ring": ring,
            "box": meshes.box((1.0, 2.0, 1.0)).model_copy(update={"centre": (0.0, 0.0, 5.4)}),
            "ball": mm.Sphere(centre=(0.0, 5.0, 0.0), radius=1.0),
        },
    )


@pytest.mark.usefixtures("adapter")
@pytest.mark.slow
@pytest.mark.parametrize(
    "boundary", ["reflecting", pytest.param("periodic", marks=pytest.mark.long)]
)
def test_boids_move_past_meshes_as_on_the_reference(boundary: str) -> None:
    """A ring that moves, a box at a wire on which boids perch, and a sphere; and again the same
    bits."""
    model = with_meshes(boundary)
    runs = [mm.Simulation(model, seed=3, engine=e) for e in ("gpu", "reference", "gpu")]
    body = body_of(meshes.ring())
    for step in range(1, 13):
        runs[0].step(1)
        positions = runs[0].frame["boids"].positions.astype(float)
        centre = np.array([-0.5 + min(step * 0.25 / 3.0, 1.0), 0.0, 0.0])
        assert min(body.clearance(p - centre)[0] for p in positions) > 0.0
    for run in runs[1:]:
        run.step(12)
    gpu, expected, again = (run.frame["boids"] for run in runs)
    assert np.array_equal(gpu.positions, again.positions)
    assert gpu.perch_timers.tolist() == expected.perch_timers.tolist()
    error = np.abs(gpu.positions - expected.positions).max(axis=1)
    assert np.quantile(error, 0.8) < 1e-4
    without = model.model_copy(update={"obstacles": {}})
    met = mm.Simulation(without, seed=3, engine="reference").step(12).frame["boids"]
    assert (np.abs(met.positions - expected.positions).max(axis=1) > 1e-2).sum() > 5


@pytest.mark.usefixtures("adapter")
@pytest.mark.slow
def test_another_mesh_needs_no_other_kernels() -> None:
    model = with_meshes("reflecting")
    other = model.model_copy(update={"obstacles": {**model.obstacles, "box": meshes.ball(1)}})
    simulation = mm.Simulation(model, engine="gpu")
    simulation.step(2)
    simulation.replace_model(other)
    simulation.step(3)
    expected = mm.Simulation(model, engine="reference")
    expected.step(2)
    expected.replace_model(other)
    expected.step(3)
    error = np.abs(simulation.frame["boids"].positions - expected.frame["boids"].positions)
    assert np.quantile(error.max(axis=1), 0.8) < 1e-4
