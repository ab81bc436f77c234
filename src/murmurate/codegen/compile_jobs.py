"""Compile kernels: in a thread, so that Python answers Ctrl-C; in a process, beside other kernels.

`compile_logged` logs which kernel is compiled or loaded from the cache, and how long that takes.
"""

from __future__ import annotations

import atexit
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext

from murmurate.activity import KERNELS, doing
from murmurate.codegen.cache_folder import CHOICE, cache_folder
from murmurate.codegen.kernel_cache import Kernel, shared_module

POLL_SECONDS = 0.1
"""Between looks at a thread or process: on Windows Ctrl-C does not wake a wait without a limit."""
CALL = "from murmurate.codegen.compile_jobs import main; main()"

log = logging.getLogger(__name__)
_counting = threading.Lock()
_n_running = 0  # calls of compile_in_thread
_processes: list[subprocess.Popen[bytes]] = []  # may outlive the callers that need their kernels


@contextmanager
def compile_logged(kernel: Kernel) -> Iterator[None]:
    """Log the compilation, or the loading, of a kernel within the block."""
    if not kernel.module.is_compiled:
        log.info("kernel %s: compiling", kernel.name)
    begin = time.perf_counter()
    with nullcontext() if kernel.in_cache else doing(KERNELS):
        yield
    seconds = time.perf_counter() - begin
    if kernel.cached:
        log.debug("kernel %s: loaded from the cache in %.2f s", kernel.name, seconds)
    else:
        log.info("kernel %s: compiled in %.1f s", kernel.name, seconds)


# --- in a thread


def is_compiling() -> bool:
    """Return whether kernels are being compiled or loaded."""
    return _n_running > 0


def compile_in_thread(work: Callable[[], None]) -> None:
    """Call `work` in another thread while the main thread waits. Raises what `work` raises.

    Python answers signals in the main thread, between two of its instructions. The compiler leaves
    Python for seconds, and an exception that a signal raises in one of its callbacks is lost. Here
    Ctrl-C ends the wait at once. The thread runs to its end and fills the cache; a step that needs
    the kernel waits for it, and so does Python before it exits.
    """
    _count(1)
    if threading.current_thread() is not threading.main_thread():
        try:
            work()
        finally:
            _count(-1)
        return
    errors: list[BaseException] = []
    done = threading.Event()

    def run() -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)
        finally:
            _count(-1)
            done.set()

    threading.Thread(target=run, name="compiler").start()
    while not done.wait(POLL_SECONDS):
        pass
    if errors:
        raise errors[0]


def _count(change: int) -> None:
    global _n_running
    with _counting:
        _n_running += change


# --- in a process


class CompileProcess:
    """A process that compiles shared kernels into the cache.

    numba compiles one function at a time in a process, so threads would not help. A new
    installation compiles the kernels that all models share beside those of its first model.

    dtype  float32 or float64
    names  of the kernels

    Where the process cannot start, or ends with an error, the cache stays as it is, and the caller
    compiles the kernels.
    """

    def __init__(self, dtype: str, names: Sequence[str]) -> None:
        self.names = frozenset(names)
        words = [sys.executable, "-P", "-c", CALL, dtype, *names]
        environment = {**os.environ, CHOICE: str(cache_folder())}
        quiet = subprocess.DEVNULL
        self._process: subprocess.Popen[bytes] | None = None
        _processes[:] = [process for process in _processes if process.poll() is None]
        try:
            self._process = subprocess.Popen(
                words, stdin=quiet, stdout=quiet, stderr=quiet, env=environment
            )
            _processes.append(self._process)
        except OSError:
            self.names = frozenset()

    def wait(self) -> None:
        """Wait for the end of the process."""
        while self._process is not None:
            try:
                self._process.wait(POLL_SECONDS)
            except subprocess.TimeoutExpired:
                continue
            return

    def stop(self) -> None:
        """Kill the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


@atexit.register
def _kill_processes() -> None:
    """Kill unfinished processes when Python ends: a later run compiles their kernels."""
    for process in _processes:
        process.kill()
        process.wait()


def main() -> None:
    """Compile the kernels that the command line names."""
    dtype, *names = sys.argv[1:]
    for name in names:
        shared_module(dtype).kernels[name].compile()
