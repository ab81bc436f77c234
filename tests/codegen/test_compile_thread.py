"""Ctrl-C while kernels are compiled: it ends at once, and leaves nothing half written."""

from __future__ import annotations

import os
import signal
import sys
import threading

import pytest

import murmurate as mm
from murmurate.cli import main
from murmurate.codegen.compile_jobs import compile_in_thread
from murmurate.codegen.kernel_compiler import faster_compilation
from processes import LIMIT, started
from tiny_model import TINY

needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to send")
RULES = 40  # these take the compiler more than ten seconds


@pytest.fixture
def endless():
    """Work that presses Ctrl-C and then goes on until the test is over; (work, ended)."""
    over, ended = threading.Event(), threading.Event()

    def work():
        with faster_compilation():
            os.kill(os.getpid(), signal.SIGINT)
            over.wait(LIMIT)
        ended.set()

    yield work, ended
    over.set()
    assert ended.wait(LIMIT)


@needs_signals
def test_ctrl_c_ends_the_wait_and_not_the_work(endless):
    work, ended = endless
    with pytest.raises(KeyboardInterrupt):
        compile_in_thread(work)
    assert not ended.is_set()


@needs_signals
def test_a_run_is_ended_at_once_too(endless, capsys, monkeypatch, tmp_path):
    """It would otherwise fly its step to the end."""
    work, ended = endless
    monkeypatch.setattr(
        "murmurate.runs.simulation.Simulation.step", lambda *_: compile_in_thread(work)
    )
    assert main(["run", "ucl", "--quiet", "--steps", "5"]) == 130
    assert not ended.is_set()
    assert capsys.readouterr().err == "murmurate: stopped: ended by Ctrl-C while compiling\n"


@needs_signals
def test_whoever_handles_ctrl_c_is_asked_at_once():
    requested = threading.Event()
    seen = []

    def work():
        os.kill(os.getpid(), signal.SIGINT)
        seen.append(requested.wait(LIMIT))

    before = signal.signal(signal.SIGINT, lambda *_: requested.set())
    try:
        compile_in_thread(work)
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen == [True]


def test_what_it_raises_is_raised_here():
    with pytest.raises(ZeroDivisionError):
        compile_in_thread(lambda: 1 / 0)


def test_another_thread_does_it_itself():
    seen = []
    thread = threading.Thread(
        target=lambda: compile_in_thread(lambda: seen.append(threading.current_thread()))
    )
    thread.start()
    thread.join(LIMIT)
    assert seen == [thread]


def test_a_second_ctrl_c_while_the_first_is_answered(monkeypatch):
    def pressed(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("murmurate.cli.app.run", pressed)
    assert main(["models"]) == 130


@pytest.mark.slow
@needs_signals
def test_a_recording_whose_kernels_are_being_compiled(tmp_path, monkeypatch):
    """The compiler is in the midst of it, away from Python for seconds."""
    rule = "[rules.c{}]\nkind = 'cohesion'\nradius = 3\nweight = 0.01"
    rules = [rule.format(k) for k in range(RULES)]
    (tmp_path / "many.toml").write_text(TINY + "\n".join(rules))
    monkeypatch.setenv("MURMURATE_CACHE", str(tmp_path / "cache"))
    words = ["-v", "run", "many.toml", "-o", "it.zarr", "--steps", 5, "--quiet"]
    with started(sys.executable, "-m", "murmurate", *words, cwd=tmp_path) as process:
        while "kernel all_pairs_0: compiling" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert process.returncode == 130
    assert err == (
        "murmurate: stopped: ended by Ctrl-C while compiling after step 0 of 5; all 1 frames are "
        "kept. To resume: murmurate resume it.zarr\n"
    )
    assert len(mm.open(tmp_path / "it.zarr")) == 1
    left = [path.name for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert not [name for name in left if ".tmp." in name or name.endswith(".part")]
