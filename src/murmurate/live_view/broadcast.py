"""Broadcast: send messages, notices and frames to every connected page."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from murmurate.frame import Frame
from murmurate.live_view import messages
from murmurate.live_view.runner import Runner
from murmurate.live_view.server_messages import Level, NoticeMessage, ServerMessage
from murmurate.show import scene, wire_format
from murmurate.show.palette import Palette, coloured_view

MAX_PAGES = 24
MAX_ENCODED = 8  # frames that are stored: pages may show different numbers


@dataclass(frozen=True)
class PointerForce:
    """The effect of a held pointer on boids.

    position  of the pointer, one number per dimension of the space; length units
    radius    of the affected sphere, length units
    sign      1 repels boids, -1 attracts them
    """

    position: tuple[float, ...]
    radius: float
    sign: int


class Subscriber(Protocol):
    """A connected page.

    chosen         (flock, boid index) of the boid whose steering it shows
    pointer_force  the force of its pointer, while the pointer is held
    neighbours     whether its frames carry neighbour counts
    number         path of the number of boids that its frames carry; empty for none
    """

    chosen: tuple[str, int] | None
    pointer_force: PointerForce | None
    neighbours: bool
    number: str

    @property
    def waiting(self) -> bool:
        """Whether the page waits for a frame: it has drawn those before."""

    def post(self, kind: str, text: str) -> None:
        """Queue a message of a kind, as JSON text."""

    def wake(self) -> None:
        """Notify the page of a new frame."""

    def dismiss(self, reason: str) -> None:
        """End the page's connection."""


class Broadcast:
    """The connected pages, and the sticky notices for pages that connect later. Thread-safe."""

    def __init__(self) -> None:
        self._pages: list[Subscriber] = []
        self._sticky: dict[str, str] = {}
        self._lock = threading.RLock()

    def __len__(self) -> int:
        return len(self._pages)

    def wants_frame(self) -> bool:
        """Return whether a page waits for a frame."""
        return any(page.waiting for page in self)

    def __iter__(self) -> Iterator[Subscriber]:
        with self._lock:
            return iter(list(self._pages))

    def add(self, page: Subscriber, first: Iterable[Callable[[], ServerMessage]]) -> bool:
        """Connect a page, and send it the first messages and the sticky notices.

        The first messages are built after the page is subscribed, so that it misses no change.
        Returns False, and dismisses the page, if too many are connected.
        """
        with self._lock:
            if len(self._pages) >= MAX_PAGES:
                page.dismiss(f"{MAX_PAGES} pages watch this flock already: close one of them")
                return False
            self._pages.append(page)
            for build in first:
                message = build()
                page.post(str(message["type"]), messages.encode(message))
            for text in self._sticky.values():
                page.post("notice", text)
        return True

    def remove(self, page: Subscriber) -> None:
        """Disconnect a page."""
        with self._lock:
            if page in self._pages:
                self._pages.remove(page)

    def dismiss(self, reason: str) -> None:
        """End all connections."""
        for page in self:
            page.dismiss(reason)

    def wake(self) -> None:
        """Notify all pages of a new frame."""
        for page in self:
            page.wake()

    def send(self, message: ServerMessage) -> None:
        """Send a message to all pages."""
        kind, text = str(message["type"]), messages.encode(message)
        for page in self:
            page.post(kind, text)

    def notice(self, text: str, about: str, level: Level = "error", sticky: bool = True) -> None:
        """Show a line on all pages. Pages that connect later receive a sticky notice too, until it
        is cleared."""
        message: NoticeMessage = {
            "type": "notice", "level": level, "text": text, "about": about, "sticky": sticky,
        }  # fmt: skip
        if sticky:
            with self._lock:
                self._sticky[about] = messages.encode(message)
        self.send(message)

    def clear(self, about: str) -> None:
        """Withdraw a sticky notice."""
        with self._lock:
            text = self._sticky.pop(about, None)
        if text is not None:
            self.send(
                {"type": "notice", "level": "clear", "text": "", "about": about, "sticky": False}
            )


class FrameFeed:
    """The newest frame, encoded once for all pages.

    frame   the newest frame
    scene   number of the frame's scene, which is also in the scene message
    counts  (N,) the newest neighbour counts, or None
    wake    called when a new frame can be sent
    """

    def __init__(self, runner: Runner, wake: Callable[[], object]) -> None:
        self.frame: Frame = runner.simulation.frame
        self.scene = 1
        self.counts: np.ndarray | None = None
        self._runner, self._wake = runner, wake
        self._serial = 1
        self._lock = threading.RLock()
        self._encoded: dict[tuple[bool, str, bool], tuple[int, bytearray]] = {}
        self._palettes: dict[int, Palette] = {}  # by the number of the scene

    def publish(self, frame: Frame) -> None:
        """Replace the newest frame, and notify the pages."""
        self.frame = frame
        self.refresh()

    def refresh(self) -> None:
        """Send the frame again, because the data that accompany it have changed."""
        with self._lock:
            self._serial += 1
        self._wake()

    def encoded(
        self, last_serial: int, neighbours: bool, number: str = "", rgb: bool = False
    ) -> tuple[int, bytearray | None]:
        """Return the serial number and the bytes of the newest frame, or None for the bytes if it
        is not newer than `last_serial`. Pages share the bytes.

        neighbours  whether to include neighbour counts, once they are available
        number      path of a number of boids to include; none if no boid of the model has it
        rgb         whether to include colours
        """
        if self._serial == last_serial:
            return last_serial, None
        with self._lock:
            serial, frame = self._serial, self.frame
            key = neighbours, number, rgb
            cached = self._encoded.get(key)
            if cached is None or cached[0] != serial:
                counts = self._matching_counts(frame) if neighbours else None
                model = self._runner.simulation.model
                names = [entry["name"] for entry in scene.per_boid(model)]
                data = wire_format.encode(
                    frame, self.scene, self._runner.steps_per_second, counts,
                    indices=scene.indices(model, frame),
                    number=(names.index(number), number) if number in names else None,
                    rgb=self.colours(frame) if rgb else None,
                )  # fmt: skip
                if len(self._encoded) > MAX_ENCODED:
                    self._encoded.clear()
                cached = self._encoded[key] = (serial, data)
            return cached

    def colours(self, frame: Frame) -> np.ndarray:
        """Return the colours (N, 3) uint8, sRGB, that films of the model show."""
        with self._lock:
            palette = self._palettes.get(self.scene)
            if palette is None:
                model = self._runner.simulation.model
                looks = {name: flock.look for name, flock in model.flocks.items()}
                palette = Palette(coloured_view(model), looks)
                self._palettes = {self.scene: palette}
            return palette.rgb(frame)

    def _matching_counts(self, frame: Frame) -> np.ndarray | None:
        """Return the newest counts if they match the frame's number of boids."""
        counts = self.counts
        return counts if counts is not None and len(counts) == frame.n_boids else None
