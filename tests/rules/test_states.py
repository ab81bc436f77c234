"""Rules whose boids sense the states of others, against closed forms.

Swarmalators with linear attraction are charges in a bowl. Boid i feels the mean over all j of

    (1 + J cos(phase_j - phase_i)) (x_j - x_i) - (x_j - x_i) / |x_j - x_i|^2.

Equal phases (sync): the divergence of the first term is -2 (1 + J), and that of the second one is
2 pi times the density at x_i, since div x / |x|^2 = 2 pi delta(x). A state at rest has no
divergence inside, so that the density is (1 + J) / pi everywhere, in a disc of the radius
1 / sqrt(1 + J). Phases without any relation to positions (async): the mean of the cosine is 0, and
the density is 1 / pi in a disc of the radius 1.

For any number of boids, multiply the force on i by x_i and sum over all: at rest
(1 + J) sum |x_i - centre|^2 = 1/N sum over pairs of 1 = (N - 1) / 2. So the mean square of the
distance from the centre is exactly (1 - 1/N) / (2 (1 + J)).

Phases that equal the direction from the centre (static phase wave): at the distance r the mean of
(1 + J cos(angle)) (x_j - x_i) along the radius is J m / 2 - r, with m the mean distance, and the
repulsion is M(r) / r, with M(r) the share of boids within r. So M(r) = r^2 - J m r / 2: a ring
from R1 = J m / 2 to R2, where M(R2) = 1, and m follows from the ring itself.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.measures import phase_order, phase_wave

COUNT = 300


def swarmalators(j: float, k: float, law: str = "linear", count: int = COUNT) -> mm.Model:
    return mm.load("swarmalators").set(
        {
            "flocks.boids.count": count,
            "rules.swarmalators.phase_attraction": j,
            "rules.swarmalators.synchronisation": k,
            "rules.swarmalators.law": law,
        }
    )


def at_rest(model: mm.Model, steps: int = 1500, seed: int = 1) -> Any:
    frame = mm.Simulation(model, seed=seed, dtype="float64").step(steps).frame["boids"]
    assert np.linalg.norm(frame.velocities, axis=1).mean() < 1e-3
    return frame


def distances(frame: Any) -> np.ndarray:
    result: np.ndarray = np.linalg.norm(frame.positions - frame.positions.mean(axis=0), axis=1)
    return result


@pytest.mark.parametrize("j", [pytest.param(j, marks=pytest.mark.slow) for j in (0.1, 1.0)])
def test_sync_disc(j: float) -> None:
    """The mean square is exact; the disc ends half a spacing of boids within its radius."""
    frame = at_rest(swarmalators(j, 1.0))
    r, radius = distances(frame), 1.0 / math.sqrt(1.0 + j)
    assert phase_order(frame) > 1.0 - 1e-6
    assert (r**2).mean() == pytest.approx((1.0 - 1.0 / COUNT) / (2.0 * (1.0 + j)), rel=1e-4)
    spacing = radius * math.sqrt(math.pi / COUNT)
    assert radius - spacing < r.max() < radius
    check_density(r, radius, spacing)


def test_async_disc() -> None:
    """J is small, so that what is left of the cosine's mean is too."""
    frame = at_rest(swarmalators(0.05, -1.0))
    r, spacing = distances(frame), math.sqrt(math.pi / COUNT)
    assert phase_order(frame) < 0.01 and phase_wave(frame) < 0.05
    assert (r**2).mean() == pytest.approx((1.0 - 1.0 / COUNT) / 2.0, rel=2e-3)
    assert 1.0 - spacing < r.max() < 1.0
    check_density(r, 1.0, spacing)


def check_density(r: np.ndarray, radius: float, spacing: float) -> None:
    """Evenly: the share within a distance is its square, but for the boids on that circle."""
    for part in (0.4, 0.6, 0.8):
        share = (r < part * radius).mean()
        on_circle = 2.0 * math.pi * part * radius * spacing / (math.pi * radius**2)
        assert share == pytest.approx(part**2, abs=0.5 * on_circle)


def ring(j: float) -> tuple[float, float, float]:
    """Return R1, R2 and the mean distance m of the static phase wave, by bisection."""
    low, high = 0.0, 3.0
    for _ in range(100):
        m = 0.5 * (low + high)
        a = 0.5 * j * m
        b = 0.5 * (a + math.sqrt(a * a + 4.0))
        # the mean of r with the density dM/dr = 2 r - a
        mean = 2.0 / 3.0 * (b**3 - a**3) - 0.5 * a * (b**2 - a**2)
        low, high = (m, high) if mean > m else (low, m)
    return a, b, m


