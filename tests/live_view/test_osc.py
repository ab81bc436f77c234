"""OSC: what a flock sends, what it takes, and that nothing wrong stops it."""

from __future__ import annotations

import contextlib
import logging
import random
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from conftest_live import LocalPage, small
from pythonosc.osc_bundle_builder import OscBundleBuilder
from pythonosc.osc_message_builder import build_msg
from pythonosc.osc_packet import OscPacket
from test_clients import drones

import murmurate as mm
from cases import cases
from murmurate.cli import main
from murmurate.errors import AddressError
from murmurate.live_view import Session
from murmurate.live_view.osc import MAX_RATE, Osc, parse_address
from processes import LIMIT, until

OpenPage = Callable[..., LocalPage]


class Program:
    """A program that speaks OSC, and what murmurate reported of it."""

    page: LocalPage

    def __init__(self, session: Session, **options: Any) -> None:
        self.session = session
        self.reports: list[str] = []
        self.reported = threading.Event()
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._socket.settimeout(LIMIT)
        own = self._socket.getsockname()[1]
        self.osc = Osc(session, [str(own)], "127.0.0.1:0", report=self._note, **options)

    def _note(self, text: str) -> None:
        self.reports.append(text)
        self.reported.set()

    def close(self) -> None:
        self.osc.close()
        self._socket.close()

    def send(self, address: str, *values: Any) -> None:
        self.send_bytes(build_msg(address, values).dgram)

    def send_bytes(self, data: bytes) -> None:
        self._socket.sendto(data, ("127.0.0.1", self.osc.port))

    def receive(self) -> tuple[str, list[Any]]:
        """Return the next message."""
        data = self._socket.recv(65536)
        assert len(data) <= 1472  # in one packet of an Ethernet
        (item,) = OscPacket(data).messages
        return item.message.address.removeprefix("/murmurate/"), item.message.params

    def lists(self, check: Callable[[int], bool] = lambda step: True) -> dict[str, list[Any]]:
        """Return the messages of the next complete frame whose step passes the check."""
        lists: dict[str, list[Any]] = {}
        while True:
            address, values = self.receive()
            lists[address] = values
            if address == "frame":
                if check(values[0]) and "flocks/boids/positions/0" in lists:
                    return lists
                lists = {}

    def until(self, check: Callable[[], Any]) -> None:
        """Wait until the check passes, and drop what comes meanwhile."""
        until(lambda: self._drop() or check())

    def _drop(self) -> None:
        self._socket.settimeout(0)
        with contextlib.suppress(BlockingIOError):
            while True:
                self._socket.recv(65536)
        self._socket.settimeout(LIMIT)


@pytest.fixture
def program(open_page: OpenPage) -> Iterator[Callable[..., Program]]:
    """Open a session with a page, and a program beside it."""
    programs: list[Program] = []

    def open_program(
        model: mm.Model | None = None, playing: bool = True, **options: Any
    ) -> Program:
        page = open_page(model, playing=playing)
        page.frame(lambda frame: frame.step > 0 or not playing)
        programs.append(Program(page.client.session, **options))
        programs[-1].page = page
        return programs[-1]

    yield open_program
    for opened in programs:
        opened.close()


def test_lists_have_the_numbers_of_all_boids(program: Callable[..., Program]) -> None:
    model = small(**{"flocks.boids.count": 70, "view.colour_by": "speed"})
    listening = program(model, playing=False)
    session = listening.session
    listening.send("/murmurate/step")
    lists = listening.lists(lambda step: step == 1)
    boids = session.frame["boids"]
    for name, rows in (
        ("positions", boids.positions),
        ("velocities", boids.velocities),
        ("colours", session.feed.colours(session.frame) / 255),
    ):
        values = lists[f"flocks/boids/{name}/0"] + lists[f"flocks/boids/{name}/64"]
        assert np.array(values, np.float32).tolist() == rows.astype(np.float32).ravel().tolist()
    assert lists["frame"] == [session.frame.step, pytest.approx(session.frame.time), 70]


def test_measures_are_sent(program: Callable[..., Program]) -> None:
    listening = program()
    while (message := listening.receive())[0] != "flocks/boids/measures/polarization":
        pass
    assert 0 < message[1][0] <= 1


def test_boids_that_join_have_indices(program: Callable[..., Program]) -> None:
    entry = {"kind": "source", "flock": "boids", "rate": 20.0}
    lists = program(small(**{"flocks.boids.max_boids": 500, "population": {"in": entry}})).lists(
        lambda step: step > 3
    )
    present = lists["frame"][2]
    assert present > 40
    assert [*lists["flocks/boids/indices/0"]] == [*range(min(present, 64))]


