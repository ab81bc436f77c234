"""The flocks of papers do what the papers say: each rule, written plainly in published_models.py,
from the same start, takes every boid to the same place."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import published_models as plain
import published_views as views
import pytest

import murmurate as mm
from murmurate.engines.reference.mathematics import philox

STEPS, SEED = 10, 3
Step = Callable[[int, np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


def chance(step: int, purpose: str = "boids/motion/0") -> plain.Chance:
    """The law of random numbers."""

    def of(index: int) -> list[float]:
        bits = philox((index, step, 0, zlib.crc32(purpose.encode())), (SEED, 0))
        return [(b >> 8) / 2.0**24 for b in bits]

    return of


def drawn(count: int, side: float, dims: int, speed: float | None) -> Any:
    """Positions in a cube at the origin; velocities of that speed, or normally distributed."""
    random = np.random.default_rng(count)
    v = random.normal(size=(count, dims))
    v = v if speed is None else speed * plain.units(v)
    return side * random.random((count, dims)), v


def compare(
    engine: str,
    model: mm.Model,
    one_step: Step,
    flocks: dict[str, int],
    side: float,
    speed: float | None,
) -> None:
    """Ten steps of both, which must agree to 1e-9 of the space's side after each."""
    x, v = drawn(sum(flocks.values()), side, model.space.dims, speed)
    edges = np.cumsum([0, *flocks.values()])
    parts = {name: slice(*edges[k : k + 2]) for k, name in enumerate(flocks)}
    start = {name: (x[part], v[part]) for name, part in parts.items()}
    simulation = mm.Simulation(model, SEED, start=start, dtype="float64", engine=engine)
    before = v
    for step in range(STEPS):
        x, v = one_step(step, x, v)
        frame = simulation.step().frame
        away = np.concatenate([frame[name].positions for name in flocks]) - x
        sides = np.array(model.space.size)
        away -= np.where(model.space.periodic, sides * np.round(away / sides), 0.0)
        found = np.concatenate([frame[name].velocities for name in flocks])
        np.testing.assert_allclose(away, 0.0, rtol=0, atol=1e-9 * max(sides))
        np.testing.assert_allclose(found, v, rtol=0, atol=1e-9)
    assert np.abs(v - before).max() > 1e-3, "nothing happened"


@pytest.fixture
def both_agree(engine: str) -> Any:
    """Compare a model on an engine with a plain rule."""
    return lambda *given: compare(engine, *given)


@pytest.mark.parametrize("advance", ["old", "new"])
def test_vicsek(both_agree: Any, advance: str) -> None:
    model = mm.load("vicsek-1995").set({"flocks.boids.motion.advance": advance})

    def one_step(step: int, x: Any, v: Any) -> Any:
        return plain.vicsek(x, v, 1.0, chance(step), 7.0, new=advance == "new")

    both_agree(model, one_step, {"boids": 80}, 7.0, 0.03)


def test_vectorial_noise(both_agree: Any) -> None:
    def one_step(step: int, x: Any, v: Any) -> Any:
        return plain.vectorial(x, v, 0.58, chance(step, "boids/vectorial-noise"), 32.0)

    both_agree(mm.load("gregoire-chate"), one_step, {"boids": 150}, 7.0, 0.5)


def test_angular_noise(both_agree: Any) -> None:
    def one_step(step: int, x: Any, v: Any) -> Any:
        return plain.vicsek(x, v, 2.513, chance(step), 32.0, new=True)

    both_agree(mm.load("gregoire-chate-angular"), one_step, {"boids": 150}, 7.0, 0.5)


def test_topological(both_agree: Any) -> None:
    def one_step(step: int, x: Any, v: Any) -> Any:
        return plain.k_nearest(x, v, 7, 1.5, chance(step), 14.0)

    both_agree(mm.load("topological"), one_step, {"boids": 60}, 14.0, 0.5)


def test_topological_is_metric_free() -> None:
    """Four times as wide and as fast (a power of two, which rounds nothing): the same headings, bit
    for bit."""
    model = mm.load("topological")
    wide = model.set({"space.size": [56.0, 56.0], "flocks.boids.motion.speed": 2.0})
    x, v = drawn(30, 7.0, 2, 0.5)
    one = mm.Simulation(model, 5, start={"boids": (x, v)}, engine="reference").step(40)
    other = mm.Simulation(wide, 5, start={"boids": (4 * x, 4 * v)}, engine="reference").step(40)
    np.testing.assert_array_equal(
        4 * one.frame["boids"].velocities, other.frame["boids"].velocities
    )
    np.testing.assert_array_equal(4 * one.frame["boids"].positions, other.frame["boids"].positions)