@pytest.mark.parametrize("j", [pytest.param(j, marks=pytest.mark.slow) for j in (0.5, 1.0)])
def test_phase_wave_ring(j: float) -> None:
    """With K = 0 phases stay as they were drawn; here they are even, as the closed form has it."""
    values = tuple(-math.pi + 2.0 * math.pi * (k + 0.5) / COUNT for k in range(COUNT))
    even = {"rules.swarmalators.initial_phase": {"kind": "each", "values": list(values)}}
    frame = at_rest(swarmalators(j, 0.0).set(even), steps=3000)
    r, (inner, outer, mean) = distances(frame), ring(j)
    assert phase_wave(frame) > 0.98
    assert r.mean() == pytest.approx(mean, rel=0.01)
    spacing = math.sqrt(math.pi * (outer**2 - inner**2) / COUNT)
    assert r.max() == pytest.approx(outer, abs=0.7 * spacing)
    assert np.quantile(r, 0.01) == pytest.approx(inner, abs=1.5 * spacing)
    assert np.allclose(np.sort(frame.per_boid("phase")), values, atol=1e-6)


def test_frequency_turns_all_phases() -> None:
    """Equal frequencies turn all phases, and change nothing else."""
    still = swarmalators(1.0, -0.5, "unit", 12)
    turning = still.set({"rules.swarmalators.frequency": 2.0})
    frames = [
        mm.Simulation(model, seed=2, engine="reference").step(30).frame["boids"]
        for model in (still, turning)
    ]
    assert np.allclose(frames[0].positions, frames[1].positions, atol=1e-9)
    turned = frames[1].per_boid("phase") - frames[0].per_boid("phase")
    assert np.allclose(np.exp(1j * turned), np.exp(2.0j * 3.0), atol=1e-9)
    assert np.abs(frames[1].per_boid("phase")).max() <= math.pi + 1e-9


@pytest.mark.parametrize(("k", "moves"), [(-0.1, False), (-0.75, True)])
@pytest.mark.slow
def test_cycles_of_splintered_and_active_waves(k: float, moves: bool) -> None:
    """The source's gamma, the share of boids that make full cycles in phase and position: none in
    the splintered phase wave, some in the active one."""
    simulation = mm.Simulation(swarmalators(1.0, k, "unit", 200), seed=1)
    simulation.step(1000)
    phases, azimuths = [], []
    for _ in range(500):
        frame = simulation.step(2).frame["boids"]
        x, y = (frame.positions - frame.positions.mean(axis=0)).T
        phases.append(frame.per_boid("phase"))
        azimuths.append(np.arctan2(y, x))
    cycles = [
        np.ptp(np.unwrap(np.array(a), axis=0), axis=0) >= 2 * np.pi for a in (phases, azimuths)
    ]
    gamma = (cycles[0] & cycles[1]).mean()
    assert gamma > 0.1 if moves else gamma == 0.0


# --- alarm waves


def line(rule: mm.Alarm, count: int = 21, first: float = 0.0, dt: float = 0.5) -> mm.Model:
    """Boids at rest on a line, one length unit apart; boid `first` is alarmed at the start."""
    positions = tuple((float(k) + 0.5, 1.0) for k in range(count))
    values = [1.0 if k == first else 0.0 for k in range(count)]
    rule = rule.model_copy(update={"initial_alarm": mm.Each(values=tuple(values))})
    return mm.Model(
        dt=dt,
        space=mm.Space(size=(float(count), 2.0)),
        flocks={
            "boids": mm.Flock(
                count=count, motion=mm.Replace(),
                start=mm.Given(positions=positions),
            )
        },
        rules={"alarm": rule.model_copy(update={"weight": 0.0})},
    )  # fmt: skip


def alarm_times(model: mm.Model, steps: int, engine: str = "reference") -> np.ndarray:
    """Return the step at which each boid was first alarmed; -1 for never."""
    simulation = mm.Simulation(model, engine=engine)
    times = np.where(simulation.frame["boids"].per_boid("alarm") == 1.0, 0, -1)
    for step in range(1, steps + 1):
        alarm = simulation.step().frame["boids"].per_boid("alarm")
        times[(times < 0) & (alarm == 1.0)] = step
    return times


