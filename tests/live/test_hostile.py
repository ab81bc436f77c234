"""Whatever a page sends, the flock flies on, and every refusal has a reason."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import random
import socket
import struct
import sys
import threading
import warnings
from collections.abc import Callable
from typing import Any

import httpx
import numpy as np
import pytest
from conftest_live import Page, Visitor, small
from websockets.exceptions import ConnectionClosed, InvalidStatus

from murmurate.live_view import LiveView, messages
from murmurate.live_view.guard import host_problem, origin_problem, same_token
from murmurate.live_view.rate_limit import Bucket
from processes import LIMIT, ran_well, until

Fly = Callable[..., Visitor]


def flies(page: Any) -> None:
    """The flock still flies, and the page can still speak."""
    step = page.frame().step
    page.frame(lambda f: f.step > step)
    page.done("play")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("\x00\xff", "not JSON"),
        ("[1, 2]", "a JSON object"),
        ("{}", "type"),
        ('{"type": "explode"}', "does not match any"),
        ('{"type": "play", "now": true}', "now"),
        ('{"type": "step", "steps": -1}', "steps"),
        ('{"type": "step", "steps": "1; import os"}', "steps"),
        ('{"type": "step", "steps": 1e400}', "not finite"),
        ('{"type": "rate", "steps_per_second": NaN}', "not JSON"),
        ('{"type": "rate", "steps_per_second": 0}', "steps_per_second"),
        ('{"type": "set", "values": {}}', "values"),
        ('{"type": "set", "values": {"dt": 1' + "0" * 400 + "}}", "finite"),
        ('{"type": "set", "values": {"dt": 1' + "0" * 5000 + "}}", "not JSON"),
        ('{"type": "move", "flock": "boids", "boid": 0, "position": [1]}', "position"),
        ('{"type": "film", "steps": 9, "size": [100000, 100000]}', "size"),
        ('{"type": "play"}' + " " * 70_000, "64 KiB"),
        ('{"type": "set", "values": {"rules": ' + "[" * 5000 + "]" * 5000 + "}}", "12"),
        ('{"type": "play", "id": {}}', "id"),
        (b'{"type": "play"}', "not bytes"),
    ],
)
def test_a_bad_message_is_answered_with_why(text: str | bytes, words: str) -> None:
    with pytest.raises(messages.BadMessage) as caught:
        messages.read(text)
    assert words in str(caught.value) and len(str(caught.value)) < 700


def test_brackets_in_strings_do_not_count_as_depth() -> None:
    message = messages.read(json.dumps({"type": "open", "model": "[" * 50 + '\\"{'}))
    assert isinstance(message, messages.Open)
    messages.read(json.dumps({"type": "open", "model": "\\" * 199}))


def test_reading_takes_no_longer_for_many_quotes() -> None:
    with pytest.raises(messages.BadMessage):
        messages.read('{"type": "' + '\\"' * 30_000)


def test_what_pages_say_is_read() -> None:
    assert messages.read('{"type": "choose", "flock": "boids", "id": 4}').boid == 4  # type: ignore[attr-defined]
    assert messages.read('{"type": "choose"}').boid is None  # type: ignore[attr-defined]
    move = messages.read('{"type":"move","id":1,"flock":"a","boid":4,"position":[1,2,0]}')
    assert (move.id, move.boid) == (1, 4)  # type: ignore[attr-defined]


@pytest.mark.slow
def test_random_bytes_and_wrong_types(fly: Fly) -> None:
    page = fly()
    page.flying()
    dice = random.Random(1)
    kinds = [*messages.__dict__, "play", "set", "move", "shoo", "open", "choose", "film"]
    for k in range(200):
        if k % 2:
            page.client.receive(dice.randbytes(dice.randrange(200)).decode("latin-1"))
        else:
            value = dice.choice([None, [], {}, -1, 1e308, "x" * 1000, [[[[]]]], True])
            keys = ["values", "rule", "on", "flock", "boid", "position", "steps", "size", "model"]
            page.say(dice.choice(kinds), **{dice.choice(keys): value})
    flies(page)
    assert any(m["type"] == "reply" and not m["ok"] for m in page.heard)


@pytest.mark.parametrize("boundary", ["periodic", "open", "reflecting"])
def test_what_is_dragged_out_of_the_world_stays_in_it(fly: Fly, boundary: str) -> None:
    page = fly(small(**{"space.boundary": boundary}), playing=False)
    page.frame()
    simulation = page.client.session.flight.simulation
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for far in (1e308, -1e308, 1e30):
            page.done("move", flock="boids", boid=3, position=[far, 5.0])
            positions = simulation.frame["boids"].positions
            assert np.abs(positions[3]).max() <= (410 if boundary == "open" else 20)
            page.done("shoo", position=[far, far], radius=1e308)
            page.done("step", steps=1)
        reply = page.ask("set", values={"rules.cohesion.weight": 1e308})
        assert not reply["ok"] and "float32" in reply["error"]


def test_a_flood_is_answered_seldom_and_ends_in_dismissal(fly: Fly) -> None:
    page, other = fly(), None
    other = Visitor(page.client.session)
    for _ in range(6000):
        page.client.receive('{"type":"pause","id":1}')
        if page.client.over:
            break
    assert "too many messages" in page.until("bye")["reason"]
    assert len(page.heard) < 400
    other.done("play")
    other.flying()


def test_a_page_that_reads_nothing_is_dismissed(fly: Fly) -> None:
    page = fly()
    client = page.client
    for _ in range(2000):
        page.client.tell({"type": "values", "values": {}})
    assert "does not read" in client.over and len(client._waiting) == 1


BUSY = """
import gc, tracemalloc
import conftest_live as live
from murmurate.live_view import observer

