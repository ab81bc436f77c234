"""murmurate tour: its stops' commands are commands, files are kept, and it can be left."""

from __future__ import annotations

import io
import webbrowser
from contextlib import nullcontext
from pathlib import Path

import pytest

from murmurate.cli import app
from murmurate.cli.tour import STOPS


@pytest.fixture
def opened(monkeypatch) -> list[str]:
    """What was opened in the browser."""
    calls: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda address: not calls.append(address))
    return calls


@pytest.fixture
def run_by_tour(monkeypatch) -> list[list[str]]:
    """The commands that the tour ran; each writes its file and does no more."""
    calls: list[list[str]] = []

    def run(words: list[str]) -> int:
        calls.append(words)
        name = words[-1] if words[0] == "new" or "-o" in words else ""
        if name:
            Path(name).write_text(f"made by {words[0]}")
        return 0

    real = app.run
    monkeypatch.setattr(app, "run", lambda words: (real if "tour" in words else run)(words))
    return calls


def test_it_runs_and_opens_one_stop_after_the_other(murmurate, tmp_path, opened, run_by_tour):
    ran = murmurate("tour")
    assert ran.code == 0 and len(run_by_tour) == len(STOPS)
    folder = tmp_path / "murmurate-tour"
    pages = [stop.output for stop in STOPS if stop.opens]
    assert opened == [(folder / name).as_uri() for name in pages] and len(pages) >= 3
    assert {path.name for path in folder.iterdir()} == {s.output for s in STOPS if s.output}
    for number, stop in enumerate(STOPS, 1):
        assert f"-- {number} of {len(STOPS)}: {stop.title} -" in ran.out
    assert "$ murmurate new p5 murmurate-tour/mine.toml" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 140


def test_files_that_are_there_are_kept_and_opened(murmurate, tmp_path, opened, run_by_tour):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "mine.toml").write_text("precious")
    (folder / "mine.mp4").write_text("a film")
    ran = murmurate("tour", "--begin", 4, "--folder", folder, "--no-open")
    assert ran.code == 0 and (folder / "mine.toml").read_text() == "precious"
    assert [words[0] for words in run_by_tour] == ["verify", "models"]
    assert not opened and (folder / "mine.mp4").as_uri() in ran.out


def test_it_can_be_left_and_entered_again(murmurate, monkeypatch, opened, run_by_tour):
    keys = io.StringIO("\nq\n")
    monkeypatch.setattr(keys, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", keys)
    ran = murmurate("tour")
    assert ran.code == 0 and len(run_by_tour) == 2
    assert ran.out.endswith("murmurate tour --begin 3\n")


def test_a_command_that_fails_ends_it(murmurate, monkeypatch, opened):
    real = app.run
    monkeypatch.setattr(app, "run", lambda words: real(words) if "tour" in words else 1)
    assert murmurate("tour").code == 1 and not opened


def test_what_its_commands_wait_for_is_printed_once(murmurate, monkeypatch, opened):
    real, listeners = app.run, []
    monkeypatch.setattr(app, "run", lambda words: real(words if "tour" in words else ["schema"]))
    monkeypatch.setattr(app, "show_waiting", lambda quiet: nullcontext(listeners.append(quiet)))
    assert murmurate("tour", "--begin", len(STOPS) - 1).code == 0 and listeners == [False]


@pytest.mark.parametrize("begin", [0, 99, -1])
def test_a_stop_that_is_not_there(murmurate, tmp_path: Path, begin):
    ran = murmurate("tour", "--begin", begin)
    assert ran.code == 2 and f"expected 1 to {len(STOPS)}" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["tiny.toml"]


def test_a_folder_that_cannot_be_made(murmurate):
    ran = murmurate("tour", "--folder", "tiny.toml")
    assert ran.code == 2 and "tiny.toml: cannot be created" in ran.err


@pytest.mark.slow
def test_the_whole_tour(murmurate, tmp_path: Path):
    ran = murmurate("tour", "--no-open")
    assert ran.code == 0, ran.err
    for stop in STOPS:
        assert not stop.output or (tmp_path / "murmurate-tour" / stop.output).stat().st_size
    assert ran.out.count("file://") == sum(stop.opens for stop in STOPS)
