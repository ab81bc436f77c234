"""The receivers of examples/live, as users run them: pygame, Godot, callbacks of TouchDesigner."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
import types
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from conftest_live import RemotePage, small
from test_clients import EXAMPLES

import wire_decoder
from murmurate.engines.options import RunOptions
from murmurate.live_view import LiveView
from murmurate.live_view.server import start
from processes import LIMIT, ran_well

pytestmark = pytest.mark.slow


@pytest.fixture
def served() -> Iterator[LiveView]:
    with start(small(), RunOptions("reference", seed=1), port=0) as live_view:
        yield live_view


def test_the_receiver_in_pygame(served: LiveView, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")  # without a screen
    text = ran_well(sys.executable, EXAMPLES / "pygame_receiver.py", served.url)
    assert "60 frames" in text


def test_the_receiver_in_godot(served: LiveView) -> None:
    godot = shutil.which("godot") or shutil.which("godot4")
    if not godot:
        pytest.skip("needs Godot 4")
    script = EXAMPLES / "godot" / "receive_flock.gd"
    text = ran_well(godot, "--headless", "--script", script, "--", served.url, "5")
    steps = [int(step) for step in re.findall(r"step (\d+): 40 boids", text)]
    assert len(steps) == 5 and steps == sorted(set(steps))


def test_the_callbacks_of_touchdesigner(served: LiveView) -> None:
    page = (EXAMPLES / "touchdesigner.md").read_text(encoding="utf-8")
    blocks = [textwrap.dedent(block) for block in re.findall(r"(?:^ {8}.*\n|^\n)+", page, re.M)]
    stored: dict[str, Any] = {}
    parent = types.SimpleNamespace(store=stored.__setitem__, fetch=stored.get)
    names: dict[str, Any] = {"me": types.SimpleNamespace(parent=lambda: parent)}
    for block in blocks:
        exec(block, names)
    page_of_flock = RemotePage(served.url + "&wire=1&rgb=1")
    page_of_flock.credit = False
    while not isinstance(data := page_of_flock.socket.recv(timeout=LIMIT), bytes):
        pass
    sent: list[str] = []
    names["onReceiveBinary"](types.SimpleNamespace(sendText=sent.append), data)
    table: list[np.ndarray] = []
    chop = types.SimpleNamespace(copyNumpyArray=lambda rows, baseName: table.append(rows))
    names["onCook"](chop)
    frame = wire_decoder.decode(data)
    assert sent == ['{"type":"credit"}']
    np.testing.assert_allclose(table[0][:2].T, frame.positions, atol=1e-4)
    assert (table[0][3] == 1).all() and (stored["rgb"] == frame.rgb).all()
    page_of_flock.close()
