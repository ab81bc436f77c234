"""Rule files that are saved while the flock runs: it continues with the new rules, or with the old
ones and a notice if a new one is invalid."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from conftest_live import LocalPage, PageDriver, RemotePage

import murmurate as mm
from murmurate.model.registry import MOTIONS, RULES
from processes import started
from wire_decoder import DecodedFrame

OpenPage = Callable[..., LocalPage]

MODEL = """\
name = "pushed"
[space]
size = [20, 20]
boundary = "periodic"
[flocks.boids]
count = 40
motion = { kind = "replace" }
[rules.own-push]
strength = 0.25
"""
RULE_TEXT = """\
import murmurate as mm


class OwnPush(mm.Rule):
    strength: mm.Scalar = mm.quantity(1.0)

    def alone(self, me):
        return self.strength, 0.0, 0.0
"""


OpenRules = Callable[[str], tuple[LocalPage, Path]]


@pytest.fixture
def watched_rules(open_page: OpenPage, tmp_path: Path) -> Iterator[OpenRules]:
    """Return a function that opens a page on a flock with a rule file, on an engine. It returns
    the page and the file."""
    file, rules = tmp_path / "pushed.toml", tmp_path / "own_push.py"
    file.write_text(MODEL)
    rules.write_text(RULE_TEXT)

    def load() -> mm.Model:
        mm.load_rules(rules)
        return mm.load(file)

    registered = [dict(registry) for registry in (RULES, MOTIONS)]

    def open_rules(engine: str) -> tuple[LocalPage, Path]:
        return open_page(load(), engine, file=file, rules=[rules], reload=load), rules

    yield open_rules
    for registry, entries in zip((RULES, MOTIONS), registered, strict=True):
        registry.clear()
        registry.update(entries)


def wait_for_velocity(page: PageDriver, u: float, v: float) -> None:
    """Wait until the boids have this velocity."""

    def has_velocity(frame: DecodedFrame) -> bool:
        velocity = frame.headings[0, :2] * frame.speeds[0]
        return frame.step > 0 and bool(np.abs(velocity - [u, v]).max() < 0.02)

    page.frame(has_velocity)


def test_a_saved_rule_file_is_loaded(watched_rules: OpenRules) -> None:
    page, rules = watched_rules("reference")
    wait_for_velocity(page, 0.25, 0.0)
    rules.write_text(RULE_TEXT + "    def")
    notice = page.wait_for("notice", lambda m: m["level"] == "error")
    assert notice["about"] == "file" and "own_push.py:9" in notice["text"]
    rules.write_text(RULE_TEXT.replace("self.strength, 0.0, 0.0", "0.0, 2.0 * self.strength, 0.0"))
    assert page.wait_for("notice")["level"] == "clear"
    wait_for_velocity(page, 0.0, 0.5)


@pytest.mark.slow  # a kernel for each text
def test_each_fault_of_a_saved_rule_file(watched_rules: OpenRules) -> None:
    page, rules = watched_rules("cpu")
    wait_for_velocity(page, 0.25, 0.0)
    step = page.frame().step

    rules.write_text(RULE_TEXT.replace("self.strength, 0.0, 0.0", "0.0, 2.0 * self.strength, 0.0"))
    wait_for_velocity(page, 0.0, 0.5)
    assert page.frame().step > step  # it did not restart

    for broken, message in [
        (RULE_TEXT + "    def", "own_push.py:9"),
        (RULE_TEXT.replace("return", "self.sum = 1.0\n        return"), "assigns to self.sum"),
        (
            RULE_TEXT.replace("OwnPush", "OwnPull"),
            "no rule named 'own-push': did you mean 'own-pull'?",
        ),
        (RULE_TEXT.replace("self.strength, 0.0, 0.0", "1.0, 2.0"), "returns 2 numbers"),
    ]:
        rules.write_text(broken)
        notice = page.wait_for("notice", lambda m: m["level"] == "error")
        assert notice["about"] == "file" and message in notice["text"], notice
        step = page.frame().step
        page.frame(lambda f, step=step: f.step > step)  # the flock continues
        page.do("set", values={"rules.own-push.strength": 0.125})  # and can be changed
        wait_for_velocity(page, 0.0, 0.25)
        page.do("set", values={"rules.own-push.strength": 0.25})

    rules.write_text(RULE_TEXT.replace("self.strength, 0.0", "self.strength, 1.0"))
    assert page.wait_for("notice")["level"] == "clear"
    wait_for_velocity(page, 0.25, 1.0)


@pytest.mark.slow  # a kernel for each text
def test_a_rule_file_that_is_corrected(watched_rules: OpenRules) -> None:
    """A rule that cannot be compiled is refused; correcting it clears the notice."""
    page, rules = watched_rules("cpu")
    wait_for_velocity(page, 0.25, 0.0)
    rules.write_text(RULE_TEXT.replace("return", "x = me.x.is_integer()\n        return"))
    notice = page.wait_for("notice", lambda m: m["level"] == "error")
    assert "OwnPush.alone" in notice["text"] and "is_integer" in notice["text"]
    rules.write_text(RULE_TEXT)
    page.wait_for("notice", lambda m: m["level"] == "clear" and m["about"] == notice["about"])
    step = page.frame().step
    page.frame(lambda f: f.step > step)
    wait_for_velocity(page, 0.25, 0.0)


@pytest.mark.slow  # a process
def test_the_command_watches_its_rule_files(tmp_path: Path) -> None:
    (tmp_path / "pushed.toml").write_text(MODEL)
    rules = tmp_path / "own_push.py"
    rules.write_text(RULE_TEXT)
    words = [sys.executable, "-m", "murmurate", "watch", "pushed.toml", "--rules", "own_push.py"]
    with started(*words, "--no-open", "--port", "0", cwd=tmp_path) as process:
        address = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", process.stdout.readline())
        assert address
        page = RemotePage(address[0])
        wait_for_velocity(page, 0.25, 0.0)
        rules.write_text(
            RULE_TEXT.replace("self.strength, 0.0, 0.0", "0.0, 2.0 * self.strength, 0.0")
        )
        wait_for_velocity(page, 0.0, 0.5)
        page.close()
