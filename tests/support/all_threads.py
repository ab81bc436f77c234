"""Loops of phases in which all threads take part, however small a run is and however busy the
machine: arguments `make_loop` of the engine."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import wait

from murmurate.codegen.phases import CONTROL
from murmurate.engines.cpu.phase_loop import UNLIMITED, PhaseLoop
from processes import until


class Together(PhaseLoop):
    """No thread takes a chunk of a run before all threads are there, however little work it has.

    A run ends when all have left it: a thread that is about to leave would be counted as one that
    takes part in the next.
    """

    def begin(self, kernel: Callable[[int], int], threads: int | None = None) -> None:
        super().begin(kernel)

    def call_all(self) -> None:
        """Wait until all threads are in the loop."""

        def are_there() -> bool:
            self.call_helpers()
            inside, state = (self.control[CONTROL[name]] for name in ("INSIDE", "STATE"))
            return bool(inside >= self.threads - 1 or state != 0 or self.errors)

        until(are_there)

    def take_slice(self, seconds: float) -> None:
        self.call_all()
        super().take_slice(seconds)

    def share(self) -> None:
        super().share()
        wait(self.helpers.values())


class Staying(Together):
    """The main thread does not go back to Python between chunks either."""

    def take_slice(self, seconds: float) -> None:
        self.call_all()
        self.table.set("budget", UNLIMITED, 0)
        self.take_part(0)