def test_large_flocks_are_only_counted(
    program: Callable[..., Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("murmurate.live_view.osc.MAX_LISTED", 39)
    listening = program()
    addresses = set()
    while "frame" not in addresses:
        addresses.add(listening.receive()[0])
    assert not any("positions" in address for address in addresses)


def test_numbers_and_buttons(program: Callable[..., Program]) -> None:
    playing = program()
    session = playing.session
    playing.send("/murmurate/rules/cohesion/weight", 0.05)
    playing.until(lambda: session.controller.running.rules["cohesion"].weight == 0.05)
    playing.send("/murmurate/pause", 0.0)  # a button that is released
    playing.send("/murmurate/rate", 500)
    playing.until(lambda: session.runner.rate == 500)
    assert session.runner.playing
    playing.send("/murmurate/pause", 1.0)
    playing.until(lambda: not session.runner.playing)
    step = session.runner.simulation.step_number
    playing.send("/murmurate/step", 3.0)
    playing.until(lambda: session.runner.simulation.step_number == step + 3)
    playing.send("/murmurate/flocks/boids/positions/2", 4.0, 5.0)
    playing.until(
        lambda: session.runner.simulation.frame["boids"].positions[2].tolist() == [4.0, 5.0]
    )
    playing.send("/murmurate/shoo", 4.0, 5.0, 3.0)
    playing.until(lambda: playing.osc.pointer_force)
    force = playing.osc.pointer_force
    assert force is not None and (force.position, force.radius, force.sign) == ((4.0, 5.0), 3.0, 1)
    playing.send("/murmurate/shoo")
    playing.until(lambda: playing.osc.pointer_force is None)
    assert not playing.osc.refused


def test_commands_and_predators(program: Callable[..., Program]) -> None:
    leading = program(drones(), playing=False)
    simulation = leading.session.runner.simulation

    def commanded() -> list[float]:
        return simulation.frame["drones"].state("rules.command.commanded").tolist()

    bundle = OscBundleBuilder(2_050_000_000)  # times of bundles are ignored
    vectors = [1.0, 0.0, 0.0, 2.0]
    bundle.add_content(build_msg("/murmurate/flocks/drones/commands/3", vectors))
    leading.send_bytes(bundle.build().dgram)
    leading.until(lambda: commanded() == [0, 0, 0, 1, 1, 0])
    leading.page.do("step")
    leading.until(lambda: simulation.step_number == 1)
    velocities = simulation.frame["drones"].velocities[3:5]
    np.testing.assert_allclose(velocities, [[1.0, 0.0], [0.0, 2.0]], atol=1e-9)
    leading.send("/murmurate/flocks/drones/commands")
    leading.until(lambda: not any(commanded()))
    leading.send("/murmurate/predator", 3.0, 4.0)
    leading.page.wait_for("scene", lambda scene: len(scene["flocks"]) == 3)
    assert not leading.osc.refused


WRONG: list[tuple[str, list[Any], str]] = [
    ("/other", [1.0], "/murmurate/"),
    ("/murmurate/none", [1.0], "none"),
    ("/murmurate/rules/none/weight", [1.0], "none"),
    ("/murmurate/rules/cohesion/weight", [], "weight"),
    ("/murmurate/rules/cohesion/weight", ["much"], "weight"),
    ("/murmurate/rules/cohesion/weight", [float("nan")], "finite"),
    ("/murmurate/rules/cohesion/weight", [b"\1\2"], "types"),
    ("/murmurate/flocks/boids/commands/0", [1.0, 2.0], "command"),
    ("/murmurate/flocks/boids/commands/x", [1.0, 2.0], "'x'"),
    (f"/murmurate/flocks/boids/commands/{10**20}", [1.0, 2.0], "from boid '1000"),
    ("/murmurate/flocks/boids/commands/0", [1.0], "1 numbers"),
    ("/murmurate/flocks/boids/positions/99", [1.0, 2.0], "99"),
    ("/murmurate/predator", [1.0], "position"),
    ("/murmurate/shoo", [1.0, 2.0], "position"),
    ("/murmurate/rate", [], "greater than 0"),
    ("/murmurate/step", [-2], "greater than"),
]


def test_wrong_messages_are_counted(program: Callable[..., Program]) -> None:
    wrong = program()
    for count, (address, values, words) in enumerate(WRONG, 1):
        wrong.send(address, *values)
        while (message := wrong.receive())[0] != "refused":
            pass
        assert message[1][0] == count and words in message[1][1], (address, message)
    (report,) = wrong.reports
    assert WRONG[0][2] in report


def test_random_bytes_never_stop_a_flock(
    program: Callable[..., Program], caplog: pytest.LogCaptureFixture
) -> None:
    noisy = program(small(**{"flocks.boids.count": 3}))
    dice = random.Random(1)
    valid = [
        build_msg("/murmurate/rules/cohesion/weight", [0.1]).dgram,
        build_msg("/murmurate/flocks/boids/positions/1", [1.0, 2.0]).dgram,
        b"#bundle\0" + bytes(8) + b"\0\0\0\x10/murmurate/play\0,\0\0\0",
        b"/a\0\0,Z[\0",  # a type that is unknown
        b"/a\0\0,d\0\0" + struct.pack(">d", 1e300),
    ]
    nested = valid[0]
    for _ in range(100):  # bundles in bundles
        bundle = b"#bundle\0" + bytes(7) + b"\1" + len(nested).to_bytes(4, "big") + nested
        nested = bundle
    with caplog.at_level(logging.WARNING):
        for k in range(300):
            data = bytearray(dice.choice([*valid, nested]) if k % 3 else dice.randbytes(k))
            for _ in range(dice.randrange(4) if k % 3 and data else 0):
                data[dice.randrange(len(data))] = dice.randrange(256)
            noisy.send_bytes(bytes(data))
            if k % 10 == 0:  # so that none is lost
                noisy.send("/murmurate/rate", 100 + k)
                noisy.until(lambda rate=100 + k: noisy.session.runner.rate == rate)
        noisy.send("/murmurate/play")
        step = noisy.session.frame.step
        noisy.lists(lambda last: last > step)
    assert noisy.osc.refused > 50 and len(noisy.reports) == 1
    noisy.osc.close()
    assert len(noisy.reports) == 2 and str(noisy.osc.refused) in noisy.reports[1]
    assert not [r for r in caplog.records if r.module.startswith("osc_")]


def test_a_flood_is_dropped(program: Callable[..., Program]) -> None:
    flooding = program()
    flooding.osc._limit.take = lambda: False  # type: ignore[method-assign]
    flooding.send("/murmurate/pause")
    flooding.reported.wait(LIMIT)
    assert f"{MAX_RATE:g} per second" in flooding.reports[0]
    assert flooding.session.runner.playing


def test_frames_are_sent_at_the_rate_that_is_asked_for(program: Callable[..., Program]) -> None:
    slow = program(rate=0.001)
    assert slow.lists()["frame"]
    step = slow.session.frame.step
    slow.until(lambda: slow.session.runner.simulation.step_number > step + 2)
    assert not slow.osc.waiting


@cases(
    "text,address",
    [
        ("9000", ("127.0.0.1", 9000)),
        ("192.168.0.7:9000", ("192.168.0.7", 9000)),
        ("[::1]:80", ("::1", 80)),
        ("stage.local:1", ("stage.local", 1)),
    ],
)
def test_addresses(text: str, address: tuple[str, int]) -> None:
    assert parse_address(text, "--osc-in") == address


@cases("text", ["", "x", "1:2:x", "host:", "70000", "host:-1", "²"])
def test_wrong_addresses(text: str) -> None:
    with pytest.raises(AddressError, match=r"--osc-in: got .* expected PORT or HOST:PORT"):
        parse_address(text, "--osc-in")


@pytest.mark.slow
@cases(
    "arguments,words",
    [
        (["--osc-out", "host"], "--osc-out: got 'host'; expected PORT"),
        (["--osc-in", "192.0.2.1:0"], "cannot listen"),
        (["--osc-out", "9", "--osc-rate", "0"], "osc rate: got 0"),
        (["--osc-out", "nowhere.invalid:1"], "nowhere.invalid"),
    ],
)
def test_the_command_refuses_wrong_addresses(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["watch", "p5", "--engine", "reference", "--no-open", "--port", "0", *arguments])
    assert code == 2 and words in capsys.readouterr().err


def test_options_without_use_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for option, needed in (("--osc-rate", "--osc-out"), ("--every", "--record")):
        assert main(["watch", "p5", "--no-open", option, "3"]) == 2
        assert f"{option}: got 3" in (err := capsys.readouterr().err) and f"Add {needed}" in err


def test_without_receivers_nothing_is_sent(open_page: OpenPage) -> None:
    page = open_page()
    quiet = Osc(page.client.session, receive_on="0")
    assert not quiet.waiting and quiet.port
    quiet.close()
