"""Start a model from your own arrays: two groups that move towards each other."""

import numpy as np

import murmurate as mm

model = mm.load("ucl").set({"rules.cohesion.weight": 0.002, "rules.alignment.weight": 1.0})

random = np.random.default_rng(1)
left = random.normal((600, 1000), 40, size=(30, 2))
right = random.normal((1400, 1000), 40, size=(30, 2))
positions = np.concatenate([left, right])
velocities = np.concatenate([np.tile((5.0, 0.0), (30, 1)), np.tile((-5.0, 0.0), (30, 1))])

sim = mm.Simulation(model, seed=1, start={"boids": (positions, velocities)})
for _ in range(5):
    flock = sim.step(20).frame["boids"]
    x = flock.positions[:, 0]
    print(
        f"step {sim.frame.step:3}: x from {x.min():5.0f} to {x.max():5.0f}, "
        f"polarization {mm.polarization(flock):.2f}"
    )
