"""A school that unequal speeds sort, in closed form.

Boid i accelerates by g_i (s_i - |v_i|) along its heading, and by k_i times the vector to the mean
position of all others. In the steady state all have the same velocity V, so that each boid's pull
balances its drive: x_i - x = (N - 1) / N g_i (s_i - V) / k_i along the heading, with x the centre.
These add up to 0, so V is the mean of s_i with weights g_i / k_i.
"""

from __future__ import annotations

import numpy as np
import pytest

import murmurate as mm

COUNT = 12
DRIVE, PULL = "rules.drive.weight", "rules.pull.weight"

DISTRIBUTIONS = {
    "speeds only": (1.0, 0.5),
    "all three": (
        mm.Uniform(min=0.8, max=1.2),
        mm.Lognormal(mean=0.5, sd=0.1, min=0.3, max=1.0),
    ),
    "bold ones": (
        mm.Normal(mean=1.0, sd=0.1, min=0.5, draw="boldness"),
        mm.Choice(values=(0.8, 0.4), probabilities=(0.7, 0.3), draw="boldness"),
    ),
}


def school(drive: object, pull: object) -> mm.Model:
    return mm.Model(
        name="school",
        dt=0.2,
        space=mm.Space(size=(100.0, 100.0)),
        flocks={
            "boids": mm.Flock(
                count=COUNT,
                start=mm.InBox(
                    lower=(45.0, 50.0),
                    upper=(55.0, 50.0),
                    velocity=mm.Heading(velocity=(3.0, 0.0)),
                ),
                motion=mm.Add(),
            )
        },
        rules={
            "drive": mm.SpeedRegulation(
                speed=mm.Normal(mean=3.0, sd=0.3, min=2.0, max=4.0, draw="boldness"), weight=drive
            ),
            "pull": mm.Cohesion(weight=pull),
        },
    )


@pytest.mark.parametrize("engine", ["reference", pytest.param("cpu", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name == "bold ones" else pytest.mark.slow)
        for name in DISTRIBUTIONS
    ],
)
def test_each_boid_is_where_its_numbers_put_it(name: str, engine: str) -> None:
    model = school(*DISTRIBUTIONS[name])
    simulation = mm.Simulation(model, 7, dtype="float64", engine=engine).step(500)
    flock = simulation.frame["boids"]
    speeds = flock.per_boid("rules.drive.speed")
    g = flock.traits.get(DRIVE, np.full(COUNT, 1.0))
    k = flock.traits.get(PULL, np.full(COUNT, 0.5))
    assert np.ptp(speeds) > 0.5
    velocity = (speeds * g / k).sum() / (g / k).sum()
    np.testing.assert_allclose(flock.velocities, [(velocity, 0.0)] * COUNT, atol=1e-9)
    along = flock.positions[:, 0] - flock.positions[:, 0].mean()
    balance = (COUNT - 1) / COUNT * g * (speeds - velocity) / k
    np.testing.assert_allclose(along, balance, rtol=0, atol=1e-9 * np.abs(balance).max())


def test_a_name_of_a_draw_makes_numbers_go_together() -> None:
    """With one uniform number per boid, the boids with the smaller pull are the fast ones."""
    flock = mm.Simulation(school(*DISTRIBUTIONS["bold ones"]), 7).frame["boids"]
    speeds, pull = flock.per_boid("rules.drive.speed"), flock.traits[PULL]
    assert speeds[pull == 0.4].min() > speeds[pull == 0.8].max()
    order = np.argsort(speeds)
    assert (np.argsort(flock.traits[DRIVE]) == order).all()
