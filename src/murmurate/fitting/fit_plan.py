"""FitPlan: numbers, measures and runs of a fit; and FitFolder, which stores it.

Every finished run is stored at once:

FOLDER/fit.toml          the plan, with the target
FOLDER/rounds/02.json    the settings of a round, so that a resumed fit has the same
FOLDER/runs/000042.json  a finished run
FOLDER/fitted.toml       the model with the best numbers, written at the end
FOLDER/posterior.nc      the posterior as ArviZ's InferenceData, written at the end
FOLDER/fit.json          the report, written at the end
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.disk import read_bytes, write_file
from murmurate.engines.memory import check_memory
from murmurate.engines.run_spec import RunSpec
from murmurate.errors import FitError
from murmurate.fitting.likelihood import Data
from murmurate.fitting.priors import Prior, make_prior, split_priors
from murmurate.measures.estimate import Estimate
from murmurate.model.model import Model
from murmurate.model.text_reader import read_json
from murmurate.sweeps.design import parse_measure
from murmurate.sweeps.study import Study, study_fields
from murmurate.sweeps.study_folder import StudyFolder
from murmurate.sweeps.task import Task, matches_run, read_failure, read_record
from murmurate.tracks.sampling import WHOLE, TrackSampling

MIN_SETTINGS = 8
MIN_FRAMES = 3  # of tracks, that a run lasts: then one has a velocity from both sides
FIRST, ROUNDS = 0.4, 4  # share of the settings in the first round, and number of later rounds
MAX_PREDICTED, MIN_PREDICTED = 40, 8  # runs at draws of the posterior that check it
Target = dict[str, tuple[float, float]]  # measure -> (value, error)


@dataclass(frozen=True)
class FitPlan(Study):
    """A fit.

    vary  (low, high) path -> bounds. Both are int for a number that the model counts (see
        `make_plan`).
    target  measure -> (value, standard error) that the fit should reproduce; inf for
        an unknown error
    check  the same, for measures that are only compared at the end
    runs  runs to learn from, of all settings together
    freedom  measure -> degrees of freedom of the error in target or check, if known
    prior  path -> prior, 'log-uniform' or 'normal:MEAN:SD'. All others are uniform.
    tolerance  what no setting is expected to reproduce, as a part of each measure
    tracks  how the data sample the motion of animals, if they are tracks without recorded
        velocities. Runs are measured likewise.
    lasts  time from the first to the last frame of the data, in the model's unit. A run is not
        measured for longer, and each run is a draw of what the data are. None for data that are
        given as numbers, which may be means over as many flocks as `seeds`.
    """

    kind = "fit"
    version = 2
    error = FitError

    vary: dict[str, tuple[Any, Any]]
    target: Target
    check: Target = field(default_factory=dict)
    runs: int = 300
    warm_up: int = field(default=200, kw_only=True)
    freedom: dict[str, float] = field(default_factory=dict)
    prior: dict[str, str] = field(default_factory=dict)
    tolerance: float = 0.001
    tracks: TrackSampling | None = None
    lasts: float | None = None

    @property
    def priors(self) -> dict[str, Prior]:
        """Path -> prior of each number."""
        return {
            path: make_prior(path, bounds, self.prior.get(path, "uniform"))
            for path, bounds in self.vary.items()
        }

    @property
    def all_runs(self) -> int:
        """Number of runs to learn from."""
        return self.runs

    @property
    def settings(self) -> int:
        """Number of settings to simulate."""
        return self.runs // max(self.seeds, 1)

    @property
    def rounds(self) -> list[int]:
        """Number of settings in each round: of the prior first, then of earlier posteriors."""
        first = max(round(FIRST * self.settings), 10 * (len(self.vary) + 1))
        if first >= self.settings:
            return [self.settings]
        later, left = divmod(self.settings - first, ROUNDS)
        return [first, *(later + (k < left) for k in range(ROUNDS) if later + (k < left))]

    @property
    def predicted(self) -> int:
        """Number of runs at draws of the posterior, with seeds of their own."""
        return min(MAX_PREDICTED, max(MIN_PREDICTED, self.settings // 5))

    @property
    def data(self) -> Data:
        """The measures to reproduce."""
        values, errors = np.array(list(self.target.values()), dtype=float).T
        if self.lasts is not None:
            errors = np.full(errors.shape, math.inf)  # runs are as long, and vary as much
        freedom = np.array([max(self.freedom.get(name, math.inf), 1.0) for name in self.target])
        return Data(tuple(self.target), values, errors, freedom, self.tolerance)

    def run_steps(self, dt: float | None = None) -> int:
        """Return the steps of a run, no more than the data last, by default with the model's dt."""
        if self.lasts is None:
            return self.steps
        last = math.ceil(self.lasts / (dt or self.parsed_model.dt) - WHOLE)
        last += 0 if self.tracks else self.every  # a frame stands for the steps before it
        return min(self.steps, self.warm_up + last)

    def tasks(self, number: int, values: dict[str, Any]) -> list[Task]:
        """Return the runs of setting `number`."""
        return [
            self._task(number * self.seeds + repeat, number, repeat, values, tuple(self.target))
            for repeat in range(self.seeds)
        ]

    def predictive_task(self, number: int, values: dict[str, Any]) -> Task:
        """Return a run of all measures at draw `number` of the posterior."""
        measures = tuple({**self.target, **self.check})
        index = self.settings * self.seeds + number
        return self._task(index, self.settings + number, 0, values, measures)

    def _task(
        self, index: int, point: int, repeat: int, values: dict[str, Any], measures: tuple[str, ...]
    ) -> Task:
        steps = self.run_steps(values.get("dt"))
        return self.task(index, point, repeat, values, measures, steps=steps, tracks=self.tracks)

    def check_all(self) -> None:
        """Raise FitError or ModelError for an invalid plan."""
        self.check_counts()
        if self.runs < MIN_SETTINGS * self.seeds:
            raise FitError(
                f"runs: got {self.runs}; expected at least {MIN_SETTINGS * self.seeds}, for "
                f"{MIN_SETTINGS} settings"
            )
        options = self.options(self.seed)  # checks them
        self.check_steps()
        if not self.vary:
            raise FitError(
                "vary: got no path; expected at least one, such as "
                "--vary rules.alignment.weight=0:1"
            )
        if not self.target:
            raise FitError("measures: got none; expected at least one, such as polarization")
        model = self.parsed_model
        for name, (value, _) in {**self.target, **self.check}.items():
            parse_measure(name, model)
            if not math.isfinite(value):
                raise FitError(f"{name}: got no value for the target; expected a finite number")
        for path, ends in self.vary.items():
            numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in ends)
            if len(ends) != 2 or not numbers or not ends[0] < ends[1]:
                raise FitError(
                    f"{path}: got bounds {bounds_text(ends)}; expected LOW and HIGH with "
                    f"LOW < HIGH, such as {path}=0:5"
                )
            for end in ends:
                changed = model.set({path: end})
                check_memory(changed, options)
                if self.tracks is not None:
                    _check_sampling(self, self.tracks, changed.dt)
        for path in self.prior:
            if path not in self.vary:
                raise FitError(
                    f"prior: got {path}; expected a path that is varied: {', '.join(self.vary)}"
                )
        self.priors  # noqa: B018  (checks them)
        if not 0.0 <= self.tolerance < 1.0:
            raise FitError(
                f"tolerance: got {self.tolerance!r}; expected 0 or more and below 1, a part of "
                "each measure, such as 0.01"
            )


