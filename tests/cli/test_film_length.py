"""The length of a film: --seconds, and what is printed before it starts."""

from __future__ import annotations

import pytest

from murmurate.cli import film_length, main
from murmurate.cli.terminal import duration_text

FEW = ("--engine", "reference", "--boids", "9")


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def film(*words: str) -> int:
    return main(["film", *words, "--size", "64x64", "--force"])


@pytest.mark.slow
def test_seconds_of_a_model_and_of_a_recording(capsys):
    assert film("p5", *FEW, "--seconds", "0.25", "--fps", "20", "--every", "3") == 0
    printed = capsys.readouterr()
    assert "p5.mp4: 0.2 s, 5 pictures of 64x64, about " in printed.err
    assert "after step 105" in printed.out  # 90 are the warm-up
    assert main(["run", "p5", *FEW, "--steps", "20", "-o", "run.zarr", "--quiet"]) == 0
    assert film("run.zarr", "--seconds", "0.5", "--fps", "24") == 0
    assert "run.mp4: 12 pictures" in capsys.readouterr().out
    assert film("run.zarr", "--seconds", "9") == 0
    assert "run.mp4: 20 pictures" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--seconds", "1", "--steps", "3"), "--steps, --seconds: got both; expected one"),
        (("--seconds", "0"), "--seconds: got 0; expected a number above 0"),
        (("--seconds", "nan"), "--seconds: got nan; expected a number above 0"),
    ],
)
def test_lengths_that_are_refused(words, message, capsys):
    assert film("p5", *words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("p5", "--engine", "steam"), "--engine: got 'steam'"),
        (("p5", "--colour-by", "mood"), "--colour-by mood: got 'mood'"),
        (("agentpy-2d", "--engine", "gpu"), "'synchronous' for engine 'gpu'"),
        (("vicsek", "--passes", "depth", "--quiet"), "passes"),
    ],
)
def test_nothing_is_printed_before_all_of_it_is_known_to_be_valid(words, message, capsys):
    assert film(*words) == 2
    printed = capsys.readouterr()
    assert not printed.out and message in printed.err
    assert all(line.startswith("murmurate: error: ") for line in printed.err.splitlines())


@pytest.mark.slow
def test_a_very_long_film_is_pointed_out_before_it_starts(monkeypatch, capsys):
    monkeypatch.setattr(film_length, "LONG_SECONDS", 0.1)
    monkeypatch.setattr(film_length, "SHORT_SECONDS", 0.1)
    assert film("p5", *FEW, "--steps", "12") == 0
    warning = capsys.readouterr().err
    assert "warning: the film is 0.5 s long. --every 5 shows all of it" in warning
    assert film("p5", *FEW, "--steps", "12", "--quiet") == 0
    assert capsys.readouterr().err == ""


def test_durations():
    assert [duration_text(s) for s in (8.25, 60, 125.4, 3600 * 2 + 180)] == [
        "8.2 s", "1 min", "2 min 5 s", "2 h 3 min",
    ]  # fmt: skip
