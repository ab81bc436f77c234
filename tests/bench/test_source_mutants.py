"""Mutants of source code: what is changed, and that tests notice a sample of them."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
sys.path.append(str(BENCHMARKS))
import source_mutants  # noqa: E402


@pytest.mark.parametrize("group", sorted(source_mutants.GROUPS))
def test_each_group_has_sites(group: str) -> None:
    """In code alone, the same for a seed, and each differs from the line that is there."""
    chosen = source_mutants.drawn(group, 300, 1)
    assert len(chosen) == 300
    assert source_mutants.drawn(group, 300, 1) == chosen
    assert source_mutants.drawn(group, 300, 2) != chosen
    for site in chosen:
        lines = (source_mutants.PACKAGE / site.file).read_text(encoding="utf-8").splitlines()
        assert lines[site.line - 1] == site.before != site.after
        assert not site.before.lstrip().startswith(("#", "//", "import", "raise", '"""'))


@pytest.mark.slow
def test_tests_notice_a_sample(tmp_path: Path) -> None:
    """Changes of motions, by the velocities that are computed by hand."""
    shutil.copytree(source_mutants.PACKAGE, tmp_path / "murmurate")
    sites = {
        site.before.strip(): site
        for site in source_mutants.sites("rules")
        if site.file == "rules/motions.py" and " + " in site.before and " - " in site.after
    }
    tests = ("tests/rules/test_rules.py",)
    for before in (
        "u, v, w = me.u + x * k, me.v + y * k, me.w + z * k",
        "return a * hu + b * x, a * hv + b * y, a * hw + b * z",
    ):
        assert source_mutants.noticed_by(sites[before], tmp_path, tests, every=False)