@pytest.mark.parametrize("engine", ["reference", pytest.param("cpu", marks=pytest.mark.long)])
@pytest.mark.parametrize(("radius", "jump"), [(1.0, 1), (3.2, 3)])
def test_an_alarm_wave_travels_one_radius_per_step(engine: str, radius: float, jump: int) -> None:
    model = line(mm.Alarm(radius=radius, duration=1.0, rest=100.0))
    times = alarm_times(model, 25, engine)
    assert times.tolist() == [math.ceil(k / jump) for k in range(21)]


def test_the_reaction_time_sets_the_speed_of_the_wave() -> None:
    """Each radius takes the reaction time and a step: 3 / (2 + 0.5) length units per time unit."""
    model = line(mm.Alarm(radius=3.2, reaction=2.0, duration=1.0, rest=100.0))
    times = alarm_times(model, 40) * model.dt
    assert times[::3].tolist() == [2.5 * k for k in range(7)]


def test_a_threshold_slows_the_wave_or_stops_it() -> None:
    """A boid at distance d from the front has m - d + 1 alarmed ones within m: with a threshold of
    k alarm advances by m - k + 1; above m it cannot start."""
    for k in (1, 2, 3):
        rule = mm.Alarm(radius=3.0, threshold=k, duration=1000.0)
        model = line(rule, first=-1)
        start = mm.Each(values=tuple(1.0 if n < 3 else 0.0 for n in range(21)))
        times = alarm_times(model.set({"rules.alarm.initial_alarm": start}), 25)
        assert times[3:].tolist() == [math.ceil((n - 2) / (4 - k)) for n in range(3, 21)]
    too_many = line(mm.Alarm(radius=3.0, threshold=4, duration=1000.0), first=-1)
    start = mm.Each(values=tuple(1.0 if n < 3 else 0.0 for n in range(21)))
    times = alarm_times(too_many.set({"rules.alarm.initial_alarm": start}), 10)
    assert (times[3:] == -1).all()


def test_a_share_of_neighbours_is_a_threshold_too() -> None:
    """The end boid has one neighbour, an inner one two: half of them suffice, more do not."""
    half = line(mm.Alarm(radius=1.0, threshold=0.5, counts="share", duration=1000.0), count=9)
    assert alarm_times(half, 10).tolist() == list(range(9))
    more = line(mm.Alarm(radius=1.0, threshold=0.6, counts="share", duration=1000.0), count=9)
    assert alarm_times(more, 10).tolist() == [0, *[-1] * 8]


@pytest.mark.parametrize("engine", ["reference", pytest.param("cpu", marks=pytest.mark.long)])
def test_alarm_and_rest_last_as_long_as_they_say(engine: str) -> None:
    """Duration 1.5 and rest 2.0 in steps of 0.5: alarmed for three steps, resting for four."""
    model = line(mm.Alarm(radius=1.0, duration=1.5, rest=2.0), count=2)
    simulation = mm.Simulation(model, engine=engine)
    seen = [simulation.step().frame["boids"].per_boid("alarm").tolist() for _ in range(12)]
    first, second = zip(*seen, strict=True)
    # boid 1 is alarmed in step 1; while it is, boid 0 rests
    assert first == (1, 1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0)
    assert second == (1, 1, 1, -1, -1, -1, -1, 0, 0, 0, 0, 0)


def test_spontaneous_alarm_has_a_rate() -> None:
    """Of boids alone, 1 - exp(-rate T) are alarmed once within T."""
    count, rate, time = 400, 0.3, 5.0
    model = mm.Model(
        dt=1.25,
        space=mm.Space(size=(100.0, 100.0)),
        flocks={"boids": mm.Flock(count=count)},
        rules={"alarm": mm.Alarm(radius=1e-3, rate=rate, duration=1000.0, weight=0.0)},
    )
    share = (
        mm.Simulation(model, seed=3, engine="reference")
        .step(4)
        .frame["boids"]
        .per_boid("alarm")
        .mean()
    )
    expected = 1.0 - math.exp(-rate * time)
    assert abs(share - expected) < 5.0 * math.sqrt(expected * (1.0 - expected) / count)


# --- skitter: a roll that neighbours copy


