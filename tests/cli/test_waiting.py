"""Commands print on a terminal what they wait for."""

from __future__ import annotations

import pytest

from murmurate.activity import doing, listening
from murmurate.cli import main, waiting
from murmurate.codegen.kernel_cache import kernel_module


@pytest.fixture
def terminal(monkeypatch):
    """stderr is a terminal, and every wait is long enough to be printed."""
    monkeypatch.setattr(waiting, "is_terminal", lambda: True)
    monkeypatch.setattr(waiting.threading, "Timer", AtOnce)


class AtOnce:
    """A timer that has always run out."""

    daemon = True

    def __init__(self, _seconds, call, words):
        self.start = lambda: call(*words)

    def cancel(self):
        pass


def test_work_is_reported_once_and_without_its_parts():
    texts = []

    def listen(text):
        texts.append(text)
        return doing("a part of a listener is not reported")

    with listening(listen), doing("a"), doing("b"):
        pass
    with doing("without a listener"):
        pass
    assert texts == ["a"]


def test_a_command_prints_what_it_simulates(terminal, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["still", "p5", "--at", "3", "--size", "64x64"]) == 0
    assert "Simulating 3 steps ...\n" in capsys.readouterr().err


@pytest.mark.slow
def test_a_command_prints_what_it_compiles_the_first_time(terminal, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("MURMURATE_CACHE", str(tmp_path / "cache"))
    kernel_module.cache_clear()
    monkeypatch.chdir(tmp_path)
    for command, line in (
        (["still", "p5", "--at", "3", "--size", "64x64"], "Compiling the flock's kernels"),
        (["page", "p5", "--live"], "Compiling WebAssembly"),
    ):
        assert main(command) == 0
        assert capsys.readouterr().err.count(f"{line} (stored for next time) ...") == 1
        assert main([*command, "--force"]) == 0
        assert "Compiling" not in capsys.readouterr().err


@pytest.mark.parametrize("quiet", [True, False])
def test_nothing_is_printed_in_pipes_and_with_quiet(quiet, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(waiting, "is_terminal", lambda: quiet)
    monkeypatch.setattr(waiting.threading, "Timer", AtOnce)
    monkeypatch.chdir(tmp_path)
    more = ["--quiet"] if quiet else []
    assert main(["still", "p5", "--at", "3", "--size", "64x64", *more]) == 0
    assert capsys.readouterr().err == ""
