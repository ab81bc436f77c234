"""measure(): measures of a model, a recording, tracks or frames over time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

import murmurate.measures  # noqa: F401  (which fills the table of measures)
from murmurate.analysis.inputs import FrameChoice, MeasureInput, Progress, input_of
from murmurate.analysis.measure_table import MeasureTable
from murmurate.analysis.summary import has_value
from murmurate.dtypes import Dtype
from murmurate.engine.engine_options import EngineChoice
from murmurate.frame import FlockFrame, Frame
from murmurate.measures.limits import MeasureError
from murmurate.measures.measure_frames import check, measure_frames, omitted
from murmurate.measures.over_frames import no_frames
from murmurate.model.number import frame_rate

if TYPE_CHECKING:
    from murmurate.analysis.inputs import What


def measure(
    what: What | Iterable[Frame | FlockFrame],
    measures: str | Sequence[str] | None = None,
    *,
    flock: str | None = None,
    predators: str | None = None,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    steps: int | None = None,
    first: int | None = None,
    last: int | None = None,
    every: int | None = None,
    seed: int | None = None,
    engine: EngineChoice | None = None,
    dtype: Dtype | None = None,
    threads: int | None = None,
    workers: int | None = None,
    address: str | None = None,
    frames_per_second: float | None = None,
    fps: float | None = None,
    progress: Progress | None = None,
) -> MeasureTable:
    """Measures of a flock over time, each with its error bar.

    what       a Model or the name of one, which is simulated; a Simulation, which continues; a
               Recording or its path; Tracks or their file (docs/real-tracks.md); or frames
    measures   names, each taken once; "all" for all that need no option; unless given those of
               them that are not slow and follow neither an event nor the paths of animals
    flock      the name of the flock; the largest unless given
    predators  the name of the predators, for measures of a hunt
    options    name -> option -> value, such as {"collisions": {"radius": 0.5}}
    steps      of a model: the number of steps; 1000 unless given
    first      the step of the first frame; of a model a fifth of the steps unless given, so that
               its start is left out; else the first there is
    last       of a recording or tracks: the last step that may be taken
    every      of a model: steps from one frame to the next, 10 unless given; else k takes every
               k-th frame, 1 unless given
    seed, engine, dtype, threads  of a model: as for `Simulation`
    workers, address  deprecated: use engine=Slabs(workers=..., address=...)
    frames_per_second  of tracks, before what their file says; fps is short for it
    progress   called with (frames measured, frames in all; 0 where nobody knows)

    Returns a Measured: it shows itself as a table, and has to_dataframe(), to_json(), to_csv() and
    plot(). Errors are standard errors of one run, from its own memory (see `mean_and_error`);
    `interval` of an Estimate is what holds its true value with 95%, by Student's t.
    Raises MeasureError for unknown measures, options that are not allowed and measures that cannot
    be taken, for what would change nothing, and where none of the measures has a value since nobody
    is seen; ModelError or RecordingRefused for what cannot be opened.
    """
    check(measures, flock, predators, options)  # before anything is flown
    run = {
        "engine": engine, "dtype": dtype, "threads": threads, "seed": seed, "workers": workers,
        "address": address,
    }  # fmt: skip
    given = {name: value for name, value in run.items() if value is not None}
    choice = FrameChoice(steps, first, last, every, given, frame_rate(frames_per_second, fps))
    source = input_of(what, choice)
    log = _FrameLog(source, flock, progress)
    results = measure_frames(log.frames(), measures, flock=flock, predators=predators,
                             options=options, remedy=source.remedy)  # fmt: skip
    left_out = omitted(predators, options or {}) if measures is None else []
    found = MeasureTable(
        source=source.name, kind=source.kind, moments=source.moments, flock=log.flock,
        boids=log.boids, frames=log.count, times=tuple(log.times), results=results,
        lack=log.lack(), units=source.units, omitted=tuple(left_out),
        names=source.names,
    )  # fmt: skip
    if found.lack and not any(has_value(row) and row.part != "none" for row in found.rows):
        raise MeasureError(f"{source.name}: {found.lack}; none of the measures has a value")
    return found


class _FrameLog:
    """Passes frames on, and notes their number, their times, and whether anyone is in them."""

    def __init__(self, source: MeasureInput, flock: str | None, progress: Progress | None) -> None:
        self.source, self.flock, self.progress = source, flock or "", progress
        self.count = self.boids = 0
        self.times: list[float] = []
        self.placed = self.moving = False  # whether any boid was seen, and with a velocity

    def lack(self) -> str:
        """What no frame has, in words; '' where there is nothing to say."""
        who = "animal" if self.source.kind == "tracks" else "boid"
        if self.moving or not (self.boids or self.source.kind == "tracks"):
            return ""
        if not self.placed:
            return f"no {who} is seen in any frame"
        return f"no {who} is seen in two frames in a row, so there are no velocities"

    def frames(self) -> Iterator[Frame | FlockFrame]:
        for frame in self.source.frames:
            self._note(frame)
            yield frame
            if self.progress is not None:
                self.progress(self.count, self.source.total)

    def _note(self, frame: Frame | FlockFrame) -> None:
        if not isinstance(frame, Frame | FlockFrame):
            raise no_frames(frame)
        time = frame.time if isinstance(frame, Frame) else float(self.count)
        self.times = [*self.times[:1], time]
        self.count += 1
        seen: FlockFrame | None
        if isinstance(frame, Frame):
            if not self.flock:
                self.flock = frame.main.name if frame.main is not None else ""
            seen = frame.flocks.get(self.flock)
        else:
            self.flock, seen = frame.name, frame
        if seen is None:
            return
        self.boids = max(self.boids, len(seen))
        if not self.moving:
            placed = np.isfinite(seen.positions).all(axis=1)
            self.placed = self.placed or bool(placed.any())
            self.moving = bool(np.isfinite(seen.velocities[placed]).all(axis=1).any())
