"""Averages over frames of a number, a curve or a word, each with its error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.curve import Curve, no_curve
from murmurate.measures.errorbars import mean_and_error
from murmurate.measures.estimate import Estimate


class NumberSeries:
    """One number a frame."""

    def __init__(self, function: Callable[..., float], options: dict[str, Any]) -> None:
        self.function, self.options = function, options
        self.values: list[float] = []

    def add(self, flock: FlockFrame, time: float) -> None:
        self.values.append(self.function(flock, **self.options))

    def series(self) -> np.ndarray:
        return np.array(self.values, dtype=np.float64)

    def result(self) -> Estimate:
        numbers = self.series()
        endless = np.isinf(numbers)
        if endless.any():  # the mean of a series with inf in it is not a number one can use
            return Estimate(float("inf"), float("nan"), float(len(numbers)), "autocorrelation")
        return mean_and_error(numbers)


class WordSeries:
    """One word a frame: the share of frames that have each."""

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
    """One curve a frame: the average at each point. The bins of the first curve that has points are
    those of all."""

    def __init__(self, function: Callable[..., Curve], options: dict[str, Any]) -> None:
        self.function, self.options = function, options
        self.curves: list[Curve] = []

    def add(self, flock: FlockFrame, time: float) -> None:
        options = dict(self.options)
        if self.curves and self.curves[0].edges is not None:
            options["edges"] = self.curves[0].edges
        curve = self.function(flock, **options)
        if len(curve):
            self.curves.append(curve)

    def result(self) -> Curve:
        if not self.curves:
            return no_curve()
        first = self.curves[0]
        points = len(first)
        alike = [curve for curve in self.curves if len(curve) == points]
        values = np.array([curve.y for curve in alike])
        estimates = [mean_and_error(values[:, point]) for point in range(points)]
        return Curve(
            x=first.x if first.edges is not None else np.mean([c.x for c in alike], axis=0),
            y=np.array([one.value for one in estimates]),
            count=np.sum([curve.count for curve in alike], axis=0),
            edges=first.edges,
            error=np.array([one.error for one in estimates]),
        )
