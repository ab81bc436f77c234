"""What goes wrong beside the simulation is logged, and the pages are notified."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest_live import TOML, Visitor

import murmurate as mm

Fly = Callable[..., Visitor]


def broken(*_: Any, **__: Any) -> Any:
    raise ValueError("a bug")


def tracebacks(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was logged with a traceback of the bug."""
    assert all(record.name.startswith("murmurate.") for record in caplog.records)
    return [
        record.getMessage()
        for record in caplog.records
        if record.levelno == logging.ERROR and record.exc_info and "a bug" in str(record.exc_info)
    ]


@pytest.mark.parametrize(
    ("function", "task", "request_it"),
    [
        ("default_values", "the charts", lambda page: None),
        ("steering_of", "the chosen boid's steering", lambda page: page.done(
            "choose", flock="boids", boid=3
        )),
        ("count_neighbours", "the neighbour counts", lambda page: page.done(
            "extra", neighbours=True
        )),
    ],
)  # fmt: skip
def test_what_the_observer_cannot_do_is_told_until_it_can(
    fly: Fly,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    function: str,
    task: str,
    request_it: Callable[[Visitor], object],
) -> None:
    page = fly()
    page.flying()
    with monkeypatch.context() as patched:
        patched.setattr(f"murmurate.live_view.observer.{function}", broken)
        request_it(page)
        notice = page.until("notice")
        assert notice["level"] == "error"
        assert notice["text"] == f"{task} cannot be shown: ValueError: a bug"
        step = page.frame().step
        page.frame(lambda f: f.step > step + 30)  # it continues, and is reported once
    cleared = page.until("notice")
    assert (cleared["level"], cleared["about"]) == ("clear", notice["about"])
    assert tracebacks(caplog) == [f"{task} failed"]


def test_a_request_that_fails_is_logged(
    fly: Fly, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    page = fly(playing=False)
    monkeypatch.setattr("murmurate.live_view.controller.to_toml", broken)
    assert page.ask("toml")["error"] == "that failed: ValueError: a bug"
    assert tracebacks(caplog) == ["toml failed"]
    caplog.clear()
    assert not page.ask("open", model="nobody")["ok"]  # a user's mistake is none of ours
    assert not caplog.records


def test_work_that_nobody_waits_for_is_told_and_logged(
    fly: Fly, caplog: pytest.LogCaptureFixture
) -> None:
    page = fly(playing=False)
    page.client.session.flight.post(broken)
    assert "a bug" in page.until("notice")["text"]
    assert tracebacks(caplog) == ["work between two steps failed"]


def test_an_error_before_a_step_ends_no_thread(
    fly: Fly, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    page = fly()
    page.flying()
    with monkeypatch.context() as patched:
        patched.setattr("murmurate.live_view.session.shoo", broken)
        page.say("shoo", position=[10.0, 10.0], radius=5.0)
        assert "a bug" in page.until("notice")["text"]
    assert tracebacks(caplog) == ["a step failed"]
    page.done("shoo", position=None)
    page.done("restart")
    page.flying()


def test_a_film_that_fails_is_logged(
    fly: Fly, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    page = fly()
    page.flying()
    monkeypatch.setattr("murmurate.runs.films.shoot", broken)
    page.done("film", steps=2, size=[64, 64])
    made = page.until("made", lambda m: m["state"] == "failed")
    assert made["error"] == "a bug"
    assert tracebacks(caplog) == [f"the film {made['name']} could not be made"]


def test_a_file_that_breaks_its_loader_is_told_and_logged(
    fly: Fly, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(TOML)
    reloaded = threading.Event()

    def reload() -> mm.Model:
        reloaded.set()
        return broken()  # type: ignore[no-any-return]

    page = fly(mm.load(file), file=file, reload=reload)
    page.flying()
    file.write_text(TOML.replace("0.01", "0.02"))
    assert page.until("notice")["text"] == "a bug" and reloaded.is_set()
    assert tracebacks(caplog) == [f"{file} cannot be loaded"]