def rolling(rule: mm.Skitter, count: int = 21, dims: int = 3) -> mm.Model:
    """Birds in a line along x, 1 apart, that fly along y; the first one rolls at the start."""
    values = tuple(1.0 if k == 0 else 0.0 for k in range(count))
    return mm.Model(
        dt=0.01,
        space=mm.Space(size=(30.0,) * dims, boundary="open"),
        flocks={
            "boids": mm.Flock(
                count=count, motion=mm.Add(),
                start=mm.Given(
                    positions=tuple((float(k), *[0.0] * (dims - 1)) for k in range(count)),
                    velocities=tuple((0.0, 10.0, 0.0)[:dims] for _ in range(count)),
                ),
            )
        },
        rules={
            "skitter": rule.model_copy(
                update={"initial_skitter": mm.Each(values=values), "radius": 1.5}
            )
        },
    )  # fmt: skip


@pytest.mark.parametrize("engine", ["reference", pytest.param("cpu", marks=pytest.mark.long)])
def test_a_roll_is_copied_after_the_reaction_time(engine: str) -> None:
    """One bird further in each reaction time and step, to the side of the one that is copied."""
    rule = mm.Skitter(reaction=0.09, duration=0.2, rest=100.0, weight=1e-6)
    simulation = mm.Simulation(rolling(rule, count=8), engine=engine)
    starts = np.zeros(8)
    for step in range(1, 100):
        state = simulation.step().frame["boids"].per_boid("skitter")
        starts[(starts == 0.0) & (state == 1.0)] = step
    assert starts.tolist() == [1, *[10 * k for k in range(1, 8)]]
    boids = simulation.frame["boids"]
    assert (boids.per_boid("skitter") == -1.0).all()
    # the first one rolls to neither side: the others roll away from it, to the right of y
    assert boids.per_boid("side").tolist() == [0, *[-1] * 7]


@pytest.mark.parametrize(("form", "total"), [("zig", 2.0 / math.pi), ("zigzag", 0.0)])
def test_a_roll_displaces_by_the_integral_of_its_sine(form: str, total: float) -> None:
    """The sum of sin(pi (k + 1/2) / n) over n steps is 1 / sin(pi / (2 n)), near 2 n / pi; a zigzag
    gives a velocity of opposite sign back."""
    rule = mm.Skitter(form=form, reaction=0.0, duration=0.4, rest=100.0, weight=0.5, fading=0.1)
    boids = mm.Simulation(rolling(rule, count=4), engine="reference").step(100).frame["boids"]
    assert boids.per_boid("vigour") == pytest.approx([1.0, 0.9, 0.81, 0.729])
    gained = 0.5 * 0.4 * total * boids.per_boid("vigour") * boids.per_boid("side")
    assert -boids.velocities[:, 0] == pytest.approx(gained, rel=2e-3, abs=1e-4)


def test_birds_do_not_roll_again_until_they_have_rested() -> None:
    """Two birds and a predator that always rolls: a roll in each duration, rest, and reaction."""
    model = rolling(mm.Skitter(reaction=0.1, duration=0.3, rest=0.4, weight=0.0), count=2)
    predator = mm.Flock(count=1, motion=mm.Add(), start=mm.Given(
        positions=((-1.0, 0.0, 0.0),), velocities=((0.0, 10.0, 0.0),)
    ))  # fmt: skip
    model = model.set({"rules.skitter.initial_skitter": 0.0})
    model = mm.Model(
        dt=model.dt, space=model.space,
        flocks={**model.flocks, "falcon": predator},
        rules={
            "skitter": model.rules["skitter"].model_copy(
                update={"moves": "boids", "senses": ("boids", "falcon")}
            ),
            "predator": mm.Skitter(
                moves="falcon", senses="boids", radius=0.1, initial_skitter=1.0, duration=1e9
            ),
        },
    )  # fmt: skip
    simulation = mm.Simulation(model, engine="reference")
    states = [simulation.step().frame["boids"].per_boid("skitter")[0] for _ in range(200)]
    begins = [k for k in range(1, 200) if states[k] == 1.0 and states[k - 1] != 1.0]
    assert np.diff(begins).tolist() == [81, 81]


# --- contagion