def make_plan(
    model: Model,
    target: Mapping[str, tuple[float, float] | Estimate],
    vary: Mapping[str, Sequence[Any]],
    run: RunSpec,
    *,
    check: Mapping[str, tuple[float, float] | Estimate] | None = None,
    **settings: Any,
) -> FitPlan:
    """Return the checked plan of a fit. Raises FitError or ModelError.

    See `FitPlan` for the parameters. `vary` may have priors, as for `fit`.
    """
    check = check or {}
    vary, prior = split_priors(vary)
    plan = FitPlan(
        vary=vary, target=_pairs(target), check=_pairs(check), prior=prior,
        **study_fields(model, run), **settings,
        freedom={
            name: goal.freedom for name, goal in {**target, **check}.items()
            if isinstance(goal, Estimate) and math.isfinite(goal.freedom)
        },
    )  # fmt: skip
    plan.check_all()
    return replace(
        plan, vary={path: typed_bounds(model, path, ends) for path, ends in vary.items()}
    )


def _pairs(target: Mapping[str, tuple[float, float] | Estimate]) -> Target:
    pairs = {
        name: (goal.value, goal.error) if isinstance(goal, Estimate) else goal
        for name, goal in target.items()
    }
    return {
        name: (float(value), float(error) if math.isfinite(error) else math.inf)
        for name, (value, error) in pairs.items()
    }