@pytest.mark.parametrize("normalised", [True, False])
@pytest.mark.parametrize("side", [3.0, 9.0])
def test_couzin_2002(both_agree: Any, side: float, normalised: bool) -> None:
    model = mm.load("couzin-2002").set(
        {
            "flocks.boids.motion.noise": 0.0,
            "rules.orientation.normalise": normalised,
            "rules.attraction.normalise": normalised,
        }
    )

    def one_step(step: int, x: Any, v: Any) -> Any:
        return plain.couzin_2002(x, v, 1.0, 14.0, normalised=normalised)

    both_agree(model, one_step, {"boids": 40}, side, 3.0)


@pytest.mark.parametrize("side", [3.0, 12.0])
def test_couzin_2005(both_agree: Any, side: float) -> None:
    flocks = ("naive", "informed")
    model = mm.load("couzin-2005").set({f"flocks.{name}.motion.noise": 0.0 for name in flocks})

    def one_step(step: int, x: Any, v: Any) -> Any:
        return plain.couzin_2005(x, v, np.arange(len(x)) >= 30, 0.5)

    both_agree(model, one_step, {"naive": 30, "informed": 6}, side, 1.0)


def as_one_flock(two: mm.Model) -> mm.Model:
    """Return couzin-2005 with one flock: only the weight of the preference differs."""
    counts = [flock.count for flock in two.flocks.values()]
    fish = two.flocks["naive"].model_copy(update={"count": sum(counts)})
    rules = {
        name: rule.model_copy(update={"moves": "", "senses": ""})
        for name, rule in two.rules.items()
        if name != "preference"
    }
    weight = np.repeat([0.0, two.rules["preference"].weight], counts)
    rules["preference"] = mm.Wind(vector=(1.0, 0.0), weight=weight)
    return mm.Model(
        name="one-flock", dt=two.dt, space=two.space, flocks={"fish": fish}, rules=rules
    )


def test_couzin_2005_as_one_flock(engine: str) -> None:
    """With a number for each boid it is the model with a flock of leaders, to rounding."""
    silent = {f"flocks.{name}.motion.noise": 0.0 for name in ("naive", "informed")}
    two = mm.load("couzin-2005").set(
        {**silent, "flocks.naive.count": 30, "flocks.informed.count": 6}
    )
    one = as_one_flock(two)
    x, v = drawn(36, 12.0, 2, 1.0)
    parts = {"naive": (x[:30], v[:30]), "informed": (x[30:], v[30:])}
    options: Any = {"dtype": "float64", "engine": engine}
    a = mm.Simulation(two, SEED, start=parts, **options).step(10).frame
    b = mm.Simulation(one, SEED, start={"fish": (x, v)}, **options).step(10).frame["fish"]
    assert b.per_boid("preference.weight").sum() == 3.0
    for name in ("positions", "velocities"):
        both = np.concatenate([getattr(flock, name) for flock in a.values()])
        np.testing.assert_allclose(getattr(b, name), both, rtol=0, atol=1e-9)


@pytest.mark.parametrize("noise", [0.0, 0.12566370614359174])
@pytest.mark.parametrize("side", [3.0, 12.0, 25.0])
def test_jolles_2017(both_agree: Any, side: float, noise: float) -> None:
    """Each fish has a speed and a weight of going straight on that are its own."""
    model = mm.load("jolles-2017").set(
        {
            "flocks.boids.motion.noise": noise,
            "rules.goal.weight.mean": 0.5,
            "rules.goal.weight.sd": 0.2,
        }
    )
    traits = mm.Simulation(model, SEED, engine="reference").frame["boids"].traits
    speeds, straight = traits["motion.speed"], traits["rules.goal.weight"]
    assert np.ptp(speeds) > 0.2 and np.ptp(straight) > 0.3

    def one_step(step: int, x: Any, v: Any) -> Any:
        of = chance(step)
        a, b = np.array([of(i)[:2] for i in range(len(x))]).T
        errors = noise * np.sqrt(-2.0 * np.log(1.0 - a)) * np.cos(2.0 * np.pi * b)
        x, v = plain.jolles_2017(x, v, speeds, straight, errors)
        np.testing.assert_allclose(np.linalg.norm(v, axis=1), speeds)
        return x, v

    both_agree(model, one_step, {"boids": 20}, side, 1.0)