observer.POINTS = 10  # of the charts: that many are kept, which shall not look like a leak
page = live.Visitor(live.Session(live.small(), live.RunOptions(seed=1, threads=1)).start())
page.done("rate", steps_per_second=None)
page.flying()
page.until("measures", lambda m: m["points"])  # by then all is imported

def busy():
    for k in range(200):
        if k % 10 == 0:
            page.say("set", values={"rules.cohesion.weight": 0.001 * (k % 9)})
            page.client.receive("{bad")
        page.frame()
    page.heard.clear()
    page.frames.clear()
    gc.collect()
    return tracemalloc.get_traced_memory()[0]

tracemalloc.start()
_, _, before, _, *after = (busy() for _ in range(6))
print(min(after) - before)  # one alone may hold frames that are on their way
assert page.client.session.close()
"""


def test_memory_stays_flat_under_frames_and_messages() -> None:
    """In a process of its own, in which nothing else allocates."""
    paths = os.pathsep.join(sys.path)
    done = ran_well(sys.executable, "-c", BUSY, env={**os.environ, "PYTHONPATH": paths})
    assert int(done) < 500_000


# --- at the door


def test_who_may_come_in() -> None:
    names = ("localhost", "127.0.0.1", "::1")
    for host in ("localhost:8600", "127.0.0.1:1", "[::1]:8600", "LOCALHOST"):
        assert not host_problem(host, names)
    for host in ("evil.example:8600", "", "localhost.evil.example", "127.0.0.1@evil", "a:b:c", "["):
        assert host_problem(host, names)
    assert host_problem("192.168.0.5:8600", names)
    assert not host_problem("192.168.0.5:8600", (*names, "*"))
    assert host_problem("evil.example:8600", (*names, "*"))
    assert not origin_problem(None, "localhost:8600")
    assert not origin_problem("http://localhost:8600", "localhost:8600")
    for origin in ("null", "http://evil.example", "http://localhost:9", "file://", "http://["):
        assert origin_problem(origin, "localhost:8600")
    assert same_token("abc", "abc") and not same_token("", "abc") and not same_token("é", "abc")


def test_a_bucket() -> None:
    bucket = Bucket(1e-9, 3)
    assert [bucket.take() for _ in range(5)] == [True, True, True, False, False]


def test_a_foreign_page_is_refused(page: Callable[..., Page]) -> None:
    with pytest.raises(InvalidStatus) as refused:
        page(origin="http://evil.example")
    assert refused.value.response.status_code == 403
    assert b"evil.example" in (refused.value.response.body or b"")


def test_no_token_no_flock(watched: LiveView) -> None:
    address = watched.url.partition("?")[0]
    assert httpx.get(watched.url).status_code == 200
    for query in ("", "?token=", "?token=wrong", "?token=" + "x" * 5000):
        answer = httpx.get(address + query)
        assert answer.status_code == 403 and "token" in answer.text
    from websockets.sync.client import connect

    with pytest.raises(InvalidStatus) as refused:
        connect(address.replace("http", "ws") + "ws?token=wrong").__enter__()
    assert refused.value.response.status_code == 403
    assert httpx.get(watched.url, headers={"Host": "evil.example"}).status_code == 403


def test_safe_headers(watched: LiveView) -> None:
    for path in ("", "start.js", "viewer.js", "nowhere"):
        answer = httpx.get(watched.url.replace("/?", f"/{path}?"))
        assert answer.headers["x-content-type-options"] == "nosniff"
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self';" in policy
    page = httpx.get(watched.url).text
    assert "<script>" not in page and watched.server.token not in page


@pytest.mark.parametrize(
    "path",
    [
        "/made/../../../../etc/passwd", "/made/%2e%2e/%2e%2e/etc/passwd", "/made/x/..%2fpasswd",
        "/viewer.js/../../__init__.py", "/viewer.js%00.py", "/../viewer.js", "/made//etc/passwd",
        "/made/a/b", "//etc/passwd", "/%2fetc%2fpasswd", "/made/C:%5cx/y",
    ],
)  # fmt: skip
def test_paths_lead_nowhere_else(watched: LiveView, path: str) -> None:
    import http.client

    line = http.client.HTTPConnection("127.0.0.1", watched.server.port, timeout=LIMIT)
    line.putrequest("GET", f"{path}?token={watched.server.token}", skip_accept_encoding=True)
    line.endheaders()
    answer = line.getresponse()
    text = answer.read()
    line.close()
    assert answer.status in (307, 400, 404), (answer.status, text[:100])
    assert b"root:" not in text and b"import" not in text


def test_a_huge_message_ends_its_connection_only(page: Callable[..., Page]) -> None:
    bad, good = page(), page()
    bad.say("open", model="x" * 100_000)
    assert "64 KiB" in bad.until("reply")["error"]
    with pytest.raises(ConnectionClosed):
        bad.say("open", model="x" * 3_000_000)
        while True:
            bad.listen()
    flies(good)


def test_a_flood_over_the_socket(page: Callable[..., Page]) -> None:
    bad, good = page(), page()
    with pytest.raises(ConnectionClosed):
        for _ in range(20_000):
            bad.socket.send('{"type":"pause"}')
        while True:
            bad.listen()
    good.done("play")
    flies(good)


def reset(watched: LiveView, *said: tuple[bytes, bytes]) -> None:
    """A connection that says something and waits for what must be in the answer, so many times,
    and then breaks off without a goodbye."""
    line = socket.create_connection(("127.0.0.1", watched.server.port), timeout=LIMIT)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    with contextlib.closing(line):
        for data, answer in said:
            line.sendall(data)
            heard = b""
            while answer not in heard:
                more = line.recv(65536)
                assert more, heard
                heard += more


def test_nothing_is_printed_of_connections_that_break_off(
    watched: LiveView, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    opening = (
        f"GET /ws?token={watched.server.token} HTTP/1.1\r\nHost: localhost\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ).encode()
    no_words = b"\x81\x82abcd\xff\xff"  # a message that is no UTF-8
    caplog.set_level(logging.DEBUG, "murmurate.live_view.server")
    reset(watched, (b"\x00\xff\r\n\r\n", b"400 Bad Request"))
    closed = b"\x88\x02" + struct.pack(">H", 1007)
    reset(watched, (opening, b"101 Switching Protocols"), (no_words, closed))
    with contextlib.closing(Page(watched)) as last:
        last.flying()
    until(lambda: len(caplog.records) >= 2)
    assert {record.name for record in caplog.records} == {"murmurate.live_view.server"}
    assert "Invalid HTTP request" in caplog.text and "Invalid UTF-8" in caplog.text
    assert capsys.readouterr().err == ""


def test_a_connection_that_breaks_off_is_forgotten(watched: LiveView) -> None:
    async def rude() -> None:
        for _ in range(5):
            _, writer = await asyncio.open_connection("127.0.0.1", watched.server.port)
            writer.write(
                f"GET /ws?token={watched.server.token} HTTP/1.1\r\nHost: localhost\r\n"
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
            )
            await writer.drain()
            writer.write(b"\xff" * 50)
            writer.transport.abort()

    # a thread of its own, since a browser test may have left its loop running in this one
    thread = threading.Thread(target=lambda: asyncio.run(rude()))
    thread.start()
    thread.join()
    last = Page(watched)
    last.until("status", lambda m: m["clients"] == 1)
    last.close()