@pytest.mark.slow
def test_simple_contagion_in_a_mixed_flock_follows_the_logistic_curve() -> None:
    """All meet all: dI/dt = rate I (N - I). The mean over seeds agrees within five standard
    errors, and with the logistic curve to the size of a time step."""
    count, rate, dt, steps, first, seeds = 1000, 2.0, 0.02, 150, 100, 6
    start = mm.Each(values=tuple(1.0 if k < first else 0.0 for k in range(count)))
    model = mm.Model(
        dt=dt,
        space=mm.Space(size=(10.0, 10.0)),
        flocks={"boids": mm.Flock(count=count)},
        rules={"contagion": mm.Contagion(rate=rate / count, initial=start)},
    )
    curves = []
    for seed in range(seeds):
        simulation = mm.Simulation(model, seed=seed)
        curves.append(
            [simulation.step(10).frame["boids"].per_boid("adopted").sum() for _ in range(15)]
        )
    mean, error = np.mean(curves, axis=0), np.std(curves, axis=0, ddof=1) / math.sqrt(seeds)
    expected, i = [], float(first)
    for step in range(steps):
        i += (count - i) * (1.0 - math.exp(-rate / count * i * dt))
        if (step + 1) % 10 == 0:
            expected.append(i)
    assert (np.abs(mean - expected) < 5.0 * error + 0.002 * count).all()
    times = dt * 10.0 * np.arange(1, 16)
    logistic = count / (1.0 + (count / first - 1.0) * np.exp(-rate * times))
    assert np.abs(np.array(expected) - logistic).max() < 0.01 * count


@pytest.mark.parametrize(
    ("engine", "count"), [pytest.param("cpu", 1000, marks=pytest.mark.long), ("reference", 40)]
)
def test_recovery_has_a_rate_and_may_leave_boids_immune(engine: str, count: int) -> None:
    recovery = 0.5
    for after, state in (("may adopt again", 0.0), ("immune", -1.0)):
        rule = mm.Contagion(rate=0.0, recovery=recovery, after=after, initial=1.0)
        model = mm.Model(
            dt=0.1, space=mm.Space(size=(10.0, 10.0)),
            flocks={"boids": mm.Flock(count=count)}, rules={"contagion": rule},
        )  # fmt: skip
        adopted = (
            mm.Simulation(model, seed=5, engine=engine).step(20).frame["boids"].per_boid("adopted")
        )
        expected = math.exp(-recovery * 2.0)
        share = (adopted == 1.0).mean()
        assert abs(share - expected) < 5.0 * math.sqrt(expected * (1.0 - expected) / count)
        assert set(adopted.tolist()) == {state, 1.0}


def ring_lattice(threshold: float, first: int, count: int = 60, near: int = 3) -> mm.Model:
    """Boids at rest on a ring that sense `near` others on either side."""
    radius = 10.0
    reach = 2.0 * radius * math.sin(math.pi * (near + 0.5) / count)
    start = mm.Each(values=tuple(1.0 if k < first else 0.0 for k in range(count)))
    rule = mm.Contagion(form="complex", threshold=threshold, radius=reach, initial=start)
    return mm.Model(
        space=mm.Space(size=(30.0, 30.0)),
        flocks={"boids": mm.Flock(count=count, start=mm.OnRing(radius=radius, speed=0.0))},
        rules={"contagion": rule},
    )


@pytest.mark.parametrize("engine", ["reference", pytest.param("cpu", marks=pytest.mark.long)])
def test_complex_contagion_spreads_up_to_its_threshold(engine: str) -> None:
    """On a ring with three neighbours on either side, the boid beside a block has 3 of 6 neighbours
    in it, the next ones 2 and 1 (Morris 2000, doi:10.1111/1467-937X.00121: above 1/2 nothing
    spreads on a line). So a threshold of 1/2 advances by one boid on either side in a step, 1/3 by
    two, 1/6 by three, and more than 1/2 not at all. A block of 2 cannot spread at 1/2."""
    for threshold, advance in ((0.5, 1), (1 / 3, 2), (1 / 6, 3), (0.51, 0), (0.9, 0)):
        simulation = mm.Simulation(ring_lattice(threshold, first=6), engine=engine)
        for step in range(1, 5):
            adopted = simulation.step().frame["boids"].per_boid("adopted")
            assert adopted.sum() == 6 + 2 * advance * step
    stays = mm.Simulation(ring_lattice(0.5, first=2), engine=engine).step(5).frame["boids"]
    assert stays.per_boid("adopted").sum() == 2
