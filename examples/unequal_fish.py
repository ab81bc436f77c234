"""Measure who swims in front in a school of unequal fish, and find the same fish again."""

import numpy as np

import murmurate as mm

SPEED = "motion.speed"  # the trait: each fish has a speed of its own
SEEDS, FRAMES = 8, 40

model = mm.load("jolles-2017")
by_seed, fast_ahead = [], []
for seed in range(1, SEEDS + 1):
    sim = mm.Simulation(model, seed).step(500)
    correlations = []
    for _ in range(FRAMES):
        flock = sim.step(50).frame["boids"]
        correlations.append(mm.measures.front_trait_correlation(flock, trait=SPEED))
        offsets = flock.positions - flock.positions.mean(axis=0)
        heading = flock.velocities.sum(axis=0)
        heading /= np.linalg.norm(heading)
        speeds = flock.per_boid(SPEED)
        fast = speeds > np.median(speeds)
        fast_ahead.append((offsets[fast] @ heading).mean())
    by_seed.append(np.mean(correlations))

mean = mm.measures.over_seeds(by_seed)
low, high = mean.interval()
print(f"rank correlation of speed and position: {mean.value:.2f} ({low:.2f} to {high:.2f})")
print(f"the faster half is {np.mean(fast_ahead):.2f} lengths ahead of the centre")

# numbers depend on the seed, the flock and the index only: more fish do not change the first ones
more = mm.Simulation(model.set({"flocks.boids.count": 40}), SEEDS).frame["boids"]
print("the first 20 of 40 fish are the same:", np.array_equal(more.per_boid(SPEED)[:20], speeds))
