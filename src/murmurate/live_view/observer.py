"""Observer: evaluates the newest frame for the pages, beside the simulation: status, measures for
the charts, the chosen boid's steering, neighbour counts.

Each task may use a tenth of the time; a slow task runs less often. An error is logged and reported
to the pages, and does not affect the simulation.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial

import numpy as np

from murmurate.frame import Frame
from murmurate.live_view.broadcast import Broadcast, FrameFeed
from murmurate.live_view.close_up import steering_of
from murmurate.live_view.controller import Controller
from murmurate.live_view.messages import encode
from murmurate.live_view.playback_controller import PlaybackController
from murmurate.live_view.server_messages import (
    BoidMessage,
    MeasurePoint,
    MeasuresMessage,
    StatusMessage,
)
from murmurate.measures.defaults import NAMES, DefaultMeasure, charted_measures
from murmurate.model.distribution import is_individual
from murmurate.model.model import Model
from murmurate.model.quantity import extent, number_at
from murmurate.model.rule import NeighbourRule
from murmurate.neighbours.search import NeighbourSearch
from murmurate.show import scene

PAUSE_RATIO = 9.0  # a task pauses for this multiple of the time that it took
MAX_POINTS = 600  # points that the charts show
MIN_STATUS_SECONDS = 0.25  # between two evaluations of each task
MIN_MEASURES_SECONDS = 0.1
SLOW_SECONDS = 0.02  # a measure that takes longer is computed less often, in a thread of its own
MIN_SLOW_SECONDS = 1.0  # between two values of such a measure
MIN_BOID_SECONDS = 0.1
MIN_NEIGHBOURS_SECONDS = 0.04
MAX_EAGER_BOIDS = 20_000  # up to here, neighbour counts may use half of the time
SPACINGS = 2.0  # mean nearest-neighbour distances; the radius if no rule has a finite one
TASKS = {
    "status": "the status line",
    "measures": "the charts",
    "boid": "the chosen boid's steering",
    "neighbours": "the neighbour counts",
    "slow": "a slow chart",
}

logger = logging.getLogger(__name__)


class Observer:
    """Evaluates the newest frames in three threads, and sends the results to the pages.

    status  returns the status message

    A point of the charts has the measures of the model's view, or the default ones, and the number
    of boids if it changes. A measure that takes longer than SLOW_SECONDS is computed for some
    points only, so that the others are not late.
    """

    def __init__(
        self,
        controller: Controller | PlaybackController,
        feed: FrameFeed,
        pages: Broadcast,
        status: Callable[[], StatusMessage],
    ) -> None:
        self._controller, self._feed, self._pages = controller, feed, pages
        self._status = status
        self._points: deque[MeasurePoint] = deque(maxlen=MAX_POINTS)
        self._over = threading.Event()
        self._wake = threading.Event()
        self._due = dict.fromkeys(TASKS, 0.0)
        self._failing: set[str] = set()
        self._logged: set[tuple[str, type]] = set()
        self._measured_step = -1
        self._first_frame: Frame | None = feed.frame  # of the charts, until it is measured
        self._measured: Frame | None = None  # the frame of the newest point
        self._slow: dict[str, DefaultMeasure] = {}
        self._seconds: dict[str, float] = {}  # that each chart took
        self._durations: dict[str, float] = {}  # of the last run of each task
        self._slow_steps: dict[str, int] = {}  # at which slow ones were computed
        self._lock = threading.Lock()
        self._counted: Frame | None = None
        self._threads = [
            threading.Thread(target=work, name=f"murmurate-{name}", daemon=True)
            for name, work in (
                ("observer", self._observe),
                ("neighbours", self._count),
                ("charts", self._measure_slowly),
            )
        ]

    def start(self) -> None:
        """Start the threads."""
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """End the threads."""
        self._over.set()
        self._wake.set()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(0.3)

    def refresh_now(self) -> None:
        """Evaluate the chosen boid and the neighbour counts immediately, because a page changed its
        choice."""
        self._due["boid"] = self._due["neighbours"] = 0.0
        self._wake.set()

    def clear(self) -> None:
        """Clear the charts, because the flock restarted. The newest frame is their first."""
        with self._lock:
            self._points.clear()
            self._first_frame = self._feed.frame
            self._pages.send({"type": "measures", "points": [], "begin": True})

    def resume_at(self, step: int) -> None:
        """Show the recorded charts up to a step, because a recording continues from it."""
        with self._lock:
            self._points.clear()
            self._first_frame, self._measured_step = None, step
            self._pages.send(self.history())

    def history(self) -> MeasuresMessage:
        """Return the message with all points: measured, or of a recording those up to the newest
        frame."""
        names = [measure.name for measure in self._charted()]
        recorded = self._controller.recorded_points(self._feed.frame.step, MAX_POINTS, names)
        points = list(self._points) if recorded is None else recorded
        return {"type": "measures", "points": points, "begin": True}

    # --- the tasks

    def _observe(self) -> None:
        while not self._over.wait(0.02):
            if len(self._pages):
                send_status = lambda: self._pages.send(self._status())  # noqa: E731
                self._run_if_due("status", MIN_STATUS_SECONDS, send_status)
                self._run_if_due("boid", MIN_BOID_SECONDS, self._send_steering)
            self._run_if_due("measures", MIN_MEASURES_SECONDS, self.measure)

    def _run_if_due(
        self, task: str, min_seconds: float, work: Callable[[], object], kind: str = ""
    ) -> None:
        begin = time.perf_counter()
        if begin < self._due[task]:
            return
        self._run(kind or task, work)
        end = time.perf_counter()
        usual = min(end - begin, self._durations.get(task, 0.0))  # the first one includes imports
        self._durations[task] = end - begin
        self._due[task] = max(begin + min_seconds, end + PAUSE_RATIO * usual)

    def _run(self, task: str, work: Callable[[], object]) -> None:
        """Run a task. The first of consecutive errors is reported to the pages; the traceback of
        each type of error is logged once."""
        try:
            work()
        except Exception as error:
            if (task, type(error)) not in self._logged:
                self._logged.add((task, type(error)))
                logger.exception("%s failed", TASKS[task])
            if task not in self._failing:
                self._failing.add(task)
                problem = f"{TASKS[task]} cannot be shown: {type(error).__name__}: {error}"
                self._pages.notice(problem[:500], f"observer-{task}")
        else:
            if task in self._failing:
                self._failing.remove(task)
                self._pages.clear(f"observer-{task}")

    def measure(self) -> None:
        """Measure the newest frame, or the first one of the charts, and send the point."""
        with self._lock:
            first, self._first_frame = self._first_frame, None
        frame = first or self._feed.frame
        if first is None and frame.step == self._measured_step:
            return
        fast = [measure for measure in self._charted() if measure.name not in self._slow]
        values: dict[str, dict[str, float | None]] = {name: {} for name in frame}
        for measure in fast:
            begin = time.perf_counter()
            for flock in frame.values():
                values[flock.name][measure.name] = float(measure.function(flock))
            seconds = time.perf_counter() - begin
            last = self._seconds.get(measure.name, -math.inf)  # the first time includes imports
            self._seconds[measure.name] = seconds
            if min(last, seconds) > SLOW_SECONDS and not _is_default(measure):
                self._slow[measure.name] = measure
        if self._controller.running.changes_numbers:
            for flock in frame.values():
                values[flock.name]["boids"] = len(flock)
        point: MeasurePoint = {"step": frame.step, "time": frame.time, "flocks": values}
        with self._lock:
            if self._first_frame is not None or self._feed.frame.step < frame.step:
                return  # the flock restarted in the meantime
            self._measured_step, self._measured = frame.step, frame
            self._points.append(point)
            self._pages.send({"type": "measures", "points": [point]})

    def _charted(self) -> tuple[DefaultMeasure, ...]:
        """Return the measures of the charts of the model that runs."""
        return charted_measures(self._controller.running.view.charts)

    def _measure_slowly(self) -> None:
        """Compute slow measures of the newest point, each in a tenth of the time."""
        while not self._over.wait(0.1):
            for measure in list(self._slow.values()):
                if not self._over.is_set():
                    self._due.setdefault(measure.name, 0.0)
                    work = partial(self._add_to_point, measure)
                    self._run_if_due(measure.name, MIN_SLOW_SECONDS, work, "slow")

    def _add_to_point(self, measure: DefaultMeasure) -> None:
        """Compute a measure of the frame of the newest point, and send all points with it."""
        frame = self._measured
        if frame is None or frame.step == self._slow_steps.get(measure.name):
            return
        self._slow_steps[measure.name] = frame.step
        values = {flock.name: float(measure.function(flock)) for flock in frame.values()}
        with self._lock:
            point = next((p for p in reversed(self._points) if p["step"] == frame.step), None)
            if point is None or set(point["flocks"]) != set(values):
                return  # the flock restarted in the meantime
            for name, value in values.items():
                point["flocks"][name][measure.name] = value
            self._pages.send(self.history())

    def _send_steering(self) -> None:
        frame, model, seed = self._feed.frame, self._controller.running, self._controller.seed
        if not _fits(frame, model):
            return
        results: dict[tuple[str, int], BoidMessage] = {}
        for page in self._pages:
            chosen = page.chosen
            if chosen is None:
                continue
            if chosen not in results:
                row = scene.row_of(model, frame, *chosen)
                if row is None:
                    page.chosen = None
                    continue
                results[chosen] = steering_of(model, frame, chosen[0], row, seed=seed)
            page.post("boid", encode(results[chosen]))

    def _count(self) -> None:
        """Count neighbours while a page requests it."""
        while not self._over.is_set():
            frame, model = self._feed.frame, self._controller.running
            requested = any(page.neighbours for page in self._pages)
            if not requested or frame is self._counted or not _fits(frame, model):
                self._wake.wait(0.02 if requested else 0.5)
                self._wake.clear()
                continue
            begin = time.perf_counter()
            self._run("neighbours", partial(self._count_neighbours, model, frame))
            self._counted = frame
            duration = time.perf_counter() - begin
            pause = duration if frame.n_boids <= MAX_EAGER_BOIDS else PAUSE_RATIO * duration
            self._over.wait(max(MIN_NEIGHBOURS_SECONDS - duration, pause))

    def _count_neighbours(self, model: Model, frame: Frame) -> None:
        self._feed.counts = count_neighbours(model, frame)
        if self._feed.frame is frame:
            self._feed.refresh()


def _is_default(measure: DefaultMeasure) -> bool:
    """Return whether a measure is one of the default ones, which every point has."""
    return measure.name in NAMES


def _fits(frame: Frame, model: Model) -> bool:
    """Return whether a frame has the model's space and flocks. It may not while a model is being
    replaced."""
    if model.changes_numbers:
        return frame.space == model.space and list(model.flocks) == list(frame)
    counts = {name: flock.count for name, flock in model.flocks.items()}
    return frame.space == model.space and counts == {
        name: len(flock) for name, flock in frame.items()
    }


# --- neighbour counts


def sensing_radius(model: Model, flock: str, time: float) -> float:
    """Return the largest finite radius within which a flock senses its own boids, or inf."""
    radii = [
        extent(rule.radius)[1] if is_individual(rule.radius) else number_at(rule.radius, time)
        for rule in model.moved_by(flock).values()
        if isinstance(rule, NeighbourRule) and flock in model.sensed(rule, flock)[0]
    ]
    return max((radius for radius in radii if math.isfinite(radius)), default=math.inf)


def count_neighbours(model: Model, frame: Frame) -> np.ndarray:
    """Count each boid's neighbours, for its colour.

    Returns an (N,) int64 array in id order: the number of other boids of the flock within its
    `sensing_radius`, to the nearest image on periodic axes. Field of view and `nearest` are
    ignored. If no rule has a finite radius, twice the flock's mean nearest-neighbour distance is
    used.
    """
    counts = []
    for flock in frame.values():
        size = len(flock)
        positions = flock.positions
        if size < 2 or not np.isfinite(positions).all():
            counts.append(np.zeros(size, np.int64))
            continue
        search = NeighbourSearch(positions, frame.space)
        radius = sensing_radius(model, flock.name, frame.time)
        if not math.isfinite(radius):
            sample = search.nearest_distances(every=max(1, size // 1000))
            radius = SPACINGS * float(sample.mean())
        counts.append(search.counts(radius))
    return np.concatenate(counts) if counts else np.zeros(0, np.int64)
