"""Messages between boids: which get lost, in bursts or alone; clocks, ranges; and a published
result on averages that boids agree on. Seeds are fixed."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from scipy import stats

import flights
import murmurate as mm
from murmurate.engines.reference.sensing import Boid, Perception

DT = 0.1
ENGINES = ["reference", pytest.param("cpu", marks=pytest.mark.long)]
STATE = {name: (np.zeros((1, 2)), np.zeros((1, 2))) for name in ("eyes", "other")}


def watched(**sensing: Any) -> mm.Model:
    """Eyes whose velocity is the way to where they perceive the other, which flies on."""
    return mm.Model(
        dt=DT,
        space=mm.Space(size=(90.0, 90.0)),
        flocks={
            "eyes": mm.Flock(count=1, motion=mm.Replace(), sensing=mm.Sensing(**sensing)),
            "other": mm.Flock(count=1, motion=mm.Add()),
        },
        rules={"look": mm.Cohesion(moves="eyes", senses="other")},
    )


def arrivals(steps: int, seed: int = 4, **sensing: Any) -> np.ndarray:
    """Return whether a boid perceives the other, at each step: (steps,) bool."""
    model = watched(**sensing)
    eye = Boid(0, "eyes", 0, np.zeros(2), np.zeros(2), 0, {})
    seen = []
    for step in range(steps):
        perception = Perception(model, seed, step, STATE, past=[STATE] * min(step, 50))
        seen.append(np.isfinite(perception.received(eye, "other")[0]).all())
    return np.array(seen)


def lengths(lost: np.ndarray) -> np.ndarray:
    """Return the lengths of complete runs of True, without those at the ends."""
    runs = [(key, len(list(run))) for key, run in itertools.groupby(lost)][1:-1]
    return np.array([length for key, length in runs if key])


def assert_within(value: float, mean: float, deviation: float) -> None:
    assert abs(value - mean) < 4 * deviation, (value, mean, deviation)


@pytest.mark.parametrize(
    ("sensing", "steps"),
    [
        ({"loss": 0.3}, 2000),
        ({"bad_share": 0.25, "bad_length": 6.0}, 3000),
        ({"bad_share": 0.4, "bad_length": 4.0, "loss": 0.1, "bad_loss": 0.7}, 3000),
        pytest.param({"bad_share": 0.1, "bad_length": 20.0}, 20_000, marks=pytest.mark.long),
    ],
)
def test_losses_have_their_law(sensing: dict[str, Any], steps: int) -> None:
    """The share of messages lost, their correlation, and the mean length of bursts."""
    lost = ~arrivals(steps, **sensing)
    given = mm.Sensing(**sensing)
    bad = given.bad_share
    mean = (1 - bad) * given.loss + bad * given.bad_loss
    keep = 1 - 1 / given.bad_length / (1 - bad) if given.bad_length else 0.0
    joint = bad * (1 - bad) * (given.bad_loss - given.loss) ** 2  # covariance at lag k: keep^k
    variance = mean * (1 - mean) + 2 * joint * keep / (1 - keep)
    assert_within(lost.mean(), mean, np.sqrt(variance / steps))
    pairs = (lost[1:] & lost[:-1]).mean()
    expected = mean**2 + joint * keep
    assert_within(pairs, expected, np.sqrt(expected * (1 + keep) / (1 - keep) / steps))
    if given.loss == 0.0 or bad == 0.0:  # bursts are geometric
        bursts, length = lengths(lost), given.bad_length or 1 / (1 - given.loss)
        assert_within(bursts.mean(), length, np.sqrt(length * (length - 1) / len(bursts)))


def test_old_messages_are_perceived_as_often_as_newer_ones_are_lost() -> None:
    """With probability loss^k the last k messages are lost: then the message before counts, and no
    message older than max_lost."""
    steps, loss = 1500, 0.5
    ever = [arrivals(steps, loss=loss, max_lost=most)[5:] for most in (0, 1, 3)]
    for most, seen in zip((1, 2, 4), ever, strict=True):
        absent = loss**most
        factor = (1 + loss) / (1 - loss)  # at least: absences of several messages overlap
        assert_within(1 - seen.mean(), absent, np.sqrt(absent * factor / steps))
    lost = ~ever[0]
    assert ((~ever[1])[1:] == (lost[1:] & lost[:-1])).all()


def perceived(engine: Any) -> np.ndarray:
    """Make a step; return the position at which the eyes perceived the other."""
    before = flights.arrays(engine)["eyes"][0]
    engine.step(1)
    return (before + flights.arrays(engine)["eyes"][1])[0]


def make_engine(engine: str, model: mm.Model, velocity: float) -> Any:
    start = {
        "eyes": (np.array([[5.0, 5.0]]), np.zeros((1, 2))),
        "other": (np.array([[10.0, 5.0]]), np.array([[velocity, 0.0]])),
    }
    return (flights.cpu if engine == "cpu" else flights.reference)(model, start)


@pytest.mark.parametrize("engine", ENGINES)
def test_each_boid_has_a_clock_of_its_own(engine: str) -> None:
    """Messages are of the steps clock, clock + refresh, ...; before that, the start is known."""
    model = watched(delay=2 * DT, refresh=5 * DT, clock_spread=5 * DT)
    flight = make_engine(engine, model, 1.0)
    positions = [perceived(flight)[0] for _ in range(20)]
    steps = np.round((np.array(positions) - 10.0) / DT).astype(int)
    clock = int(steps[7])
    assert 0 <= clock < 5
    expected = [max(0, (step - 2 - clock) // 5 * 5 + clock) for step in range(20)]
    assert steps.tolist() == expected


def test_clocks_are_uniform() -> None:
    model = watched(refresh=0.5, clock_spread=0.3).set({"flocks.other.count": 900})
    state = {**STATE, "other": (np.zeros((900, 2)), np.zeros((900, 2)))}
    perception = Perception(model, 3, 20, state)
    sent = [perception.sent_step("eyes", "other", row) for row in range(900)]
    numbers = np.bincount(np.array(sent) % 5, minlength=5)
    assert not numbers[3:].any() and stats.chisquare(numbers[:3]).pvalue > 1e-4


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("max_lost", [0, 2])
def test_a_range_is_that_when_a_message_is_sent(engine: str, max_lost: int) -> None:
    """The other leaves the range; messages from within it arrive, and none that is sent later."""
    model = watched(delay=3 * DT, range=6.0, max_lost=max_lost)
    flight = make_engine(engine, model, 1.0)
    still = {"eyes": (np.array([[5.0, 5.0]]), np.zeros((1, 2)))}
    for step in range(20):
        sent, last = step - 3, 10  # at step 10 the distance is 6
        flight.set_state("eyes", *still["eyes"])
        position = perceived(flight)
        if sent > last + max_lost:
            assert position.tolist() == [5.0, 5.0]  # nobody is perceived
        else:
            assert position[0] == pytest.approx(10.0 + max(0, min(sent, last)) * DT)


def agreeing(count: int, loss: float) -> mm.Model:
    """Boids that take the mean of their own velocity and of those that they receive."""
    return mm.Model(
        dt=1.0,
        space=mm.Space(size=(90.0, 90.0, 90.0), boundary="open"),
        flocks={"boids": mm.Flock(count=count, motion=mm.Add(), sensing=mm.Sensing(loss=loss))},
        rules={"mean": mm.Alignment(include_self=True)},
    )


@pytest.mark.slow
@pytest.mark.parametrize(("count", "loss"), [(5, 0.5), (9, 0.8), (9, 0.3)])
def test_what_boids_agree_on_varies_as_published(count: int, loss: float) -> None:
    """Preciado, Tahbaz-Salehi and Jadbabaie 2010, doi:10.1109/ACC.2010.5531500: means over random
    directed graphs that are drawn again at each step agree on x, which has the mean of the start
    x0, and a variance with a closed form.

    Let a be the mean weight of a boid's own value, E[1 / (1 + D)] = (1 - loss^n) / (n (1 - loss))
    with D messages of n - 1, and g = (n a - 1) / (n - 1). The weights v of x = v . x0 have the law
    of v W with a step's weights W, so
    E[v_i^2] = a E[v_i^2] + (1 - a^2 - (1 - a)^2 / (n - 1)) E[v_i v_j].
    With v . 1 = 1 that gives Var x = g / (n (n + g)) sum (x0 - mean)^2.
    """
    worlds, rng = 1500, np.random.default_rng(1)
    basis = np.linalg.qr(np.column_stack([np.ones(count), rng.normal(size=(count, 3))]))[0][:, 1:]
    start = {"boids": (rng.uniform(20, 70, (count, 3)), 5.0 + basis)}
    flock = mm.Worlds(agreeing(count, loss), worlds, seed=7, start=start, dtype="float64")
    flock.step(150)
    values = np.asarray(flock["boids"].velocities) - 5.0
    assert np.ptp(values, axis=1).max() < 1e-6  # they agree
    agreed = values.mean(axis=1)
    a = (1 - loss**count) / (count * (1 - loss))
    g = (count * a - 1) / (count - 1)
    assert abs(agreed.mean(axis=0)).max() < 4 * agreed.std() / np.sqrt(worlds)
    squares = (agreed**2).mean(axis=1)
    assert_within(squares.mean(), g / (count * (count + g)), squares.std() / np.sqrt(worlds))


def test_lossy_sensing_that_means_nothing_is_refused() -> None:
    with pytest.raises(mm.ModelError, match=r"bad_length: got 1\.2; expected at least 2, "):
        watched(bad_share=0.5, bad_length=1.2)
    with pytest.raises(
        mm.ModelError, match=r"clock_spread: got 0\.3; expected at most refresh, 0\.2"
    ):
        watched(refresh=0.2, clock_spread=0.3)
    model = watched(delay=0.1).to_dict()
    model["rules"] = {
        "drive": {"kind": "herd", "moves": "eyes", "senses": "other", "target": [1.0, 1.0],
                  "spacing": 1.0}
    }  # fmt: skip
    mm.Model(**model)
    model["flocks"]["eyes"]["sensing"] = {"range": 5.0}
    with pytest.raises(mm.ModelError, match=r"rules\.drive: got kind 'herd', which senses a whole"):
        mm.Model(**model)
