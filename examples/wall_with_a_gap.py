"""Build a wall with a gap from two boxes, and a flock that is attracted to the other side."""

import murmurate as mm

model = mm.Model(
    name="gap",
    space=mm.Space(size=(100, 60), boundary="reflecting"),
    flocks={
        "boids": mm.Flock(
            count=80,
            start=mm.InBox(upper=(40, 60)),
            motion=mm.Add(max_speed=1.0),
        )
    },
    rules={
        "goal": mm.TendToPlace(place=(90, 27), weight=0.01, limit=10),
        "separation": mm.Separation(radius=3, weight=0.2),
        "walls": mm.AvoidObstacles(look_ahead=5, clearance=1, weight=0.5),
    },
    obstacles={
        "upper": mm.Box(centre=(50, 47), size=(4, 34)),
        "lower": mm.Box(centre=(50, 7), size=(4, 34)),
    },
)

sim = mm.Simulation(model, seed=1)
for _ in range(6):
    x = sim.step(25).frame["boids"].positions[:, 0]
    print(f"step {sim.frame.step:3}: {(x > 52).sum():2} of {len(x)} have passed")
