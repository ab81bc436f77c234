"""Discrete events: threads that share the cores of their machine, and what happens later."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable


class Events:
    """What happens next, in order of time."""

    def __init__(self) -> None:
        self.now = 0.0
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._queue, (self.now + seconds, self._count, action))

    def run_until(self, done: Callable[[], bool]) -> None:
        while not done():
            self.now, _, action = heapq.heappop(self._queue)
            action()


class Cores:
    """The cores of a machine. If more threads run than there are cores, all are equally slow."""

    def __init__(self, events: Events, cores: int, crowd: float) -> None:
        self._events, self._cores, self._crowd = events, cores, crowd
        self._running: list[tuple[float, int, Callable[[], None]]] = []
        self._served = self._since = 0.0  # seconds of work that each running thread has got
        self._count = self._version = 0

    def run(self, seconds: float, then: Callable[[], None]) -> None:
        self._advance()
        self._count += 1
        heapq.heappush(self._running, (self._served + seconds, self._count, then))
        self._plan()

    @property
    def _rate(self) -> float:
        running = max(1, len(self._running))
        crowd = self._crowd if running >= self._cores > 1 else 1.0
        return min(1.0, self._cores / running) / crowd

    def _advance(self) -> None:
        self._served += (self._events.now - self._since) * self._rate
        self._since = self._events.now

    def _plan(self) -> None:
        self._version += 1
        if self._running:
            version = self._version
            wait = max(0.0, self._running[0][0] - self._served) / self._rate
            self._events.after(wait, lambda: self._finish(version))

    def _finish(self, version: int) -> None:
        if version != self._version:
            return
        self._advance()
        self._served = max(self._served, self._running[0][0])
        _, _, then = heapq.heappop(self._running)
        self._plan()
        then()


class Thread:
    """Runs pieces of work in sequence. Without cores, such as a network card, nothing slows it."""

    def __init__(self, events: Events, cores: Cores | None) -> None:
        self._run = events.after if cores is None else cores.run
        self._waiting: deque[tuple[float, Callable[[], None]]] = deque()
        self.idle, self.busy = True, 0.0

    def push(self, seconds: float, then: Callable[[], None] = lambda: None) -> None:
        self._waiting.append((seconds, then))
        if self.idle:
            self._run_waiting()

    def _run_waiting(self) -> None:
        self.idle = False
        while self._waiting:
            seconds, then = self._waiting.popleft()
            self.busy += seconds
            if seconds > 0.0:
                self._run(seconds, lambda then=then: self._end(then))
                return
            then()
        self.idle = True

    def _end(self, then: Callable[[], None]) -> None:
        then()
        self._run_waiting()


class Process:
    """The driver or a worker: a main thread, and one for messages."""

    def __init__(self, events: Events, cores: Cores, machine: int) -> None:
        self.main, self.messages = Thread(events, cores), Thread(events, cores)
        self.machine = machine