def bounds_text(ends: Sequence[Any]) -> str:
    """Return bounds for a message, as the command line has them: LOW:HIGH."""
    return repr(ends) if isinstance(ends, str) else ":".join(str(end) for end in ends)


def typed_bounds(model: Model, path: str, ends: Sequence[Any]) -> tuple[Any, Any]:
    """Return bounds of the type that the model stores: int for counts, float for quantities.

    How they were written does not matter: 0:5 of a weight means 0.0 to 5.0.
    """
    low, high = (_value_at(model.set({path: end}), path) for end in ends)
    integral = isinstance(low, int) and isinstance(high, int)
    return (int(low), int(high)) if integral else (float(low), float(high))


def _check_sampling(plan: FitPlan, tracks: TrackSampling, dt: float) -> None:
    """Raise FitError if runs with steps of `dt` cannot be measured as the tracks are."""
    interval = 1.0 / tracks.frames_per_second
    if dt > interval * (1.0 + WHOLE):
        raise FitError(
            f"dt: got steps of {dt:g}, and a frame of the tracks every {interval:.6g}, in units of "
            f"time; expected steps that are not longer than a frame. Set dt to {interval:.6g} or "
            "less (--set dt=...), or give tracks their frame rate in the model's unit of time"
        )
    frames = tracks.frames_within((plan.steps - plan.warm_up) * dt)
    if frames < MIN_FRAMES:
        steps = plan.warm_up + math.ceil((MIN_FRAMES - 1) * interval / dt - WHOLE)
        raise FitError(
            f"steps: got {plan.steps}, which last {frames} frames of the tracks after the warm-up; "
            f"expected at least {steps}. Runs should be as long as the tracks"
        )
    tracks.detections  # noqa: B018  (checks the text)


def has_path(model: Model, path: str) -> bool:
    """Return True if a model has a value at a dotted path."""
    try:
        _value_at(model, path)
    except (AttributeError, IndexError, KeyError, ValueError):
        return False
    return True


def _value_at(model: Model, path: str) -> Any:
    """Return the value at a dotted path of a model."""
    value: Any = model
    for key in path.split("."):
        if isinstance(value, Mapping):
            value = value[key]
        else:
            value = value[int(key)] if isinstance(value, tuple) else getattr(value, key)
    return value


class FitFolder(StudyFolder[FitPlan]):
    """The folder of a fit on disk."""

    kind = "fit"
    command = "murmurate fit"
    plan_name = "fit.toml"
    plan_class = FitPlan
    subfolders = ("rounds", "runs")
    error = FitError

    def find_round(self, number: int, prior: Mapping[str, Prior]) -> list[dict[str, Any]] | None:
        """Return the stored settings of a round; None if the file is missing or damaged."""
        try:
            settings = read_json(read_bytes(self._round_path(number)))
            checked = [dict(setting) for setting in settings]
        except (OSError, TypeError, ValueError):
            return None
        paths = set(prior)
        finite = all(
            set(setting) == paths
            and all(isinstance(v, int | float) and math.isfinite(v) for v in setting.values())
            for setting in checked
        )
        return checked if finite else None

    def store_round(self, number: int, settings: Sequence[Mapping[str, Any]]) -> None:
        """Write the settings of a round."""
        write_file(self._round_path(number), json.dumps(settings, indent=1), tidy=False)

    def _round_path(self, number: int) -> Path:
        return self.path / "rounds" / f"{number:02}.json"

    def find_record(self, task: Task) -> dict[str, Any] | None:
        """Return the record of a run, or of its failure; None if it is missing or damaged."""
        path = self.path / "runs" / f"{task.index:06}.json"
        record = read_record(path) or read_failure(path)
        same = record is not None and matches_run(
            record, task.measures, task.recording, index=task.index, point=task.point,
            repeat=task.repeat, seed=task.seed, values=task.values,
        )  # fmt: skip
        return record if same else None

    def store(self, record: dict[str, Any]) -> None:
        """Write the record of a finished run."""
        write_file(
            self.path / "runs" / f"{record['index']:06}.json",
            json.dumps(record, indent=1),
            tidy=False,
        )
