"""How does order depend on the weight of alignment? Polarization, averaged over time and seeds, as
a table with bars."""

import statistics

import murmurate as mm
from murmurate.run import frames

model = mm.Model(
    space=mm.Space(size=(40, 40), boundary="periodic"),
    flocks={
        "boids": mm.Flock(
            count=80,
            start=mm.InBox(velocity=mm.Directions(speed=0.5)),
            motion=mm.ConstantSpeed(speed=0.5),
        )
    },
    rules={
        "alignment": mm.Alignment(radius=5),
        "random": mm.RandomSteering(weight=0.15),
    },
)

print("weight  polarization")
for weight in (0.0, 0.02, 0.05, 0.1, 0.2, 0.4):
    changed = model.set({"rules.alignment.weight": weight})
    values = []
    for seed in (1, 2, 3):
        sim = mm.Simulation(changed, seed=seed).step(100)  # until the start is forgotten
        values += [mm.polarization(frame["boids"]) for frame in frames(sim, 100, every=10)]
    mean = statistics.mean(values)
    print(f"{weight:6.2f}  {mean:12.2f}  {'#' * round(40 * mean)}")
