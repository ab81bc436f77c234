"""A plugin of pytest: no test begins after PROCESSOR_BUDGET seconds of processor time, children
included. `source_mutants.py` uses it."""

from __future__ import annotations

import os

import pytest

SPENT = "the processor time is spent"


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    if sum(os.times()[:4]) > float(os.environ["PROCESSOR_BUDGET"]):
        item.session.shouldstop = SPENT
