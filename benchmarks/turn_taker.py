"""A child process that flies when its turn comes: peers/turns.py is its other end."""

from __future__ import annotations

import json
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from child_process import ChildFailed, failure

LONGEST = 300.0  # seconds for all turns of one flock


class TurnTaker:
    """A flock in a process of its own, to be used as a context manager. Everything here raises
    ChildFailed, with what the child said on stderr, when it has ended or takes too long."""

    def __init__(
        self, command: Sequence[object], case: Mapping[str, Any], variables: Mapping[str, str]
    ) -> None:
        """variables  of the child's environment"""
        self._command = [str(word) for word in (*command, json.dumps(case))]
        self._seconds: list[float] = []
        self._said = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115
        pipe = subprocess.PIPE
        self._child = subprocess.Popen(
            self._command, stdin=pipe, stdout=pipe, stderr=self._said, env=variables, text=True
        )
        self._limit = threading.Timer(LONGEST, self._child.kill)

    def __enter__(self) -> TurnTaker:
        self._limit.start()
        try:
            self._answer()  # it is ready
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._limit.cancel()
        self._child.kill()
        self._child.wait()
        for file in (self._child.stdin, self._child.stdout, self._said):
            file.close()  # type: ignore[union-attr]

    def turn(self) -> None:
        try:
            self._child.stdin.write("\n")  # type: ignore[union-attr]
            self._child.stdin.flush()  # type: ignore[union-attr]
        except OSError:
            pass  # it has ended: the answer says so
        self._seconds.append(float(self._answer()))

    def result(self) -> dict[str, float]:
        """Seconds a step or a run; and neighbours a boid, now that it has flown."""
        self._child.stdin.close()  # type: ignore[union-attr]
        return {
            "median": median(self._seconds), "shortest": min(self._seconds),
            "longest": max(self._seconds), "neighbours": float(self._answer()),
        }  # fmt: skip

    def _answer(self) -> str:
        line: str = self._child.stdout.readline()  # type: ignore[union-attr]
        if not line:
            code = self._child.wait()
            self._said.seek(0)
            said = self._said.read() or f"(nothing; a child is given {LONGEST:g} s)"
            raise ChildFailed(failure(self._command, code, said))
        return line.strip()
