"""Errors outside of the simulation are logged and reported to the pages."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest_live import TOML, LocalPage

import murmurate as mm
from murmurate.live_view import controller, observer, session

OpenPage = Callable[..., LocalPage]


def broken(*_: Any, **__: Any) -> Any:
    raise ValueError("a bug")


def tracebacks(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the messages that were logged with a traceback of the bug."""
    assert all(record.name.startswith("murmurate.") for record in caplog.records)
    return [
        record.getMessage()
        for record in caplog.records
        if record.levelno == logging.ERROR and record.exc_info and "a bug" in str(record.exc_info)
    ]


@pytest.mark.parametrize(
    ("function", "task", "send_request"),
    [
        ("charted_measures", "the charts", lambda page: None),
        ("steering_of", "the chosen boid's steering", lambda page: page.do(
            "choose", flock="boids", boid=3
        )),
        ("count_neighbours", "the neighbour counts", lambda page: page.do(
            "extra", neighbours=True
        )),
    ],
)  # fmt: skip
def test_an_error_of_the_observer_is_reported_until_it_ends(
    open_page: OpenPage,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    function: str,
    task: str,
    send_request: Callable[[LocalPage], object],
) -> None:
    page = open_page()
    page.wait_until_running()
    with monkeypatch.context() as patched:
        patched.setattr(observer, function, broken)
        send_request(page)
        notice = page.wait_for("notice")
        assert notice["level"] == "error"
        assert notice["text"] == f"{task} cannot be shown: ValueError: a bug"
        step = page.frame().step
        page.frame(lambda f: f.step > step + 5)  # it continues, and the error is reported once
    cleared = page.wait_for("notice")
    assert (cleared["level"], cleared["about"]) == ("clear", notice["about"])
    assert tracebacks(caplog) == [f"{task} failed"]


def test_a_request_that_fails_is_logged(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    page = open_page(playing=False)
    monkeypatch.setattr(controller, "to_toml", broken)
    assert page.request("toml")["error"] == "the request failed: ValueError: a bug"
    assert tracebacks(caplog) == ["request toml failed"]
    caplog.clear()
    assert not page.request("open", model="nobody")["ok"]  # a user's mistake is not logged
    assert not caplog.records


def test_an_error_of_work_without_a_result_is_reported(
    open_page: OpenPage, caplog: pytest.LogCaptureFixture
) -> None:
    page = open_page(playing=False)
    page.client.session.runner.submit_nowait(broken)
    assert "a bug" in page.wait_for("notice")["text"]
    assert tracebacks(caplog) == ["work between two steps failed"]


def test_an_error_before_a_step_pauses_the_simulation(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    page = open_page()
    page.wait_until_running()
    with monkeypatch.context() as patched:
        patched.setattr(session, "apply_pointer_forces", broken)
        page.send("shoo", position=[10.0, 10.0], radius=5.0)
        assert "a bug" in page.wait_for("notice")["text"]
    assert tracebacks(caplog) == ["a step failed"]
    page.do("shoo", position=None, radius=5.0)
    page.do("restart")
    page.wait_until_running()


def test_a_film_that_fails_is_logged(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    page = open_page()
    page.wait_until_running()
    monkeypatch.setattr("murmurate.runs.film.Film.run", broken)
    page.do("film", steps=2, size=[64, 64])
    message = page.wait_for("made", lambda m: m["state"] == "failed")
    assert message["error"] == "a bug"
    assert tracebacks(caplog) == [f"the film {message['name']} could not be made"]


def test_an_error_of_the_loader_is_reported_and_logged(
    open_page: OpenPage, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(TOML)
    reloaded = threading.Event()

    def reload() -> mm.Model:
        reloaded.set()
        return broken()  # type: ignore[no-any-return]

    page = open_page(mm.load(file), file=file, reload=reload)
    page.wait_until_running()
    file.write_text(TOML.replace("0.01", "0.02"))
    assert page.wait_for("notice")["text"] == "a bug" and reloaded.is_set()
    assert tracebacks(caplog) == [f"{file} cannot be loaded"]
