"""measure(): compute measures of a model, a recording, tracks or frames over time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

import murmurate.measures  # noqa: F401  (fills the table of measures)
from murmurate.analysis.inputs import FrameChoice, MeasureInput, Progress, make_input
from murmurate.analysis.measure_table import MeasureTable
from murmurate.engines.run_spec import RunSpec
from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame, Frame
from murmurate.measures.measure_frames import (
    check_measures,
    measure_frames,
    omitted_names,
    with_option,
)
from murmurate.measures.over_frames import not_frames
from murmurate.measures.summary import has_value

if TYPE_CHECKING:
    from murmurate.analysis.inputs import What


def measure(
    what: What | Iterable[Frame | FlockFrame],
    measures: str | Sequence[str] | None = None,
    run: RunSpec | None = None,
    *,
    frames: slice | None = None,
    flock: str | None = None,
    predators: str | None = None,
    trait: str | None = None,
    zone: Any = None,
    measure_options: Mapping[str, Mapping[str, Any]] | None = None,
    progress: Progress | None = None,
) -> MeasureTable:
    """Compute measures of a flock over time, with error bars.

    Parameters
    ----------
    what : Model, Simulation, FrameSource, Recording, Tracks, str, path-like, or iterable of frames
        A Model or its name is simulated; a Simulation or a FrameSource continues. A Recording,
        Tracks (docs/real-tracks.md) or their path is read.
    measures : str or sequence of str, optional
        Names of measures. "all" stands for all that need no option. The default leaves out those
        that are slow, or follow an event or the paths of animals.
    run : RunSpec, optional
        Of a model: steps, seed and engine. The warm-up is a fifth of the steps by default.
    frames : slice, optional
        Of recordings and tracks: slice(first, end, every) measures the frames from step first on
        and before end, `every` steps apart. By default all frames. A frame of tracks counts as a
        step, and so does a frame of an iterable.
    flock : str, optional
        Name of the flock. The default is the largest one.
    predators : str, optional
        Name of the predators' flock, for measures of a hunt.
    trait : str, optional
        Name of a number that differs between boids, such as 'weight', for measures that compare one
        with motion and position. If no measures are named, those that are fast are added.
    zone : str, path-like or array_like, optional
        A zone, such as "circle 10 20 5", for all measures of one (see `measures.time_in_zone`). If
        no measures are named, these are added.
    measure_options : mapping, optional
        Measure name -> option -> value, such as {"collisions": {"radius": 0.5}}.
    progress : callable, optional
        Called with (frames measured, number of all frames, or 0 if unknown).

    Returns
    -------
    MeasureTable
        Displays as a table, and has to_dataframe(), to_json(), to_csv() and plot(). Errors are
        standard errors of one run, from its own correlations in time (see `mean_and_error`). The
        `interval` of an Estimate contains the true value in 95% of cases, by Student's t.

    Raises
    ------
    MeasureError
        For unknown measures, invalid options, measures that cannot be computed, arguments without
        an effect, and if no measure has a value because no boid is seen.
    ModelError, OpenError
        For a source that cannot be opened.
    """
    return measure_chosen(
        what, measures, FrameChoice.of(run, frames), flock=flock, predators=predators, trait=trait,
        zone=zone, measure_options=measure_options, progress=progress,
    )  # fmt: skip


def measure_chosen(
    what: Any, measures: str | Sequence[str] | None, choice: FrameChoice, *, flock: str | None,
    predators: str | None, trait: str | None, zone: Any,
    measure_options: Mapping[str, Mapping[str, Any]] | None, progress: Progress | None,
) -> MeasureTable:  # fmt: skip
    """Compute measures of the chosen frames. See `measure`."""
    measure_options = with_option("trait", trait, measures, measure_options)
    measure_options = with_option("zone", zone, measures, measure_options)
    check_measures(measures, flock, predators, measure_options)  # before anything is simulated
    source = make_input(what, choice)
    log = _FrameLog(source, flock, progress)
    results = measure_frames(
        log.frames(), measures, flock=flock, predators=predators, options=measure_options,
        remedy=source.remedy,
    )  # fmt: skip
    skipped = omitted_names(predators, measure_options or {}) if measures is None else []
    table = MeasureTable(
        source=source.name, kind=source.kind, frame_range=source.frame_range,
        flock=log.flock, boids=log.boids, frames=log.count, times=tuple(log.times), results=results,
        no_data_note=log.no_data_note(), units=source.units, skipped=tuple(skipped),
        names=source.names, min_boids=log.min_boids or 0, boids_change=log.changes,
    )  # fmt: skip
    if table.no_data_note and not any(has_value(row) and row.part != "none" for row in table.rows):
        raise MeasureError(
            f"{source.name}: {table.no_data_note}; expected at least one measure with a value"
        )
    return table


class _FrameLog:
    """Yields frames, and records their number, their times, and whether any boid is seen."""

    def __init__(self, source: MeasureInput, flock: str | None, progress: Progress | None) -> None:
        self.source, self.flock, self.progress = source, flock or "", progress
        self.count = self.boids = 0
        self.min_boids: int | None = None
        self.ever = -1  # boids that were ever in the flock
        self.changes = False  # boids join or leave
        self.times: list[float] = []
        self.seen = self.moving = False  # any boid was seen, and with a velocity

    def no_data_note(self) -> str:
        """Return a remark if no frame has positions or velocities, else ''."""
        who = "animal" if self.source.kind == "tracks" else "boid"
        if self.moving or not (self.boids or self.source.kind == "tracks"):
            return ""
        if not self.seen:
            return f"no {who} is seen in any frame"
        return f"no {who} is seen in two frames in a row, so there are no velocities"

    def frames(self) -> Iterator[Frame | FlockFrame]:
        """Yield the frames of the source."""
        for frame in self.source.frames:
            self._record(frame)
            yield frame
            if self.progress is not None:
                self.progress(self.count, self.source.total)

    def _record(self, frame: Frame | FlockFrame) -> None:
        if not isinstance(frame, Frame | FlockFrame):
            raise not_frames(frame)
        if isinstance(frame, Frame):
            self.times = [*self.times[:1], frame.time]
        self.count += 1
        flock: FlockFrame | None
        if isinstance(frame, Frame):
            if not self.flock:
                self.flock = frame.main.name if frame.main is not None else ""
            flock = frame.flocks.get(self.flock)
        else:
            self.flock, flock = frame.name, frame
        if flock is None:
            return
        low = len(flock) if self.min_boids is None else min(self.min_boids, len(flock))
        self.boids, self.min_boids = max(self.boids, len(flock)), low
        self.changes |= self.ever not in (-1, flock.n_ever) or low < self.boids
        self.ever = flock.n_ever
        if not self.moving:
            rows = np.isfinite(flock.positions).all(axis=1)
            self.seen = self.seen or bool(rows.any())
            self.moving = bool(np.isfinite(flock.velocities[rows]).all(axis=1).any())
