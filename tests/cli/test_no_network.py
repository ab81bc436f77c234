"""No command connects to another machine."""

from __future__ import annotations

import socket
from typing import Any, NoReturn

import pytest

pytestmark = pytest.mark.slow
COMMANDS = [
    "film tiny.toml --seconds 0.2 --size 64x64 --engine reference -o a.mp4",
    "still tiny.toml --size 64x64 --engine reference -o a.png",
    "page tiny.toml --steps 4 --engine reference -o replay.html",
    "page p5 --live -o live.html",
    "run tiny.toml --steps 4 --engine reference",
    "measure tiny.toml --steps 4 --engine reference",
    "show p5",
    "show p5 --cite",
    "models",
    "schema",
    "doctor --no-test",
    "new p5 mine.toml",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_opens_no_connection(
    command: str, murmurate: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[object] = []

    def refuse(*arguments: object, **_: object) -> NoReturn:
        calls.append(arguments)
        raise OSError("a test refuses connections")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)
    for name in ("getaddrinfo", "gethostbyname", "create_connection"):
        monkeypatch.setattr(socket, name, refuse)
    ran = murmurate(*command.split())
    assert (ran.code, calls) == (0, []), ran.err
    with pytest.raises(OSError, match="a test refuses"), socket.socket() as connection:
        connection.connect(("127.0.0.1", 9))
