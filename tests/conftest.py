"""Kernels that tests compile are kept beside pytest's own cache, or where MURMURATE_CACHE says,
never in the user's: reruns are fast. Kernels are named by what is in them, so an old one cannot
stand in for a new one."""

from __future__ import annotations

import gc
import os
from collections.abc import Generator, Iterator
from contextlib import ExitStack, nullcontext, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import settings

import costs
import fast_commands
import kernel_groups
import layers
import murmurate.rules  # noqa: F401  (so that built-in kinds are known before the first test)
from murmurate.codegen.compile_jobs import CompileProcess
from murmurate.codegen.kernel_cache import shared_module
from murmurate.engines.memory import free_memory
from murmurate.engines.options import cores
from murmurate.engines.registry import BUILT_IN, REGISTERED, BuiltIn
from murmurate.model.registry import MOTIONS, RULES
from processes import default_signals, until

KERNELS = Path(__file__).resolve().parent.parent / ".pytest_cache" / "kernels"
OF_MOST_MODELS = ("sort_cells_alone", "run_steps")
"""Kernels that do not depend on the model. No default test sorts cells in float32."""
SELECTION = pytest.StashKey[layers.Selection]()
fast_commands.install()
settings.register_profile("same every time", derandomize=True, deadline=None, database=None)
settings.load_profile("same every time")
os.environ.setdefault("MURMURATE_CACHE", str(KERNELS))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads wait for work without sleeping
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of processes import the same modules


SLOW_WORKER = 3 * 10**9
"""Bytes of a worker of slow tests, with its kernels and its browser."""


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One for each core, since each imports all libraries and collects all tests. One more where
    slow tests run, which wait for browsers and clusters, if there is memory for all."""
    if config.option.markexpr == layers.DEFAULT:
        return cores()
    free = free_memory()
    return cores() + 1 if free is None else max(1, min(cores() + 1, free // SLOW_WORKER))


def missing_kernels(config: pytest.Config, dtype: str) -> list[str]:
    kernels = shared_module(dtype).kernels
    sorts = dtype == "float64" or config.option.markexpr != layers.DEFAULT
    names = OF_MOST_MODELS if sorts else OF_MOST_MODELS[1:]
    return [name for name in names if not kernels[name].in_cache]


def pytest_sessionstart(session: pytest.Session) -> None:
    """While workers collect tests, two processes compile what otherwise each worker would."""
    config = session.config
    if config.getoption("numprocesses", None) and not config.getoption("collectonly"):
        for dtype in ("float32", "float64"):
            if missing := missing_kernels(config, dtype):
                CompileProcess(dtype, missing)


def pytest_collection_finish(session: pytest.Session) -> None:
    """A worker waits for these kernels, which take longer than collection; or compiles them itself
    where that process has failed."""
    if os.environ.get("PYTEST_XDIST_WORKER"):
        with suppress(AssertionError):
            dtypes = ("float32", "float64")
            until(lambda: not any(missing_kernels(session.config, dtype) for dtype in dtypes))


def pytest_addoption(parser: pytest.Parser) -> None:
    layers.add_options(parser)
    parser.addoption("--costs", action="store_true", help="processor time and memory of tests")


def pytest_configure(config: pytest.Config) -> None:
    """xdist would begin with the groups of most tests; `begins` knows better."""
    config.option.loadscopereorder = False
    if config.option.costs:
        config.pluginmanager.register(costs.Costs(Path(os.environ["MURMURATE_CACHE"])), "costs")
    config.stash[SELECTION] = layers.Selection(config.option.markexpr, config.option.changed)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Files of which no test would run are not imported, unless they are named."""
    named = any(Path(word.split("::")[0]).resolve() == collection_path for word in config.args)
    return True if not named and config.stash[SELECTION].excludes(collection_path) else None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Workers begin with different folders: pytest rewrites a file for the first, and stores it for
    the others. `pytest_collection_modifyitems` gives all of them one order."""
    report = yield
    if collector.path == KERNELS.parents[1] / "tests":
        worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:])
        first = worker * len(report.result) // int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1))
        report.result = [*report.result[first:], *report.result[:first]]
    return report


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Nothing of what collection creates is garbage; a search for it takes a third of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)  # else a tenth of the time searches for garbage


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark slow tests. Those that compile the same kernels go to one worker, which compiles each of
    them once."""
    if layers.is_slow(item.path):
        item.add_marker(pytest.mark.slow)
    elif any(map(item.get_closest_marker, layers.MARKS)) and not layers.has_marks(item.path):
        raise pytest.UsageError(f"{item.nodeid}: got a mark that its file does not name")
    item.add_marker(pytest.mark.xdist_group(kernel_groups.group_of(item)))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Those that take long begin first, so that no worker ends with one of them alone."""
    if os.environ.get("PYTEST_XDIST_WORKER"):
        items.sort(key=lambda item: (kernel_groups.begins(item), item.path))


@pytest.fixture(scope="session", autouse=True)
def _default_signals() -> Iterator[None]:
    """Ctrl-C means the same whether the tests run in the foreground or not."""
    with default_signals():
        yield


@pytest.fixture(autouse=True)
def _same_kinds() -> Iterator[None]:
    """Rules, motions and engines that a test registers are unknown again after it."""
    with ExitStack() as stack:
        for registry in (RULES, MOTIONS, REGISTERED):
            stack.enter_context(patch.dict(registry))
        yield


def interpreting() -> Any:
    """Return a context in which engine cpu executes the text of its kernels in Python."""
    return patch.dict(BUILT_IN, cpu=BuiltIn("interpreted:InterpretedEngine"))


@pytest.fixture
def interpreted() -> Iterator[None]:
    """Engine cpu executes the text of its kernels in Python: nothing is compiled."""
    with interpreting():
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Default tests of what uses engines compile nothing, nor do their fixtures."""
    with interpreting() if layers.is_interpreted(item) else nullcontext():
        return (yield)
