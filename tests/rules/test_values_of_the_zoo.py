"""Closed forms that the verify files of the zoo expect, computed here once more from the equations.

Each function gives the values of the exact and published results that end its model's file.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

import murmurate as mm

Values = dict[str, Callable[[], list[float]]]


def mean_cosine(along: float, noise: float) -> float:
    """Return the mean cosine by which `noise` in any direction turns a vector of length `along`."""

    def cosine(t: float) -> float:
        return (along + noise * math.cos(t)) / math.hypot(
            along + noise * math.cos(t), noise * math.sin(t)
        )

    return float(quad(cosine, 0.0, math.pi)[0]) / math.pi


def vasarhelyi() -> list[float]:
    part = 1.0 - math.exp(-0.1)  # of a velocity difference, in a step
    r, v, s = 10.0, 0.0, 2.0
    for _ in range(50):
        v += part * (0.13 * (25.67 - r) - v)
        r += 0.2 * v
    for _ in range(10):
        s += part * (-0.1 * (s - 0.63) - s)
    curve = math.sqrt(2 * 3.02 * (10 - 0.3) - (3.02 / 3.55) ** 2)
    return [
        4 - 3 * math.exp(-1), r, s, part * (13.6 - curve), math.sqrt((1 + 99 * 0.92) / 100)
    ]  # fmt: skip


def sheep_apart(y: float, push: float) -> float:
    """Return the distance of two sheep, at 30 and -y or y from a dog, after a step."""
    away = np.array([30.0, y]) / math.hypot(30.0, y)
    way = np.array([0.5, -1.05 + push]) + away
    return float(2 * (y + way[1] / np.linalg.norm(way)))


def strombom() -> list[float]:
    across = [1 / math.hypot(1, 0.5), mean_cosine(math.hypot(1, 0.5), 0.3)]
    pairs = [sheep_apart(5.0, 0.0), sheep_apart(0.5, 2.0)]
    return [0.05, mean_cosine(2.0, 1.0), *pairs, *across, 1.5]


def olfati_saber() -> list[float]:
    norm = [math.sqrt(1 + 0.1 * r * r) - 1 for r in (7.0, 8.4)]
    a = 0.5 * (1 + math.cos(math.pi * (norm[0] / norm[1] - 0.2) / 0.8))
    return [7.0, (1 - 2 * a * 0.05) ** 20, 2 * math.exp(-1) * math.sin(1)]


def cucker_smale() -> list[float]:
    apart = solve_ivp(
        lambda t, r: 2 - 2 * (np.arctan(r) - math.pi / 4), (0, 60), [1.0], rtol=1e-9
    ).y[0, -1]
    final = 2 - 2 * (math.atan(apart) - math.pi / 4)
    joined = math.tan(3 * math.pi / 8), math.sinh(math.asinh(1) + 1.5)
    return [(1 - 0.1 + 0.1**2 / 2) ** 40, joined[0], final, joined[1]]


def inertial_spin() -> list[float]:
    dt, chi, coupling = 0.1, 1.25, 0.8
    w = 2 * math.asin(dt * math.sqrt(coupling / (2 * chi)))
    keep = math.exp(-0.3 * dt / chi)
    angle, spin = 1.0, 0.0
    for _ in range(55):
        spin = keep * spin - dt * 2 * coupling * angle
        angle += spin * dt / chi
    # variances of spin and angle, and their covariance, of birds alone
    of_spin = of_angle = of_both = 0.0
    for _ in range(20):
        of_spin = keep**2 * of_spin + 0.01 * chi * (1 - keep**2)
        of_angle += 2 * keep * of_both * dt / chi + of_spin * (dt / chi) ** 2
        of_both = keep * of_both + of_spin * dt / chi
    line = 2 - 2 * np.cos(2 * math.pi * np.arange(6) / 6)
    modes = (line[:, None, None] + line[:, None] + line).ravel()[1:]
    swing = abs(math.cos(20.5 * w) / math.cos(w / 2))
    order = 1 - 0.004 / coupling * (1 / modes).sum() / 6**3
    return [swing, abs(angle), math.exp(-of_angle), order, math.sqrt(0.5)]


def sort_sol() -> list[float]:
    rest = math.sqrt(1 / (0.03 / 2 + 0.02 / 2))
    return [rest, 0.4 * 0.98**49, 0.125 + 0.0625 * (1 - 0.125), 10.0, 1.0]


def swarmalators() -> list[float]:
    way = math.sqrt(0.5 + 3.5 * math.exp(-1))
    return [0.5, way, 2 / math.sqrt(1 + 1), 2.0]


def non_reciprocal() -> list[float]:
    alike = math.cos(math.atan(math.exp(-2 * 0.5)))
    left = 2 * math.atan(math.exp(-(1.7 - 1.3)))  # of the angle between blue and red
    turned = math.pi / 2 - left
    headings = math.cos(1.7 / 0.4 * turned), math.cos(math.pi / 2 + 1.3 / 0.4 * turned)
    return [alike, alike, math.cos(left / 2), *headings]


def marginal_speed() -> list[float]:
    speed = 1.5
    for _ in range(50):
        speed += 0.02 * (1 - speed**2) ** 3 * speed
    linear = 1 + 0.5 * (1 - 0.02) ** 50
    s = np.linspace(0, 6, 60_001)
    density = s**2 * np.exp(-8 * 0.5 * (s - 1) ** 2 / 0.4)
    group = (s * density).sum() / density.sum()
    return [speed, linear, (1 - 2 * 0.02) ** 50, math.sqrt(2 * 0.001 * 0.2), group, 0.36, 0.36]


def wang() -> list[float]:
    x = 1j * np.array([0.0, 2.0, -1.0, 1.5]) + [0.0, 1.0, 2.0, -2.0]
    headings = np.array([1, 0.6 + 0.8j, 1j, -0.8 + 0.6j])
    for i, heading in enumerate(list(headings)):
        away = np.delete(x, i) - x[i]
        turns = 0.6 * (away / heading).imag / (1 + (abs(away) / 3) ** 2)
        headings[i] *= np.exp(1j * turns[np.argsort(-abs(turns))][:2].sum())
    return [float(abs(headings.mean()))]


def jolles() -> list[float]:
    on = 0.05 / math.hypot(1, 0.05)
    authors = [0.941, 0.849, 0.131]  # their program
    return [on, on, 0.5 + 2 * 0.1 / math.hypot(1, 0.05), *authors]


def river() -> list[float]:
    dt = 0.1
    fish = [2 + 0.5 * 10 * dt, (1 - 2 * 0.6 * dt) ** 5, 2 * 0.1 * 4 * dt, 2 * dt, 1 + 2 * dt * dt]
    met = [2 + (0.5 + 2.5 * 3) * dt, 1 + (2.5 * 4 + 0.15 * 12) * dt]
    return [*fish, *met, 2 + 2 * (1.2 * 8 - 0.15 * 4) * dt]


VALUES: Values = {
    "vasarhelyi-2018": vasarhelyi,
    "strombom-2014": strombom,
    "olfati-saber-2006": olfati_saber,
    "cucker-smale": cucker_smale,
    "inertial-spin": inertial_spin,
    "sort-sol": lambda: [*sort_sol(), 1.0],
    "sort-sol-near": lambda: [*sort_sol(), 1.0],
    "sort-sol-hunt": lambda: [*sort_sol(), 2.0],
    "swarmalators": swarmalators,
    "non-reciprocal": non_reciprocal,
    "marginal-speed": marginal_speed,
    "active-brownian": lambda: [
        1 - 1 / 20,
        1 - 0.5 * 0.6**5,
        1 - 0.9 * 0.3,
        1 - 0.9 * 0.2,
        math.exp(-1),
    ],
    "couzin-2005": lambda: [-math.sin(math.radians(0.2 * 114.59))],
    "wang-2025": wang,
    "jolles-2017": jolles,
    "river": river,
}


@pytest.mark.parametrize("name", sorted(VALUES))
def test_values_follow_from_the_equations(name: str) -> None:
    """To a fifth of the tolerance."""
    values = VALUES[name]()
    given = [
        e
        for e in mm.load(name).expect
        if e.origin in ("exact", "published", "quoted")
        and e.value is not None
        and not e.known_difference
    ][-len(values) :]
    for expected, value in zip(given, values, strict=True):
        assert expected.value is not None and expected.tolerance is not None
        assert expected.value == pytest.approx(value, abs=expected.tolerance / 5, rel=0), (
            expected.why
        )
