"""A page in which a flock flies, opened from disk, and the models that tests fly in one."""

from __future__ import annotations

import base64
import json
from typing import Any

from views import SIXTY, hook

from processes import until

HOSTILE = "</script><img src=x onerror=\"document.title='taken'\"> & 'co'"
MODEL = f"""\
name = "few"
title = 'Few boids'
tries = ["rules.alignment.weight=0.1: hardly any"]
{SIXTY}[rules.alignment]
radius = 12
weight = 0.6
[rules.posts]
kind = "avoid-obstacles"
look_ahead = 8
[obstacles.post]
kind = "sphere"
centre = [20, 20]
radius = 3
"""
ROOM = 100
"""So few boids need no cells, whose module would be compiled too."""


class LivePage:
    """A page, and what is in it."""

    def __init__(self, tab: Any, address: str) -> None:
        self.tab, self.address = tab, address

    def open(self, behind: str = "") -> LivePage:
        self.tab.goto("about:blank")
        self.tab.goto(self.address + behind)
        self.until("drawn > 1 && hook.step > 0")
        return self

    def hook(self, what: str) -> Any:
        return hook(self.tab, what)

    def until(self, what: str) -> None:
        until(lambda: hook(self.tab, what))

    def button(self, name: str) -> Any:
        return self.tab.locator(f"[data-test={name}]")

    def number(self, path: str) -> Any:
        """The field beside a slider."""
        return self.tab.locator(f"[data-value-path='{path}'], input.value[data-path='{path}']")

    def type(self, path: str, value: str) -> None:
        self.number(path).fill(value)
        self.number(path).press("Enter")

    def in_link(self) -> Any:
        """What the page's address says was changed."""
        text = self.tab.evaluate("location.hash").partition("#flock=")[2]
        return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)) or "{}")
