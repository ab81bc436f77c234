"""How many steps a live simulation makes, by a clock that stands still until it is set: its thread
is not started."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from murmurate.live_view.flight_thread import BEHIND, FRAMES, FlightThread


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Counted:
    """A simulation that only counts its steps."""

    model: Any = SimpleNamespace(dt=0.1)

    def __init__(self) -> None:
        self.frame = SimpleNamespace(step=0)

    def step(self, steps: int) -> None:
        self.frame = SimpleNamespace(step=self.frame.step + steps)


class Flight(FlightThread):
    """Twenty steps a second, watched and playing; each pass of the loop is asked for."""

    def __init__(self, rate: float | None = 20.0) -> None:
        self.clock, self.frames, self.errors = Clock(), [], []
        super().__init__(
            Counted(),  # type: ignore[arg-type]
            rate,
            on_frame=self.frames.append,
            on_error=self.errors.append,
            clock=self.clock,
        )
        self.ready = self.watched = True
        self.play()

    @property
    def step(self) -> int:
        return int(self.simulation.frame.step)

    def later(self, seconds: float) -> float:
        """A pass of the loop, so much later; what it returns."""
        self.clock.now += seconds
        return self._advance()


def test_steps_are_due_by_the_clock() -> None:
    flight = Flight()
    assert flight.later(0.0) == 0.05 and flight.step == 0
    flight.later(0.051)
    assert flight.step == 1
    flight.later(0.1)
    flight.later(0.0)
    assert flight.step == 3
    assert flight.errors == []


def test_a_step_is_always_due_where_there_is_no_rate() -> None:
    flight = Flight(rate=None)
    for passed in range(1, 4):
        assert flight.later(0.0) == 0.0
        assert flight.step >= passed


def test_nothing_is_made_while_nobody_watches_or_it_is_paused() -> None:
    flight = Flight(rate=None)
    flight.watched = False
    flight.later(100.0)
    assert flight.step == 0
    flight.watched = True
    flight.pause()
    flight.later(100.0)
    assert flight.step == 0


def test_what_is_missed_while_nobody_watches_is_not_made_up_for() -> None:
    flight = Flight()
    flight.watched = False
    flight.later(100.0)
    flight.watched = True
    flight.later(0.0)
    assert flight.step == 0
    flight.later(0.051)
    assert flight.step == 1


def test_what_a_busy_machine_missed_is_not_made_up_for() -> None:
    """Nor is it where many steps were made at once before, as fast as the machine could."""
    flight = Flight(rate=None)
    for _ in range(5):
        flight.later(0.0)  # no time passes: each block is four times the one before
    assert flight._block > 1000
    flight.set_rate(20.0)
    before = flight.step
    flight.later(100.0)
    assert 1 <= flight.step - before <= BEHIND * 20.0
    before = flight.step
    flight.later(0.0)
    assert flight.step == before


def test_frames_are_published_no_more_often_than_they_are_shown() -> None:
    flight = Flight(rate=None)
    flight.later(0.0)
    published = len(flight.frames)
    for _ in range(3):
        flight.later(0.1 / FRAMES)
    assert len(flight.frames) == published
    flight.later(1.0 / FRAMES)
    assert len(flight.frames) == published + 1
