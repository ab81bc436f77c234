"""Tests of a copy of the package, in the fork of a process that has imported the libraries.

`source_mutants.py` uses it: a fork imports the copy and collects the tests, within a second.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import sys
import tempfile
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LIMIT = 600.0  # seconds for the tests of a mutant
LONGEST = 60.0  # seconds of processor time of a test
OUTPUT = "output.txt"
LIBRARIES = [
    "coverage", "h5py", "hypothesis", "jinja2", "matplotlib.pyplot", "numba.core.typing", "pandas",
    "pydantic.main", "pytest", "scipy.spatial", "scipy.stats", "xarray", "zarr",
]  # fmt: skip
"""What the tests import of other packages; those that are missing are left out."""


class Watch:
    """A plugin of pytest: the first test that fails, and no more tests after a budget.

    budget  seconds of processor time, children included; None for all tests
    """

    def __init__(self, budget: float | None) -> None:
        self.failed = ""
        self.end = float("inf") if budget is None else sum(os.times()[:4]) + budget

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self.failed = self.failed or (report.nodeid if report.failed else "")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or (report.nodeid if report.failed else "")

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        if sum(os.times()[:4]) > self.end:
            item.session.shouldstop = "the processor time is spent"


def first_failure(
    folder: Path, tests: list[str], marks: str, budget: float | None = None, fresh: bool = False
) -> str:
    """Return the first test that fails with the package in a folder; 'limit', 'crash' or ''.

    marks  which of the tests: an expression of their marks
    budget  seconds of processor time after which no test begins
    fresh  numba's functions are compiled again
    """
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(LIBRARIES)
    receiver, sender = server.Pipe(duplex=False)
    child = server.Process(target=_run, args=(sender, folder, tests, marks, budget, fresh))
    child.start()
    sender.close()
    try:
        return receiver.recv() if receiver.poll(LIMIT) else "limit"
    except EOFError:
        return "crash"
    finally:  # also of threads and processes that the tests started
        with suppress(ProcessLookupError):
            os.killpg(child.pid or 0, signal.SIGKILL)
        child.join()


def _run(
    sender: Connection, folder: Path, tests: list[str], marks: str, budget: float | None,
    fresh: bool,
) -> None:  # fmt: skip
    """Send the first failure. The output of the tests is in a file of the folder."""
    os.setsid()
    os.chdir(ROOT)
    if budget is not None:
        seconds = int(time.process_time() + budget + LONGEST)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    output = os.open(folder / OUTPUT, os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
    os.dup2(output, 1)
    os.dup2(output, 2)
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    os.environ |= {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    if fresh:
        import numba

        numba.config.CACHE_DIR = os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp(dir=folder)
    watch = Watch(budget)
    words = ["-n", "0", "-x", "-m", marks, "-p", "no:cacheprovider"]
    rewritten = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # libraries are imported
    code = pytest.main([*words, *rewritten, *tests], plugins=[watch])
    sender.send(watch.failed or ("crash" if code == pytest.ExitCode.USAGE_ERROR else ""))
