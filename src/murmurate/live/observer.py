"""Observer: looks at published frames, in a thread of its own, and tells pages what it sees:
how fast it flies, measures for charts, what a chosen boid's rules do, neighbours counted.

Each look may take one part in ten of the time; what takes longer is looked at less often.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from murmurate.frame import Frame
from murmurate.live.close_up import steering_of
from murmurate.live.neighbour_counts import count_neighbours
from murmurate.live.playback_controller import Projector
from murmurate.measures.defaults import default_values

if TYPE_CHECKING:
    from murmurate.live.session import Session
    from murmurate.runs.playback import Playback

SHARE = 10.0  # a look may take one part in so many of the time
POINTS = 600  # of the charts, kept
STATUS, MEASURES, BOID, NEIGHBOURS = 0.25, 0.1, 0.1, 0.04  # seconds between looks, at least
EVERY_FRAME = 20_000  # boids up to which neighbours are counted as often as frames come


class Observer:
    """Looks at a session's frames."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._points: deque[dict[str, Any]] = deque(maxlen=POINTS)
        self._counts: np.ndarray | None = None
        self._over = threading.Event()
        self._due = dict.fromkeys(("status", "measures", "boid", "neighbours"), 0.0)
        self._step = -1
        self._counted: Frame | None = None
        self._wake = threading.Event()
        self._threads = [
            threading.Thread(target=work, name=f"murmurate-{name}", daemon=True)
            for name, work in (("observer", self._watch), ("neighbours", self._count))
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        self._over.set()
        self._wake.set()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(0.3)

    def look(self) -> None:
        """There is something new to look for."""
        self._due["boid"] = self._due["neighbours"] = 0.0
        self._wake.set()

    def forget(self) -> None:
        """Another flight begins: the charts begin anew."""
        self._points.clear()
        self._step = -1
        self._session.tell({"type": "measures", "points": [], "begin": True})

    def begin_at(self, playback: Playback) -> None:
        """A recording is shown from another place on: the charts have what was measured up to
        there."""
        self._points.clear()
        self._step = playback.frame.step
        self._session.tell(self.history())

    # --- what it tells

    def status(self) -> dict[str, Any]:
        session = self._session
        flight, frame = session.flight, session.frame
        return {
            "type": "status",
            "playing": flight.playing,
            "rate": flight.rate,
            "steps_per_second": flight.steps_per_second,
            "boid_steps_per_second": flight.steps_per_second * len(frame),
            "step": frame.step,
            "time": frame.time,
            "watching": len(session.guests),
            "busy": session.busy,
        }

    def history(self) -> dict[str, Any]:
        """What was measured up to now; of a recording, what was recorded up to here."""
        pilot, points = self._session.pilot, list(self._points)
        if isinstance(pilot, Projector):
            points = recorded_points(pilot.playback, self._session.frame.step, POINTS)
        return {"type": "measures", "points": points, "begin": True}

    def neighbours(self, frame: Frame) -> np.ndarray | None:
        """The newest counts, if they are of this flock."""
        counts = self._counts
        return counts if counts is not None and len(counts) == len(frame) else None

    # --- the looks

    def _watch(self) -> None:
        while not self._over.wait(0.02):
            if self._session.guests:
                self._timed("status", STATUS, lambda: self._session.tell(self.status()))
                self._timed("boid", BOID, self._look_at_boids)
            self._timed("measures", MEASURES, self._measure)

    def _timed(self, name: str, least: float, work: Any) -> None:
        begin = time.perf_counter()
        if begin < self._due[name]:
            return
        with suppress(Exception):  # a look that fails costs a look, not the flight
            work()
        now = time.perf_counter()
        self._due[name] = max(begin + least, now + (SHARE - 1.0) * (now - begin))

    def _measure(self) -> None:
        frame = self._session.frame
        if frame.step == self._step:
            return
        self._step = frame.step
        point = {"step": frame.step, "time": frame.time, "flocks": default_values(frame)}
        if self._session.frame.step < frame.step:
            return  # it was begun anew meanwhile
        self._points.append(point)
        self._session.tell({"type": "measures", "points": [point]})

    def _look_at_boids(self) -> None:
        session = self._session
        frame, model, seed = session.frame, session.pilot.flying, session.pilot.seed
        known: dict[tuple[str, int], dict[str, Any]] = {}
        for guest in session.guests:
            chosen = guest.chosen
            if chosen is None:
                continue
            if chosen not in known:
                flock = frame.flocks.get(chosen[0])
                if flock is None or chosen[1] >= len(flock):
                    guest.chosen = None
                    continue
                known[chosen] = steering_of(model, frame, *chosen, seed=seed)
            guest.tell(known[chosen])

    def _count(self) -> None:
        """Counts neighbours while a page asks for it."""
        while not self._over.is_set():
            session = self._session
            frame = session.frame
            wanted = any(guest.neighbours for guest in session.guests)
            if not wanted or frame is self._counted:
                self._wake.wait(0.02 if wanted else 0.5)
                self._wake.clear()
                continue
            begin = time.perf_counter()
            with suppress(Exception):
                self._counts = count_neighbours(session.pilot.flying, frame)
            self._counted = frame
            if session.frame is frame:
                session.refresh()
            took = time.perf_counter() - begin
            rest = took if len(frame) <= EVERY_FRAME else (SHARE - 1.0) * took
            self._over.wait(max(NEIGHBOURS - took, rest))


def recorded_points(playback: Playback, step: int, most: int) -> list[dict[str, Any]]:
    """What a recording has of the charts' measures up to a step: `most` points of them."""
    rec = playback.recording
    numbers = range((step - playback.first) // rec.every + 1)
    measured = rec.header["measure_every"]
    numbers = numbers[:: measured * max(1, -(-len(numbers) // (measured * most)))]
    columns = {name: rec.column(name)[list(numbers)] for name in rec.header["measures"]}
    return [
        {
            "step": rec.steps[number],
            "time": float(rec.steps[number] * rec.header["dt"]),
            "flocks": {
                flock: {name: float(column[row, k]) for name, column in columns.items()}
                for k, flock in enumerate(rec.header["counts"])
            },
        }
        for row, number in enumerate(numbers)
    ]
