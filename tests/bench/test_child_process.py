"""A failed child process of a benchmark is reported with its stderr."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from processes import ran

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
FAILS = "import sys; print('half a result'); sys.exit('the server hung up: it is over')"


@pytest.fixture(autouse=True)
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))


def test_output_is_the_stdout_of_a_child() -> None:
    from child_process import output

    assert output([sys.executable, "-c", "print(2 + 3)"]) == "5\n"


def test_a_script_exits_with_the_stderr_of_a_failed_child() -> None:
    script = (
        f"import sys; from child_process import output; output([sys.executable, '-c', {FAILS!r}])"
    )
    child = ran(sys.executable, "-c", script, env={"PYTHONPATH": str(BENCHMARKS)})
    assert child.returncode == 1
    assert "exit code 1; its output:\nthe server hung up: it is over" in child.stderr
    assert "Traceback" not in child.stderr
