"""Invalid messages and requests do not stop the flock, and every refusal has a reason."""

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
from conftest_live import LocalPage, RemotePage, small
from websockets.exceptions import ConnectionClosed, InvalidStatus

from murmurate.live_view import LiveView, messages
from murmurate.live_view.client import TokenBucket
from murmurate.live_view.guard import host_problem, origin_problem, tokens_match
from processes import LIMIT, ran_well, until

OpenPage = Callable[..., LocalPage]


def check_running(page: Any) -> None:
    """Check that the flock moves, and that requests of the page are handled."""
    step = page.frame().step
    page.frame(lambda f: f.step > step)
    page.do("play")


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
        pytest.param('{"type": "play"}' + " " * 70_000, "64 KiB", id="characters"),
        pytest.param('{"type": "play"}' + "\u00a0" * 40_000, "64 KiB", id="bytes"),
        ('{"type": "set", "values": {"rules": ' + "[" * 5000 + "]" * 5000 + "}}", "12"),
        ('{"type": "play", "id": {}}', "id"),
        (b'{"type": "play"}', "FMRC"),
    ],
)
def test_an_invalid_message_is_refused_with_a_reason(text: str | bytes, words: str) -> None:
    with pytest.raises(messages.MessageError) as error:
        messages.decode(text)
    assert words in str(error.value) and len(str(error.value)) < 700


def test_brackets_in_strings_do_not_count_as_depth() -> None:
    message = messages.decode(json.dumps({"type": "open", "model": "[" * 50 + '\\"{'}))
    assert isinstance(message, messages.Open)
    messages.decode(json.dumps({"type": "open", "model": "\\" * 199}))


def test_many_quotes_are_refused() -> None:
    with pytest.raises(messages.MessageError):
        messages.decode('{"type": "' + '\\"' * 30_000)


def test_both_forms_of_a_boid_are_read() -> None:
    assert messages.decode('{"type": "choose", "flock": "boids", "id": 4}').boid == 4  # type: ignore[attr-defined]
    assert messages.decode('{"type": "choose"}').boid is None  # type: ignore[attr-defined]
    move = messages.decode('{"type":"move","id":1,"flock":"a","boid":4,"position":[1,2,0]}')
    assert (move.id, move.boid) == (1, 4)  # type: ignore[attr-defined]


@pytest.mark.slow
def test_random_bytes_and_wrong_types(open_page: OpenPage) -> None:
    page = open_page()
    page.wait_until_running()
    dice = random.Random(1)
    kinds = [*messages.__dict__, "play", "set", "move", "shoo", "open", "choose", "film"]
    for k in range(200):
        if k % 2:
            page.client.receive(dice.randbytes(dice.randrange(200)).decode("latin-1"))
        else:
            value = dice.choice([None, [], {}, -1, 1e308, "x" * 1000, [[[[]]]], True])
            keys = ["values", "rule", "on", "flock", "boid", "position", "steps", "size", "model"]
            page.send(dice.choice(kinds), **{dice.choice(keys): value})
    check_running(page)
    assert any(m["type"] == "reply" and not m["ok"] for m in page.received)


@pytest.mark.parametrize("boundary", ["periodic", "open", "reflecting"])
def test_positions_far_outside_are_moved_inside(open_page: OpenPage, boundary: str) -> None:
    page = open_page(small(**{"space.boundary": boundary}), playing=False)
    page.frame()
    simulation = page.client.session.runner.simulation
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for far in (1e308, -1e308, 1e30):
            page.do("move", flock="boids", boid=3, position=[far, 5.0])
            positions = simulation.frame["boids"].positions
            assert np.abs(positions[3]).max() <= (410 if boundary == "open" else 20)
            page.do("shoo", position=[far, far], radius=1e308)
            page.do("step", steps=1)
        reply = page.request("set", values={"rules.cohesion.weight": 1e308})
        assert not reply["ok"] and "float32" in reply["error"]


