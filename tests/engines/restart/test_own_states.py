"""Every engine accepts a state that an engine made as it is, bit for bit, whatever the space.

In float32 the faces of a space are rounded: a boid that is held at 10.1 is at 10.1000004.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.engines.bounds import outermost_faces, wrap_and_check
from murmurate.model.space import Space

COUNT = 60
ENGINES = [
    ("reference", "float64"),
    pytest.param("cpu", "float32", marks=pytest.mark.slow),
    pytest.param("cpu", "float64", marks=pytest.mark.long),
    pytest.param("wasm", "float32", marks=pytest.mark.long),
]
BOUNDARIES = [
    ("periodic", "held"),
    ("reflecting", "open"),
    ("held", "periodic", "reflecting"),
]
engines = pytest.mark.parametrize(("engine", "dtype"), ENGINES)


def simulation(engine: str, dtype: str, model: mm.Model, **options: Any) -> mm.Simulation:
    if engine == "wasm":
        pytest.importorskip("wasmtime")
    return mm.Simulation(model, engine=engine, dtype=dtype, threads=1, **options)


def model_in(space: dict[str, Any], **flock: Any) -> mm.Model:
    return mm.Model(
        space=space,
        flocks={"a": {"count": COUNT, "motion": {"kind": "add", "max_speed": 2.0}, **flock}},
        rules={"cohesion": {"radius": 3.0, "weight": 0.1}},
        dt=0.5,
    )


def random_space(random: np.random.Generator, boundary: tuple[str, ...]) -> dict[str, Any]:
    """Sides and lower corners that float32 has not, some of them far from the origin."""
    dims = len(boundary)
    far = float(random.choice([0.0, 1.0, 30.0, 1000.0]))
    origin = far * random.normal(size=dims) if far else np.zeros(dims)
    return {
        "size": random.uniform(7.0, 15.0, dims).tolist(),
        "origin": origin.tolist(),
        "boundary": list(boundary),
    }


def start_at_faces(random: np.random.Generator, space: Space) -> tuple[np.ndarray, np.ndarray]:
    """Boids anywhere, some of them exactly at the faces, many of them about to cross one."""
    lower, upper = np.array(space.lower), np.array(space.upper)
    positions = lower + (upper - lower) * random.random((COUNT, space.dims))
    positions[:5], positions[5:10] = lower, upper
    velocities = 2.0 * random.normal(size=(COUNT, space.dims))
    velocities[:2], velocities[5:7] = 0.0, 0.0
    return positions, velocities


def assert_same_bits(first: mm.Frame, other: mm.Frame) -> None:
    for flock in first.values():
        assert flock.positions.tobytes() == other[flock.name].positions.tobytes()
        assert flock.velocities.tobytes() == other[flock.name].velocities.tobytes()


@engines
@pytest.mark.parametrize(
    "boundary",
    [BOUNDARIES[0], *(pytest.param(faces, marks=pytest.mark.slow) for faces in BOUNDARIES[1:])],
)
def test_a_frame_is_accepted_as_it_is(engine: str, dtype: str, boundary: tuple[str, ...]) -> None:
    """Fed back in every way: the same frame, and the same steps as without."""
    outside = 0
    for seed in range(3 if engine == "reference" else 6):
        random = np.random.default_rng(seed)
        space = random_space(random, boundary)
        model = model_in(space)
        start = {"a": start_at_faces(random, model.space)}
        run = simulation(engine, dtype, model, start=start).step(int(random.integers(0, 8)))
        frame = run.frame
        positions, velocities = frame["a"].positions, frame["a"].velocities
        closed = [axis for axis, word in enumerate(boundary) if word != "open"]
        positions = positions.astype(float)
        beyond = (positions < model.space.lower) | (positions > model.space.upper)
        outside += int(beyond[:, closed].sum())
        others = [run.copy() for _ in range(3)]
        others[0].set_state("a", positions)
        others[1].set_state("a", velocities=velocities)
        others[2].set_state("a", positions, velocities)
        others.append(simulation(engine, dtype, model, start=frame))
        others.append(simulation(engine, dtype, model, start={"a": (positions, velocities)}))
        others.append(
            mm.Simulation.from_frame(model, frame, seed=0, engine=engine, dtype=dtype, threads=1)
        )
        for other in others:
            assert_same_bits(frame, other.frame)
        run.step(3)
        for other in others:
            assert_same_bits(run.frame, other.step(3).frame)
    assert (outside > 0) == (dtype == "float32")  # or nothing was tested


@engines
def test_a_frame_of_float32_goes_on_in_every_engine(engine: str, dtype: str) -> None:
    model = model_in({"size": [10.1, 10.1], "boundary": ["periodic", "held"]})
    start = {"a": start_at_faces(np.random.default_rng(1), model.space)}
    frame = mm.Simulation(model, seed=2, start=start, threads=1).step(30).frame
    assert (frame["a"].positions[:, 1].astype(float) > 10.1).any()
    run = simulation(engine, dtype, model, start=frame)
    assert (run.frame["a"].positions == frame["a"].positions).all()
    run.set_state("a", frame["a"].positions)
    top = float(np.float32(10.1)) if dtype == "float32" else 10.1
    assert run.step(5).frame["a"].positions[:, 1].max() <= top


@pytest.mark.slow
def test_slabs_accept_their_own_frames() -> None:
    model = mm.Model(
        space={"size": [40.1, 40.1], "origin": [0.3, -7.7], "boundary": ["held", "periodic"]},
        flocks={"a": {"count": 4000, "motion": {"kind": "add", "max_speed": 2.0}}},
        rules={"cohesion": {"radius": 1.0}, "wind": {"vector": [0.3, 0.1]}},
    )
    options: dict[str, Any] = {"engine": mm.Slabs(workers=2, address="here"), "threads": 1}
    run = mm.Simulation(model, seed=1, **options).step(40)
    frame = run.frame
    assert (frame["a"].positions[:, 0].astype(float) > 40.4).any()
    run.set_state("a", frame["a"].positions)
    run.set_state("a", velocities=frame["a"].velocities)
    assert_same_bits(frame, run.frame)
    other = mm.Simulation.from_frame(model, frame, seed=1, **options)
    again = mm.Simulation(model, seed=1, start=frame, **options)
    run.step(3)
    assert_same_bits(run.frame, other.step(3).frame)
    assert_same_bits(run.frame, again.step(3).frame)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_positions_just_below_a_periodic_face_stay_below_it(dtype: str) -> None:
    """float32 rounds 9.99999999 up to 10, which is the lower face."""
    space = {"size": [10.0, 10.0], "boundary": "periodic"}
    run = simulation("cpu", dtype, model_in(space))
    run.set_state("a", np.full((COUNT, 2), 9.99999999))
    positions = run.frame["a"].positions
    assert (positions == (0.0 if dtype == "float32" else 9.99999999)).all()


@pytest.mark.parametrize("boundary", ["held", "reflecting"])
def test_what_is_outside_is_refused(boundary: str) -> None:
    model = model_in({"size": [10.1, 10.1], "boundary": boundary})
    run = simulation("reference", "float64", model)
    positions = np.full((COUNT, 2), 5.0)
    positions[3, 1] = 10.10001
    words = r"boid 3 is outside the space: got 10.10001 on axis 1; expected a number from 0 to 10.1"
    with pytest.raises(mm.ModelError, match=rf"set_state\('a'\): positions: {words}"):
        run.set_state("a", positions)
    with pytest.raises(mm.ModelError, match=rf"start\['a'\]: {words}"):
        simulation("reference", "float64", model, start={"a": (positions, positions)})
    assert run.frame["a"].positions.max() < 10.1


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"positions": np.ones((40, 2))}, r"positions: got an array of shape \(40, 2\)"),
        ({"velocities": np.ones((40, 2))}, r"velocities: got an array of shape \(40, 2\)"),
        ({"positions": np.ones((60, 3))}, r"positions: got an array of shape \(60, 3\)"),
        ({"positions": np.ones(60)}, r"positions: got an array of shape \(60,\)"),
        ({"positions": [["x", "y"]] * 60}, "positions: got list; expected an array of shape"),
        (
            {"positions": np.ones((60, 2)), "velocities": np.ones((59, 2))},
            r"velocities: got an array of shape \(59, 2\)",
        ),
        (
            {"velocities": np.where(np.arange(120).reshape(60, 2) == 9, np.nan, 1.0)},
            r"velocities: got \[1.0, nan\] for boid 4; expected finite numbers",
        ),
    ],
)
def test_what_is_wrong_is_named(arrays: dict[str, Any], words: str) -> None:
    run = simulation("reference", "float64", model_in({"size": [10.0, 10.0]}))
    with pytest.raises(mm.ModelError, match=rf"^set_state\('a'\): {words}"):
        run.set_state("a", **arrays)


def test_random_positions_are_brought_in_once() -> None:
    """What is inside stays to the bit; what is brought in is inside, and stays there too."""
    random = np.random.default_rng(5)
    for _ in range(300):
        table = random_space(random, ("periodic", "periodic"))
        space = Space(**table)
        lower, side = np.array(space.lower), np.array(space.size)
        positions = lower + side * random.integers(-3, 4, (50, 2))
        positions += random.choice([-1, 0, 1], (50, 2)) * 10.0 ** random.uniform(-17, 1, (50, 2))
        before = positions.copy()
        wrap_and_check("here", space, positions)
        for axis in range(2):
            low, _ = outermost_faces(space, axis)
            column = positions[:, axis]
            assert ((column >= low) & (column < space.upper[axis])).all()
            inside = (before[:, axis] >= low) & (before[:, axis] < space.upper[axis])
            assert (column[inside] == before[inside, axis]).all()
        again = positions.copy()
        wrap_and_check("here", space, again)
        assert (again == positions).all()
