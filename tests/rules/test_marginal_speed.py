"""Control of speeds with noise, against closed forms.

A bird alone: dv = -dU/dv dt + sqrt(2 T) dW has the density exp(-U / T) of velocities, and
s^(d - 1) exp(-U(s) / T) of speeds s. With the law linear and the weight k, U = k (s - v0)^2 / 2;
with the law marginal, U = k v0^2 (1 - s^2 / v0^2)^4 / 8.

Birds that imitate the neighbours on a lattice: deviations of speeds are springs in a bath. A mode
of the lattice's Laplacian with eigenvalue q relaxes at the rate r = k + J q for linear and J q for
marginal control, and its variance in steps of dt is T / (r (1 - r dt / 2)).

Cavagna et al. 2022, doi:10.1038/s41467-022-29883-4.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import murmurate as mm

SIDE = 8


def alone(law: str, temperature: float) -> tuple[float, float]:
    """Return the mean and the standard deviation of the speed of a bird alone, in 3-D."""
    s = np.linspace(0.0, 4.0, 400_001)
    u = (1 - s**2) ** 4 / 8 if law == "marginal" else (1 - s) ** 2 / 2
    p = s**2 * np.exp(-u / temperature)
    mean = (s * p).sum() / p.sum()
    return float(mean), math.sqrt(((s - mean) ** 2 * p).sum() / p.sum())


def coupled(control: float, temperature: float, dt: float, side: int = SIDE) -> float:
    """Return the standard deviation of speeds on a cubic lattice with free ends."""
    line = 2 - 2 * np.cos(math.pi * np.arange(side) / side)
    q = (line[:, None, None] + line[:, None] + line).ravel()[1:]
    rate = control + q
    return math.sqrt((temperature / (rate * (1 - rate * dt / 2))).sum() / side**3)


def test_numbers_of_the_verify_file() -> None:
    """The exact numbers of marginal-speed.verify.toml; test_values_of_the_zoo has the rest."""
    exact = [e.value for e in mm.load("marginal-speed").expect if e.origin == "exact"]
    expected = [
        coupled(0.0, 1e-4, 0.02),
        coupled(1.0, 1e-4, 0.02),
        *alone("marginal", 0.01),
        alone("linear", 0.1)[0],
    ]
    assert exact[: len(expected)] == pytest.approx(expected, rel=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize(("law", "control"), [("marginal", 0.0), ("linear", 1.0)])
def test_speeds_on_a_lattice(law: str, control: float) -> None:
    """Within three standard errors of 20 runs."""
    changes = {"rules.noise.diffusion": 1e-4, "rules.speed.law": law}
    model = mm.load("marginal-speed").set(changes)
    spreads = [
        mm.measures.speed_spread(mm.Simulation(model, seed=seed).step(1200).frame["boids"]) ** 2
        for seed in range(20)
    ]
    error = np.std(spreads, ddof=1) / math.sqrt(20)
    assert abs(np.mean(spreads) - coupled(control, 1e-4, 0.02) ** 2) < 3 * error


def test_marginal_control_ignores_small_differences() -> None:
    """The force is (1 - s^2)^3 s: of third order in the difference from the natural speed."""
    speeds = (0.5, 0.99, 1.0, 1.01, 1.5)
    model = mm.Model(
        dt=1.0,
        space=mm.Space(size=(10.0, 10.0)),
        flocks={
            "boids": mm.Flock(
                count=5,
                start=mm.Given(
                    positions=((5.0, 5.0),) * 5,
                    velocities=tuple((0.6 * s, 0.8 * s) for s in speeds),
                ),
            )
        },
        rules={"speed": mm.SpeedRegulation(speed=1.0, law="marginal", weight=0.1)},
    )
    flock = mm.Simulation(model, engine="reference").step(1).frame["boids"]
    change = np.linalg.norm(flock.velocities, axis=1) - speeds
    np.testing.assert_allclose(change, [0.1 * (1 - s * s) ** 3 * s for s in speeds], atol=1e-14)
