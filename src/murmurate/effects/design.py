"""SensitivityPlan: the settings of a sensitivity analysis; and SensitivityFolder, where it is.

FOLDER/sensitivity.toml   the plan, with the quantiles of all settings
FOLDER/sweep/             the sweep of these settings, like any other; see sweeps/store.py
FOLDER/sensitivity.csv    the table, written at the end

The design is stored, so that a resumed analysis does not depend on the library that drew it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from murmurate.engines.run_spec import RunSpec
from murmurate.errors import SweepError
from murmurate.fitting.fit_plan import bounds_text, typed_bounds
from murmurate.fitting.priors import Prior, settings_at
from murmurate.model.model import Model
from murmurate.optional import optional
from murmurate.sweeps.design import MAX_PARAMETER_SETS
from murmurate.sweeps.store import SweepFolder
from murmurate.sweeps.study import StoredPlan, values_by_path
from murmurate.sweeps.study_folder import StudyFolder
from murmurate.sweeps.sweep_plan import SweepPlan, make_plan

DesignMethod = Literal["morris", "sobol"]
METHODS: tuple[DesignMethod, ...] = ("morris", "sobol")
SAMPLES = {"morris": 16, "sobol": 64}
MIN_SAMPLES = {"morris": 4, "sobol": 8}
SEEDS, WARM_UP = 2, 200  # of each setting, and steps of a run, by default
LEVELS = 4  # of each number in Morris's design
STEP = LEVELS / (2 * (LEVELS - 1))  # of a number between two settings of a trajectory


@dataclass(frozen=True)
class SensitivityPlan(StoredPlan):
    """The design of a sensitivity analysis.

    method  trajectories of Morris, or samples of Saltelli
    samples  number of trajectories or samples. Each has `block` settings.
    vary  (low, high) path -> bounds. Both are int for a number that the model counts.
    quantiles  path -> position of each setting between the bounds, from 0 to 1
    """

    kind = "sensitivity analysis"

    method: DesignMethod
    samples: int
    vary: dict[str, tuple[int | float, int | float]]
    quantiles: dict[str, tuple[float, ...]]

    @property
    def block(self) -> int:
        """Settings of each trajectory or sample."""
        return _block(self.method, len(self.vary))

    @cached_property
    def matrix(self) -> np.ndarray:
        """Positions of all settings as an (n, D) array."""
        return np.column_stack([self.quantiles[path] for path in self.vary])

    def settings(self) -> list[dict[str, Any]]:
        """Return the settings, path -> value. Values of counts are complete."""
        priors = {path: Prior("uniform", low, high) for path, (low, high) in self.vary.items()}
        return settings_at(priors, self.matrix)

    def check_stored(self) -> None:
        """Raise SweepError for an incomplete design."""
        counts = {len(column) for column in self.quantiles.values()}
        if set(self.quantiles) != set(self.vary) or counts != {self.samples * self.block}:
            raise SweepError(
                f"got a design that is incomplete; expected {self.samples * self.block} quantiles "
                "of each path. Begin the analysis again in another folder"
            )


def make_design(
    model: Model, vary: Mapping[str, Sequence[Any]], method: str, run: RunSpec
) -> SensitivityPlan:
    """Return the design of an analysis.

    model  the model, whose numbers are varied
    vary  path -> (low, high)
    method  trajectories of Morris 1991 on four levels, or Saltelli's samples of a scrambled Sobol
        sequence
    run  largest number of runs, by default what 16 trajectories or 64 samples need; the runs of
        each setting, by default 2; and the seed of the design
    raises SweepError, ModelError  for invalid arguments; if the extra `infer` is missing
    """
    seeds = run.filled(seeds=SEEDS).seeds or 0
    if seeds < 2:
        raise SweepError(
            f"seeds: got {seeds}; expected at least 2. Runs of one setting with several seeds show "
            "what is noise"
        )
    if method not in METHODS:
        raise SweepError(f"method: got {method!r}; expected one of {', '.join(METHODS)}")
    vary = values_by_path(vary)
    samples = _samples(method, run.runs, len(vary), seeds)
    bounds = {path: _checked_bounds(model, path, ends) for path, ends in vary.items()}
    rows = _draw(method, len(vary), samples, run.seed)
    columns = {path: tuple(map(float, column)) for path, column in zip(vary, rows.T, strict=True)}
    return SensitivityPlan(method, samples, bounds, columns)  # type: ignore[arg-type]


def _samples(method: str, runs: int | None, numbers: int, seeds: int) -> int:
    """Return the number of trajectories or samples that `runs` suffice for."""
    if not numbers:
        raise SweepError(
            "vary: got no path; expected at least one, such as --vary rules.alignment.weight=0:1"
        )
    each = _block(method, numbers) * seeds
    samples = SAMPLES[method] if runs is None else runs // each
    if samples < MIN_SAMPLES[method]:
        raise SweepError(
            f"runs: got {runs}; expected at least {MIN_SAMPLES[method] * each} for {method}: "
            f"{MIN_SAMPLES[method]} {'trajectories' if method == 'morris' else 'samples'} of {each}"
        )
    if samples * (numbers + 2) > MAX_PARAMETER_SETS:
        max_runs = MAX_PARAMETER_SETS // (numbers + 2) * each
        raise SweepError(f"runs: got {runs}; expected at most {max_runs:,}")
    return 1 << (samples.bit_length() - 1) if method == "sobol" else samples


def _block(method: str, numbers: int) -> int:
    """Return the settings of each trajectory or sample."""
    return numbers + (1 if method == "morris" else 2)


def _checked_bounds(
    model: Model, path: str, ends: Sequence[Any]
) -> tuple[int | float, int | float]:
    numbers = not isinstance(ends, str) and all(
        isinstance(end, int | float) and not isinstance(end, bool) for end in ends
    )
    if not numbers or len(ends) != 2 or not ends[0] < ends[1]:
        raise SweepError(
            f"{path}: got bounds {bounds_text(ends)}; expected LOW and HIGH with LOW < HIGH, "
            f"such as {path}=0:5"
        )
    low, high = typed_bounds(model, path, ends)
    return low, high


def _draw(method: str, numbers: int, samples: int, seed: int) -> np.ndarray:
    """Return the (n, D) positions of the settings, in SALib's order."""
    with optional("sensitivity", SweepError):
        from SALib.sample import morris, sobol

    problem = unit_problem(numbers)
    if method == "morris":
        rows = morris.sample(problem, samples, num_levels=LEVELS, seed=seed)
    else:
        rows = sobol.sample(problem, samples, calc_second_order=False, seed=seed)
    return np.clip(np.asarray(rows, dtype=float), 0.0, 1.0)