def test_a_flood_is_refused_and_ends_in_dismissal(open_page: OpenPage) -> None:
    page = open_page()
    other = LocalPage(page.client.session)
    for _ in range(6000):
        page.client.receive('{"type":"pause","id":1}')
        if page.client.over:
            break
    assert "too many messages" in page.wait_for("bye")["reason"]
    assert len(page.received) < 400
    other.do("play")
    other.wait_until_running()


def test_a_page_that_reads_nothing_is_dismissed(open_page: OpenPage) -> None:
    page = open_page()
    client = page.client
    for _ in range(2000):
        page.client.send({"type": "values", "values": {}})
    assert "does not read" in client.over and client.queued == 1


BUSY = """
import gc, tracemalloc
import conftest_live as live
from murmurate.live_view import observer

observer.MAX_POINTS = 10  # so that the points of the charts are no growth
page = live.LocalPage(live.Session(live.small(), live.RunOptions(seed=1, threads=1)).start())
page.do("rate", steps_per_second=None)
page.wait_until_running()
page.wait_for("measures", lambda m: m["points"])  # all modules are imported

def busy():
    for k in range(200):
        if k % 10 == 0:
            page.send("set", values={"rules.cohesion.weight": 0.001 * (k % 9)})
            page.client.receive("{bad")
        page.frame()
    page.received.clear()
    page.frames.clear()
    gc.collect()
    return tracemalloc.get_traced_memory()[0]

tracemalloc.start()
_, _, before, _, *after = (busy() for _ in range(6))
print(min(after) - before)  # a single measurement may include queued frames
assert page.client.session.close()
"""


@pytest.mark.slow  # a process
def test_memory_stays_flat_under_frames_and_messages() -> None:
    """In a separate process, where nothing else allocates."""
    paths = os.pathsep.join(sys.path)
    growth = ran_well(sys.executable, "-c", BUSY, env={**os.environ, "PYTHONPATH": paths})
    assert int(growth) < 500_000


# --- access


def test_hosts_origins_and_tokens() -> None:
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
    assert tokens_match("abc", "abc")
    assert not tokens_match("", "abc") and not tokens_match("é", "abc")


def test_a_token_bucket_allows_a_burst_and_then_its_rate() -> None:
    seconds = 0.0
    bucket = TokenBucket(2.0, 3, clock=lambda: seconds)
    assert [bucket.take() for _ in range(5)] == [True, True, True, False, False]
    seconds = 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]


def test_a_foreign_page_is_refused(open_remote: Callable[..., RemotePage]) -> None:
    with pytest.raises(InvalidStatus) as refusal:
        open_remote(origin="http://evil.example")
    assert refusal.value.response.status_code == 403
    assert b"evil.example" in (refusal.value.response.body or b"")


def test_requests_need_the_token(live_view: LiveView) -> None:
    address = live_view.url.partition("?")[0]
    assert httpx.get(live_view.url).status_code == 200
    for query in ("", "?token=", "?token=wrong", "?token=" + "x" * 5000):
        response = httpx.get(address + query)
        assert response.status_code == 403 and "token" in response.text
    from websockets.sync.client import connect

    with pytest.raises(InvalidStatus) as refusal:
        connect(address.replace("http", "ws") + "ws?token=wrong").__enter__()
    assert refusal.value.response.status_code == 403
    assert httpx.get(live_view.url, headers={"Host": "evil.example"}).status_code == 403


def test_security_headers(live_view: LiveView) -> None:
    for path in ("", "start.js", "viewer.js", "nowhere"):
        response = httpx.get(live_view.url.replace("/?", f"/{path}?"))
        assert response.headers["x-content-type-options"] == "nosniff"
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self';" in policy
    page = httpx.get(live_view.url).text
    assert "<script>" not in page and live_view.server.token not in page


