"""No test depends on luck or on how fast the machine is: tests draw no random numbers without a
seed, read no clock and wait for no fixed time.

They wait for what happens (`processes.until`, events, replies) with one limit, `processes.LIMIT`,
which ends what hangs; they count operations (`operations.cost_of`) and use clocks of their own.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from parsed import read_trees

TESTS = Path(__file__).parent
CLOCKS = (
    "clock", "clock_gettime", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns",
    "process_time", "process_time_ns", "sleep", "thread_time", "thread_time_ns", "time_ns",
)  # fmt: skip
"""Names of the module `time`, and `asyncio.sleep`."""
WAITS = ("wait_for_timeout",)
"""Methods of a browser's page that wait for a time."""
CHILDREN = ("ran", "ran_well", "started", "until")
"""Functions of `processes` with a `limit` in seconds."""

ALLOWED = {
    ("under_load.py", "monotonic"): "a script, which prints how long a run took",
    ("support/processes.py", "monotonic"): "`until` ends what hangs",
    ("support/processes.py", "sleep"): "`until` looks again after a moment",
    ("live_view/conftest_live.py", "monotonic"): "ends what hangs",
    ("fuzz/live_messages.py", "monotonic"): "ends what hangs",
    ("browser/views.py", "monotonic"): "ends what hangs",
    ("browser/views.py", "wait_for_timeout"): "looks again after a moment",
    ("browser/test_replay_page.py", "monotonic"): "ends what hangs",
    ("browser/test_replay_page.py", "wait_for_timeout"): "looks again after a moment",
    ("browser/test_half_an_hour.py", "monotonic"): "memory is read each minute of half an hour",
    ("browser/test_half_an_hour.py", "wait_for_timeout"): "the page must go on in that minute",
    ("browser/test_notebook.py", "wait_for_timeout"): (
        "JupyterLab shows by no element that it is ready, or that a cell has begun to run"
    ),
    ("browser/test_site.py", "limit=1800"): "builds the whole site",
    ("browser/test_notebook.py", "limit=3600"): "a server for all tests of the file: an hour",
    ("fuzz/live_messages.py", "timeout=0.05"): "looks again after a moment",
    ("live_view/conftest_live.py", "timeout=0.1"): "looks again after a moment",
}
"""(file, name) -> why it may."""


def uses(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Each use of a clock, of a fixed wait or of a short limit in a file: its name and line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "time":
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (
                (f"time as {a.asname}", node.lineno)
                for a in node.names
                if a.name == "time" and a.asname
            )
        elif isinstance(node, ast.Attribute):
            of = node.value.id if isinstance(node.value, ast.Name) else ""
            clock = of in ("time", "asyncio") and node.attr in (*CLOCKS, "time")
            if clock or node.attr in WAITS:
                yield node.attr, node.lineno
        elif isinstance(node, ast.Call):
            for name, value in limits(node).items():
                number = value.value if isinstance(value, ast.Constant) else None
                if isinstance(number, int | float):
                    yield f"{name}={number}", node.lineno


def called(call: ast.Call) -> str:
    """The last part of the name that is called."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def limits(call: ast.Call) -> dict[str, ast.expr]:
    """The arguments that say how long something may take."""
    names = ("timeout", "limit") if called(call) in CHILDREN else ("timeout",)
    found = {str(word.arg): word.value for word in call.keywords if word.arg in names}
    if called(call) in ("wait", "join", "result") and call.args:  # of threads
        found["timeout"] = call.args[0]
    if called(call) == "join" and not call.args and not found:
        found["timeout"] = ast.Constant(math.inf)
    return found


def unseeded(tree: ast.AST) -> Iterator[int]:
    """The lines where random numbers are drawn without a seed."""
    nodes = list(ast.walk(tree))
    modules = {
        alias.asname or alias.name
        for node in nodes
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "random"
    }
    for node in nodes:
        if isinstance(node, ast.Call):
            name = called(node)
            no_seed = not node.args and not node.keywords
            of = node.func.value if isinstance(node.func, ast.Attribute) else None
            plain = name in ("default_rng", "Random", "SystemRandom", "RandomState") and no_seed
            module = isinstance(of, ast.Name) and of.id in modules and name != "Random"
            legacy = isinstance(of, ast.Attribute) and of.attr == "random"
            legacy = legacy and ast.unparse(of) in ("np.random", "numpy.random")
            if plain or module or (legacy and name[:1].islower() and name != "default_rng"):
                yield node.lineno


Uses = list[tuple[str, str, int]]
"""File, name and line of each."""


@pytest.fixture(scope="module")
def found() -> tuple[Uses, Uses]:
    """Clocks, waits and limits; and random numbers without a seed."""
    files = (file for file in sorted(TESTS.rglob("*.py")) if file != Path(__file__))
    read = read_trees(files, lambda tree: (list(uses(tree)), list(unseeded(tree))))
    times, chances = [], []
    for path, (clocks, lines) in read.items():
        file = path.relative_to(TESTS).as_posix()
        times += [(file, *use) for use in clocks]
        chances += [(file, "", line) for line in lines]
    return times, chances


def test_no_test_reads_a_clock_or_waits_for_a_fixed_time(found: tuple[Uses, Uses]) -> None:
    others = [use for use in found[0] if use[:2] not in ALLOWED]
    assert others == [], "wait for what happens, or count operations: see tests/README.md"


def test_all_that_is_allowed_is_used(found: tuple[Uses, Uses]) -> None:
    assert set(ALLOWED) - {use[:2] for use in found[0]} == set()


@pytest.mark.parametrize(
    "text",
    [
        "import time\ntime.sleep(1)",
        "from time import perf_counter",
        "import time\nbegun = time.process_time()",
        "import asyncio\nasyncio.sleep(0.5)",
        "page.tab.wait_for_timeout(300)",
        "event.wait(60)",
        "event.wait(timeout=5)",
        "thread.join()",
        "ran('a', limit=9)",
        "import time as clock",
        "import time\nclock = time.time",
    ],
)
def test_each_of_these_is_noticed(text: str) -> None:
    assert list(uses(ast.parse(text)))


def test_no_test_draws_random_numbers_without_a_seed(found: tuple[Uses, Uses]) -> None:
    assert found[1] == []


@pytest.mark.parametrize(
    "text",
    [
        "np.random.default_rng()", "np.random.normal(size=3)", "import random\nrandom.random()",
        "from random import Random\nRandom()", "np.random.seed(1)",
    ],
)  # fmt: skip
def test_each_of_these_has_no_seed_of_its_own(text: str) -> None:
    assert list(unseeded(ast.parse(text)))
