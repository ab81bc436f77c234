"""Runner: runs a simulation, or plays a recording, in its own thread.

    until closed:
        do the submitted work
        if it plays and is watched: make the steps that are due, for MAX_BLOCK_SECONDS at most
        publish the frame if one is due

Only this thread uses the simulation; other threads hand over work with `submit`.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from murmurate.errors import DeviceError, MurmurateError, RunError
from murmurate.frame import Frame
from murmurate.runs.playback import Playback
from murmurate.runs.simulation import Simulation

T = TypeVar("T")

MAX_BLOCK_SECONDS = 0.02  # of steps between two checks for submitted work
MAX_FRAME_RATE = 60.0  # published frames per second
MAX_FRAME_SECONDS = 0.5  # between published frames that no page waits for
MAX_LAG_SECONDS = 0.25  # of steps that may be caught up; older ones are skipped
MAX_BLOCK_STEPS = 20_000
MAX_REQUESTED_STEPS = 1_000_000

logger = logging.getLogger(__name__)


class Runner:
    """Owns a simulation, and the rate at which it runs.

    rate          steps per second; None for as many as possible
    on_frame      called in its thread with each published frame
    on_error      called with the error of a step, when the simulation is paused, or of work
                  submitted with `submit_nowait`
    before_steps  called before each block of steps with the time that the block covers
    clock         returns seconds; determines which steps are due
    wants_frame   returns whether somebody waits for a frame: reading one may be a transfer from a
                  graphics card
    """

    def __init__(
        self,
        simulation: Simulation | Playback,
        rate: float | None,
        *,
        on_frame: Callable[[Frame], object],
        on_error: Callable[[Exception], object],
        before_steps: Callable[[float], object] | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.simulation: Any = simulation
        self._clock = clock
        self.rate = rate
        self.playing = False
        self.wants_frame: Callable[[], bool] = lambda: True
        self.ready = False  # whether the kernels are compiled
        self._watched = False
        self.steps_per_second = 0.0
        self._on_frame, self._on_error, self._before_steps = on_frame, on_error, before_steps
        self._work: deque[tuple[Callable[[], object], Future[object]]] = deque()
        self._wake = threading.Event()
        self._over = False
        self._requested_steps = 0  # steps that remain before it pauses
        self.block_steps = 1  # steps per block, at most
        self._rate_start, self._steps_at_start = 0.0, 0
        self._total_steps = 0
        self._frame_due = True
        self._last_frame = 0.0  # time of the last published frame
        self._next_frame = 0.0  # time from which on another may be published
        self._step_counts: deque[tuple[float, int]] = deque(maxlen=256)  # time, total steps
        self._thread = threading.Thread(target=self._run, name="murmurate-runner", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self, timeout: float = 0.5) -> bool:
        """End after the current step. Return whether the thread ended within `timeout` seconds."""
        self._over = True
        self._wake.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout)
        for _, future in list(self._work):
            future.cancel()
        return not self._thread.is_alive()

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Call a function in the runner's thread, between two steps. Return its future result,
        which is cancelled if the runner is closed."""
        future: Future[T] = Future()
        if self._over:
            future.cancel()
            return future
        self._work.append((work, future))  # type: ignore[arg-type]
        self._wake.set()
        return future

    def submit_nowait(self, work: Callable[[], object]) -> None:
        """Submit work without a result. Its error is logged and passed to `on_error`."""
        self.submit(work).add_done_callback(self._report_error)

    def _report_error(self, future: Future[object]) -> None:
        error = None if future.cancelled() else future.exception()
        if isinstance(error, Exception):
            if not isinstance(error, MurmurateError):
                logger.error("work between two steps failed", exc_info=error)
            self._on_error(error)

    @property
    def watched(self) -> bool:
        """Whether a page shows the flock; the simulation rests while none does."""
        return self._watched

    @watched.setter
    def watched(self, watched: bool) -> None:
        if watched and not self._watched:
            self.reset_clock()
        self._watched = watched
        self._wake.set()

    # --- in the runner's thread

    def play(self) -> None:
        """Run until paused."""
        self.playing, self._requested_steps = True, 0
        self.reset_clock()

    def pause(self) -> None:
        """Stop running, and publish the current frame."""
        self.playing, self._requested_steps = False, 0
        self.request_frame()

    def run_steps(self, steps: int) -> None:
        """Make a number of further steps, then pause."""
        self.playing = False
        self._requested_steps = min(self._requested_steps + steps, MAX_REQUESTED_STEPS)

    def set_rate(self, rate: float | None) -> None:
        """Set the rate in steps per second; None for as many as possible."""
        self.rate = rate
        self.reset_clock()

    def reset_clock(self) -> None:
        """Count due steps from the present time."""
        self._rate_start, self._steps_at_start = self._clock(), self._total_steps

    def replace_simulation(self, simulation: Simulation) -> None:
        """Run another simulation."""
        self.simulation = simulation
        self.block_steps, self._requested_steps = 1, 0
        self.reset_clock()
        self.request_frame()

    def request_frame(self) -> None:
        """Publish the next frame immediately, because the state changed without a step."""
        self._frame_due = True

    # --- the loop

    def _run(self) -> None:
        while not self._over:
            self._do_work()
            if self._over:
                return
            wait = self.advance()
            if wait > 0 and not self._work:
                self._wake.wait(wait)
                self._wake.clear()

    def _do_work(self) -> None:
        for _ in range(len(self._work)):
            if self._over:
                return
            work, future = self._work.popleft()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)

    def advance(self) -> float:
        """Make the steps that are due. Return the seconds until the next call is needed."""
        steps, wait = self._due_steps()
        if steps:
            begin = self._clock()
            try:
                if self._before_steps is not None:
                    self._before_steps(steps * self.simulation.model.dt)
                self.simulation.step(steps)
            except Exception as error:  # a lost boid, or any error of a user's rule
                self._stop(error)
                return 0.0
            seconds = max(self._clock() - begin, 1e-7)
            fitting = int(steps * MAX_BLOCK_SECONDS / seconds)
            self.block_steps = max(1, min(4 * steps, fitting, MAX_BLOCK_STEPS))
            self._total_steps += steps
            self._requested_steps = max(0, self._requested_steps - steps)
            self._frame_due = self._frame_due or not (self.playing or self._requested_steps)
        self._measure_speed()
        elapsed = self._clock() - self._last_frame
        frame_request = self._clock() >= self._next_frame and self.wants_frame()
        if self._frame_due or (steps and (frame_request or elapsed >= MAX_FRAME_SECONDS)):
            try:
                self._publish()
            except DeviceError as error:
                self._stop(error)
                return 0.0
        return wait

    def _stop(self, error: Exception) -> None:
        """Pause after an error in a step."""
        if not isinstance(error, MurmurateError):
            logger.error("a step failed", exc_info=error)
        self.pause()
        if isinstance(error, DeviceError):
            self._frame_due = False  # there is no state to read
        else:
            self._publish()
        self._on_error(error)
        if not isinstance(error, RunError):
            self.ready = False

    def _due_steps(self) -> tuple[int, float]:
        """Return the number of steps to make, and the seconds to wait after them."""
        if not self.ready or not ((self.playing and self._watched) or self._requested_steps):
            return 0, 0.2
        if self._requested_steps:
            return min(self._requested_steps, self.block_steps), 0.0
        if self.rate is None:
            return self.block_steps, 0.0
        elapsed = self._clock() - self._rate_start
        due = elapsed * self.rate - (self._total_steps - self._steps_at_start)
        if due < 1.0:
            return 0, min(0.2, (1.0 - due) / self.rate)
        max_due = max(2.0, MAX_LAG_SECONDS * self.rate)
        if due > max_due:  # too slow for the rate: skip the missed steps
            self.reset_clock()
            due = min(self.block_steps, max_due)
        return max(1, min(int(due), self.block_steps)), 0.0

    def _measure_speed(self) -> None:
        """Update `steps_per_second`: the mean over the last second."""
        seconds = self._clock()
        if self._step_counts and seconds - self._step_counts[-1][0] < 0.02:
            return
        self._step_counts.append((seconds, self._total_steps))
        while len(self._step_counts) > 2 and seconds - self._step_counts[0][0] > 1.0:
            self._step_counts.popleft()
        (begin, first), (_, last) = self._step_counts[0], self._step_counts[-1]
        self.steps_per_second = (last - first) / (seconds - begin) if seconds > begin else 0.0
        if not (self.playing or self._requested_steps):
            self.steps_per_second = 0.0

    def _publish(self) -> None:
        self._frame_due = False
        self._last_frame = seconds = self._clock()
        # a frame that is late does not delay the next one
        self._next_frame = (
            max(self._next_frame, seconds - 1 / MAX_FRAME_RATE) + 0.95 / MAX_FRAME_RATE
        )
        self._on_frame(self.simulation.frame)