def unit_problem(numbers: int) -> dict[str, Any]:
    """Return SALib's description of numbers between 0 and 1."""
    names = [f"x{k}" for k in range(numbers)]
    return {"num_vars": numbers, "names": names, "bounds": [[0.0, 1.0]] * numbers}


class SensitivityFolder(StudyFolder[SensitivityPlan]):
    """The folder of a sensitivity analysis."""

    kind = "sensitivity analysis"
    command = "murmurate sensitivity"
    plan_name = "sensitivity.toml"
    plan_class = SensitivityPlan
    subfolders = ()
    error = SweepError

    @property
    def sweep(self) -> SweepFolder:
        """The folder of the sweep."""
        return SweepFolder(self.path / "sweep")

    def written_first(self) -> set[Path]:
        """Return the folder of the sweep."""
        return {self.sweep.path}


def make_sweep(
    model: Model, plan: SensitivityPlan, measures: tuple[str, ...], run: RunSpec, **settings: Any
) -> SweepPlan:
    """Return the checked sweep of the settings of a design. Raises SweepError or ModelError.

    `settings` are other fields of `SweepPlan`.
    """
    values = plan.settings()
    vary = {path: [setting[path] for setting in values] for path in plan.vary}
    run = replace(run.filled(seeds=SEEDS, warm_up=WARM_UP), runs=None)
    return make_plan(model, vary, run, method="list", measures=measures, **settings)
