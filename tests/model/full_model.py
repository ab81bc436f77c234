"""A small space and flock, and a model in which every kind of field is set."""

from __future__ import annotations

import murmurate as mm

SPACE = {"size": [10.0, 10.0]}
BOIDS = {"boids": {"count": 3}}


def full() -> mm.Model:
    """Return a model in which every kind of field is set."""
    return mm.Model(
        name="full",
        title="All at once",
        about="First line.\nSecond line, with \"quotes\", 'more', \\ and ünïcödé.",
        tries=("rules.cohesion.weight=0: nothing holds them",),
        source=mm.Source(reference="Someone 1999", doi="10.1/2", reading="what was meant"),
        dt=0.25,
        order="shuffled",
        positions="at-end",
        space=mm.Space(size=(10.0, 20.0, 1e-3), origin=(-1.0, 0.0, 1e5), boundary="held"),
        flocks={
            "boids": mm.Flock(
                count=7,
                max_boids=4000,
                start=mm.InBall(
                    radius=3.0, centre=(4.0, 4.0, 1e5), velocity=mm.Directions(speed=0.5, up_to=2.0)
                ),
                motion=mm.Add(max_speed=2.0, max_force=3.0, turn_rate=40.0),
                combine="priority",
                perching=mm.Perching(ground=mm.Cycle(amplitude=1.0, period=3.0), longest=99),
                look=mm.Look(colour="steelblue", scale=2.0),
            ),
            "hawks-2": mm.Flock(
                count=0,
                start=mm.OffScreen(distance=3.0, velocity=mm.Heading(velocity=(1.0, 0.0, 0.0))),
                motion=mm.ConstantSpeed(speed=mm.Ramp(start=1.0, stop=2.0, end=9.0)),
            ),
            "given": mm.Flock(
                count=1, start=mm.Given(positions=((1.0, 2.0, 1e5),)), motion=mm.Replace()
            ),
        },
        rules={
            "cohesion": mm.Cohesion(moves="boids", weight=-0.1),
            "other": mm.Cohesion(
                moves=("boids", "hawks-2"),
                senses=("boids", "sphere"),
                radius=mm.Steps(times=(1.0,), values=(2.0, 3.0)),
                stage=3,
                limit=9.0,
            ),
            "flee": mm.Flee(moves="boids", senses="hawks-2", nearest=3),
            "path": mm.FollowPath(
                moves="hawks-2",
                path="polyline",
                period=9.0,
                points=((0.0, 0.0, 0.0), (1.0, 2.0, 3.0)),
                closed=False,
            ),
        },
        obstacles={
            "sphere": mm.Sphere(centre=(mm.Cycle(amplitude=1.0, period=2.0), 0.0, 0.0), radius=1.0),
            "box": mm.Box(centre=(5.0, 5.0, 1e5), size=(1.0, 2.0, 3.0)),
            "pillar": mm.Cylinder(
                centre=(7.0, 5.0, 1e5), radius=1.0, height=mm.Ramp(start=1.0, stop=2.0, end=3.0)
            ),
            "wall": mm.Wall(point=(0.0, 0.0, 1e5), normal=(0.0, 0.0, 2.0)),
            "tank": mm.Tank(centre=(1.0, 2.0, 1e5), radius=mm.Ramp(start=4.0, stop=9.0, end=3.0)),
        },
        population={
            "gate": mm.BoidSource(
                flock="boids",
                rate=mm.Ramp(start=0.0, stop=2.0, end=9.0),
                start=mm.InBox(lower=(1.0, 1.0, 1e5), upper=(2.0, 3.0, 1e5)),
            ),
            "bus": mm.BoidSource(
                flock="boids",
                times=(1.0, 2.5),
                numbers=(3, 4),
                start=mm.Given(positions=((1.0, 2.0, 1e5),)),
            ),
            "young": mm.Births(flock="boids", rate=0.1, distance=0.5),
            "hole": mm.Exit(
                region=mm.ExitBall(centre=(mm.Cycle(amplitude=1.0, period=2.0), 0.0, 0.0), radius=1)
            ),
            "box": mm.Exit(region=mm.ExitBox(lower=(0.0, 0.0, 0.0), upper=(1.0, 1.0, 2e5))),
            "deaths": mm.Deaths(flocks="boids", rate=0.01),
            "faults": mm.Failure(flocks="boids", rate=0.01, then="drift"),
            "age": mm.Lifetime(flocks="boids", duration=50.0),
            "hunger": mm.Removal(flocks="hawks-2", state="population.hunt.handling", above=9.0),
            "hunt": mm.Capture(
                predators="hawks-2",
                prey=("boids", "given"),
                radius=2.0,
                handling_time=1.5,
                probability=0.5,
            ),
        },
        view=mm.View(steps=99, size=(640, 360), trails=3, camera=mm.Camera(follow="flock")),
        expect=(mm.Expectation(measure="polarization", step=9, low=0.5, high=1.0),),
    )