@pytest.mark.parametrize(
    "path",
    [
        "/made/../../../../etc/passwd", "/made/%2e%2e/%2e%2e/etc/passwd", "/made/x/..%2fpasswd",
        "/viewer.js/../../__init__.py", "/viewer.js%00.py", "/../viewer.js", "/made//etc/passwd",
        "/made/a/b", "//etc/passwd", "/%2fetc%2fpasswd", "/made/C:%5cx/y",
    ],
)  # fmt: skip
def test_paths_cannot_leave_the_server(live_view: LiveView, path: str) -> None:
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", live_view.server.port, timeout=LIMIT)
    connection.putrequest(
        "GET", f"{path}?token={live_view.server.token}", skip_accept_encoding=True
    )
    connection.endheaders()
    response = connection.getresponse()
    text = response.read()
    connection.close()
    assert response.status in (307, 400, 404), (response.status, text[:100])
    assert b"root:" not in text and b"import" not in text


def test_a_huge_message_ends_only_its_connection(open_remote: Callable[..., RemotePage]) -> None:
    bad, good = open_remote(), open_remote()
    bad.send("open", model="x" * 100_000)
    assert "64 KiB" in bad.wait_for("reply")["error"]
    with pytest.raises(ConnectionClosed):
        bad.send("open", model="x" * 3_000_000)
        while True:
            bad.receive()
    check_running(good)


def test_a_flood_over_the_websocket(open_remote: Callable[..., RemotePage]) -> None:
    bad, good = open_remote(), open_remote()
    with pytest.raises(ConnectionClosed):
        for _ in range(20_000):
            bad.socket.send('{"type":"pause"}')
        while True:
            bad.receive()
    good.do("play")
    check_running(good)


def connect_and_reset(live_view: LiveView, *exchanges: tuple[bytes, bytes]) -> None:
    """Send each data and wait for a response that contains the second item, then reset the
    connection."""
    connection = socket.create_connection(("127.0.0.1", live_view.server.port), timeout=LIMIT)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    with contextlib.closing(connection):
        for data, expected in exchanges:
            connection.sendall(data)
            response = b""
            while expected not in response:
                part = connection.recv(65536)
                assert part, response
                response += part


def test_broken_connections_print_nothing(
    live_view: LiveView, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    opening = (
        f"GET /ws?token={live_view.server.token} HTTP/1.1\r\nHost: localhost\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ).encode()
    invalid_text = b"\x81\x82abcd\xff\xff"  # not UTF-8
    caplog.set_level(logging.DEBUG, "murmurate.live_view.server")
    connect_and_reset(live_view, (b"\x00\xff\r\n\r\n", b"400 Bad Request"))
    closed = b"\x88\x02" + struct.pack(">H", 1007)
    connect_and_reset(live_view, (opening, b"101 Switching Protocols"), (invalid_text, closed))
    with contextlib.closing(RemotePage(live_view.url)) as last:
        last.wait_until_running()
    until(lambda: len(caplog.records) >= 2)
    assert {record.name for record in caplog.records} == {"murmurate.live_view.server"}
    assert "Invalid HTTP request" in caplog.text and "Invalid UTF-8" in caplog.text
    assert capsys.readouterr().err == ""


def test_broken_connections_are_removed(live_view: LiveView) -> None:
    async def break_connections() -> None:
        for _ in range(5):
            _, writer = await asyncio.open_connection("127.0.0.1", live_view.server.port)
            writer.write(
                f"GET /ws?token={live_view.server.token} HTTP/1.1\r\nHost: localhost\r\n"
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
            )
            await writer.drain()
            writer.write(b"\xff" * 50)
            writer.transport.abort()

    # in a thread, because a browser test may have left a running loop in this one
    thread = threading.Thread(target=lambda: asyncio.run(break_connections()))
    thread.start()
    thread.join(LIMIT)
    last = RemotePage(live_view.url)
    last.wait_for("status", lambda m: m["clients"] == 1)
    last.close()
