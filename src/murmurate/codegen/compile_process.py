"""Compile kernels in a process of their own, while this process compiles others.

numba compiles one function at a time, so threads would not help. A new installation compiles the
kernels that all models share beside those of its first model.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from collections.abc import Sequence

from murmurate.codegen.cache_folder import CHOICE, cache_folder
from murmurate.codegen.kernel_cache import shared_module

_running: list[subprocess.Popen[bytes]] = []  # that may outlive whoever asked for their kernels
CALL = "from murmurate.codegen.compile_process import main; main()"
POLL = 0.1  # seconds between looks at the process


class CompileProcess:
    """A process that compiles shared kernels into the cache.

    dtype  float32 or float64
    names  of the kernels

    Where no process can be started, or it ends with an error, nothing is in the cache, and whoever
    needs a kernel compiles it.
    """

    def __init__(self, dtype: str, names: Sequence[str]) -> None:
        self.names = frozenset(names)
        words = [sys.executable, "-P", "-c", CALL, dtype, *names]
        environment = {**os.environ, CHOICE: str(cache_folder())}
        quiet = subprocess.DEVNULL
        self._process: subprocess.Popen[bytes] | None = None
        _running[:] = [process for process in _running if process.poll() is None]
        try:
            self._process = subprocess.Popen(
                words, stdin=quiet, stdout=quiet, stderr=quiet, env=environment
            )
            _running.append(self._process)
        except OSError:
            self.names = frozenset()

    def wait(self) -> None:
        """Wait until it has ended."""
        while self._process is not None:
            try:
                self._process.wait(POLL)
            except subprocess.TimeoutExpired:
                continue
            return

    def stop(self) -> None:
        """End it now."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


@atexit.register
def _end_all() -> None:
    """What is not finished when Python ends is compiled the next time."""
    for process in _running:
        process.kill()
        process.wait()


def main() -> None:
    """Compile what the words of the command line name."""
    dtype, *names = sys.argv[1:]
    for name in names:
        shared_module(dtype).kernels[name].compile()
