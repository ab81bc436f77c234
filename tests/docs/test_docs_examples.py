"""Every example runs, in an empty folder, and prints something."""

from __future__ import annotations

import runpy

import pytest
from page_blocks import ROOT

pytestmark = pytest.mark.slow  # beside the README's command, for its time

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=[example.stem for example in EXAMPLES])
def test_an_example_runs(example, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(example.parent)
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")  # pygame without a screen
    runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out.strip()


def test_every_example_says_what_it_is():
    """There are some, and each begins with a docstring and is named in the docs."""
    assert len(EXAMPLES) >= 4
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for example in EXAMPLES:
        assert example.read_text(encoding="utf-8").startswith('"""'), example.name
        assert f"../examples/{example.name}" in index, example.name
