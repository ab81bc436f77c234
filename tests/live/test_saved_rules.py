"""Files of rules that are saved while the flock flies: it goes on with the new rules, or with the
old ones where the new cannot be flown, which the page says."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from conftest_live import Page, Talk, Visitor

import murmurate as mm
from murmurate.model.registry import MOTIONS, RULES
from processes import started
from wire_decoder import DecodedFrame

Fly = Callable[..., Visitor]

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


@pytest.fixture
def flown(fly: Fly, tmp_path: Path) -> Iterator[tuple[Visitor, Path]]:
    """A page that watches a flock of a rule file, and the file."""
    file, rules = tmp_path / "pushed.toml", tmp_path / "own_push.py"
    file.write_text(MODEL)
    rules.write_text(RULE_TEXT)

    def load() -> mm.Model:
        mm.load_rules(rules)
        return mm.load(file)

    before = [dict(registry) for registry in (RULES, MOTIONS)]
    yield fly(load(), file=file, rules=[rules], reload=load), rules
    for registry, known in zip((RULES, MOTIONS), before, strict=True):
        registry.clear()
        registry.update(known)


def pushed(page: Talk, u: float, v: float) -> None:
    """Until the boids go that way."""

    def goes(frame: DecodedFrame) -> bool:
        velocity = frame.headings[0, :2] * frame.speeds[0]
        return frame.step > 0 and bool(np.abs(velocity - [u, v]).max() < 0.02)

    page.frame(goes)


def test_a_rule_file_that_is_saved_is_flown(flown: tuple[Visitor, Path]) -> None:
    page, rules = flown
    pushed(page, 0.25, 0.0)
    step = page.frame().step

    rules.write_text(RULE_TEXT.replace("self.strength, 0.0, 0.0", "0.0, 2.0 * self.strength, 0.0"))
    pushed(page, 0.0, 0.5)
    assert page.frame().step > step  # it was not started again

    for broken, said in [
        (RULE_TEXT + "    def", "own_push.py:9"),
        (RULE_TEXT.replace("return", "self.sum = 1.0\n        return"), "assigns to self.sum"),
        (
            RULE_TEXT.replace("OwnPush", "OwnPull"),
            "no rule named 'own-push': did you mean 'own-pull'?",
        ),
        (RULE_TEXT.replace("self.strength, 0.0, 0.0", "1.0, 2.0"), "returns 2 numbers"),
    ]:
        rules.write_text(broken)
        notice = page.until("notice", lambda m: m["level"] == "error")
        assert notice["about"] == "file" and said in notice["text"], notice
        step = page.frame().step
        page.frame(lambda f, step=step: f.step > step)  # the flock flies on, as it flew
        page.done("set", values={"rules.own-push.strength": 0.125})  # and may be changed
        pushed(page, 0.0, 0.25)
        page.done("set", values={"rules.own-push.strength": 0.25})

    rules.write_text(RULE_TEXT.replace("self.strength, 0.0", "self.strength, 1.0"))
    assert page.until("notice")["level"] == "clear"
    pushed(page, 0.25, 1.0)


def test_a_rule_file_that_is_mended_to_what_it_was(flown: tuple[Visitor, Path]) -> None:
    """A rule that only plain Python can run is refused; the error is cleared with the fault."""
    page, rules = flown
    pushed(page, 0.25, 0.0)
    rules.write_text(RULE_TEXT.replace("return", "x = me.x.is_integer()\n        return"))
    notice = page.until("notice", lambda m: m["level"] == "error")
    assert "OwnPush.alone" in notice["text"] and "is_integer" in notice["text"]
    rules.write_text(RULE_TEXT)
    page.until("notice", lambda m: m["level"] == "clear" and m["about"] == notice["about"])
    step = page.frame().step
    page.frame(lambda f: f.step > step)
    pushed(page, 0.25, 0.0)


def test_the_command_follows_its_rule_files(tmp_path: Path) -> None:
    (tmp_path / "pushed.toml").write_text(MODEL)
    rules = tmp_path / "own_push.py"
    rules.write_text(RULE_TEXT)
    words = [sys.executable, "-m", "murmurate", "watch", "pushed.toml", "--rules", "own_push.py"]
    with started(*words, "--no-open", "--port", "0", cwd=tmp_path) as process:
        found = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", process.stdout.readline())
        assert found
        page = Page(SimpleNamespace(url=found[0]))  # type: ignore[arg-type]
        pushed(page, 0.25, 0.0)
        rules.write_text(
            RULE_TEXT.replace("self.strength, 0.0, 0.0", "0.0, 2.0 * self.strength, 0.0")
        )
        pushed(page, 0.0, 0.5)
        page.close()
