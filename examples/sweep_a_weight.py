"""Tabulate polarization against the weight of alignment, with 95% intervals.

Needs pip install "murmurate[sweep]".
"""

import murmurate as mm

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
path = "rules.alignment.weight"

if __name__ == "__main__":  # a sweep starts worker processes
    table = mm.sweep(
        model,
        {path: [0.0, 0.02, 0.05, 0.1, 0.2, 0.4]},
        mm.RunSpec(seeds=3, steps=200, warm_up=100),
        measures=["polarization"],
    )
    print("weight  polarization, mean of 3 runs and its 95% interval")
    for weight, runs in table.groupby(path)["polarization"]:
        mean = mm.measures.over_seeds(runs)
        low, high = mean.interval()  # Student's t, wide for three runs
        print(f"{weight:6.2f}  {mean.value:6.2f}  {low:.2f} to {high:.2f}")
