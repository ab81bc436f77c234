"""The program as a process of its own: how soon it answers, Ctrl-C, full disks, closed pipes."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import av
import pytest

from processes import SMALL_FILES, ran, started, until

PROGRAM = [sys.executable, "-m", "murmurate"]
needs_dev_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to send")


SIGNALS = pytest.mark.parametrize(
    ("number", "name"), [(signal.SIGINT, "Ctrl-C"), (signal.SIGTERM, "SIGTERM")]
)


@needs_signals
@SIGNALS
def test_a_film_that_is_ended_plays(murmurate, tmp_path: Path, number, name):
    murmurate("film", "tiny.toml", "-o", "first.mp4")  # compiles
    with started(*PROGRAM, "film", "tiny.toml", "--steps", 10**8, cwd=tmp_path) as process:
        until(lambda: [draft for draft in tmp_path.glob(".tiny*") if draft.stat().st_size], process)
        process.send_signal(number)
        out, err = process.communicate()
    assert process.returncode == 130
    assert f"ended by {name}" in err and "it plays" in err
    assert "Traceback" not in err
    with av.open(str(tmp_path / "tiny.mp4")) as film:
        count = sum(1 for _ in film.decode(video=0))
    assert f"tiny.mp4: {count} pictures" in out
    assert not list(tmp_path.glob(".tiny*"))


@needs_signals
@pytest.mark.parametrize(
    ("number", "name"),
    [(signal.SIGINT, "Ctrl-C"), pytest.param(signal.SIGTERM, "SIGTERM", marks=pytest.mark.long)],
)
def test_a_run_that_is_ended_reports_its_steps(murmurate, tmp_path: Path, number, name):
    murmurate("run", "tiny.toml", "--quiet")
    with started(*PROGRAM, "run", "tiny.toml", "--steps", 10**9, cwd=tmp_path) as process:
        process.stderr.readline()  # it flies
        process.send_signal(number)
        out, err = process.communicate()
    assert process.returncode == 130
    assert f"ended by {name} after step" in err
    assert "tiny after step" in out


FULL = """
from murmurate.cli import main
limit_files(30_000)
sys.exit(main(sys.argv[1:]))
"""


@needs_signals
def test_a_disk_that_fills_leaves_no_half_film(murmurate, tmp_path: Path):
    murmurate("film", "tiny.toml", "-o", "first.mp4", "--size", "640x480")  # compiles the painter
    words = ["film", "tiny.toml", "--steps", "300", "--size", "640x480"]
    done = ran(sys.executable, "-c", SMALL_FILES + FULL, *words, cwd=tmp_path)
    assert done.returncode == 1
    assert "tiny.mp4: writing the film failed" in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(os.listdir(tmp_path)) == ["first.mp4", "tiny.toml"]


@needs_dev_full
def test_output_to_a_full_disk():
    with open("/dev/full", "w") as full:
        done = ran(*PROGRAM, "models", stdout=full)
    assert done.returncode == 1
    assert done.stderr.startswith("murmurate: error: ")
    assert "No space left" in done.stderr and len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("words", ["show starlings --kernel", "--help", "film --help"])
def test_a_reader_that_leaves(words: str):
    with started(*PROGRAM, *words.split()) as process:
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait() == 0


def test_help_of_the_program_imports_no_command():
    listed = ran(sys.executable, "-X", "importtime", "-m", "murmurate", "--help")
    assert "murmurate.cli.app" in listed.stderr
    assert "murmurate.cli.sweep" not in listed.stderr and "numba" not in listed.stderr


@pytest.mark.skipif(os.name == "nt", reason="a shell's way to close an output")
@pytest.mark.parametrize("words", ["", "models", "run ucl --steps 0"])
def test_a_closed_output_is_no_traceback(words: str):
    for closed in (">&-", "2>&- >/dev/null"):
        done = ran("sh", "-c", f"{sys.executable} -m murmurate {words} {closed}")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_bad_input_is_said_by_the_exit_code_too():
    for buffered in ("", "PYTHONUNBUFFERED="):
        done = ran("sh", "-c", f"{buffered} {sys.executable} -m murmurate run nope 2>/dev/full")
        assert done.returncode == 2
    done = ran("sh", "-c", f"{sys.executable} -m murmurate >/dev/full")
    assert done.returncode == 1 and "No space left" in done.stderr


@needs_signals
def test_sigterm_ends_a_job_that_ignores_ctrl_c(murmurate, tmp_path: Path):
    """One that a shell has put into the background."""
    murmurate("film", "tiny.toml", "-o", "first.mp4")
    code = "import signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN);"
    code += "from murmurate.cli import main; sys.exit(main(sys.argv[1:]))"
    words = ["film", "tiny.toml", "--steps", 10**8]
    with started(sys.executable, "-c", code, *words, cwd=tmp_path) as process:
        until(lambda: [draft for draft in tmp_path.glob(".tiny*") if draft.stat().st_size], process)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate()
    assert process.returncode == 130 and "ended by SIGTERM" in err
