"""FlightThread: runs a simulation, or plays a recording, in a thread of its own.

    until it is closed
        do the work that was submitted
        if it plays and is watched: make the steps that are due, as many as take a moment at most
        publish the frame, if it is time for one

The simulation is used in that thread only: work on it is handed over with `submit` or `post`.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from murmurate.errors import MurmurateError, RunError
from murmurate.frame import Frame
from murmurate.runs.playback import Playback
from murmurate.runs.simulation import Simulation

T = TypeVar("T")

MOMENT = 0.02  # seconds of steps between two checks of what was submitted
FRAMES = 60.0  # frames a second that are published, at most
BEHIND = 0.25  # seconds of steps that may be caught up on

logger = logging.getLogger(__name__)


class FlightThread:
    """Owns a simulation, and the rate at which it runs.

    rate          steps a second; None: as fast as it can
    on_frame      called with each frame that is published, in its thread
    on_error      called with what went wrong in a step, when it is paused, or in work that nobody
                  waits for
    before_steps  called with the time they span before each batch of steps, to act on the boids
    clock         returns seconds, from which it follows how many steps are due
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
        self.ready = False  # whether its kernels are compiled
        self._watched = False
        self.steps_per_second = 0.0
        self._on_frame, self._on_error, self._before_steps = on_frame, on_error, before_steps
        self._work: deque[tuple[Callable[[], object], Future[object]]] = deque()
        self._wake = threading.Event()
        self._over = False
        self._more = 0  # steps still to make before it rests
        self._block = 1
        self._since, self._owed_from = 0.0, 0  # when the rate was set, and steps made by then
        self._made = 0
        self._dirty = True
        self._last = 0.0
        self._counted: deque[tuple[float, int]] = deque(maxlen=256)
        self._thread = threading.Thread(target=self._run, name="murmurate-flight", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self, patience: float = 0.5) -> bool:
        """Ends after the step that is being made; whether it ended in time."""
        self._over = True
        self._wake.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(patience)
        for _, future in list(self._work):
            future.cancel()
        return not self._thread.is_alive()

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Has something done in its thread, between two steps; the future has what it returns or
        raises."""
        future: Future[T] = Future()
        if self._over:
            future.cancel()
            return future
        self._work.append((work, future))  # type: ignore[arg-type]
        self._wake.set()
        return future

    def post(self, work: Callable[[], object]) -> None:
        """The same, and nobody waits: an error is logged, and given to `on_error`."""
        self.submit(work).add_done_callback(self._posted)

    def _posted(self, future: Future[object]) -> None:
        error = None if future.cancelled() else future.exception()
        if isinstance(error, Exception):
            if not isinstance(error, MurmurateError):
                logger.error("work between two steps failed", exc_info=error)
            self._on_error(error)

    @property
    def watched(self) -> bool:
        """Whether anybody sees it; it rests while nobody does."""
        return self._watched

    @watched.setter
    def watched(self, watched: bool) -> None:
        if watched and not self._watched:
            self.reset_clock()
        self._watched = watched
        self._wake.set()

    # --- for use in its own thread

    def play(self) -> None:
        self.playing, self._more = True, 0
        self.reset_clock()

    def pause(self) -> None:
        self.playing, self._more = False, 0
        self.touch()

    def run_steps(self, steps: int) -> None:
        """Makes so many steps more, then pauses."""
        self.playing, self._more = False, min(self._more + steps, 1_000_000)

    def set_rate(self, rate: float | None) -> None:
        """Another rate: steps a second, or None for as fast as it can."""
        self.rate = rate
        self.reset_clock()

    def reset_clock(self) -> None:
        """Steps are due from now on, whatever was due before."""
        self._since, self._owed_from = self._clock(), self._made

    def replace(self, simulation: Simulation) -> None:
        """Runs another simulation from now on."""
        self.simulation = simulation
        self._block, self._more = 1, 0
        self.reset_clock()
        self.touch()

    def touch(self) -> None:
        """Something changed without a step: the next frame is published at once."""
        self._dirty = True

    # --- the loop

    def _run(self) -> None:
        while not self._over:
            self._do_work()
            if self._over:
                return
            wait = self._advance()
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

    def _advance(self) -> float:
        """Makes the steps that are due; returns seconds until there is something to do."""
        steps, wait = self._due()
        if steps:
            begin = self._clock()
            try:
                if self._before_steps is not None:
                    self._before_steps(steps * self.simulation.model.dt)
                self.simulation.step(steps)
            except Exception as error:  # a lost boid; or whatever a user's rule runs into
                if not isinstance(error, MurmurateError):
                    logger.exception("a step failed")
                self.pause()
                self._publish()
                self._on_error(error)
                if not isinstance(error, RunError):
                    self.ready = False
                return 0.0
            took = self._clock() - begin
            self._block = max(1, min(4 * steps, int(steps * MOMENT / max(took, 1e-7)), 20_000))
            self._made += steps
            self._more = max(0, self._more - steps)
            self._dirty = self._dirty or not (self.playing or self._more)
        self._count()
        now = self._clock()
        if self._dirty or (steps and now - self._last >= 0.95 / FRAMES):
            self._publish()
        return wait

    def _due(self) -> tuple[int, float]:
        """How many steps to make now, and how long to wait after them."""
        if not self.ready or not ((self.playing and self._watched) or self._more):
            return 0, 0.2
        if self._more:
            return min(self._more, self._block), 0.0
        if self.rate is None:
            return self._block, 0.0
        past = self._clock() - self._since
        owed = past * self.rate - (self._made - self._owed_from)
        if owed < 1.0:
            return 0, min(0.2, (1.0 - owed) / self.rate)
        if owed > max(
            2.0, BEHIND * self.rate
        ):  # it cannot keep up: what is lost is not made up for
            self.reset_clock()
            owed = min(self._block, max(2.0, BEHIND * self.rate))
        return max(1, min(int(owed), self._block)), 0.0

    def _count(self) -> None:
        now = self._clock()
        if self._counted and now - self._counted[-1][0] < 0.02:
            return
        self._counted.append((now, self._made))
        while len(self._counted) > 2 and now - self._counted[0][0] > 1.0:
            self._counted.popleft()
        (then, before), (_, made) = self._counted[0], self._counted[-1]
        self.steps_per_second = (made - before) / (now - then) if now > then else 0.0
        if not (self.playing or self._more):
            self.steps_per_second = 0.0

    def _publish(self) -> None:
        self._dirty = False
        self._last = self._clock()
        self._on_frame(self.simulation.frame)
