"""The newest frame, encoded once for all pages that want it."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np

from murmurate.frame import Frame
from murmurate.live_view.flight_thread import FlightThread
from murmurate.show import wire_format


class FrameFeed:
    """Holds the newest frame and its bytes.

    frame   the newest frame
    scene   number of the scene that it belongs to; pages match it with the scene message
    counts  (N,) the newest neighbour counts, or None
    wake    called when there is something new to send
    """

    def __init__(self, flight: FlightThread, wake: Callable[[], object]) -> None:
        self.frame: Frame = flight.simulation.frame
        self.scene = 1
        self.counts: np.ndarray | None = None
        self._flight, self._wake = flight, wake
        self._serial = 1
        self._lock = threading.Lock()
        self._encoded: dict[bool, tuple[int, bytearray]] = {}

    def publish(self, frame: Frame) -> None:
        """A new frame."""
        self.frame = frame
        self.refresh()

    def refresh(self) -> None:
        """The same frame is to be sent again, for what is sent with it has changed."""
        with self._lock:
            self._serial += 1
        self._wake()

    def encoded(self, seen: int, neighbours: bool) -> tuple[int, bytearray | None]:
        """The newest frame's serial number and bytes, if it is newer than the one seen. Pages share
        the bytes.

        neighbours  whether neighbour counts are to be in it, once there are any
        """
        if self._serial == seen:
            return seen, None
        with self._lock:
            serial, frame = self._serial, self.frame
            known = self._encoded.get(neighbours)
            if known is None or known[0] != serial:
                counts = self._counts_of(frame) if neighbours else None
                data = wire_format.encode(frame, self.scene, self._flight.steps_per_second, counts)
                known = self._encoded[neighbours] = (serial, data)
            return known

    def _counts_of(self, frame: Frame) -> np.ndarray | None:
        """The newest counts, if they are of this flock."""
        counts = self.counts
        return counts if counts is not None and len(counts) == frame.n_boids else None
