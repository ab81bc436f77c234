"""Every test file is collected by the README's command, plain `pytest`."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from processes import ran

TESTS = Path(__file__).parent

# pytest itself says which files it would collect; none of them is imported.
COLLECT = """
import sys
import pytest

class Files:
    def pytest_pycollect_makemodule(self, module_path, parent):
        print("collected", module_path)
        return Nothing.from_parent(parent, path=module_path)

class Nothing(pytest.File):
    def collect(self):
        return []

sys.exit(pytest.main(["--collect-only", "-m", "", "-n", "0", "-p", "no:cacheprovider"], [Files()]))
"""


def collected() -> set[Path]:
    done = ran(sys.executable, "-c", COLLECT, cwd=TESTS.parent)
    assert done.returncode == 5, done.stderr  # no tests: the modules were left closed
    lines = (line.split(" ", 1) for line in done.stdout.splitlines())
    return {Path(words[1]) for words in lines if words[0] == "collected"}


@pytest.mark.slow  # a process that collects all
def test_every_test_file_is_collected() -> None:
    """Also those in folders whose names pytest skips (build, dist, venv), and those whose names do
    not begin with test_ though they hold tests."""
    holds_tests = re.compile(r"^ *(async )?def test_|^class Test", re.MULTILINE)
    files = {file for file in TESTS.rglob("*.py") if file.name.startswith("test_")}
    files |= {file for file in TESTS.rglob("*.py") if holds_tests.search(file.read_text("utf-8"))}
    assert {str(file.relative_to(TESTS)) for file in files - collected()} == set()


def test_tests_of_one_kernel_go_to_one_worker(request: pytest.FixtureRequest) -> None:
    """xdist appends a test's group to its name, where it keeps groups together."""
    if os.environ.get("PYTEST_XDIST_WORKER"):
        assert request.node.nodeid.endswith("@test_collection.py")
    else:
        assert [mark.args for mark in request.node.iter_markers("xdist_group")] == [
            ("test_collection.py",)
        ]


def test_test_files_have_names_of_their_own():
    """Files of one name in two folders cannot both be imported."""
    names = [path.name for path in Path(__file__).parent.rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))
