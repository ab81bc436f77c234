"""Cases: changed messages of pages to a live flock: it flies on, and refusals have reasons."""

from __future__ import annotations

import json
import struct
import threading
import time
from pathlib import Path
from random import Random
from typing import Any

import valid_files
from guard import Fault, Guard
from mutations import changed_bytes, changed_text, changed_value

import murmurate as mm
from murmurate.engines.options import RunOptions
from murmurate.live_view.client import Client
from murmurate.live_view.server import start
from murmurate.live_view.session import Session
from murmurate.runs.playback import Playback
from processes import LIMIT
from tiny_model import TINY

VALID: list[dict[str, Any]] = [
    {"type": "credit", "frames": 2}, {"type": "play"}, {"type": "pause"},
    {"type": "step", "steps": 2},
    {"type": "restart", "seed": 3}, {"type": "rate", "steps_per_second": 100},
    {"type": "set", "values": {"rules.cohesion.weight": 0.2}},
    {"type": "set", "values": {"rules.cohesion.radius": 4, "dt": 0.5, "space.size": [20, 20]}},
    {"type": "set", "values": {"flocks.boids.motion.max_speed": 1.5}},
    {"type": "set", "values": {"rules.wind": {"velocity": [1, 0]}}},
    {"type": "set", "values": {"flocks.boids.count": 6}}, {"type": "set", "values": {"step": 2}},
    {"type": "switch", "rule": "cohesion", "on": False}, {"type": "reset"},
    {"type": "set", "values": {"dt": 0.5}, "off": ["cohesion"]},
    {"type": "open", "model": "nowhere"}, {"type": "choose", "flock": "boids", "boid": 3},
    {"type": "extra", "neighbours": True}, {"type": "toml"},
    {"type": "move", "flock": "boids", "boid": 1, "position": [1, 2]},
    {"type": "shoo", "position": [3, 3], "radius": 2, "call": True},
    {"type": "draw", "shape": {"kind": "sphere", "centre": [3, 3], "radius": 2}},
    {"type": "draw", "shape": {"kind": "box", "centre": [3, 3], "size": [2, 1]}},
    {"type": "draw", "shape": {"kind": "wall", "through": [[0, 0], [2, 1]]}},
    {"type": "draw", "shape": {"kind": "path", "points": [[0, 0], [2, 1]], "closed": True}},
    {"type": "draw", "shape": {"kind": "goal", "place": [5, 5]}},
    {"type": "place", "position": [4, 4]},
    {"type": "edit", "values": {"rules.cohesion": None}, "places": {"boids": [[1, 1]]}},
    {"type": "film", "steps": 2, "size": [64, 64]}, {"type": "page", "frames": 2},
]  # fmt: skip

COMMAND = (
    struct.pack("<IHHIIHH", 0x43524D46, 1, 2, 5, 2, 1, 5)
    + b"boids\0\0\0"
    + struct.pack("<IIffff", 0, 2, 1.0, 0.5, -1.0, 0.0)
)  # of two boids


def prepare(folder: Path) -> None:
    valid_files.write_recordings(folder)


def case(dice: Random, valid: Path, guard: Guard) -> None:
    """A few messages, to a flock or to a recording that is played."""
    sent = [message(dice) for _ in range(dice.randint(1, 6))]
    options = RunOptions("reference", seed=1)
    shown: Any = mm.parse(f'{TINY}\n[rules.command]\nform = "velocity"\n')
    if dice.random() < 0.2:
        recording = mm.open(valid / "plain.zarr")
        shown = Playback(recording)
    for text in sent:
        guard.did(repr(text))
    if dice.random() < 0.05 and isinstance(shown, mm.Model):
        over_a_socket(shown, options, sent)
        return
    session = Session(shown, options).start()
    try:
        page = Page(session)
        for text in sent:
            page.client.receive(text)
        page.flies_on(isinstance(shown, mm.Model))
    finally:
        if not session.close():
            raise Fault("the session did not end")
    if bad := [m for m in page.heard if "the request failed" in str(m.get("error", ""))]:
        raise Fault(str(bad))


def message(dice: Random) -> str | bytes:
    """A valid message, or one that was."""
    if dice.random() < 0.1:
        return changed_bytes(dice, COMMAND) if dice.random() < 0.8 else COMMAND
    plain = dice.choice(VALID) | ({"id": dice.randrange(9)} if dice.random() < 0.5 else {})
    way = dice.randrange(5)
    if way < 3:
        return json.dumps(changed_value(dice, plain) if way else plain)
    text = json.dumps(plain)
    if way == 3:
        return changed_text(dice, text)
    data = changed_bytes(dice, text.encode())
    return data if dice.random() < 0.1 else data.decode("latin-1")


class Page:
    """A page in this process."""

    def __init__(self, session: Session) -> None:
        self.heard: list[dict[str, Any]] = []
        self.news = threading.Event()
        self.client = Client(session, self.news.set)

    def flies_on(self, editable: bool) -> None:
        """After whatever was said: as it was at first, it flies."""
        for kind in ("pause", "reset", "restart", "step"):
            reply = self.asked(kind)
            if not reply["ok"]:
                raise Fault(f"{kind}: {reply}")

    def asked(self, kind: str) -> dict[str, Any]:
        number = 10**6 + len(self.heard)
        self.client.receive(json.dumps({"type": kind, "id": number}))
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            if self.client.over:
                raise Fault(f"dismissed: {self.client.over}")
            self.news.wait(0.05)
            self.news.clear()
            for item in self.client.outgoing():
                if isinstance(item, str):
                    self.heard.append(json.loads(item))
            for reply in self.heard:
                if reply["type"] == "reply" and reply["to"] == number:
                    return reply
        raise Fault(f"no reply to {kind} in {LIMIT:g} s")


def over_a_socket(model: Any, options: RunOptions, sent: list[str | bytes]) -> None:
    """The same, over a websocket of this machine; a page that comes after is served."""
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    with start(model, options, port=0) as live_view:
        address = live_view.url.replace("http://", "ws://").replace("/?", "/ws?")
        with connect(address, max_size=None) as socket:
            try:
                for text in sent:
                    socket.send(text)
                socket.send('{"type": "reset"}')
                socket.recv(timeout=LIMIT)
            except ConnectionClosed:
                pass
        with connect(address, max_size=None) as socket:
            socket.send('{"type": "pause", "id": 77}')
            while '"to":77' not in str(socket.recv(timeout=LIMIT)):
                pass