def test_cucker_smale(both_agree: Any) -> None:
    def one_step(step: int, x: Any, v: Any) -> Any:
        return plain.cucker_smale(x, v, 2.0, 0.4, 0.05)

    model = mm.load("cucker-smale").set({"integrator": "euler"})
    both_agree(model, one_step, {"left": 20, "right": 20}, 20.0, None)


def test_dorsogna(both_agree: Any) -> None:
    def one_step(step: int, x: Any, v: Any) -> Any:
        return plain.dorsogna(x, v, 0.02)

    model = mm.load("dorsogna-2006").set({"integrator": "euler", "dt": 0.02})
    both_agree(model, one_step, {"boids": 40}, 3.0, None)


def test_olfati_saber(both_agree: Any) -> None:
    def one_step(step: int, x: Any, v: Any) -> Any:
        return plain.olfati_saber(x, v, np.array([60.0, 60.0]), 0.02, 0.2, 0.05)

    both_agree(mm.load("olfati-saber-2006"), one_step, {"boids": 40}, 40.0, None)


@pytest.mark.parametrize("exponent", [0.4, pytest.param(1.0, marks=pytest.mark.slow)])
def test_cucker_smale_theorems(exponent: float) -> None:
    """The mean velocity stays, to rounding; the largest difference never grows."""
    counts = {"flocks.left.count": 10, "flocks.right.count": 10}
    numbers = {"rules.alignment.exponent": exponent, **counts}
    model = mm.load("cucker-smale").set(numbers)
    simulation = mm.Simulation(model, 4, engine="reference")
    means, spreads = [], []
    for _ in range(20):
        frame = simulation.frame
        v = np.concatenate([flock.velocities for flock in frame.values()])
        means.append(v.mean(axis=0))
        spreads.append(max(np.linalg.norm(v - one, axis=1).max() for one in v))
        simulation.step(2)
    np.testing.assert_allclose(np.array(means), means[0] * np.ones((20, 1)), rtol=0, atol=1e-13)
    assert (np.diff(spreads) <= 1e-12).all()


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize(
    ("j", "k"), [(0.1, 1.0), (0.1, -1.0), (1.0, 0.0), (1.0, -0.1), (1.0, -0.75)]
)
def test_swarmalators(j: float, k: float, linear: bool) -> None:
    rule = "rules.swarmalators"
    model = mm.load("swarmalators").set(
        {
            f"{rule}.phase_attraction": j, f"{rule}.synchronisation": k,
            f"{rule}.law": "linear" if linear else "unit", "flocks.boids.count": 12,
        }
    )  # fmt: skip
    simulation = mm.Simulation(model, SEED, engine="reference")
    frame = simulation.frame["boids"]
    x, phase = frame.positions, frame.per_boid("phase")
    for _ in range(20):
        x, v, phase = plain.swarmalators(x, phase, j, k, model.dt, linear)
        frame = simulation.step().frame["boids"]
        np.testing.assert_allclose(frame.positions, x, rtol=0, atol=1e-9)
        np.testing.assert_allclose(frame.velocities, v, rtol=0, atol=1e-9)
        turned = np.exp(1j * (frame.per_boid("phase") - phase))
        np.testing.assert_allclose(turned, 1.0, rtol=0, atol=1e-9)


def test_vision_of_bastien_and_romanczuk(both_agree: Any) -> None:
    def one_step(step: int, x: Any, v: Any) -> Any:
        return views.bastien(x, v, 0.1, 1.0, (0.2, 0.1), (1.0, 0.1), 0.2, 1.0)

    both_agree(mm.load("bastien-2020"), one_step, {"boids": 25}, 12.0, 1.0)


def test_projection_of_pearce(both_agree: Any) -> None:
    def one_step(step: int, x: Any, v: Any) -> Any:
        return views.pearce(x, v, 1.0, (0.1, 0.75, 0.15), 4, chance(step, "boids/noise"))

    both_agree(mm.load("pearce-2014"), one_step, {"boids": 20}, 10.0, 1.0)
