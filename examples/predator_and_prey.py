"""Build two flocks in Python: prey that flee, and predators that hunt the nearest prey."""

import murmurate as mm

model = mm.Model(
    name="predator-and-prey",
    space=mm.Space(size=(120, 120), boundary="reflecting"),
    flocks={
        "prey": mm.Flock(
            count=120,
            start=mm.InBall(radius=15, velocity=mm.Directions(speed=1.0)),
            motion=mm.Add(max_speed=1.5),
        ),
        "predators": mm.Flock(
            count=2,
            start=mm.InBox(upper=(20, 20)),
            motion=mm.Add(max_speed=1.8, max_force=0.1),
            look=mm.Look(colour="tomato", scale=2.5),
        ),
    },
    rules={
        "cohesion": mm.Cohesion(moves="prey", radius=25, weight=0.01),
        "alignment": mm.Alignment(moves="prey", radius=15, weight=0.1),
        "separation": mm.Separation(moves="prey", radius=4, weight=0.4),
        "flee": mm.Flee(moves="prey", senses="predators", law="unit", radius=20, weight=0.4),
        "hunt": mm.Hunt(moves="predators", senses="prey", weight=0.2),
        "apart": mm.Separation(moves="predators", radius=30, weight=0.5),
    },
)

sim = mm.Simulation(model, seed=1)
print("step  polarization  nearest neighbour   (of the prey)")
for _ in range(6):
    prey = sim.step(50).frame["prey"]
    near = mm.nearest_neighbour_distance(prey)
    print(f"{sim.frame.step:4}  {mm.polarization(prey):12.2f}  {near:17.2f}")

mm.still(model, "predator-and-prey.png", at=300, seed=1, view=mm.View(size=(640, 640)), force=True)
print("predator-and-prey.png: the last step")
