"""ComparisonPlan: the flocks and models of a comparison; and ComparisonFolder, where it is stored.

FOLDER/comparison.toml          measures of the flocks, and counts of runs
FOLDER/models/NAME/model.toml   a model, its bounds and priors
FOLDER/models/NAME/runs/        its finished runs
FOLDER/comparison.json          the scores, written at the end
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.engines.run_spec import RunSpec
from murmurate.errors import FitError
from murmurate.fitting.fit_plan import FitFolder, FitPlan, make_plan
from murmurate.fitting.likelihood import Data
from murmurate.fitting.model_scores import MIN_VALUED
from murmurate.model.model import Model
from murmurate.model.names import usable_name
from murmurate.sweeps.study import StoredPlan
from murmurate.sweeps.study_folder import StudyFolder
from murmurate.tracks.sampling import TrackSampling

MIN_FLOCKS = 3
SAME_RATE = 0.01  # difference of frame rates that does not matter


@dataclass(frozen=True)
class ComparisonPlan(StoredPlan):
    """The data of a comparison, and the runs of each model.

    flocks  flock -> measure -> (value, standard error, degrees of freedom of the error); inf for an
        unknown error and for an exact one
    runs, predictions  runs of each model at settings of the prior, and runs that predict each flock
    tolerance  what no model is expected to reproduce, as a part of each measure
    tracks  how tracks without recorded velocities sample a flock. Runs are measured likewise.
    lasts  how long each flock was observed, if that is known. Runs are not measured for longer.
    """

    kind = "comparison"
    error = FitError

    models: tuple[str, ...]
    measures: tuple[str, ...]
    flocks: dict[str, dict[str, tuple[float, float, float]]]
    runs: int
    predictions: int
    tolerance: float
    tracks: dict[str, TrackSampling] = field(default_factory=dict)
    lasts: dict[str, float] = field(default_factory=dict)

    def observed(self, model: FitPlan) -> list[FitPlan]:
        """Return the plan of a model with runs that are measured as each flock was."""
        return [
            replace(model, tracks=self.tracks.get(name), lasts=self.lasts.get(name))
            for name in self.flocks
        ]

    @property
    def values(self) -> np.ndarray:
        """Measures of the flocks as a (K, m) array."""
        return np.array([[row[name][0] for name in self.measures] for row in self.flocks.values()])

    @property
    def noise(self) -> Data:
        """A typical flock, by whose errors runs imitate the data.

        Flocks whose length is known need no noise: runs are as long.
        """
        rows = np.array([[row[name] for name in self.measures] for row in self.flocks.values()])
        rows[[name in self.lasts for name in self.flocks], :, 1] = math.inf
        value, error, free = np.moveaxis(rows, 2, 0)
        return Data(
            self.measures, np.abs(value).mean(axis=0), np.sqrt((error**2).mean(axis=0)),
            np.maximum(free, 1.0).sum(axis=0), self.tolerance,
        )  # fmt: skip

    def check_stored(self) -> None:
        """Raise FitError for too few flocks, models or runs, and for measures without value."""
        check_flock_count(len(self.flocks))
        check_samplings({name: self.tracks.get(name) for name in self.flocks})
        for what, names, minimum in (("models", self.models, 2), ("measures", self.measures, 1)):
            if len(names) < minimum:
                raise FitError(f"{what}: got {len(names)}; expected at least {minimum}")
        minimum = len(self.measures) + MIN_VALUED
        for what, count in (("runs", self.runs), ("predictions", self.predictions)):
            if count < minimum:
                raise FitError(f"{what}: got {count}; expected at least {minimum}")
        for flock, row in self.flocks.items():
            for name in self.measures:
                if name not in row or not math.isfinite(row[name][0]):
                    raise FitError(
                        f"{flock}: got no value of {name}; expected one of every measure. Leave "
                        "out the flock or the measure"
                    )


def check_flock_count(count: int) -> None:
    """Raise FitError for too few flocks."""
    if count < MIN_FLOCKS:
        raise FitError(
            f"flocks: got {count}; expected at least {MIN_FLOCKS}. Each flock is predicted from "
            "all others"
        )


def check_samplings(tracks: Mapping[str, TrackSampling | None]) -> None:
    """Raise FitError unless all flocks have velocities of one kind, at one frame rate."""
    rates = {name: item.frames_per_second if item else 0.0 for name, item in tracks.items()}
    low, high = min(rates, key=rates.__getitem__), max(rates, key=rates.__getitem__)
    if rates[high] > (1.0 + SAME_RATE) * rates[low]:
        got = f"{rates[low]:g} frames a second in {low}" if rates[low] else f"others in {low}"
        raise FitError(
            f"flocks: got velocities from positions at {rates[high]:g} frames a second in {high}, "
            f"and {got}; expected those of one kind, at one rate, because all flocks are compared "
            "with the same runs. Compare flocks that were observed alike"
        )


class ComparedModelFolder(FitFolder):
    """The folder of a model: as that of a fit, without data."""

    kind = "model of a comparison"
    command = ""
    plan_name = "model.toml"


class ComparisonFolder(StudyFolder[ComparisonPlan]):
    """The folder of a comparison."""

    kind = "comparison"
    command = "murmurate compare-models"
    plan_name = "comparison.toml"
    plan_class = ComparisonPlan
    subfolders = ()
    error = FitError

    def model(self, name: str) -> ComparedModelFolder:
        """Return the folder of a model."""
        return ComparedModelFolder(self.path / "models" / usable_name(name))

    def models(self, plans: Mapping[str, FitPlan]) -> dict[StudyFolder[Any], FitPlan]:
        """Return the folder of each model -> its plan."""
        return {self.model(name): plan for name, plan in plans.items()}

    def written_first(self) -> set[Path]:
        """Return the folder of the models."""
        return {self.path / "models"}

    def plans(self) -> dict[str, FitPlan]:
        """Read the plan of each model. Raises FitError if one is missing."""
        return {name: self.model(name).plan() for name in self.plan().models}


def flock_estimates(estimates: Mapping[str, Any]) -> dict[str, tuple[float, float, float]]:
    """Return measure -> (value, error, freedom) from estimates."""
    return {
        name: (item.value, item.error, math.inf if math.isnan(item.freedom) else item.freedom)
        for name, item in estimates.items()
    }


def make_plans(
    models: Mapping[str, tuple[Model, Mapping[str, Sequence[Any]]]], measures: Sequence[str],
    run: RunSpec, **settings: Any,
) -> dict[str, FitPlan]:  # fmt: skip
    """Return the checked plan of each model. Raises FitError or ModelError.

    `settings` are other fields of `FitPlan`.
    """
    if len({usable_name(name) for name in models}) < len(models):
        raise FitError(f"models: got {', '.join(models)}; expected names of different folders")
    target = {measure: (0.0, math.inf) for measure in measures}
    return {
        name: make_plan(model, target, vary, run, **settings)
        for name, (model, vary) in models.items()
    }


def sampled_plans(plan: ComparisonPlan, models: Mapping[str, FitPlan]) -> dict[str, FitPlan]:
    """Return the plans of the models, observed as the first flock, checked.

    Raises FitError if runs of a model cannot be measured as the flocks are.
    """
    plans = {name: plan.observed(model)[0] for name, model in models.items()}
    for name, model in plans.items():
        try:
            model.check_all()
        except FitError as error:
            raise FitError(f"{name}: {error}") from None
    return plans
