"""Time a flock in a child process, which runs peers/timed_flock.py."""

from __future__ import annotations

import json
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from child_process import ChildFailed, failure

MAX_SECONDS = 300.0  # for all rounds of one flock


class TimedChild:
    """A flock in a child process; a context manager.

    Every method raises ChildFailed, with the stderr of the child, when the child ends early or
    exceeds the time limit. `seconds` has the time per step or run of each round.
    """

    def __init__(
        self, command: Sequence[object], case: Mapping[str, Any], variables: Mapping[str, str]
    ) -> None:
        """Start the child.

        command    the program and its arguments, before the case
        case       the flock and its size, for peers/timed_flock.py
        variables  the environment of the child
        """
        self._command = [str(word) for word in (*command, json.dumps(case))]
        self.seconds: list[float] = []
        self._stderr = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115
        pipe = subprocess.PIPE
        self._child = subprocess.Popen(
            self._command, stdin=pipe, stdout=pipe, stderr=self._stderr, env=variables, text=True
        )
        self._limit = threading.Timer(MAX_SECONDS, self._child.kill)

    def __enter__(self) -> TimedChild:
        self._limit.start()
        try:
            self._answer()  # the child is ready
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._limit.cancel()
        self._child.kill()
        self._child.wait()
        for file in (self._child.stdin, self._child.stdout, self._stderr):
            file.close()  # type: ignore[union-attr]

    def time_round(self) -> None:
        """Run one round, and store its time."""
        try:
            self._child.stdin.write("\n")  # type: ignore[union-attr]
            self._child.stdin.flush()  # type: ignore[union-attr]
        except OSError:
            pass  # _answer reports that the child has ended
        self.seconds.append(float(self._answer()))

    def result(self) -> dict[str, float]:
        """Return seconds per step or run, and the mean number of neighbours after all rounds."""
        self._child.stdin.close()  # type: ignore[union-attr]
        return {
            "median": median(self.seconds), "shortest": min(self.seconds),
            "longest": max(self.seconds), "neighbours": float(self._answer()),
        }  # fmt: skip

    def _answer(self) -> str:
        line: str = self._child.stdout.readline()  # type: ignore[union-attr]
        if not line:
            code = self._child.wait()
            self._stderr.seek(0)
            text = self._stderr.read() or f"(nothing; the time limit is {MAX_SECONDS:g} s)"
            raise ChildFailed(failure(self._command, code, text))
        return line.strip()
