"""`pytest --costs`: the processor time of each folder of tests, the kernels that were compiled, and
the memory of the workers. The default tests must stay below three minutes on two cores: see
README.md.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

SHOWN = 15  # most expensive tests


class Costs:
    """A plugin: it measures tests in the process that runs them, and prints sums in the first one.

    Parameters
    ----------
    cache : Path
        The folder of compiled kernels.
    """

    def __init__(self, cache: Path) -> None:
        self._cache = cache
        self._kernels = self._count_kernels()
        self._begin = processor_seconds()
        self.by_test: Counter[str] = Counter()
        self.megabytes: list[float] = []

    def _count_kernels(self) -> int:
        return sum(1 for _ in self._cache.glob("*.o"))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, Any, Any]:
        report = yield
        now = processor_seconds()
        report.user_properties.append(("processor seconds", now - self._begin))
        self._begin = now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        seconds = [value for name, value in report.user_properties if name == "processor seconds"]
        self.by_test[report.nodeid] += seconds[-1]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["megabytes"] = peak_megabytes()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.megabytes.append(getattr(node, "workeroutput", {}).get("megabytes", 0.0))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        folders: Counter[str] = Counter()
        for test, seconds in self.by_test.items():
            folders[folder_of(test)] += seconds
        write = terminalreporter.write_line
        write(f"processor time of {len(self.by_test):,} tests: {folders.total():.0f} s")
        for name, seconds in folders.most_common():
            write(f"{seconds:8.1f} s  {name}")
        for name, seconds in self.by_test.most_common(SHOWN):
            write(f"{seconds:8.1f} s  {name}")
        sizes = self.megabytes or [peak_megabytes()]
        write(f"kernels compiled: {self._count_kernels() - self._kernels}")
        write(f"memory of the workers: {', '.join(f'{size:.0f} MB' for size in sizes)}")


def folder_of(test: str) -> str:
    """Return the folder of a test below `tests`, or its file if that is in `tests` itself."""
    parts = test.split("::")[0].split("/")[1:]
    return "/".join(parts[:-1]) or parts[-1]


def processor_seconds() -> float:
    """Return the processor time of this process and of its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def peak_megabytes() -> float:
    """Return the largest memory that this process had; 0 where the system does not say."""
    try:
        import resource
    except ImportError:
        return 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
