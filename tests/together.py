"""Threads that all take part in a run, however small it is and however busy the machine."""

from __future__ import annotations

from concurrent.futures import wait

import pytest

from murmurate.codegen.phases import CONTROL
from murmurate.engines.cpu.phase_loop import UNLIMITED, PhaseLoop
from processes import until

begin = PhaseLoop.begin
share = PhaseLoop._share
take_slice = PhaseLoop._take_slice


def all_take_part(monkeypatch: pytest.MonkeyPatch, *, stay: bool = False) -> None:
    """No thread takes a chunk of a run before all threads are there, however little work it has.

    A run ends when all have left it: a thread that is about to leave would be counted as one that
    takes part in the next.

    stay  the main thread does not go back to Python between chunks
    """

    def with_all(self: PhaseLoop, seconds: float) -> None:
        def are_there() -> bool:
            self._call_helpers()
            inside, state = (self._control[CONTROL[name]] for name in ("INSIDE", "STATE"))
            return bool(inside >= self.threads - 1 or state != 0 or self._errors)

        until(are_there)
        if stay:
            self.table.set("budget", UNLIMITED, 0)
            self._take_part(0)
        else:
            take_slice(self, seconds)

    def until_all_left(self: PhaseLoop) -> None:
        share(self)
        wait(self._helpers.values())

    monkeypatch.setattr(PhaseLoop, "begin", lambda self, kernel, threads=None: begin(self, kernel))
    monkeypatch.setattr(PhaseLoop, "_take_slice", with_all)
    monkeypatch.setattr(PhaseLoop, "_share", until_all_left)
