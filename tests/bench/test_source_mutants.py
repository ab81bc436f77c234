"""Mutants of source code: what is changed, and that tests notice a sample of them."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
sys.path.append(str(BENCHMARKS))
import source_mutants  # noqa: E402


def test_mutants_change_code_alone() -> None:
    """They are the same for a seed, and each differs from the line that is there."""
    chosen = source_mutants.drawn(["neighbours"], 300, 1)
    assert len(chosen) == 300
    assert source_mutants.drawn(["neighbours"], 100, 1) == chosen[:100]
    assert source_mutants.drawn(["neighbours"], 300, 2) != chosen
    for mutant in chosen:
        assert mutant.package == "neighbours"
        lines = (source_mutants.PACKAGE / mutant.file).read_text(encoding="utf-8").splitlines()
        assert lines[mutant.line - 1] == mutant.before != mutant.after
        assert not mutant.before.lstrip().startswith(("#", "//", "import", "raise", '"""'))


def test_what_is_compiled_gets_the_tests_of_its_package() -> None:
    """Tests execute only some of its lines."""
    record: Any = SimpleNamespace(tests=lambda *_: ["tests/a.py::test"])

    def words(file: str) -> set[str]:
        mutant = source_mutants.Mutant(file, 1, "", "")
        return {word for group in source_mutants.tests_of(mutant, record) for word in group}

    assert words("record/store.py") == {"tests/a.py::test"}
    for path in source_mutants.PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "njit(" in text and path.parent != source_mutants.PACKAGE:
            file = path.relative_to(source_mutants.PACKAGE).as_posix()
            assert f"tests/{file.split('/')[0].replace('neighbours', 'measures')}" in words(file)
    assert "tests/engines/test_gpu_interpreted.py" in words("engines/gpu/cells.wgsl")
    assert "tests/engines/parity/test_interpreted.py" in words("codegen/templates/chunks.py.j2")


def test_a_mutant_is_executed_with_the_head_of_its_statement() -> None:
    file = "show/canvas.py"
    lines = (source_mutants.PACKAGE / file).read_text(encoding="utf-8").splitlines()
    first = lines.index("def draw_lines(") + 1
    for line in (first, first + 3):
        head = source_mutants.statement(source_mutants.Mutant(file, line, "", ""))
        assert head[0] == first and lines[head[-1] - 1] == ") -> None:"


def test_the_table_counts_each_layer() -> None:
    rows = [
        {"mutant": "a", "package": "model", "default": "tests/x"},
        {"mutant": "b", "package": "model", "default": "", "slow": "tests/y"},
        {"mutant": "c", "package": "rules", "default": "", "slow": ""},
    ]
    table = source_mutants.table(rows)
    assert "| `model` | 2 | 1 | 2 |\n| `rules` | 1 | 0 | 0 |\n| all | 3 | 1 | 2 |" in table
    assert table.endswith("Survivors:\n\n- `c`\n")


@pytest.mark.slow
def test_tests_notice_a_sample(tmp_path: Path) -> None:
    """Changes of a motion and of a template, by velocities that are computed by hand."""
    shutil.copytree(source_mutants.PACKAGE, tmp_path / "murmurate")
    lines = {
        mutant.before.strip(): mutant
        for mutant in source_mutants.mutants(["rules"])
        if mutant.file == "rules/motions.py" and " + " in mutant.before and " - " in mutant.after
    }
    before = "u, v, w = me.u + x * k, me.v + y * k, me.w + z * k"
    tests = ["tests/rules/test_rules.py"]
    assert source_mutants.noticed_by(lines[before], tmp_path, tests, "default")
    # Tests that end because their budget is spent have noticed nothing.
    tests = ["tests/language"]
    assert not source_mutants.noticed_by(lines[before], tmp_path, tests, "default", budget=0.0)
    template = next(
        mutant
        for mutant in source_mutants.mutants(["codegen"])
        if mutant.before == "%% if rule.rule.wakes" and mutant.file.endswith(".j2")
    )
    tests = ["tests/rules/test_sensing.py::test_a_level_that_is_woken"]
    assert source_mutants.noticed_by(template, tmp_path, tests, "slow")
