"""The cases of every rule and every motion: what is set, and what three boids do then."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import by_hand
import by_hand_fish as fish
import by_hand_newer as newer
import numpy as np
from simulated_by_hand import (
    AT_SPEED,
    AT_SPHERE,
    DT,
    STEERED,
    WIND,
    V,
    Vectors,
    X,
    aligned_by_flock,
    around,
    blown,
    border,
    bursts,
    centre,
    cut,
    erring,
    gaussian,
    home,
    hunted,
    kicks,
    knot,
    limited_speed,
    mean_velocity,
    norm,
    on_circle,
    on_knot,
    on_path,
    on_square,
    on_wire,
    passing,
    phase,
    position,
    pushed,
    scattered_once,
    sensitive,
    separation,
    spring,
    steered,
    to,
    turned_slowly,
    uniform,
    unit,
)

import murmurate as mm


@dataclass(frozen=True)
class Case:
    """`expected` gives the new velocities from the old places and velocities."""

    rule: Any
    expected: Callable[[Vectors, Vectors], Vectors]
    motion: Any = None
    at: tuple[tuple[float, ...], ...] = X
    velocities: tuple[tuple[float, ...], ...] = V


CASES: dict[str, Case] = {
    "cohesion": Case(mm.Cohesion(), pushed(centre)),
    "cohesion-steering": Case(
        mm.Cohesion(form="steering"),
        lambda x, v: [cut(a, 2.0) for a in pushed(steered(centre))(x, v)],
        STEERED,
    ),
    "alignment": Case(mm.Alignment(), pushed(lambda x, v, i: mean_velocity(x, v, i) - v[i])),
    "alignment-steering": Case(
        mm.Alignment(form="steering"),
        lambda x, v: [cut(a, 2.0) for a in pushed(steered(mean_velocity))(x, v)],
        STEERED,
    ),
    "alignment-flock": Case(mm.Alignment(divide_by="flock"), pushed(aligned_by_flock)),
    "alignment-sum": Case(
        mm.Alignment(divide_by="nothing"), pushed(lambda x, v, i: 3 * aligned_by_flock(x, v, i))
    ),
    "separation": Case(mm.Separation(), pushed(separation(lambda r: 1.0 / r))),
    "separation-linear": Case(mm.Separation(law="linear"), pushed(separation(lambda r: r))),
    "separation-unit": Case(mm.Separation(law="unit"), pushed(separation(lambda r: 1.0))),
    "separation-square": Case(
        mm.Separation(law="inverse-square"), pushed(separation(lambda r: 1.0 / r**2))
    ),
    "separation-near": Case(
        mm.Separation(law="linear", radius=4.3),
        pushed(separation(lambda r: r if r <= 4.3 else 0.0)),
    ),
    "separation-steering": Case(
        mm.Separation(form="steering"),
        lambda x, v: [cut(a, 2.0) for a in pushed(steered(separation(lambda r: 1.0 / r)))(x, v)],
        STEERED,
    ),
    "flee": Case(mm.Flee(senses="boids"), pushed(separation(lambda r: r))),
    "hunt": Case(mm.Hunt(senses="boids", lead=0.25), pushed(hunted)),
    "interaction": Case(mm.Interaction(distance=3.0, radius=4.3), pushed(spring)),
    "avoid-obstacles": Case(
        mm.AvoidObstacles(look_ahead=3.0, clearance=1.0), pushed(around), None, AT_SPHERE, AT_SPEED
    ),
    "steer-to-avoid": Case(
        mm.SteerToAvoid(look_ahead=3.0, body_length=0.5),
        pushed(passing),
        None,
        AT_SPHERE,
        AT_SPEED,
    ),
    "flock-centring": Case(
        mm.FlockCentring(forward=0.4), pushed(sensitive(lambda x, v, i, j: x[j] - x[i]))
    ),
    "velocity-matching": Case(
        mm.VelocityMatching(forward=0.4), pushed(sensitive(lambda x, v, i, j: v[j] - v[i]))
    ),
    "tend-to-place": Case(mm.TendToPlace(place=(3.0, 3.0, 3.0), radius=2.2), pushed(position)),
    "perch": Case(
        mm.Perch(start=(1.0, 9.0, 8.0), end=(11.0, 4.0, 9.0), sag=2.0, reach=0.1, time=2.0),
        pushed(lambda x, v, i: (on_wire(i, len(v[i])) - x[i]) / 2.0 - v[i]),
    ),
    "wind": Case(WIND, pushed(lambda x, v, i: (4.0, -3.0, 2.0))),
    "borders": Case(
        mm.Borders(margin=0.5, lower=(1.5,) * 3, upper=(4.5,) * 3), pushed(border("constant"))
    ),
    "borders-linear": Case(
        mm.Borders(margin=0.5, lower=(1.5,) * 3, upper=(4.5,) * 3, push="linear"),
        pushed(border("linear")),
    ),
    "borders-of-space": Case(
        mm.Borders(margin=4.0, push="linear"),
        pushed(lambda x, v, i: [max(0.0, 4.0 - c) for c in x[i]]),
    ),
    "home": Case(mm.Home(place=(4.0, 4.0, 4.0), radius=2.0, along=(1.0, 0.5, 1.0)), pushed(home)),
    "home-plain": Case(mm.Home(place=(4.0, 4.0, 4.0)), pushed(to(lambda i: (4.0, 4.0, 4.0)))),
    "speed-regulation": Case(
        mm.SpeedRegulation(speed=1.25), pushed(lambda x, v, i: unit(v[i]) * (1.25 - norm(v[i])))
    ),
    "speed-regulation-marginal": Case(
        mm.SpeedRegulation(speed=1.25, law="marginal"),
        pushed(lambda x, v, i: v[i] * (1 - norm(v[i]) ** 2 / 1.25**2) ** 3),
    ),
    "random-steering": Case(mm.RandomSteering(), pushed(uniform)),
    "random-steering-gaussian": Case(mm.RandomSteering(law="gaussian"), pushed(gaussian)),
    "white-noise": Case(mm.WhiteNoise(diffusion=0.7), pushed(newer.diffusing)),
    "poisson-kicks": Case(mm.PoissonKicks(rate=3.0, size=0.8), pushed(kicks)),
    "poisson-kicks-forward": Case(
        mm.PoissonKicks(rate=3.0, size=0.8, law="forward"), pushed(bursts)
    ),
    "trefoil": Case(
        mm.Trefoil(period=7.0, offset=0.1),
        pushed(lambda x, v, i: knot(2.0 * math.pi * phase(i))),
    ),
    "follow-circle": Case(
        mm.FollowPath(path="circle", period=7.0, offset=0.1, radius=3.0), pushed(to(on_circle))
    ),
    "follow-knot": Case(
        mm.FollowPath(path="trefoil", period=7.0, offset=0.1, radius=3.0), pushed(to(on_knot))
    ),
    "follow-square": Case(
        mm.FollowPath(
            path="polyline",
            period=7.0,
            offset=0.1,
            points=((0.0, 0.0, 1.0), (4.0, 0.0, 1.0), (4.0, 4.0, 1.0), (0.0, 4.0, 1.0)),
        ),
        pushed(to(on_square)),
    ),
    "follow-path": Case(
        mm.FollowPath(
            path="polyline",
            period=7.0,
            offset=0.1,
            points=((0.0, 0.0, 0.0), (3.0, 0.0, 0.0), (3.0, 5.0, 0.0)),
            closed=False,
        ),
        pushed(to(on_path)),
    ),
    "heading-alignment": Case(mm.HeadingAlignment(), pushed(by_hand.headings)),
    "mean-heading": Case(
        mm.HeadingAlignment(include_self=True, divide_by="neighbours"),
        pushed(by_hand.mean_heading),
    ),
    "vectorial-noise": Case(mm.VectorialNoise(), pushed(scattered_once("vectorial-noise", 2.0))),
    "vectorial-noise-one": Case(
        mm.VectorialNoise(times="one"), pushed(scattered_once("vectorial-noise-one", 1.0))
    ),
    "attraction": Case(mm.Attraction(law="inverse-square"), pushed(by_hand.attraction)),
    "attraction-unit": Case(
        mm.Attraction(), pushed(lambda x, v, i: -separation(lambda r: 1.0)(x, v, i))
    ),
    "annulus": Case(
        mm.Cohesion(inner_radius=3.0, radius=4.3, normalise=True), pushed(by_hand.far_centre)
    ),
    "follow": Case(mm.Follow(along=0.5), pushed(by_hand.follow)),
    "self-propulsion": Case(
        mm.SelfPropulsion(propulsion=1.6, friction=0.5), pushed(by_hand.self_propulsion)
    ),
    "morse": Case(
        mm.Morse(repulsion=3.0, repulsion_range=1.0, attraction=0.5, attraction_range=2.0),
        pushed(by_hand.morse),
    ),
    "projection": Case(mm.Projection(), pushed(newer.projected)),
    "visual-field": Case(
        mm.VisualField(
            acceleration=0.7, acceleration_by_edges=0.2, turning=0.9, turning_by_edges=0.3
        ),
        pushed(newer.by_sight),
    ),
    "lennard-jones": Case(
        mm.LennardJones(strength=3.0, diameter=2.2), pushed(by_hand.lennard_jones(repulsive=True))
    ),
    "lennard-jones-whole": Case(
        mm.LennardJones(strength=3.0, diameter=2.2, part="whole"),
        pushed(by_hand.lennard_jones(repulsive=False)),
    ),
    "weighted-alignment": Case(
        mm.WeightedAlignment(exponent=0.7, range=2.0), pushed(by_hand.cucker_smale)
    ),
    "weighted-by-weights": Case(
        mm.WeightedAlignment(exponent=0.7, divide_by="weights"), pushed(by_hand.motsch_tadmor)
    ),
    "alpha-lattice": Case(
        mm.AlphaLattice(distance=3.0, radius=4.3, a=2.0, alignment=0.5),
        pushed(by_hand.alpha_lattice),
    ),
    "tend-to-velocity": Case(
        mm.TendToVelocity(velocity=(1.0, 2.0, 3.0)),
        pushed(lambda x, v, i: np.array([1.0, 2.0, 3.0])[: len(v[i])] - v[i]),
    ),
    "limited-rule": Case(mm.Cohesion(limit=0.5), pushed(lambda x, v, i: cut(centre(x, v, i), 0.5))),
    "add": Case(WIND, limited_speed, mm.Add(max_force=1.2, min_speed=1.3, max_speed=1.6)),
    "add-turning": Case(WIND, turned_slowly, mm.Add(max_speed=1e6, max_force=1.2, turn_rate=20.0)),
    "mass": Case(
        WIND,
        lambda x, v: [a + (b - a) / 2.5 for a, b in zip(v, blown(x, v), strict=True)],
        mm.Add(max_force=1.2, mass=2.5, max_speed=1e6),
    ),
    "self-propelled": Case(
        WIND,
        erring,
        mm.SelfPropelled(speed=1.5, noise=0.3, noise_law="gaussian", turn_rate=40.0),
    ),
    "replace": Case(
        WIND,
        lambda x, v: [cut(np.array([1.2, -0.9, 0.6])[: len(a)], 1.0) for a in v],
        mm.Replace(max_speed=1.0),
    ),
    "constant-speed": Case(
        WIND,
        lambda x, v: [1.5 * unit(a) for a in blown(x, v)],
        mm.ConstantSpeed(speed=1.5, max_force=1.2),
    ),
    "random-direction": Case(mm.RandomSteering(law="direction"), pushed(newer.any_way)),
    "keep-heading": Case(mm.KeepHeading(), pushed(lambda x, v, i: unit(v[i]))),
    "graze": Case(mm.Graze(chance=0.7), pushed(newer.grazing)),
    "herd": Case(
        mm.Herd(senses="boids", target=(9.0,) * 3, spacing=0.5), pushed(newer.herded(0.5, 9.0))
    ),
    "herd-driven": Case(
        mm.Herd(senses="boids", target=(9.0,) * 3, spacing=3.0), pushed(newer.herded(3.0, 9.0))
    ),
    "herd-too-near": Case(
        mm.Herd(senses="boids", target=(9.0,) * 3, spacing=0.5, stop=2.4), pushed(newer.kept_off)
    ),
    "braking-alignment": Case(
        mm.BrakingAlignment(distance=1.0, tolerance=0.3, gain=0.5, acceleration=0.2),
        pushed(newer.rubbed),
    ),
    "shill-obstacles": Case(
        mm.ShillObstacles(speed=2.0, distance=0.2, gain=0.9, acceleration=0.3),
        pushed(newer.off_sphere),
        None,
        AT_SPHERE,
        AT_SPEED,
    ),
    "shill-walls": Case(
        mm.ShillWalls(
            speed=2.0, distance=0.2, gain=0.9, acceleration=0.3, lower=(0.0,) * 3, upper=(6.0,) * 3
        ),
        pushed(newer.off_walls),
    ),
    "responding": Case(
        WIND, newer.responding, mm.Responding(lag=0.8, max_acceleration=0.6, max_speed=1.0)
    ),
    "polar": Case(WIND, newer.by_parts, mm.Polar(max_force=1.2, min_speed=0.3)),
    "turning": Case(
        WIND,
        newer.turning,
        mm.Turning(speed=1.5, rotational_diffusion=0.2, max_force=1.2),
    ),
    "active-brownian": Case(
        WIND,
        lambda x, v: [
            1.5 * unit(a) + 0.8 * (b - a) / DT for a, b in zip(v, blown(x, v), strict=True)
        ],
        mm.ActiveBrownian(speed=1.5, mobility=0.8, max_force=1.2),
    ),
    "inertial-spin": Case(WIND, newer.spun, mm.InertialSpin(speed=1.5, inertia=0.7, max_force=1.2)),
    "wall-turn": Case(mm.WallTurn(range=4.0), pushed(fish.from_wall), None, AT_SPHERE, AT_SPEED),
    "random-turn": Case(
        mm.RandomTurn(range=4.0, calm=0.6), pushed(fish.by_chance), None, AT_SPHERE, AT_SPEED
    ),
    "attraction-turn": Case(mm.AttractionTurn(distance=3.0, range=5.0), pushed(fish.attracted)),
    "social-turn": Case(
        mm.SocialTurn(
            attraction=0.6,
            alignment=0.9,
            attraction_range=3.0,
            alignment_range=4.0,
            most_influential=1,
        ),
        pushed(fish.most_influential),
    ),
    "alignment-turn": Case(mm.AlignmentTurn(distance=2.0, range=5.0), pushed(fish.aligned)),
    "swarmalators": Case(
        mm.Swarmalators(attraction=1.5, phase_attraction=0.7, repulsion=2.0, initial_phase=1.0),
        pushed(newer.swarming(1.5 + 0.7, 2.0)),
    ),
    "swarmalators-linear": Case(
        mm.Swarmalators(phase_attraction=-0.4, repulsion=0.5, law="linear"),
        pushed(newer.swarming(1.0 - 0.4, 0.5, linear=True)),
    ),
    "skitter": Case(
        mm.Skitter(initial_skitter=mm.Each(values=(1.0, 0.0, 0.0)), reaction=0.0, duration=9.0),
        pushed(newer.rolled),
    ),
    "alarm": Case(mm.Alarm(initial_alarm=1.0, duration=9.0), pushed(newer.alarmed)),
    "burst-and-coast": Case(
        WIND, fish.coasting, mm.BurstAndCoast(length=1.0, duration=9.0, decay=0.8)
    ),
}
