"""Flight: a simulation in a thread of its own; or a recording that is gone through.

    until it is over
        do what was asked, one thing after another
        if it plays: fly the steps that are due, as many as take no longer than a moment
        publish the frame, if it is time for one

The simulation is touched in that thread only: whoever wants something of it asks with `do`.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from murmurate.errors import RunError
from murmurate.frame import Frame
from murmurate.runs.playback import Playback
from murmurate.runs.simulation import Simulation

T = TypeVar("T")

MOMENT = 0.02  # seconds of flight between looks at what was asked
FRAMES = 60.0  # frames a second that are published, at most
IDLE = 2.0  # the same while nobody watches
BEHIND = 0.25  # seconds of steps that a flight may catch up on


class Flight:
    """Owns a simulation, and the pace at which it flies.

    published  called with each frame that is published, in the flight's thread
    failed     called with what went wrong: the flight is paused then
    between    called before each batch of steps, to act on the boids
    """

    def __init__(
        self,
        simulation: Simulation | Playback,
        rate: float | None,
        *,
        published: Callable[[Frame], object],
        failed: Callable[[Exception], object],
        between: Callable[[float], object] | None = None,
    ) -> None:
        self.simulation: Any = simulation
        self.rate = rate
        self.playing = False
        self.ready = False  # whether its kernels are compiled
        self.watched = False
        self.steps_per_second = 0.0
        self._published, self._failed, self._between = published, failed, between
        self._asked: deque[tuple[Callable[[], object], Future[object]]] = deque()
        self._wake = threading.Event()
        self._over = False
        self._more = 0  # steps asked for one by one
        self._block = 1
        self._since, self._owed_from = 0.0, 0  # when the pace was set, and steps flown by then
        self._flown = 0
        self._dirty = True
        self._last = 0.0
        self._counted: deque[tuple[float, int]] = deque(maxlen=256)
        self._thread = threading.Thread(target=self._run, name="murmurate-flight", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self, patience: float = 0.5) -> bool:
        """Ends after the step that is being flown; whether it ended in time."""
        self._over = True
        self._wake.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(patience)
        for _, future in list(self._asked):
            future.cancel()
        return not self._thread.is_alive()

    def do(self, work: Callable[[], T]) -> Future[T]:
        """Has something done in the flight's thread, between two steps."""
        future: Future[T] = Future()
        if self._over:
            future.cancel()
            return future
        self._asked.append((work, future))  # type: ignore[arg-type]
        self._wake.set()
        return future

    # --- for use in its own thread

    def play(self) -> None:
        self.playing, self._more = True, 0
        self.keep_pace()

    def pause(self) -> None:
        self.playing, self._more = False, 0
        self.touch()

    def fly(self, steps: int) -> None:
        """Pauses after so many steps more."""
        self.playing, self._more = False, min(self._more + steps, 1_000_000)

    def keep_pace(self, rate: float | None = -1.0) -> None:
        """Counts steps from now on, at another rate if one is given (None: as fast as it goes)."""
        if rate is None or rate > 0:
            self.rate = rate
        self._since, self._owed_from = time.perf_counter(), self._flown

    def take(self, simulation: Simulation) -> None:
        """Goes on with another simulation."""
        self.simulation = simulation
        self._block, self._more = 1, 0
        self.keep_pace()
        self.touch()

    def touch(self) -> None:
        """Something changed without a step: the next frame is published at once."""
        self._dirty = True

    # --- the loop

    def _run(self) -> None:
        while not self._over:
            self._do_asked()
            if self._over:
                return
            wait = self._advance()
            if wait > 0 and not self._asked:
                self._wake.wait(wait)
                self._wake.clear()

    def _do_asked(self) -> None:
        for _ in range(len(self._asked)):
            if self._over:
                return
            work, future = self._asked.popleft()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)

    def _advance(self) -> float:
        """Flies what is due; returns seconds until there is something to do."""
        steps, wait = self._due()
        if steps:
            if self._between is not None:
                self._between(steps * self.simulation.model.dt)
            begin = time.perf_counter()
            try:
                self.simulation.step(steps)
            except Exception as error:  # a lost boid; or whatever a user's rule runs into
                self.pause()
                self._publish()
                self._failed(error)
                if not isinstance(error, RunError):
                    self.ready = False
                return 0.0
            took = time.perf_counter() - begin
            self._block = max(1, min(4 * steps, int(steps * MOMENT / max(took, 1e-7)), 20_000))
            self._flown += steps
            self._more = max(0, self._more - steps)
            self._dirty = self._dirty or not (self.playing or self._more)
        self._count()
        now = time.perf_counter()
        least = 1.0 / (FRAMES if self.watched else IDLE)
        if self._dirty or (steps and now - self._last >= 0.95 * least):
            self._publish()
        return wait

    def _due(self) -> tuple[int, float]:
        """How many steps to fly now, and how long to wait after them."""
        if not self.ready or not (self.playing or self._more):
            return 0, 0.2
        if self._more:
            return min(self._more, self._block), 0.0
        if self.rate is None:
            return self._block, 0.0
        past = time.perf_counter() - self._since
        owed = past * self.rate - (self._flown - self._owed_from)
        if owed < 1.0:
            return 0, min(0.2, (1.0 - owed) / self.rate)
        if owed > max(2.0, BEHIND * self.rate):  # it cannot keep up: what is lost is not flown
            self.keep_pace()
            owed = self._block
        return max(1, min(int(owed), self._block)), 0.0

    def _count(self) -> None:
        now = time.perf_counter()
        if self._counted and now - self._counted[-1][0] < 0.02:
            return
        self._counted.append((now, self._flown))
        while len(self._counted) > 2 and now - self._counted[0][0] > 1.0:
            self._counted.popleft()
        (then, before), (_, flown) = self._counted[0], self._counted[-1]
        self.steps_per_second = (flown - before) / (now - then) if now > then else 0.0
        if not (self.playing or self._more):
            self.steps_per_second = 0.0

    def _publish(self) -> None:
        self._dirty = False
        self._last = time.perf_counter()
        self._published(self.simulation.frame)
