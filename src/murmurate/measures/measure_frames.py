"""measure_frames(): several measures over the frames of a run, in one pass."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from murmurate.errors import CoarseFramesError, MeasureError
from murmurate.frame import FlockFrame, Frame
from murmurate.measures.curve import Curve, empty_curve
from murmurate.measures.definition import Measure
from murmurate.measures.errorbars import mean_and_error
from murmurate.measures.estimate import Estimate
from murmurate.measures.flock_data import valid_rows
from murmurate.measures.limits import format_value
from murmurate.measures.over_frames import add_flock, check_frames, flock_named, timed_flocks
from murmurate.measures.per_animal import PerAnimal
from murmurate.measures.registry import MEASURES, find_measure

ALL = "all"  # in place of names: include measures that are computed only on request


@dataclass(frozen=True, eq=False)
class Result:
    """Result of one measure over the frames.

    Attributes
    ----------
    measure : Measure
        The measure.
    value : Estimate, Curve, PerAnimal, dict or None
        Estimate for numbers, Curve with errors for curves, word -> Estimate of its fraction for
        words, PerAnimal for measures per animal. None if the measure was skipped.
    times : ndarray of shape (T,)
        Times of the frames.
    steps : ndarray of shape (T,), int64
        Steps of the frames: `Frame.step`, or 0, 1, 2, ... for FlockFrames.
    series : ndarray of shape (T,) or None
        For numbers, the value in each frame, nan if a frame has none; else None.
    skipped : str
        Why the measure was skipped; '' if it was not.
    missing : str
        Why there is no value, as a clause such as 'all boids fly alike'; '' if there is one.
    options : dict
        Options of the measure, defaults included.
    """

    measure: Measure
    value: Any
    times: np.ndarray = field(default_factory=lambda: np.empty(0))
    steps: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64), kw_only=True)
    series: np.ndarray | Any = None
    skipped: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    missing: str = field(default="", kw_only=True)

    def __repr__(self) -> str:
        return f"{self.measure.name}: {self.skipped or self.value!r}"


def measure_frames(
    frames: Iterable[Frame | FlockFrame],
    names: str | Iterable[str] | None = None,
    *,
    flock: str | None = None,
    predators: str | None = None,
    trait: str | None = None,
    zone: Any = None,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    remedy: Callable[[CoarseFramesError], str] | None = None,
) -> dict[str, Result]:
    """Compute several measures over frames, reading each frame once.

    Parameters
    ----------
    frames : iterable of Frame or FlockFrame
        At equal intervals of time. Memory holds one number, word or curve per frame and measure,
        and what measures over time lags store (about 16 flocks).
    names : str or iterable of str, optional
        Measures. "all" stands for all that need no option (and no predators, unless they are
        named). The default leaves out those that are slow, or follow an event or animals' paths.
    flock : str, optional
        Name of the flock. The default is the largest one of the first frame.
    predators : str, optional
        Name of the predators' flock, for measures of a hunt.
    trait : str, optional
        Name of a number that differs between boids, for all measures that compare one (their option
        `trait`). If no measures are named, those that are fast are added to the default ones.
    zone : str, path-like or array_like, optional
        The zone of all measures of one, as for `time_in_zone`; added like those of a trait.
    options : mapping, optional
        Measure name -> option -> value.
    remedy : callable, optional
        Maps a CoarseFramesError to a sentence that says what to do about it.

    Returns
    -------
    dict of str to Result
        Results by measure name, in the order of `names`.

    Raises
    ------
    MeasureError
        For unknown names and options, missing options, and options or predators that no measure
        uses. Also if a measure cannot be computed, such as for too many boids, and was named; one
        that was not named is skipped, and its Result says why.
    """
    named = names not in (None, ALL)
    options = with_option("trait", trait, names, options)
    options = with_option("zone", zone, names, options)
    measures, values = check_measures(names, flock, predators, options)
    run = _Run(measures, values, predators, named, remedy)
    for frame, time, one_flock in _read_frames(frames, flock):
        run.add(frame, time, one_flock)
    return run.results()


def is_missing(value: Any) -> bool:
    """Return True for the value of a measure that is, or has, no number."""
    if isinstance(value, Estimate):
        return math.isnan(value.value)
    if isinstance(value, Curve):
        return not np.isfinite(value.y).any()
    if isinstance(value, PerAnimal):
        return not np.isfinite(value.values).any()
    return not value


class _Run:
    """Accumulators of several measures, and the reasons why some are skipped."""

    def __init__(
        self,
        measures: list[Measure],
        options: dict[str, dict[str, Any]],
        predators: str | None,
        named: bool,
        remedy: Callable[[CoarseFramesError], str] | None,
    ) -> None:
        self.measures, self.options, self.predators = measures, options, predators
        self.named, self.remedy = named, remedy
        self.accumulators = {
            measure.name: _make_accumulator(measure, options.get(measure.name, {}), predators)
            for measure in measures
        }
        self.left_out: dict[str, str] = {}
        self.times: list[float] = []
        self.steps: list[int] = []
        self.max_boids = 0

    def add(self, frame: Frame | None, time: float, flock: FlockFrame) -> None:
        """Add a frame to every measure."""
        self.steps.append(len(self.times) if frame is None else frame.step)
        self.times.append(time)
        self.max_boids = max(self.max_boids, len(valid_rows(flock, "positions")))
        for measure in self.measures:
            add = self.accumulators[measure.name].add
            if measure.kind == "hunt":
                self._attempt(measure, add, flock, self._hunters(measure, frame, flock), time)
            else:
                accumulator = self.accumulators[measure.name]
                self._attempt(measure, add_flock, accumulator, flock, time, self.steps[-1])

    def results(self) -> dict[str, Result]:
        """Return the result of every measure."""
        results = {}
        for measure in self.measures:
            accumulator = self.accumulators[measure.name]
            value = self._attempt(measure, accumulator.result)
            series = accumulator.series() if isinstance(accumulator, NumberSeries) else None
            if measure.name in self.left_out:
                value = series = None
            options = measure.defaults | self.options.get(measure.name, {})
            missing = self.left_out.get(measure.name, "")
            if not missing and is_missing(value):
                missing = measure.why_missing(self.max_boids, len(self.times), options)
            results[measure.name] = Result(
                measure,
                value,
                np.array(self.times),
                series,
                self.left_out.get(measure.name, ""),
                options,
                steps=np.array(self.steps, dtype=np.int64),
                missing=missing,
            )
        return results

    def _attempt(self, measure: Measure, work: Any, *arguments: Any) -> Any:
        """Return `work(*arguments)`. A measure that fails is skipped from then on."""
        if measure.name in self.left_out:
            return None
        try:
            return work(*arguments)
        except MeasureError as error:
            if isinstance(error, CoarseFramesError) and self.remedy is not None:
                error = error.with_remedy(self.remedy(error))
            if self.named or {"trait", "zone"} & set(measure.required):  # then that was given
                raise error from None
            self.left_out[measure.name] = str(error)
            return None

    def _hunters(self, measure: Measure, frame: Frame | None, prey: FlockFrame) -> FlockFrame:
        """Return the predators of a frame."""
        if frame is None:
            raise MeasureError(
                f"frames: got FlockFrames; expected Frames with prey and predators, for "
                f"{measure.name}"
            )
        hunters = flock_named(frame, str(self.predators))
        if hunters is prey:
            raise _same_flock(str(self.predators))
        return hunters


def with_option(
    option: str,
    value: Any,
    names: str | Iterable[str] | None,
    options: Mapping[str, Mapping[str, Any]] | None,
) -> Mapping[str, Mapping[str, Any]] | None:
    """Return the options with the trait, or the zone, added to those of every measure with one.

    These are the measures that are named, or else all fast ones, with "all" also slow ones. Raises
    MeasureError if there is none among those that are named.
    """
    if value is None:
        return options
    named = [names] if isinstance(names, str) else names
    if named is None or names == ALL:
        fast = [m for m in MEASURES.values() if names == ALL or not m.slow]
        takers = [m.name for m in fast if option in m.required]
    else:
        chosen = [find_measure(name) for name in named]
        takers = [m.name for m in chosen if option in (*m.required, *m.defaults)]
    if not takers:
        choices = ", ".join(name for name, m in MEASURES.items() if option in m.required)
        raise MeasureError(
            f"{option}: got {format_value(value)}; expected a measure of one as well ({choices}). "
            f"Name one, or leave {option} out."
        )
    others = options or {}
    return {**others, **{name: {option: value, **others.get(name, {})} for name in takers}}


def check_measures(
    names: str | Iterable[str] | None,
    flock: str | None,
    predators: str | None,
    options: Mapping[str, Mapping[str, Any]] | None,
) -> tuple[list[Measure], dict[str, dict[str, Any]]]:
    """Return the measures, each once, and a copy of their options.

    Raises MeasureError as `measure_frames` does, for everything that can be checked without frames.
    """
    values = _copy_options(options)
    if names is None or names == ALL:
        names = _default_names(predators, values, everything=names == ALL)
    names = [names] if isinstance(names, str) else names
    measures = [find_measure(name) for name in dict.fromkeys(names)]
    _check_unused(measures, flock, predators, values)
    for measure in measures:
        _make_accumulator(measure, values.get(measure.name, {}), predators)
    return measures, values


def _copy_options(options: Mapping[str, Mapping[str, Any]] | None) -> dict[str, dict[str, Any]]:
    """Return a copy of the options. Raises MeasureError for an unknown measure."""
    copy: dict[str, dict[str, Any]] = {}
    for name, values in (options or {}).items():
        find_measure(name)
        if not isinstance(values, Mapping):
            raise MeasureError(
                f"options of {name}: got {format_value(values)}; expected option -> value, such as "
                "{'collisions': {'radius': 0.5}}"
            )
        copy[name] = dict(values)
    return copy


def _check_unused(
    measures: list[Measure], flock: str | None, predators: str | None, options: Mapping[str, Any]
) -> None:
    """Raise MeasureError for arguments that would have no effect."""
    names = [measure.name for measure in measures]
    for name in options:
        if name not in names:
            raise MeasureError(
                f"options: got options of {name}; expected those of a measure that is computed "
                f"({', '.join(names)}). Name it among the measures, or leave its options out."
            )
    if predators is None:
        return
    if predators == flock:
        raise _same_flock(predators)
    if not any(measure.kind == "hunt" for measure in measures):
        hunts = ", ".join(name for name, other in MEASURES.items() if other.kind == "hunt")
        raise MeasureError(
            f"predators: got {format_value(predators)}; expected a measure of a hunt as well "
            f"({hunts}). Name one, or leave predators out."
        )


def _same_flock(name: str) -> MeasureError:
    return MeasureError(
        f"predators: got {name!r}, the flock that is measured; expected another flock. Name the "
        "prey with flock."
    )


def _default_names(
    predators: str | None, options: Mapping[str, Any], everything: bool
) -> list[str]:
    """Return the measures that are computed without being named.

    These have all their required options, and the name of a trait if they take one. Unless
    `everything` is asked for, those that are computed only on request are left out, if they have no
    options either.
    """
    return [
        name
        for name, measure in MEASURES.items()
        if set(measure.required) <= set(options.get(name, ()))
        and ("trait" not in measure.defaults or name in options)
        and (measure.kind != "hunt" or predators is not None)
        and (everything or name in options or not measure.on_request)
    ]


def omitted_names(predators: str | None, options: Mapping[str, Any]) -> list[str]:
    """Return the measures that "all" includes and the default does not."""
    default = _default_names(predators, options, everything=False)
    everything = _default_names(predators, options, everything=True)
    return [name for name in everything if name not in default]


def _make_accumulator(measure: Measure, options: dict[str, Any], predators: str | None) -> Any:
    """Return the accumulator of one measure. Raises MeasureError for unsuitable options."""
    allowed = set(measure.defaults) | set(measure.required)
    if wrong := sorted(set(options) - allowed):
        choices = ", ".join(sorted(allowed)) or "none"
        raise MeasureError(f"{measure.name}: got option {wrong[0]!r}; expected one of: {choices}")
    if missing := sorted(set(measure.required) - set(options)):
        short = f"--{missing[0]} VALUE or " if missing[0] in ("trait", "zone") else ""
        raise MeasureError(
            f"{measure.name}: got no value for {missing[0]!r}; expected one. Set {short}--option "
            f"{measure.name}.{missing[0]}=VALUE; in Python the option {missing[0]!r} of the measure"
        )
    if measure.kind == "hunt" and predators is None:
        raise MeasureError(
            f"predators: got None; expected the name of the predators' flock, for {measure.name}"
        )
    if measure.collector is not None:
        return measure.collector(**options)
    kinds: dict[str, Any] = {"number": NumberSeries, "curve": CurveSeries, "word": WordSeries}
    return kinds[measure.kind](measure.function, options)


def _read_frames(
    frames: Iterable[Frame | FlockFrame], flock: str | None
) -> Iterator[tuple[Frame | None, float, FlockFrame]]:
    """Yield (Frame or None, time, FlockFrame) for each frame."""
    last: list[Frame | FlockFrame] = []

    def remember_last() -> Iterator[Frame | FlockFrame]:
        for frame in check_frames(frames):
            last[:] = [frame]
            yield frame

    for time, one_flock in timed_flocks(remember_last(), flock):
        yield (last[0] if isinstance(last[0], Frame) else None), time, one_flock


class NumberSeries:
    """Computes a number of each frame, and its mean with an error."""

    def __init__(self, function: Callable[..., float], options: dict[str, Any]) -> None:
        self.function, self.options = function, options
        self.values: list[float] = []

    def add(self, flock: FlockFrame, time: float) -> None:
        self.values.append(self.function(flock, **self.options))

    def series(self) -> np.ndarray:
        return np.array(self.values, dtype=np.float64)

    def result(self) -> Estimate:
        numbers = self.series()
        if np.isinf(numbers).any():  # the mean is infinite, and has no error
            return Estimate(float("inf"), float("nan"), float(len(numbers)), "autocorrelation")
        return mean_and_error(numbers)


class WordSeries:
    """Computes a word of each frame, and the fraction of frames with each word."""

    def __init__(self, function: Callable[..., str], options: dict[str, Any]) -> None:
        self.function, self.options = function, options
        self.words: list[str] = []

    def add(self, flock: FlockFrame, time: float) -> None:
        self.words.append(self.function(flock, **self.options))

    def result(self) -> dict[str, Estimate]:
        words = np.array(self.words)
        return {
            str(word): mean_and_error((words == word).astype(np.float64))
            for word in np.unique(words)
        }


class CurveSeries:
    """Computes a curve of each frame, and the mean at each point, where each frame counts once.

    All curves use the bins of the first one that has points. A frame without points does not count.
    If a later curve has further bins, the earlier ones have 0 there. Of curves without bins, a
    point's mean is over the frames that have it.
    """

    def __init__(self, function: Callable[..., Curve], options: dict[str, Any]) -> None:
        self.function, self.options = function, options
        self.curves: list[Curve] = []

    def add(self, flock: FlockFrame, time: float) -> None:
        options = dict(self.options)
        edges = next((c.edges for c in reversed(self.curves) if len(c)), None)
        if edges is not None:
            options["edges"] = edges
        self.curves.append(self.function(flock, **options))

    def result(self) -> Curve:
        if not any(map(len, self.curves)):
            return empty_curve()
        longest = max(self.curves, key=len)
        values, x, counts = (
            np.array([self._padded(getattr(c, name), c, longest) for c in self.curves])
            for name in ("y", "x", "count")
        )
        estimates = [mean_and_error(column) for column in values.T]
        return Curve(
            x=longest.x if longest.edges is not None else np.nanmean(x, axis=0),
            y=np.array([estimate.value for estimate in estimates]),
            count=np.nansum(counts, axis=0),
            edges=longest.edges,
            error=np.array([estimate.error for estimate in estimates]),
        )

    @staticmethod
    def _padded(row: np.ndarray, curve: Curve, longest: Curve) -> np.ndarray:
        """Return one number per point of the longest curve."""
        rest = 0.0 if len(curve) and curve.edges is not None else np.nan
        return np.concatenate([row, np.full(len(longest) - len(row), rest)])
