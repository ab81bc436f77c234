"""Every example runs, in an empty folder, and prints something."""

from __future__ import annotations

import runpy
from functools import partial

import pytest
from page_blocks import ROOT

import murmurate as mm
from murmurate import environments

pytestmark = pytest.mark.slow  # beside the README's command, for its time

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
TRAINING = ROOT / "examples" / "train_a_dog.py"
SHORT = [example for example in EXAMPLES if example != TRAINING]


@pytest.mark.parametrize("example", SHORT, ids=[example.stem for example in SHORT])
def test_an_example_runs(example, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(example.parent)
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")  # pygame without a screen
    runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out.strip()


@pytest.mark.long  # PyTorch, and kernels of the environment and of the rule
def test_a_trained_policy_scores_as_a_rule_as_it_did(tmp_path, monkeypatch, capsys):
    pytest.importorskip("stable_baselines3")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STEPS", "1")
    monkeypatch.setattr(mm, "live_page", lambda *_, **__: None)  # which compiles for long
    play = environments.play
    monkeypatch.setattr(environments, "score", partial(environments.score, seeds=2))
    monkeypatch.setattr(environments, "play", lambda *given, seeds: play(*given, seeds=2))
    runpy.run_path(str(TRAINING), run_name="__main__")
    rows = [line.rsplit(maxsplit=1) for line in capsys.readouterr().out.splitlines()[:4]]
    returns = {name.strip(): float(value) for name, value in rows}
    assert returns["the same as a rule"] == pytest.approx(returns["the trained policy"], abs=2.0)
    assert (tmp_path / "dog.npz").is_file()


def test_every_example_says_what_it_is():
    """There are some, and each begins with a docstring and is named in the docs."""
    assert len(EXAMPLES) >= 4
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for example in EXAMPLES:
        assert example.read_text(encoding="utf-8").startswith('"""'), example.name
        assert f"../examples/{example.name}" in index, example.name
