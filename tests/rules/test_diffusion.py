"""Noise that does not depend on the time step, against closed forms."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import by_hand
import numpy as np
import pytest

import murmurate as mm
from murmurate.rules.diffusion import angle_on_sphere

COUNT = 4000
STEPS = (pytest.param(0.1, marks=pytest.mark.slow), 0.4)


def of_boids(
    dt: float, motions: Any, rules: dict[str, Any], dims: int = 2, count: int = COUNT, **model: Any
) -> Any:
    """Return a flock for each motion, at the middle of the space, headed along x at speed 1."""
    start = mm.Given(
        positions=((50.0,) * dims,) * count,
        velocities=((1.0, *[0.0] * (dims - 1)),) * count,
    )
    motions = motions if isinstance(motions, dict) else {"boids": motions}
    return mm.Model(
        dt=dt,
        space=mm.Space(size=(100.0,) * dims),
        flocks={
            name: mm.Flock(count=count, motion=motion, start=start)
            for name, motion in motions.items()
        },
        rules=rules,
        **model,
    )


def after(model: Any, time: float, engine: str = "cpu") -> Any:
    """Return the frame at a time."""
    return (
        mm.Simulation(model, seed=1, dtype="float64", engine=engine)
        .step(round(time / model.dt))
        .frame
    )


def assert_mean(sample: np.ndarray, mean: float) -> None:
    """The mean is within five standard errors of the expected one."""
    error = sample.std(ddof=1) / math.sqrt(len(sample))
    assert abs(sample.mean() - mean) < 5.0 * error, (sample.mean(), mean, error)


FEW = (("reference", 100), pytest.param("cpu", COUNT, marks=pytest.mark.long))
"""An engine, and a number of boids."""


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "count"), FEW)
@pytest.mark.parametrize("dt", STEPS)
def test_white_noise(dt: float, engine: str, count: int) -> None:
    """2 D t along each axis: of velocities with the motion add, of positions with replace."""
    motions = {"pushed": mm.Add(), "displaced": mm.Replace()}
    noise = mm.WhiteNoise(moves=("pushed", "displaced"), diffusion=0.2, weight=1.5)
    frame = after(of_boids(dt, motions, {"noise": noise}, count=count), 20.0, engine)
    change = frame["pushed"].velocities - (1.0, 0.0)
    assert_mean((change**2).sum(axis=1), 4.0 * 0.2 * 1.5**2 * 20.0)
    moved = frame["displaced"].positions - 50.0
    assert_mean((moved**2).sum(axis=1), 4.0 * 0.2 * 1.5**2 * 20.0)


@pytest.mark.slow
@pytest.mark.parametrize("integrator", ["verlet", "rk4"])
def test_white_noise_of_other_integrators(integrator: str) -> None:
    """3-D: 6 D t."""
    noise = {"noise": mm.WhiteNoise(diffusion=0.2)}
    model = of_boids(0.4, mm.Add(), noise, dims=3, integrator=integrator)
    change = after(model, 20.0)["boids"].velocities - (1.0, 0.0, 0.0)
    assert_mean((change**2).sum(axis=1), 6.0 * 0.2 * 20.0)


@pytest.mark.parametrize("dims", [pytest.param(2, marks=pytest.mark.slow), 3])
@pytest.mark.parametrize(("engine", "count"), FEW)
@pytest.mark.parametrize("dt", [pytest.param(0.1, marks=pytest.mark.slow), 1.0])
def test_headings_decay(dt: float, engine: str, count: int, dims: int) -> None:
    """For any step as exp(-(d - 1) Dr t) in d dimensions; the mean of their second Legendre
    polynomial, (3 c^2 - 1) / 2, in 3-D as exp(-6 Dr t)."""
    motions = {
        "turning": mm.Turning(rotational_diffusion=0.3),
        "brownian": mm.ActiveBrownian(rotational_diffusion=0.3),
    }
    frame = after(of_boids(dt, motions, {}, dims, 4 * count), 2.0, engine)
    # the velocity of an active Brownian boid is along the heading before the step
    for name, time in (("turning", 2.0), ("brownian", 2.0 - dt)):
        cosine = frame[name].velocities[:, 0]
        assert_mean(cosine, math.exp(-0.3 * (dims - 1) * time))
        second = 1.5 * cosine**2 - 0.5 if dims == 3 else 2.0 * cosine**2 - 1.0
        assert_mean(second, math.exp(-0.3 * (6 if dims == 3 else 4) * time))


@pytest.mark.parametrize("time", [0.0, 1e-7, 0.01, 0.0699, 0.07, 0.3, 2.0, 50.0])
def test_angles_of_diffusion_on_a_sphere(time: float) -> None:
    """The share of angles that are no larger, for each random number."""
    shares = [0.0, 1e-6, 0.02, 0.3, 0.5, 0.9, 0.999, 1.0 - 2.0**-24]
    heights = [2.0 * math.sin(0.5 * angle_on_sphere(a, time)) ** 2 for a in shares]
    if time < 1e-3:  # exponential
        expected = [-2.0 * time * math.log1p(-a) for a in shares]
        assert heights == pytest.approx(expected, rel=1e-5)
        return
    result = [by_hand.part_of_sphere(height, time) for height in heights]
    assert result == pytest.approx(shares, abs=2e-8)


def persistent(v: float, rotation: float, diffusion: float) -> Callable[[float], float]:
    """Return the mean squared displacement of an active Brownian particle in 2-D."""

    def msd(t: float) -> float:
        r = rotation * t
        return 4.0 * diffusion * t + 2.0 * (v / rotation) ** 2 * (r - 1.0 + math.exp(-r))

    return msd


@pytest.mark.slow
def test_mean_squared_displacement_of_active_brownian_boids() -> None:
    """4 D t + 2 (v / Dr)^2 (Dr t - 1 + exp(-Dr t)), at short, middle and long times."""
    rules = {"noise": mm.WhiteNoise(diffusion=0.05)}
    motion = mm.ActiveBrownian(speed=1.5, rotational_diffusion=0.5)
    simulation = mm.Simulation(of_boids(0.02, motion, rules), seed=3, dtype="float64")
    msd = persistent(1.5, 0.5, 0.05)
    for time in (0.2, 2.0, 12.0):
        simulation.step(round((time - simulation.frame.time) / 0.02))
        moved = simulation.frame["boids"].positions - 50.0
        assert_mean((moved**2).sum(axis=1), msd(time))


def test_forces_displace_and_do_not_turn() -> None:
    """With a force f the velocity is v e + mu f, and e stays where it was."""
    motion = mm.ActiveBrownian(speed=1.0, mobility=0.5, rotational_diffusion=0.0)
    model = of_boids(0.1, motion, {"wind": mm.Wind(vector=(0.0, 3.0))}, count=3)
    flock = after(model, 1.0, "reference")["boids"]
    np.testing.assert_allclose(flock.velocities, [[1.0, 1.5]] * 3, atol=1e-12)
    np.testing.assert_allclose(flock.state("motion.heading_x"), 1.0, atol=1e-12)


def test_steering_across_the_heading_is_the_angular_velocity() -> None:
    """A boid alone that aligns with a fixed direction, dtheta = -J sin theta:
    tan(theta / 2) = tan(theta0 / 2) exp(-J t)."""
    wind = {"wind": mm.Wind(vector=(0.0, 0.7))}
    model = of_boids(0.001, mm.Turning(speed=1.0), wind, count=1)
    u, v = after(model, 2.0, "reference")["boids"].velocities[0]
    theta = math.atan2(u, v)  # from the wind
    assert math.tan(theta / 2.0) == pytest.approx(math.exp(-0.7 * 2.0), rel=2e-3)
