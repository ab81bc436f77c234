"""A team of threads shares work where that pays by its own measurements, and loses none of it."""

from __future__ import annotations

import itertools
import threading
from concurrent.futures import Future
from typing import Any

import pytest

import flights
import murmurate as mm
from murmurate.bench.flocks import uniform
from murmurate.engine.thread_team import ThreadTeam, TypicalCost
from processes import LIMIT


class Clock:
    """Time that passes when it is told to, for each thread alike."""

    def __init__(self) -> None:
        self.now = 0.0
        self.lock = threading.Lock()

    def __call__(self) -> float:
        return self.now

    def work(self, seconds: float) -> None:
        with self.lock:
            self.now += seconds


def test_one_thread_does_all_of_it() -> None:
    done: list[int] = []
    team = ThreadTeam(1)
    team.each("work", done.append)
    team.share("parts", done.append, 3)
    assert done == [0, 0, 1, 2] and not team.shares("work")


def test_work_that_is_short_is_not_shared_and_work_that_is_long_is() -> None:
    clock = Clock()
    team, threads = ThreadTeam(2, clock), []

    def work(thread: int) -> None:
        threads.append(thread)
        clock.work(0.01 if long else 1e-6)

    long = False
    team.each("short", work)
    assert threads == [0] and not team.shares("short")
    long = True
    team.each("long", work)
    assert threads == [0, 0] and team.shares("long") and not team.shares("short")
    team.each("long", work)
    assert sorted(threads[2:]) == [0, 1]
    assert team.worked >= 0.03


def test_a_cost_follows_the_median_and_not_the_one_that_took_long() -> None:
    cost = TypicalCost(1e-4)
    cost.note(3.0)  # something was compiled first
    assert cost.seconds == pytest.approx(1.05e-4)
    for _ in range(100):
        cost.note(2e-4)
    assert cost.seconds == pytest.approx(2e-4, rel=0.06)
    for k in range(100):
        cost.note(5.0 if k % 3 == 0 else 1e-4)
    assert cost.seconds == pytest.approx(1e-4, rel=0.11)


def test_a_cost_that_is_not_measured_is_forgotten_down_to_the_first_guess() -> None:
    cost = TypicalCost(1e-4)
    cost.forget()
    assert cost.seconds == 1e-4
    for _ in range(100):
        cost.note(1.0)
    most = cost.seconds
    cost.forget()
    assert 0.9 * most < cost.seconds < most
    for _ in range(10_000):
        cost.forget()
    assert cost.seconds == 1e-4
    cost.note(0.0)
    less = cost.seconds
    cost.forget()
    assert cost.seconds == less


def test_a_flight_goes_on_sharing_its_steps_after_one_that_took_long() -> None:
    # every reading of the clock is a second after the last: the first shared step takes very long
    readings = itertools.count()
    engine = flights.cpu(
        uniform(20_000, 20), threads=2, dtype="float32", clock=lambda: float(next(readings))
    )
    stepper = engine._stepper
    stepper._span = 0.01
    assert stepper._sharing_pays()
    stepper._one_step(0)
    stepper._span = 0.01
    assert stepper._sharing_pays()


@pytest.mark.parametrize("threads", [2, 3])
def test_a_boid_that_is_lost_is_named_whoever_finds_it(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ThreadTeam, "always", True)
    fast = {"rules.cohesion.weight": -1e6, "flocks.boids.motion.max_speed": 1e9}
    model = uniform(100, 5).set(fast | {"space.boundary": "open"})
    said = []
    for team in (1, threads):
        with pytest.raises(mm.RunError) as lost:
            mm.Simulation(model, seed=1, threads=team).step(50)
        said.append(str(lost.value))
    assert said[0] == said[1]


def test_each_part_is_done_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ThreadTeam, "always", True)
    team, done, lock = ThreadTeam(3), [], threading.Lock()

    def work(part: int) -> None:
        with lock:
            done.append(part)

    team.share("parts", work, 100)
    assert sorted(done) == list(range(100))


def test_an_interrupt_is_raised_when_all_have_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that comes while the others are waited for, and they still work."""
    result, goes_on, ended = Future.result, threading.Event(), []

    def interrupted(self: Any, timeout: float | None = None) -> Any:
        monkeypatch.setattr(Future, "result", result)
        goes_on.set()
        raise KeyboardInterrupt

    def work(thread: int) -> None:
        if thread == 1:
            assert goes_on.wait(LIMIT)
        ended.append(thread)

    monkeypatch.setattr(Future, "result", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ThreadTeam(3).together(work, 3)
    assert sorted(ended) == [0, 1, 2]


@pytest.mark.parametrize("failing", [0, 1])
def test_what_a_thread_raises_is_raised(failing: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ThreadTeam, "always", True)

    def work(thread: int) -> Any:
        if thread == failing:
            raise ValueError("lost")

    team = ThreadTeam(2)
    with pytest.raises(ValueError, match="lost"):
        team.each("work", work)
    team.each("work", lambda _: None)  # it goes on working
