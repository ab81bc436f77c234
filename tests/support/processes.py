"""Child processes of tests: with default signals, a time limit, and ended with their own children.

started() is a context in which a child runs; ran() waits until it has ended; until() waits for what
a child or a thread does. Limits are there for what hangs: no test is to take so long.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

LIMIT = 120.0
"""Seconds after which what is waited for is taken to hang: an event, a reply, a change of a page.
Whatever waits, in any test, has this limit: no test passes or fails by it, if the machine is busy
too."""
CHILD_LIMIT = 600.0
"""Seconds after which a child process is taken to hang: it may compile or install much."""

T = TypeVar("T")

SMALL_FILES = """
import resource, sys
def limit_files(size):
    sys.dont_write_bytecode = True  # it would be cut, and later runs would read it
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
"""
"""Text of a child's program: `limit_files(size)` lets writes fail beyond that many bytes."""


@contextmanager
def default_signals() -> Iterator[None]:
    """SIGINT raises KeyboardInterrupt in here, and in children that are started. A job in the
    background is born with SIGINT ignored, and children inherit what is ignored."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def small_files(size: int) -> Iterator[None]:
    """Writes beyond `size` bytes of a file fail in this process."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE), sys.dont_write_bytecode
    names: dict[str, Any] = {}
    exec(SMALL_FILES, names)
    names["limit_files"](size)
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before[0])
        sys.dont_write_bytecode = before[1]


@contextmanager
def started(
    *words: object, limit: float = CHILD_LIMIT, **options: Any
) -> Iterator[subprocess.Popen[Any]]:
    """A child with pipes for its output (unless `options` of Popen say otherwise). When the context
    is left, or after `limit` seconds, it is killed with all that it has started."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with default_signals():
        child = subprocess.Popen(
            [str(word) for word in words], start_new_session=True, **{**pipes, **options}
        )
    late = threading.Event()

    def end() -> None:
        late.set()
        kill(child)

    timer = threading.Timer(limit, end)
    timer.daemon = True
    timer.start()
    try:
        limit_processor_time(child, limit)
        yield child
    finally:
        timer.cancel()
        kill(child)
        child.wait()
        for pipe in (child.stdin, child.stdout, child.stderr):
            if pipe is not None:
                pipe.close()
    assert not late.is_set(), f"killed after {limit:g} s: {words}"


def ran(
    *words: object, input: str | None = None, limit: float = CHILD_LIMIT, **options: Any
) -> subprocess.CompletedProcess[Any]:
    """What a child said and returned, when it has ended by itself."""
    stdin = subprocess.DEVNULL if input is None else subprocess.PIPE
    with started(*words, limit=limit, **{"stdin": stdin, **options}) as child:
        out, err = child.communicate(input)
    return subprocess.CompletedProcess(child.args, child.returncode, out, err)


def ran_well(*words: object, **options: Any) -> str:
    """The standard output of a child that must return 0."""
    done = ran(*words, **options)
    assert done.returncode == 0, f"returned {done.returncode}: {done.stderr}"
    return str(done.stdout)


def until(
    condition: Callable[[], T], child: subprocess.Popen[Any] | None = None, limit: float = LIMIT
) -> T:
    """The first true value of a condition; the child that is to bring it about must be running."""
    end = time.monotonic() + limit
    while not (value := condition()):
        if child is not None and child.poll() is not None and not condition():
            raise AssertionError(f"the child ended with {child.returncode}")
        assert time.monotonic() < end, f"waited {limit:g} s in vain"
        time.sleep(0.01)
    return value


def kill(child: subprocess.Popen[Any]) -> None:
    """The child and its own children, whether it runs or has ended and left some behind."""
    if sys.platform == "win32":
        if child.poll() is None:
            taskkill = ["taskkill", "/T", "/F", "/PID", str(child.pid)]
            subprocess.run(taskkill, capture_output=True)
        return
    try:
        os.killpg(child.pid, signal.SIGKILL)  # of its session it is the leader
    except (ProcessLookupError, PermissionError):
        child.kill()


def limit_processor_time(child: subprocess.Popen[Any], seconds: float) -> None:
    """So that a child ends even where these tests are killed before it (Linux can do that)."""
    if sys.platform == "linux":
        import resource

        try:
            resource.prlimit(child.pid, resource.RLIMIT_CPU, (int(seconds), int(seconds)))
        except ProcessLookupError:  # it has ended
            return
