"""Two species that align differently with each other, against their equations.

With angular velocities sum_b J_ab times the mean over species b of sin(theta_j - theta_i), and
rotational diffusion D, the moments z_n = <exp(i n theta)> of many boids obey

    dz_n/dt = -n^2 D z_n + n/2 (H z_(n-1) - conj(H) z_(n+1)),   H_a = sum_b J_ab z_1 of b.

Near disorder dz_1/dt = -D z_1 + H / 2, so that for J_AA = J_BB = j order grows at the rates
-D + (j +- sqrt(J_AB J_BA)) / 2. Two boids without noise: d(theta_A - theta_B)/dt =
-(J_AB + J_BA) sin(theta_A - theta_B).

Motion turning computes these from the velocities: at speed 1 the component across the heading of
the mean of v_j - v_i is the mean of sin(theta_j - theta_i). The rule alignment sums it in O(N).

Fruchart et al. 2021, doi:10.1038/s41586-021-03375-9, arXiv:2003.13176.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import murmurate as mm

Couplings = tuple[tuple[float, float], tuple[float, float]]


def species(
    j: Couplings, headings: tuple[np.ndarray, np.ndarray], dt: float, noise: float = 0.0
) -> mm.Model:
    """Return two flocks with given headings in radians, of speed 1, that sense all boids."""
    names = ("a", "b")
    flocks = {
        name: mm.Flock(
            count=len(angles),
            motion=mm.Turning(speed=1.0, rotational_diffusion=noise),
            start=mm.Given(
                positions=((5.0, 5.0),) * len(angles),
                velocities=tuple((math.cos(t), math.sin(t)) for t in angles),
            ),
        )
        for name, angles in zip(names, headings, strict=True)
    }
    rules = {
        f"{moves}-by-{senses}": mm.Alignment(
            moves=moves, senses=senses, include_self=moves == senses, weight=j[a][b]
        )
        for a, moves in enumerate(names)
        for b, senses in enumerate(names)
    }
    space = mm.Space(size=(10.0, 10.0), boundary="periodic")
    return mm.Model(dt=dt, space=space, flocks=flocks, rules=rules)


def order(frame: mm.Frame) -> np.ndarray:
    """Return the mean of exp(i theta) of both species."""
    velocities = [frame[name].velocities.mean(axis=0) for name in ("a", "b")]
    return np.array([u + 1j * v for u, v in velocities])


def moments(j: Couplings, noise: float, z: np.ndarray, time: float, dt: float = 0.01) -> np.ndarray:
    """Return z_1 of both species after each step, (steps, 2), by fourth-order Runge-Kutta."""
    n, couplings = np.arange(14), np.array(j)
    x = np.zeros((2, 14), complex)
    x[:, 0], x[:, 1] = 1.0, z

    def rate(x: np.ndarray) -> np.ndarray:
        h = (couplings @ x[:, 1])[:, None]
        result, k = np.zeros_like(x), n[1:-1]
        result[:, 1:-1] = -(k**2) * noise * x[:, 1:-1]
        result[:, 1:-1] += k / 2 * (h * x[:, :-2] - h.conj() * x[:, 2:])
        return result

    rows = []
    for _ in range(round(time / dt)):
        a = rate(x)
        b = rate(x + dt / 2 * a)
        c = rate(x + dt / 2 * b)
        x = x + dt / 6 * (a + 2 * b + 2 * c + rate(x + dt * c))
        rows.append(x[:, 1])
    return np.array(rows)


@pytest.mark.slow
def test_a_pair() -> None:
    """tan(Delta / 2) = tan(Delta_0 / 2) exp(-(J_AB + J_BA) t); J_AB = -J_BA keeps Delta."""
    for forward, back in ((0.9, -0.2), (0.7, -0.7)):
        j = ((0.0, forward), (back, 0.0))
        model = species(j, (np.array([2.0]), np.array([0.5])), dt=0.001)
        z = order(mm.Simulation(model, engine="reference").step(1000).frame)
        delta = np.angle(z[0] / z[1])
        expected = math.tan(0.75) * math.exp(-(forward + back))
        assert math.tan(delta / 2) == pytest.approx(expected, rel=2e-3)


def almost_even(z: complex, count: int = 8) -> np.ndarray:
    """Return angles with the density (1 + 2 |z| cos(theta - arg z)) / 2 pi, without noise."""
    even = 2 * math.pi * (np.arange(count) + 0.5) / count
    return even - 2 * abs(z) * np.sin(even - np.angle(z))


@pytest.mark.slow
@pytest.mark.parametrize("back", [0.8, -0.8])
def test_rates_near_disorder(back: float) -> None:
    """Order grows at (j + sqrt(J_AB J_BA)) / 2; a negative product also turns it."""
    j, forward = 0.6, 0.5
    root = np.sqrt(complex(forward * back))
    start = 1e-3 * np.array([1.0, root / forward])  # the eigenvector of the growing mode
    headings = (almost_even(start[0]), almost_even(start[1]))
    couplings = ((j, forward), (back, j))
    simulation = mm.Simulation(species(couplings, headings, dt=0.02), engine="reference")
    first, last = order(simulation.frame), order(simulation.step(150).frame)
    growth = np.log(last / first) / 3.0
    np.testing.assert_allclose(growth, (j + root) / 2, rtol=0.01)


@pytest.mark.slow
def test_chiral_phase_of_many_boids() -> None:
    """Order, difference of headings and rate of turning are those of the moments; rates are an
    order in the time step off."""
    j, noise = ((2.0, 1.7), (-1.3, 2.0)), 0.5
    steady = moments(j, noise, np.array([0.8, 0.7j]), 40.0)[-500:]
    rate = np.unwrap(np.angle(steady[:, 0]))
    rate = float((rate[-1] - rate[0]) / (0.01 * 499))
    assert rate == pytest.approx(-0.9987, abs=2e-4) or rate == pytest.approx(0.9987, abs=2e-4)
    headings = (np.zeros(20_000), np.full(20_000, math.pi / 2))
    simulation = mm.Simulation(species(j, headings, dt=0.01, noise=noise), seed=2)
    simulation.step(1000)
    rows = np.array([order(simulation.step(10).frame) for _ in range(100)])
    turned = np.unwrap(np.angle(rows[:, 0]))
    assert (turned[-1] - turned[0]) / 9.9 == pytest.approx(rate, rel=0.03)
    np.testing.assert_allclose(abs(rows).mean(axis=0), abs(steady).mean(axis=0), atol=0.012)
    deltas = [np.angle(z[:, 1] / z[:, 0]).mean() for z in (rows, steady)]
    assert deltas[0] == pytest.approx(deltas[1], abs=0.03)


def test_numbers_of_the_verify_file() -> None:
    """The exact numbers of non-reciprocal.verify.toml are those of the moments."""
    blue, red = [], []
    for back in (-1.3, 0.5):
        z = moments(((2.0, 1.7), (back, 2.0)), 0.5, np.array([0.8, 0.7j]), 25.0)[-1]
        blue.append(abs(z[0]))
        red.append(abs(z[1]))
    exact = [e.value for e in mm.load("non-reciprocal").expect if e.origin == "exact"]
    mean = (blue[1] + red[1]) / 2
    assert exact[:5] == pytest.approx([0.9987, blue[0], red[0], red[1], mean], abs=2e-3)
