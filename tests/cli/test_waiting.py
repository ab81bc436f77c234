"""Commands print what they wait for."""

from __future__ import annotations

from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from murmurate.activity import doing, listening
from murmurate.cli import main
from murmurate.cli.terminal import ProgressLines
from murmurate.cli.waiting import DELAY_SECONDS, PIPE_DELAY_SECONDS, show_waiting
from murmurate.codegen.kernel_cache import kernel_module


class Timers:
    """Timers and a clock that a test moves: the last timer runs out on request."""

    def __init__(self) -> None:
        self.seconds, self.time, self.call = 0.0, 0.0, lambda: None

    def __call__(self, seconds, call, words):
        timer = SimpleNamespace(daemon=False, cancel=lambda: None)
        timer.start = lambda: self.set(seconds, lambda: call(*words))
        return timer

    def set(self, seconds, call) -> None:
        self.seconds, self.call = seconds, call

    def run_out(self) -> float:
        """Move the clock to the end of the last timer, and return how long it was."""
        seconds = self.seconds
        self.time += seconds
        self.call()
        return seconds


@pytest.mark.parametrize("terminal", [True, False])
def test_work_that_lasts_prints_how_far_it_is(terminal: bool, capsys):
    """The first line comes after a moment, in a pipe too; later ones count, with the time left."""
    timers = Timers()
    first = DELAY_SECONDS if terminal else PIPE_DELAY_SECONDS
    with show_waiting(False, terminal, timer=timers, clock=lambda: timers.time):
        with doing("Simulating 100 steps", 100) as work:
            assert timers.run_out() == first
            work.done = 20
            assert timers.run_out() == 10
        with doing("Compiling"):
            timers.run_out()
            timers.run_out()
    left = 4 * (first + 10)
    assert capsys.readouterr().err.splitlines() == [
        "Simulating 100 steps ...", f"Simulating 100 steps: 20%, about {left:.1f} s left",
        "Compiling ...", f"Compiling: {first + 10:.1f} s so far",
    ]  # fmt: skip


def test_lines_of_progress_are_few_and_have_the_time_left():
    clock = [0.0]
    lines = ProgressLines(lambda: clock[0])
    printed = []
    for second in range(1, 100):
        clock[0] = float(second)
        printed.append(lines.line(second, 100, "runs"))
    assert printed[:3] == ["", "", "3 of 100 runs: 3%, about 1 min 37 s left"]
    assert 4 <= sum(map(bool, printed)) <= 9


def test_the_time_left_leaves_out_compiling_and_stored_runs():
    clock = [0.0]
    lines = ProgressLines(lambda: clock[0])
    clock[0] = 60.0
    assert lines.line(50, 100, "runs") == "50 of 100 runs: 50%"
    clock[0] = 100.0
    assert lines.line(60, 100, "runs") == "60 of 100 runs: 60%, about 2 min 40 s left"


def test_work_is_reported_once_and_without_its_parts():
    texts = []

    def listen(work):
        texts.append(work.text)
        return doing("a part of a listener is not reported")

    with listening(listen), doing("a"), doing("b"):
        pass
    with doing("without a listener"):
        pass
    assert texts == ["a"]


@pytest.fixture
def texts():
    """The texts of the work of commands."""
    texts = []

    @contextmanager
    def listen(work):
        yield texts.append(work.text)

    with listening(listen):
        yield texts


def test_a_command_reports_what_it_simulates(texts, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    size = ["--size", "64x64", "--set", "view.trails=0", "--engine", "reference"]
    assert main(["still", "p5", "--at", "3", *size]) == 0
    assert "Simulating 3 steps" in texts


@pytest.mark.parametrize(
    ("command", "line"),
    [
        pytest.param(
            ["still", "p5", "--at", "3", "--size", "64x64"], "Compiling the flock's kernels",
            marks=pytest.mark.slow, id="kernels",
        ),
        pytest.param(
            ["page", "p5", "--live", "--edit"], "Compiling p5, module 3 of 4, to WebAssembly",
            marks=pytest.mark.long, id="modules",
        ),
    ],
)  # fmt: skip
def test_a_command_reports_what_it_compiles_the_first_time(
    command, line, texts, tmp_path, monkeypatch
):
    monkeypatch.setenv("MURMURATE_CACHE", str(tmp_path / "cache"))
    kernel_module.cache_clear()
    monkeypatch.chdir(tmp_path)
    assert main(command) == 0
    assert f"{line} (stored for next time)" in texts
    texts.clear()
    assert main([*command, "--force"]) == 0
    assert not any(text.startswith("Compiling") for text in texts)


@pytest.mark.parametrize("quiet", [True, False])
def test_nothing_is_printed_of_short_work_and_with_quiet(quiet, tmp_path, capsys, monkeypatch):
    timers = Timers()
    with show_waiting(quiet, False, timer=timers), doing("Compiling"):
        timers.run_out() if quiet else None
    assert capsys.readouterr().err == ""
