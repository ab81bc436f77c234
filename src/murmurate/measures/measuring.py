"""Many measures at once, over the frames of a run, in one pass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.averages import CurveSeries, NumberSeries, WordSeries
from murmurate.measures.curve import Curve
from murmurate.measures.estimate import Estimate
from murmurate.measures.limits import MeasureError
from murmurate.measures.over_frames import named, timed
from murmurate.measures.registry import MEASURES, Measure, find


@dataclass(frozen=True, eq=False)
class Result:
    """What one measure gave over the frames.

    measure  the measure
    value    Estimate (numbers), Curve with errors (curves), word -> Estimate of its share (words);
             None where it was left out
    times    (T,) of the frames
    series   (T,) numbers, one a frame, nan where a frame had none; None but for numbers
    left_out why it was left out, where it was
    """

    measure: Measure
    value: Estimate | Curve | dict[str, Estimate] | None
    times: np.ndarray = field(default_factory=lambda: np.empty(0))
    series: np.ndarray | None = None
    left_out: str = ""

    def __repr__(self) -> str:
        return f"{self.measure.name}: {self.left_out or self.value!r}"


def measure_frames(
    frames: Iterable[Frame | FlockFrame],
    names: Iterable[str] | None = None,
    *,
    flock: str | None = None,
    predators: str | None = None,
    options: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, Result]:
    """Takes measures of frame after frame, each frame once. name -> Result, in the order of
    `names`.

    frames     at equal steps of time; nothing of them is kept but a number, a word or a curve each,
               and what measures over time lags keep (some 16 flocks)
    names      of measures; unless given, all that need no option (and no predators, where none are
               named)
    flock      the name of the flock that is measured; the largest of the first frame unless given
    predators  the name of the predators, for measures of a hunt
    options    name -> option -> value

    A measure that cannot be taken (too many boids for it) raises MeasureError where it was asked
    for by name; else it is left out, and its Result says why. Raises MeasureError for unknown names
    and options, and for options that are missing.
    """
    given = {name: dict(values) for name, values in (options or {}).items()}
    asked = names is not None
    chosen = [find(name) for name in (_all(predators, given) if names is None else names)]
    for name in given:
        find(name)
    takers = {one.name: _taker(one, given.get(one.name, {}), predators) for one in chosen}
    left_out: dict[str, str] = {}
    times: list[float] = []

    def attempt(one: Measure, work: Any, *arguments: Any) -> Any:
        """What the work gives; a measure that cannot be taken is left out from there on."""
        if one.name in left_out:
            return None
        try:
            return work(*arguments)
        except MeasureError as error:
            if asked:
                raise
            left_out[one.name] = str(error)
            return None

    for frame, time, seen in _frames(frames, flock):
        times.append(time)
        for one in chosen:
            if one.kind == "hunt":
                if frame is None:
                    raise MeasureError(f"{one.name} needs Frames, with prey and predators in them")
                hunters = named(frame, str(predators))
                attempt(one, takers[one.name].add, seen, hunters, time)
            else:
                attempt(one, takers[one.name].add, seen, time)
    results = {}
    for one in chosen:
        value = attempt(one, takers[one.name].result)
        series = takers[one.name].series() if isinstance(takers[one.name], NumberSeries) else None
        if one.name in left_out:
            value = series = None
        results[one.name] = Result(one, value, np.array(times), series, left_out.get(one.name, ""))
    return results


def _all(predators: str | None, options: Mapping[str, Any]) -> list[str]:
    return [
        name
        for name, one in MEASURES.items()
        if set(one.required) <= set(options.get(name, ()))
        and (one.kind != "hunt" or predators is not None)
    ]


def _taker(one: Measure, options: dict[str, Any], predators: str | None) -> Any:
    """What takes the frames of one measure."""
    known = set(one.defaults) | set(one.required)
    if wrong := sorted(set(options) - known):
        allowed = ", ".join(sorted(known)) or "it has none"
        raise MeasureError(f"{one.name} has no option {wrong[0]!r} (options: {allowed})")
    if missing := sorted(set(one.required) - set(options)):
        raise MeasureError(f"{one.name} needs a value for {missing[0]!r}")
    if one.kind == "hunt" and predators is None:
        raise MeasureError(f"{one.name} needs the name of the predators' flock")
    if one.collector is not None:
        return one.collector(**options)
    kinds: dict[str, Any] = {"number": NumberSeries, "curve": CurveSeries, "word": WordSeries}
    return kinds[one.kind](one.function, options)


def _frames(frames: Iterable[Frame | FlockFrame], flock: str | None) -> Any:
    """(Frame or None, time, FlockFrame) of each frame."""
    last: list[Frame | FlockFrame] = []

    def watched() -> Any:
        for frame in frames:
            last[:] = [frame]
            yield frame

    for time, seen in timed(watched(), flock):
        yield (last[0] if isinstance(last[0], Frame) else None), time, seen
