"""What a child process of a benchmark says on stderr is shown when it fails."""

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


def test_the_output_of_a_child() -> None:
    from child_process import output

    assert output([sys.executable, "-c", "print(2 + 3)"]) == "5\n"


def test_a_script_ends_with_the_words_of_the_child_that_failed() -> None:
    script = (
        f"import sys; from child_process import output; output([sys.executable, '-c', {FAILS!r}])"
    )
    child = ran(sys.executable, "-c", script, env={"PYTHONPATH": str(BENCHMARKS)})
    assert child.returncode == 1
    assert "ended with 1, and said:\nthe server hung up: it is over" in child.stderr
    assert "Traceback" not in child.stderr
