"""Thread team: the threads that share a step, one call a thread, as often as sharing pays.

Kernels let go of Python's lock, so threads are Python's own: no threading layer that fails where
two simulations run at once, nothing global, and nothing that forbids forking.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from functools import partial
from time import perf_counter

Clock = Callable[[], float]
"""Seconds from some moment on, as `time.perf_counter` gives them."""
PAYS = 2.0
"""Work is shared where that takes away so many times what handing it over costs."""


class TypicalCost:
    """About the median of what something cost, most recently: each time it moves a twentieth
    towards that. One time that took long, on a machine that was busy or because something was
    compiled first, hardly counts."""

    def __init__(self, seconds: float) -> None:
        self.seconds = self._guess = seconds

    def note(self, seconds: float) -> None:
        self.seconds *= 1.05 if seconds > self.seconds else 0.95

    def forget(self) -> None:
        """Goes back a little to what it was thought to be at first, where it is more: nothing is
        measured, and a machine that was busy may be idle by now."""
        self.seconds = max(0.998 * self.seconds, min(self.seconds, self._guess))


class ThreadTeam:
    """Threads that do a piece of work together.

    What pays is measured: how long the pieces of a kind of work took, and how much longer than its
    longest piece the whole took. Which threads do what never changes a result.

    size    how many threads
    always  share whatever it costs (for tests)
    clock   what costs are measured with, here and in the stepper; a test passes one of its own, so
            that what is shared does not depend on the machine
    """

    always = False

    def __init__(self, size: int, clock: Clock = perf_counter) -> None:
        self.size, self.clock = size, clock
        self._pool = ThreadPoolExecutor(size - 1) if size > 1 else None
        self._cost = TypicalCost(60e-6)  # to hand work over
        self._spans: dict[object, float] = {}  # kind of work -> seconds that it took in all
        self.worked = 0.0  # seconds of all threads together

    def shares(self, kind: object) -> bool:
        """Whether work of a kind is worth sharing, by how long it took last."""
        if self._pool is None:
            return False
        if self.always:
            return True
        return self._spans.get(kind, 0.0) * (1.0 - 1.0 / self.size) > PAYS * self._cost.seconds

    def each(self, kind: object, work: Callable[[int], None]) -> None:
        """work(thread) for each thread at once, or for the first alone, which then does it all.
        Raises what the first of them raises."""
        if self._pool is None or not self.shares(kind):
            begun = self.clock()
            work(0)
            self._remember(kind, self.clock() - begun)
            return
        spans = [0.0] * self.size

        def timed(thread: int) -> None:
            begun = self.clock()
            work(thread)
            spans[thread] = self.clock() - begun

        begun = self.clock()
        self.together(timed, self.size)
        self._cost.note(self.clock() - begun - max(spans))
        self._remember(kind, sum(spans))

    def together(self, work: Callable[[int], None], threads: int) -> None:
        """work(thread) for so many of the threads, all at once: they may wait for each other.
        Raises what the first of them raises, or an interrupt, when all have ended."""
        assert self._pool is not None
        others = [self._pool.submit(work, thread) for thread in range(1, threads)]
        ends: list[Callable[[], None]] = [partial(work, 0), *(other.result for other in others)]
        raised: list[BaseException] = []
        for end in ends:
            try:
                end()
            except BaseException as error:
                raised.append(error)
        while not all(other.done() for other in others):  # an interrupt ended the waiting for one
            with suppress(KeyboardInterrupt):
                wait(others)
        if raised:
            raise raised[0]

    def _remember(self, kind: object, seconds: float) -> None:
        self.worked += seconds
        before = self._spans.get(kind)
        self._spans[kind] = seconds if before is None else 0.7 * before + 0.3 * seconds

    def share(self, kind: object, work: Callable[[int], None], parts: int) -> None:
        """work(part) for every part, each thread taking the next when it is done."""
        queue = iter(range(parts))

        def take(_: int) -> None:
            for part in queue:
                work(part)

        self.each(kind, take)
