"""Write a rule: boids match the speed of their neighbours.

The rule is written like the built-in ones and compiled with them.
"""

import math

import murmurate as mm


class MatchSpeed(mm.NeighbourRule):
    """Steer towards the mean speed of the neighbours, whatever their headings."""

    radius: mm.Scalar = mm.quantity(10.0, gt=0, unit="length", infinite=True)

    formula = "{weight} * (mean of |v_j| - |v_i|) * v_i / |v_i|"

    def pair(self, me, other):
        return 1.0, math.sqrt(other.u * other.u + other.v * other.v + other.w * other.w)

    def finish(self, sums, me):
        count, total = sums
        if count == 0.0 or me.speed == 0.0:
            return 0.0, 0.0, 0.0
        k = total / (count * me.speed) - 1.0
        return k * me.u, k * me.v, k * me.w


model = mm.Model(
    space=mm.Space(size=(50, 50), boundary="periodic"),
    flocks={
        "boids": mm.Flock(
            count=100,
            start=mm.InBox(velocity=mm.Directions(speed=0.5, up_to=1.5)),
            motion=mm.Add(),
        )
    },
    rules={"match-speed": MatchSpeed(weight=0.2), "cohesion": mm.Cohesion(radius=10, weight=0.001)},
)

sim = mm.Simulation(model, seed=1)
for _ in range(5):
    flock = sim.frame["boids"]
    speeds = [math.hypot(u, v) for u, v in flock.velocities]
    print(f"step {sim.frame.step:2}: speeds from {min(speeds):.2f} to {max(speeds):.2f}")
    sim.step(10)
