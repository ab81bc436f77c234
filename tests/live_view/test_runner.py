"""The steps of a live simulation, by a clock that the test sets. The thread is not started."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from murmurate.errors import DeviceError
from murmurate.live_view.runner import (
    MAX_FRAME_RATE,
    MAX_FRAME_SECONDS,
    MAX_LAG_SECONDS,
    Runner,
)


class Clock:
    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class StepCounter:
    """A simulation that only counts its steps."""

    model: Any = SimpleNamespace(dt=0.1)

    def __init__(self) -> None:
        self.frame = SimpleNamespace(step=0)

    def step(self, steps: int) -> None:
        self.frame = SimpleNamespace(step=self.frame.step + steps)


class ManualRunner(Runner):
    """Twenty steps per second, watched and playing; the test calls each pass of the loop."""

    def __init__(self, rate: float | None = 20.0) -> None:
        self.clock, self.frames, self.errors = Clock(), [], []
        super().__init__(
            StepCounter(),  # type: ignore[arg-type]
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

    def advance_after(self, seconds: float) -> float:
        """Make a pass of the loop, some seconds later. Return its result."""
        self.clock.seconds += seconds
        return self.advance()


def test_steps_are_due_by_the_clock() -> None:
    runner = ManualRunner()
    assert runner.advance_after(0.0) == 0.05 and runner.step == 0
    runner.advance_after(0.051)
    assert runner.step == 1
    runner.advance_after(0.1)
    runner.advance_after(0.0)
    assert runner.step == 3
    assert runner.errors == []


def test_a_step_is_always_due_without_a_rate() -> None:
    runner = ManualRunner(rate=None)
    for passes in range(1, 4):
        assert runner.advance_after(0.0) == 0.0
        assert runner.step >= passes


def test_no_steps_while_unwatched_or_paused() -> None:
    runner = ManualRunner(rate=None)
    runner.watched = False
    runner.advance_after(100.0)
    assert runner.step == 0
    runner.watched = True
    runner.pause()
    runner.advance_after(100.0)
    assert runner.step == 0


def test_steps_missed_while_unwatched_are_skipped() -> None:
    runner = ManualRunner()
    runner.watched = False
    runner.advance_after(100.0)
    runner.watched = True
    runner.advance_after(0.0)
    assert runner.step == 0
    runner.advance_after(0.051)
    assert runner.step == 1


def test_steps_missed_on_a_busy_machine_are_skipped() -> None:
    """Also after large blocks of steps at an unlimited rate."""
    runner = ManualRunner(rate=None)
    for _ in range(5):
        runner.advance_after(0.0)  # no time passes, so each block is four times the previous one
    assert runner.block_steps > 1000
    runner.set_rate(20.0)
    before = runner.step
    runner.advance_after(100.0)
    assert 1 <= runner.step - before <= MAX_LAG_SECONDS * 20.0
    before = runner.step
    runner.advance_after(0.0)
    assert runner.step == before


def test_frames_are_published_at_the_frame_rate_at_most() -> None:
    runner = ManualRunner(rate=None)
    runner.advance_after(0.0)
    published = len(runner.frames)
    for _ in range(3):
        runner.advance_after(0.1 / MAX_FRAME_RATE)
    assert len(runner.frames) == published
    runner.advance_after(1.0 / MAX_FRAME_RATE)
    assert len(runner.frames) == published + 1


def test_frames_that_no_page_waits_for_are_published_seldom() -> None:
    """Reading a frame may be a transfer from a graphics card."""
    runner = ManualRunner(rate=None)
    runner.wants_frame = lambda: False
    runner.advance_after(0.0)
    published = len(runner.frames)
    for _ in range(3):
        runner.advance_after(MAX_FRAME_SECONDS / 4)
    assert len(runner.frames) == published
    runner.advance_after(MAX_FRAME_SECONDS / 4)
    assert len(runner.frames) == published + 1
    runner.pause()
    runner.advance_after(0.0)  # the last frame is shown in any case
    assert len(runner.frames) == published + 2


class LostDevice(StepCounter):
    """A simulation on a device that is lost at the first step: nothing can be read."""

    lost = False

    def __init__(self) -> None: ...

    @property
    def frame(self) -> Any:  # type: ignore[override]
        if self.lost:
            raise DeviceError("got a lost device")
        return SimpleNamespace(step=0)

    def step(self, steps: int) -> None:
        self.lost = True
        raise DeviceError("got a lost device")


def test_a_lost_device_pauses_the_runner() -> None:
    """It is reported, again where somebody asks for a frame, and the thread continues."""
    runner = ManualRunner(rate=None)
    runner.simulation = LostDevice()
    runner.advance_after(1.0)
    assert not runner.playing and len(runner.errors) == 1
    runner.request_frame()
    runner.advance_after(1.0)
    assert len(runner.errors) == 2 and isinstance(runner.errors[0], DeviceError)
    runner.replace_simulation(StepCounter())  # type: ignore[arg-type]
    runner.play()
    runner.advance_after(1.0)
    assert runner.step > 0 and len(runner.errors) == 2
