"""A client of the live view that reads frames and throws them away; prints how many came a second.

    python benchmarks/live_client.py ADDRESS SECONDS [arrivals]

With `arrivals` it prints step and time of each, as JSON, by the clock that all processes share.
benchmarks/live.py starts it. Plain sockets: a library for websockets takes longer to read than the
server to send.
"""

from __future__ import annotations

import json
import socket
import struct
import sys
import time
from contextlib import closing

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10  # kinds of websocket messages
FIRST = 20  # frames before those that are counted
QUIET = 30.0  # seconds without a word from the server before this gives up


class HungUp(Exception):
    """The server ended the connection, or says nothing any more."""


class Line:
    """A websocket, as a client. `said` is the last thing that the server said in words."""

    def __init__(self, address: str) -> None:
        """address  the page's, token and all"""
        host, _, query = address.removeprefix("http://").partition("/")
        name, port = host.split(":")
        self.said = ""
        self._line = socket.create_connection((name, int(port)), timeout=QUIET)
        self._room = memoryview(bytearray(1 << 22))
        self._line.sendall(
            f"GET /ws{query} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        with self._line.makefile("rb", buffering=0) as head:
            answer = head.readline().decode().strip()
            while head.readline().strip():
                pass
        if " 101 " not in answer:
            raise HungUp(f"it answered {answer!r}")

    def close(self) -> None:
        self._line.close()

    def send(self, kind: int, content: bytes) -> None:
        """content  125 bytes at most; masked with zeros, which leaves it as it is"""
        self._line.sendall(bytes([0x80 | kind, 0x80 | len(content), 0, 0, 0, 0]) + content)

    def frame(self) -> memoryview:
        """Waits for a frame; pings are answered, for the server hangs up on who does not. Raises
        HungUp."""
        while True:
            kind, content = self._message()
            if kind == BINARY:
                return content
            if kind == PING:
                self.send(PONG, bytes(content))
            elif kind == TEXT:
                words = json.loads(bytes(content))
                self.said = words.get("reason") or words.get("error") or self.said
            elif kind == CLOSE:
                raise HungUp(bytes(content[2:]).decode())

    def _message(self) -> tuple[int, memoryview]:
        first, size = self._whole(2)
        if size > 125:
            size = int.from_bytes(self._whole(2 if size == 126 else 8), "big")
        return first & 0x0F, self._whole(size)

    def _whole(self, size: int) -> memoryview:
        """So many bytes, whenever they come."""
        got = 0
        while got < size:
            try:
                more = self._line.recv_into(self._room[got:size])
            except TimeoutError:
                raise HungUp(f"nothing came for {QUIET:g} s") from None
            if not more:
                raise HungUp("it ended the connection")
            got += more
        return self._room[:size]


def frames_a_second(line: Line, seconds: float) -> float:
    """How many frames came in a second, after the first few. Raises HungUp."""
    frames, begun = 0, 0.0
    while True:
        line.frame()
        line.send(TEXT, b'{"type":"credit","frames":1}')
        frames += 1
        now = time.perf_counter()
        if frames == FIRST:
            begun = now
        elif frames > FIRST and now - begun >= seconds:
            return (frames - FIRST) / (now - begun)


def arrivals(line: Line, seconds: float) -> list[tuple[float, float]]:
    """Step and time of each frame that came, after the first few. Raises HungUp."""
    came: list[tuple[float, float]] = []
    while len(came) <= FIRST or came[-1][1] - came[FIRST][1] < seconds:
        (step,) = struct.unpack_from("<d", line.frame(), 16)
        came.append((step, time.perf_counter()))
        line.send(TEXT, b'{"type":"credit","frames":1}')
    return came[FIRST:]


def main(address: str, seconds: str, way: str = "") -> None:
    with closing(Line(address)) as line:
        try:
            if way == "arrivals":
                print(json.dumps(arrivals(line, float(seconds))))
            else:
                print(frames_a_second(line, float(seconds)))
        except HungUp as why:
            said = line.said or "nothing"
            raise SystemExit(f"the server hung up: {why}; it said: {said}") from None


if __name__ == "__main__":
    main(*sys.argv[1:])
