"""A plugin of pytest: which lines of the package each test executes, and how long each takes.

`source_mutants.py` uses it. It needs `coverage`, and writes to the folder EXECUTED_LINES.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Generator
from pathlib import Path

import coverage
import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "murmurate"
FOLDER = Path(os.environ["EXECUTED_LINES"])
COSTS: dict[str, float] = {}
RECORD = coverage.Coverage(
    data_file=FOLDER / f"{os.getpid()}.coverage", source=[str(PACKAGE)], config_file=False
)
RECORD.set_option("run:relative_files", True)  # the record serves other checkouts
RECORD.start()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    name = item.nodeid.rsplit("@", 1)[0] if os.environ.get("PYTEST_XDIST_WORKER") else item.nodeid
    RECORD.switch_context(name)
    before = time.process_time()
    try:
        return (yield)
    finally:
        COSTS[name] = time.process_time() - before
        RECORD.switch_context("")


def pytest_sessionfinish() -> None:
    RECORD.stop()
    RECORD.save()
    (FOLDER / f"{os.getpid()}.json").write_text(json.dumps(COSTS), encoding="utf-8")
