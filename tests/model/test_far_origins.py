"""float32 far from the origin: warnings and errors that depend on the spacing of its numbers."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm
from murmurate.cli import main
from murmurate.model.files import to_toml
from murmurate.model.warnings import ModelWarning, check_precision, model_warnings, spacing_at

UTM = [500_000.0, 5_000_000.0]


def model_at(
    origin: list[float],
    radius: float = 2.0,
    *,
    size: float = 100.0,
    boundary: str = "periodic",
    motion: dict[str, Any] | None = None,
    **flock: Any,
) -> mm.Model:
    return mm.Model(
        space={"size": [size] * len(origin), "origin": origin, "boundary": boundary},
        flocks={"boids": {"count": 60, "motion": motion or {"kind": "add"}, **flock}},
        rules={
            "separation": {"radius": radius, "weight": 0.2},
            "alignment": {"radius": 4 * radius, "weight": 0.2},
        },
        dt=0.1,
    )


def ratio(model: mm.Model) -> float:
    """Return the spacing of float32 at the farthest corner of the space, in smallest radii."""
    corner = np.abs([model.space.lower, model.space.upper]).max()
    radius: Any = model.rules["separation"]
    return float(np.spacing(np.float32(corner))) / radius.radius


def test_the_spacing_is_that_of_numpy() -> None:
    random = np.random.default_rng(0)
    xs = np.concatenate([[0.0, 1.0, 2.0, 1e-44, 1e-39], 10.0 ** random.uniform(-40, 30, 300)])
    for x in xs.astype(np.float32):
        assert spacing_at(float(x)) == spacing_at(-float(x)) == np.spacing(x)


def test_errors_and_warnings_depend_on_the_spacing() -> None:
    counts = {"refused": 0, "warned of": 0, "fine": 0}
    random = np.random.default_rng(1)
    for _ in range(400):
        origin = (10.0 ** random.uniform(0, 8, 2) * random.choice([-1, 1], 2)).tolist()
        model = model_at(origin, float(10.0 ** random.uniform(-2, 1)))
        assert model_warnings(model, "float64") == []
        check_precision(model, "float64")
        lines = [line for line in model_warnings(model) if "rules.separation.radius" in line]
        assert len(lines) == (ratio(model) > 1 / 1000)
        refused = ratio(model) > 1 / 50
        if refused:
            with pytest.raises(
                mm.ModelError, match=r"^dtype: got float32; expected float64, since "
            ):
                check_precision(model, "float32")
        else:
            check_precision(model, "float32")
        counts["refused" if refused else "warned of" if lines else "fine"] += 1
    assert min(counts.values()) > 50, counts


def test_refused_before_anything_is_compiled() -> None:
    words = (
        r"dtype: got float32; expected float64, since float32 numbers lie 0.5 apart at 5000100 on "
        r"axis 1, which is 1/4 of rules.separation.radius \(2\), and above 1/50 of it "
        r"boids get the same position. Use dtype float64 \(--dtype float64\), or coordinates with "
        r"an origin near the flock"
    )
    with pytest.raises(mm.ModelError, match=words):
        mm.Simulation(model_at(UTM))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mm.Simulation(model_at(UTM), dtype="float64")
        mm.Simulation(model_at(UTM), engine="reference")  # which always uses float64
        mm.Simulation(model_at([0.0, 0.0]))


def test_a_simulation_warns() -> None:
    model = model_at([30_000.0, 0.0])
    with pytest.warns(
        ModelWarning, match=r"numbers lie 0.00195 apart at 30100 on axis 0, which is"
    ):
        mm.Simulation(model_at([30_000.0, 0.0], 1.0))
    assert model_warnings(model) == []


@pytest.mark.parametrize(
    ("motion", "warned"),
    [
        ({"kind": "constant-speed", "speed": 1e-2}, True),
        ({"kind": "constant-speed", "speed": 1.0}, False),
        ({"kind": "add", "max_speed": 1e-2}, True),
        ({"kind": "add"}, False),
        ({"kind": "self-propelled", "speed": 0.0}, False),
    ],
)
def test_steps_shorter_than_the_numbers_resolve(motion: dict[str, Any], warned: bool) -> None:
    """At 10,000 numbers lie 0.001 apart: a boid that moves 0.001 in a step has few headings."""
    lines = model_warnings(model_at([9_900.0, 0.0], 5.0, motion=motion))
    assert len(lines) == warned
    if warned:
        assert "the step length of flock 'boids' (0.001)" in lines[0]


FAR = 5_000_000.0


@pytest.mark.parametrize(
    "start",
    [
        {"kind": "box", "lower": [0, FAR], "upper": [1, FAR + 1]},
        {"kind": "ball", "centre": [0, -FAR], "radius": 1},
        {"kind": "ball", "radius": FAR},
        {"kind": "ring", "centre": [FAR, 0], "radius": 1},
        {"kind": "lattice", "centre": [FAR, 0], "spacing": 1},
        {"kind": "lattice", "spacing": FAR / 3},
        {"kind": "off-screen", "distance": FAR},
        {"kind": "given", "positions": [[0, FAR]] * 60},
    ],
)
def test_starts_far_out_in_an_open_space(start: dict[str, Any]) -> None:
    with pytest.raises(mm.ModelError, match="dtype: got float32"):
        mm.Simulation(model_at([0.0, 0.0], boundary="open", start=start))
    mm.Simulation(model_at([0.0, 0.0], boundary="open", start=start), dtype="float64")


def test_starts_from_arrays_far_out() -> None:
    model = model_at([0.0, 0.0], boundary="open")
    far = {"boids": (np.full((60, 2), -FAR), np.zeros((60, 2)))}
    with pytest.raises(mm.ModelError, match="dtype: got float32"):
        mm.Simulation(model, start=far)
    # the arrays count, not the start that they replace
    start = {"kind": "ball", "centre": [0, FAR], "radius": 1}
    near = {"boids": (np.zeros((60, 2)), np.zeros((60, 2)))}
    mm.Simulation(model_at([0.0, 0.0], boundary="open", start=start), start=near)


def test_rules_that_do_nothing_and_those_faded_in_do_not_count() -> None:
    model = model_at([0.0, 0.0])
    off = {"rules.separation.radius": 1e-6, "rules.separation.weight": 0.0}
    assert model_warnings(model.set(off)) == []
    faded = mm.Ramp(start=1e-6, stop=2.0, end=10.0)
    assert model_warnings(model.set({"rules.separation.radius": faded})) == []
    tiny = model.set({"rules.separation.radius": 1e-6})
    assert math.isclose(ratio(tiny), 7.62939453125)
    with pytest.raises(
        mm.ModelError, match=r"which is 7.63 times rules.separation.radius \(1e-06\)"
    ):
        mm.Simulation(tiny)


@pytest.mark.parametrize(
    "simulate",
    [pytest.param(flights.cpu, marks=pytest.mark.slow), flights.interpreted, flights.reference],
)
@pytest.mark.parametrize("boundary", ["periodic", "reflecting"])
def test_float64_gives_the_flock_of_the_origin(simulate: Any, boundary: str) -> None:
    random = np.random.default_rng(3)
    model = model_at([0.0, 0.0], size=32.0, boundary=boundary)
    positions, velocities = 32.0 * random.random((30, 2)), random.normal(size=(30, 2))
    near = simulate(model, {"boids": (positions, velocities)})
    near.step(8)
    for _ in range(3):
        # whole numbers, so that the start is the same flock up to the spacing of float64
        origin = np.round(10.0 ** random.uniform(3, 6.7, 2))
        moved = model.set({"space.origin": origin.tolist()})
        far = simulate(moved, {"boids": (positions + origin, velocities)})
        far.step(8)
        (x, v, _), (other_x, other_v, _) = (
            flights.arrays(simulation)["boids"] for simulation in (near, far)
        )
        gap = other_x - origin - x
        gap -= 32.0 * np.round(gap / 32.0) if boundary == "periodic" else 0.0
        assert np.abs(gap).max() < 1e-6
        assert np.abs(other_v - v).max() < 1e-6


@pytest.mark.filterwarnings("default:space.origin")
def test_commands_print_warnings_and_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "utm.toml"
    file.write_text(to_toml(model_at(UTM)), encoding="utf-8")
    assert main(["run", str(file), "--steps", "0"]) == 2
    assert "dtype: got float32; expected float64" in capsys.readouterr().err
    assert main(["page", str(file), "-o", str(tmp_path / "page.html"), "--live"]) == 2
    assert "dtype: got float32; expected float64" in capsys.readouterr().err
    assert not (tmp_path / "page.html").exists()
    assert main(["run", str(file), "--steps", "0", "--dtype", "float64"]) == 0
    assert main(["show", str(file)]) == 0
    message = capsys.readouterr().err
    assert "space.origin: float32 numbers lie 0.5 apart at 5000100 on axis 1" in message
    assert main(["show", str(file), "--dtype", "float64"]) == 0
    assert "space.origin" not in capsys.readouterr().err
    file.write_text(to_toml(model_at([30_000.0, 0.0], 1.0)), encoding="utf-8")
    assert main(["run", str(file), "--steps", "0"]) == 0
    assert "space.origin: float32 numbers lie 0.00195 apart" in capsys.readouterr().err


def test_positions_that_are_set_far_out_are_warned_of_and_refused() -> None:
    """An error leaves the state unchanged; float64 accepts the positions."""
    model = model_at([0.0, 0.0], 1.0, boundary="open")
    simulation = mm.Simulation(model)
    before = simulation.frame["boids"].positions.copy()
    for sign in (1.0, -1.0):
        with pytest.raises(mm.ModelError, match=r"^dtype: got float32; expected float64"):
            simulation.set_state("boids", np.full((60, 2), sign * FAR))
        np.testing.assert_array_equal(simulation.frame["boids"].positions, before)
        with pytest.warns(ModelWarning, match="numbers lie 0.00195 apart at 30000 on axis 0"):
            simulation.set_state("boids", before * 0.0 + (sign * 30_000.0, 0.0))
        simulation.set_state("boids", before)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        simulation.set_state("boids", before + 50.0)
        simulation.set_state("boids", velocities=before)
        for engine, dtype in (("cpu", "float64"), ("reference", "float32")):
            other = mm.Simulation(model, engine=engine, dtype=dtype)
            other.set_state("boids", np.full((60, 2), FAR))


def test_positions_set_in_a_coarse_space_give_no_new_warning() -> None:
    with pytest.warns(ModelWarning, match="numbers lie"):
        simulation = mm.Simulation(model_at([30_000.0, 0.0], 1.0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        simulation.set_state("boids", simulation.frame["boids"].positions + 1.0)


def without_radii(origin: float, speed: float, obstacles: dict[str, Any]) -> mm.Model:
    return mm.Model(
        space={"size": [100.0, 100.0], "origin": [origin, 0.0], "boundary": "held"},
        flocks={"boids": {"count": 5, "motion": {"kind": "constant-speed", "speed": speed}}},
        rules={"wind": {"vector": [0.1, 0.0]}},
        obstacles=obstacles,
        dt=0.1,
    )


def test_obstacles_and_step_lengths_count_in_models_without_radii() -> None:
    """At 1e6 to 1e7 numbers lie 1/16 to 1 apart."""
    random = np.random.default_rng(2)
    counts = {"refused": 0, "warned of": 0, "fine": 0}
    for number in range(200):
        origin, size = float(10.0 ** random.uniform(3, 7)), float(10.0 ** random.uniform(-1, 2))
        at = (origin + 50.0, 50.0)
        shape = [
            mm.Sphere(centre=at, radius=size),
            mm.Box(centre=at, size=(1e-6, size)),
            mm.Tank(centre=at, radius=size),
        ][number % 3]
        model = without_radii(origin, 1e3, {"one": shape, "wall": mm.Wall(point=at, normal=at)})
        spacing = float(np.spacing(np.float32(origin + 100.0)))
        lines = [line for line in model_warnings(model) if "obstacles.one." in line]
        assert len(lines) == (spacing > size / 1000)
        if spacing > size / 50:
            with pytest.raises(mm.ModelError, match=r"obstacles\.one\.(size|radius) "):
                check_precision(model, "float32")
        else:
            check_precision(model, "float32")
        name = "refused" if spacing > size / 50 else "warned of" if lines else "fine"
        counts[name] += 1
    assert min(counts.values()) > 20, counts
    slow = without_radii(5e6, 1.0, {})
    with pytest.raises(mm.ModelError, match=r"step length of flock 'boids' .*: boids cannot move"):
        check_precision(slow, "float32")
    check_precision(slow, "float64")
    check_precision(without_radii(5e6, 100.0, {}), "float32")
