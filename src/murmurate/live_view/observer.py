"""Observer: what pages are sent about the newest frame, worked out beside the simulation: status,
measures for the charts, the chosen boid's steering, neighbour counts.

Each of these may take one part in ten of the time; what takes longer is done less often. What fails
is logged, and the pages are notified; the simulation is not disturbed.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from murmurate.frame import Frame
from murmurate.live_view.broadcast import Broadcast
from murmurate.live_view.close_up import steering_of
from murmurate.live_view.controller import Controller
from murmurate.live_view.frame_feed import FrameFeed
from murmurate.live_view.messages import text
from murmurate.live_view.neighbour_counts import count_neighbours
from murmurate.live_view.playback_controller import PlaybackController
from murmurate.measures.defaults import default_values
from murmurate.model.model import Model

SHARE = 10.0  # a task may take one part in so many of the time
POINTS = 600  # of the charts, kept
STATUS, MEASURES, BOID, NEIGHBOURS = 0.25, 0.1, 0.1, 0.04  # seconds between two of a kind, at least
EVERY_FRAME = 20_000  # boids up to which neighbours are counted as often as frames come
TASKS = {
    "status": "the status line",
    "measures": "the charts",
    "boid": "the chosen boid's steering",
    "neighbours": "the neighbour counts",
}

logger = logging.getLogger(__name__)


class Observer:
    """Evaluates the newest frames in two threads of its own, and sends the results to the pages.

    status  makes the status message
    """

    def __init__(
        self,
        controller: Controller | PlaybackController,
        feed: FrameFeed,
        clients: Broadcast,
        status: Callable[[], dict[str, Any]],
    ) -> None:
        self._controller, self._feed, self._clients = controller, feed, clients
        self._status = status
        self._points: deque[dict[str, Any]] = deque(maxlen=POINTS)
        self._over = threading.Event()
        self._wake = threading.Event()
        self._due = dict.fromkeys(TASKS, 0.0)
        self._failing: set[str] = set()
        self._logged: set[tuple[str, type]] = set()
        self._step = -1  # that was measured last
        self._begin: Frame | None = feed.frame  # with which the charts begin, not yet measured
        self._lock = threading.Lock()
        self._counted: Frame | None = None
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

    def hurry(self) -> None:
        """A page wants something else evaluated: it is due now."""
        self._due["boid"] = self._due["neighbours"] = 0.0
        self._wake.set()

    def forget(self) -> None:
        """The flock starts again: the charts are emptied, and begin with the newest frame."""
        with self._lock:
            self._points.clear()
            self._begin = self._feed.frame
            self._clients.tell({"type": "measures", "points": [], "begin": True})

    def resume_at(self, step: int) -> None:
        """A recording is shown from another step on: the charts have what was measured up to it."""
        with self._lock:
            self._points.clear()
            self._begin, self._step = None, step
            self._clients.tell(self.history())

    def history(self) -> dict[str, Any]:
        """What was measured up to now; of a recording, what was recorded up to here."""
        recorded = self._controller.recorded_points(self._feed.frame.step, POINTS)
        points = list(self._points) if recorded is None else recorded
        return {"type": "measures", "points": points, "begin": True}

    # --- the tasks

    def _watch(self) -> None:
        while not self._over.wait(0.02):
            if len(self._clients):
                self._timed("status", STATUS, lambda: self._clients.tell(self._status()))
                self._timed("boid", BOID, self._look_at_boids)
            self._timed("measures", MEASURES, self._measure)

    def _timed(self, task: str, least: float, work: Callable[[], object]) -> None:
        begin = time.perf_counter()
        if begin < self._due[task]:
            return
        self._guarded(task, work)
        now = time.perf_counter()
        self._due[task] = max(begin + least, now + (SHARE - 1.0) * (now - begin))

    def _guarded(self, task: str, work: Callable[[], object]) -> None:
        """Does a task. What goes wrong is reported once, until it goes well again; the traceback of
        each kind of error is logged once."""
        try:
            work()
        except Exception as error:
            if (task, type(error)) not in self._logged:
                self._logged.add((task, type(error)))
                logger.exception("%s failed", TASKS[task])
            if task not in self._failing:
                self._failing.add(task)
                problem = f"{TASKS[task]} cannot be shown: {type(error).__name__}: {error}"
                self._clients.notice(problem[:500], f"observer-{task}")
        else:
            if task in self._failing:
                self._failing.remove(task)
                self._clients.clear(f"observer-{task}")

    def _measure(self) -> None:
        with self._lock:
            begin, self._begin = self._begin, None
        frame = begin or self._feed.frame
        if begin is None and frame.step == self._step:
            return
        point = {"step": frame.step, "time": frame.time, "flocks": default_values(frame)}
        with self._lock:
            if self._begin is not None or self._feed.frame.step < frame.step:
                return  # it was restarted meanwhile
            self._step = frame.step
            self._points.append(point)
            self._clients.tell({"type": "measures", "points": [point]})

    def _look_at_boids(self) -> None:
        frame, model, seed = self._feed.frame, self._controller.running, self._controller.seed
        if not _belongs(frame, model):
            return
        known: dict[tuple[str, int], dict[str, Any]] = {}
        for client in self._clients:
            chosen = client.chosen
            if chosen is None:
                continue
            if chosen not in known:
                flock = frame.flocks.get(chosen[0])
                if flock is None or chosen[1] >= len(flock):
                    client.chosen = None
                    continue
                known[chosen] = steering_of(model, frame, *chosen, seed=seed)
            client.post("boid", text(known[chosen]))

    def _count(self) -> None:
        """Counts neighbours while a page asks for it."""
        while not self._over.is_set():
            frame, model = self._feed.frame, self._controller.running
            requested = any(client.neighbours for client in self._clients)
            if not requested or frame is self._counted or not _belongs(frame, model):
                self._wake.wait(0.02 if requested else 0.5)
                self._wake.clear()
                continue
            begin = time.perf_counter()
            self._guarded("neighbours", partial(self._count_in, model, frame))
            self._counted = frame
            took = time.perf_counter() - begin
            rest = took if frame.n_boids <= EVERY_FRAME else (SHARE - 1.0) * took
            self._over.wait(max(NEIGHBOURS - took, rest))

    def _count_in(self, model: Model, frame: Frame) -> None:
        self._feed.counts = count_neighbours(model, frame)
        if self._feed.frame is frame:
            self._feed.refresh()


def _belongs(frame: Frame, model: Model) -> bool:
    """Whether a frame is of a model; while another one is being taken on, it may not be."""
    counts = {name: flock.count for name, flock in model.flocks.items()}
    return frame.space == model.space and counts == {
        name: len(flock) for name, flock in frame.items()
    }
