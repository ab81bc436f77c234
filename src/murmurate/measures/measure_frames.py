"""measure_frames(): many measures over the frames of a run, in one pass."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.averages import CurveSeries, NumberSeries, WordSeries
from murmurate.measures.curve import Curve
from murmurate.measures.estimate import Estimate
from murmurate.measures.limits import MeasureError, shown
from murmurate.measures.over_frames import named, several, timed
from murmurate.measures.per_animal import PerAnimal
from murmurate.measures.registry import MEASURES, Measure, find
from murmurate.measures.unwrapping import CoarseFramesError

ALL = "all"  # in place of names: those too that are slow, or follow an event


@dataclass(frozen=True, eq=False)
class Result:
    """What one measure gave over the frames.

    measure  the measure
    value    Estimate (numbers), Curve with errors (curves), word -> Estimate of its share (words),
             PerAnimal (of measures per animal); None where it was left out
    options  of the measure, as it was taken
    times    (T,) of the frames
    steps    (T,) their numbers: `Frame.step`, or 0, 1, 2, ... of FlockFrames
    series   (T,) numbers, one a frame, nan where a frame had none; None but for numbers
    left_out why it was left out, where it was
    """

    measure: Measure
    value: Estimate | Curve | PerAnimal | dict[str, Estimate] | None
    times: np.ndarray = field(default_factory=lambda: np.empty(0))
    steps: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64), kw_only=True)
    series: np.ndarray | None = None
    left_out: str = ""
    options: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"{self.measure.name}: {self.left_out or self.value!r}"


def measure_frames(
    frames: Iterable[Frame | FlockFrame],
    names: str | Iterable[str] | None = None,
    *,
    flock: str | None = None,
    predators: str | None = None,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    remedy: Callable[[CoarseFramesError], str] | None = None,
) -> dict[str, Result]:
    """Takes measures of frame after frame, each frame once. name -> Result, in the order of
    `names`.

    frames     at equal steps of time; nothing of them is kept but a number, a word or a curve each,
               and what measures over time lags keep (some 16 flocks)
    names      of measures, or of one, each taken once; "all" for all that need no option (and no
               predators, where none are named); unless given those that are not slow and
               follow neither an event nor the paths of animals
    flock      the name of the flock that is measured; the largest of the first frame unless given
    predators  the name of the predators, for measures of a hunt
    options    name -> option -> value
    remedy     what to do where frames are too far apart in time for a measure, in words

    A measure that cannot be taken (too many boids for it) raises MeasureError where it was asked
    for by name; else it is left out, and its Result says why. Raises MeasureError for unknown names
    and options, for options that are missing, and for options and predators that no measure takes.
    """
    asked = names not in (None, ALL)
    chosen, given = check(names, flock, predators, options)
    takers = {one.name: _taker(one, given.get(one.name, {}), predators) for one in chosen}
    left_out: dict[str, str] = {}
    times: list[float] = []
    steps: list[int] = []

    def attempt(one: Measure, work: Any, *arguments: Any) -> Any:
        """What the work gives; a measure that cannot be taken is left out from there on."""
        if one.name in left_out:
            return None
        try:
            return work(*arguments)
        except MeasureError as error:
            if isinstance(error, CoarseFramesError) and remedy is not None:
                error = error.with_remedy(remedy(error))
            if asked:
                raise error from None
            left_out[one.name] = str(error)
            return None

    for frame, time, seen in _frames(frames, flock):
        steps.append(len(times) if frame is None else frame.step)
        times.append(time)
        for one in chosen:
            if one.kind == "hunt":
                if frame is None:
                    raise MeasureError(f"{one.name} needs Frames, with prey and predators in them")
                hunters = named(frame, str(predators))
                if hunters is seen:
                    raise _hunts_itself(str(predators))
                attempt(one, takers[one.name].add, seen, hunters, time)
            else:
                attempt(one, takers[one.name].add, seen, time)
    results = {}
    for one in chosen:
        value = attempt(one, takers[one.name].result)
        series = takers[one.name].series() if isinstance(takers[one.name], NumberSeries) else None
        if one.name in left_out:
            value = series = None
        taken = one.defaults | given.get(one.name, {})
        results[one.name] = Result(
            one, value, np.array(times), series, left_out.get(one.name, ""), taken,
            steps=np.array(steps, dtype=np.int64),
        )  # fmt: skip
    return results


def check(
    names: str | Iterable[str] | None,
    flock: str | None,
    predators: str | None,
    options: Mapping[str, Mapping[str, Any]] | None,
) -> tuple[list[Measure], dict[str, dict[str, Any]]]:
    """The measures, each once, and a copy of their options. Raises MeasureError as `measure_frames`
    does, for what can be checked without a frame."""
    given = _options(options)
    if names is None or names == ALL:
        names = _untold(predators, given, everything=names == ALL)
    chosen = [find(name) for name in dict.fromkeys([names] if isinstance(names, str) else names)]
    _refuse_idle(chosen, flock, predators, given)
    for one in chosen:
        _taker(one, given.get(one.name, {}), predators)
    return chosen, given


def _options(options: Mapping[str, Mapping[str, Any]] | None) -> dict[str, dict[str, Any]]:
    """A copy of the options. Raises MeasureError for an unknown measure."""
    given: dict[str, dict[str, Any]] = {}
    for name, values in (options or {}).items():
        find(name)
        if not isinstance(values, Mapping):
            raise MeasureError(f"options of {name} are {shown(values)}: they must be option -> "
                               "value, such as {'collisions': {'radius': 0.5}}")  # fmt: skip
        given[name] = dict(values)
    return given


def _refuse_idle(
    chosen: list[Measure], flock: str | None, predators: str | None, options: Mapping[str, Any]
) -> None:
    """Raises MeasureError for what was asked and would change nothing."""
    names = [one.name for one in chosen]
    for name in options:
        if name not in names:
            raise MeasureError(f"options of {name} are given, which is not measured: name it among "
                               f"the measures, or leave them out (measured: {', '.join(names)})"
                               )  # fmt: skip
    if predators is None:
        return
    if predators == flock:
        raise _hunts_itself(predators)
    if not any(one.kind == "hunt" for one in chosen):
        hunts = ", ".join(name for name, one in MEASURES.items() if one.kind == "hunt")
        raise MeasureError(f"predators is {shown(predators)}, and no measure of a hunt is asked "
                           f"for: name one ({hunts}), or leave predators out")  # fmt: skip


def _hunts_itself(name: str) -> MeasureError:
    return MeasureError(f"the predators are {name!r}, the flock that is measured: predators must "
                        "be another flock; say which flock is the prey, with flock")  # fmt: skip


def _untold(predators: str | None, options: Mapping[str, Any], everything: bool) -> list[str]:
    """The measures that can be taken without being named: those with options given, and those that
    need none and are not taken on request alone, or everything that needs none."""
    return [
        name
        for name, one in MEASURES.items()
        if set(one.required) <= set(options.get(name, ()))
        and (one.kind != "hunt" or predators is not None)
        and (everything or name in options or not one.on_request)
    ]


def omitted(predators: str | None, options: Mapping[str, Any]) -> list[str]:
    """The measures that are taken where all are asked for, and not where none is named."""
    taken = _untold(predators, options, everything=False)
    return [name for name in _untold(predators, options, everything=True) if name not in taken]


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
        for frame in several(frames):
            last[:] = [frame]
            yield frame

    for time, seen in timed(watched(), flock):
        yield (last[0] if isinstance(last[0], Frame) else None), time, seen
