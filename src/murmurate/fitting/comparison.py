"""compare_models(): each model is fitted to all flocks but one, and predicts that one."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.disk import write_file
from murmurate.engines.run_spec import RunSpec, spec_of
from murmurate.errors import FitError
from murmurate.fitting.comparison_plan import (
    ComparisonFolder,
    ComparisonPlan,
    check_flock_count,
    flock_estimates,
    make_plans,
    sampled_plans,
)
from murmurate.fitting.fit_plan import FitPlan
from murmurate.fitting.likelihood import Likelihood
from murmurate.fitting.model_scores import ModelScore, log_predictive, rank_models
from murmurate.fitting.priors import settings_at
from murmurate.fitting.rounds import Runs
from murmurate.fitting.run import measure_target
from murmurate.fitting.sampler import draw_posterior
from murmurate.measures.estimate import with_error
from murmurate.model.files import model_of
from murmurate.model.model import Model
from murmurate.optional import require
from murmurate.plots.style import Colours, SizeName
from murmurate.sweeps.design import measure_names
from murmurate.sweeps.run import Progress
from murmurate.sweeps.workers import Workers, make_workers
from murmurate.tables import to_html, to_lines

COLUMNS = ("model", "fitted numbers", "log score", "difference to the best", "95% interval", "")


@dataclass(frozen=True)
class ModelComparison:
    """How well models predict flocks that they were not fitted to. It displays as a table.

    Attributes
    ----------
    flocks, measures : tuple of str
        Names of the flocks and of the measures.
    scores : tuple of ModelScore
        A score per model, best first.
    folder : Path or None
        Folder that stores the runs.
    """

    flocks: tuple[str, ...]
    measures: tuple[str, ...]
    scores: tuple[ModelScore, ...]
    folder: Path | None = None

    @property
    def statements(self) -> list[str]:
        """Statements about each model but the best, one line each."""
        best, lines = self.scores[0].name, []
        for score in self.scores[1:]:
            size = with_error(-score.difference, score.difference_error)
            lines.append(
                f"{best} predicts these flocks better than {score.name}, by {size}"
                if score.worse
                else f"these flocks do not distinguish {best} and {score.name}: the 95% "
                f"interval of the difference, {size}, contains 0"
            )
        return lines

    @property
    def title(self) -> str:
        """Numbers of models, flocks and measures."""
        return (
            f"{len(self.scores)} models, each of {len(self.flocks)} flocks predicted from the "
            f"others by {', '.join(self.measures)}"
        )

    def rows(self) -> list[tuple[str, str, str, str, str, str]]:
        """Return a row of text per model: name, numbers, score, difference, interval, verdict."""
        rows = []
        for k, score in enumerate(self.scores):
            total = with_error(score.total, score.error)
            paths = ", ".join(score.paths)
            if k == 0:
                rows.append((score.name, paths, total, "0", "", "best"))
                continue
            difference = with_error(score.difference, score.difference_error)
            between = "{:.3g} to {:.3g}".format(*score.interval)
            verdict = "worse" if score.worse else "not distinguished"
            rows.append((score.name, paths, total, difference, between, verdict))
        return rows

    def __repr__(self) -> str:
        return "\n".join([self.title, *to_lines(COLUMNS, self.rows()), *self.statements])

    def _repr_html_(self) -> str:
        return to_html(COLUMNS, self.rows(), self.title, self.statements)

    def to_json(self) -> str:
        """Return all results as JSON text."""
        return json.dumps({
            "flocks": list(self.flocks), "measures": list(self.measures),
            "models": {
                score.name: {
                    "paths": list(score.paths), "scores": score.scores.tolist(),
                    "total": score.total, "error": score.error,
                    "difference": score.difference, "difference_error": score.difference_error,
                    "interval": list(score.interval), "worse": score.worse,
                }
                for score in self.scores
            },
            "statements": self.statements,
        }, indent=1)  # fmt: skip

    def save_plot(
        self, path: str | os.PathLike[str], *, style: Colours = "light", size: SizeName = "screen",
        force: bool = False,
    ) -> Path:  # fmt: skip
        """Plot the differences to the best model and the scores of each flock; return the path.

        Raises OutputError for an existing file, unless `force` is True, and for another ending.
        """
        from murmurate.plots.fits import save_comparison_plot

        return save_comparison_plot(self, path, style=style, size=size, force=force)


def compare_models(
    models: Mapping[str, tuple[Model | str | os.PathLike[str], Mapping[str, Sequence[Any]]]],
    flocks: Mapping[str, Any] | Sequence[Any],
    measures: str | Sequence[str],
    run: RunSpec | None = None,
    *,
    predictions: int = 40,
    tolerance: float = 0.001,
    output: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> ModelComparison:
    """Compare models by how well they predict flocks that they were not fitted to.

    Parameters
    ----------
    models : mapping
        Name -> (model, vary): a Model, the name of a published flock or the path of a model file,
        and path -> (low, high) or (low, high, prior) of the numbers to fit, as for `fit`.
    flocks : sequence or mapping
        Three or more flocks, each Tracks, a Recording, a path or measure -> (value, error); or
        name -> flock. All have the same units and are about as long.
    measures : str or sequence of str
        Measures by which flocks are described, each a number per frame.
    run : RunSpec, optional
        Number of runs of each model at settings of the prior, from which all its posteriors are
        learned, by default 300; their steps and engine, and where they are simulated. Each setting
        has one run, which is as long as a flock was observed.
    predictions : int, default 40
        Runs of each model that predict each flock.
    tolerance : float, default 0.001
        As for `fit`.
    output : str or path-like, optional
        Folder that stores each finished run. An interrupted comparison resumes from it. The default
        is a temporary folder.
    progress : callable, optional
        Called with (runs done, all runs).

    Returns
    -------
    ModelComparison
        A score per model, best first, with the differences and their errors.

    Raises
    ------
    FitError, ModelError
        For invalid arguments, before anything is simulated; if the extra `infer` is missing; and if
        hardly any run has a value of every measure.

    Notes
    -----
    For each flock, a model is fitted to all others, as `fit` does, with the same numbers for all of
    them. Runs at draws of that posterior predict the flock. Its score is the logarithm of their
    density at its measures, with the full covariance. So a model with more numbers has no
    advantage by itself. The difference between two models is the sum over flocks, and its error
    follows from how it differs between them. With few flocks that error is uncertain, and may be
    too small, because fits of different flocks share data.

    Sources: Vehtari, Gelman & Gabry 2017, doi:10.1007/s11222-016-9696-4; Price et al. 2018,
    doi:10.1080/10618600.2017.1302882.
    """
    run = spec_of(run, FitError)
    workers = make_workers(run.workers, FitError)
    with ComparisonFolder.opened(output) as folder:
        begin_comparison(
            folder, models, flocks, measures, run, predictions=predictions, tolerance=tolerance
        )
        return run_comparison(folder, workers, progress)


def _named_flocks(flocks: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    """Return name -> flock; the name of a file is its path. Raises FitError."""
    if isinstance(flocks, str | os.PathLike):
        raise FitError(f"flocks: got {flocks!r}; expected several flocks, such as a list of files")
    if isinstance(flocks, Mapping):
        return dict(flocks)
    named = [
        (os.fspath(item) if isinstance(item, str | os.PathLike) else f"flock {k}", item)
        for k, item in enumerate(flocks, 1)
    ]
    if len(dict(named)) < len(named):
        raise FitError(f"flocks: got {', '.join(map(str, dict(named)))}; expected each once")
    return dict(named)


def begin_comparison(
    folder: ComparisonFolder,
    models: Mapping[str, tuple[Any, Mapping[str, Sequence[Any]]]],
    flocks: Mapping[str, Any] | Sequence[Any],
    measures: str | Sequence[str],
    run: RunSpec,
    *,
    predictions: int,
    tolerance: float,
    rules: tuple[str, ...] = (),
) -> None:
    """Measure the flocks, and create the folder of a comparison of models. See `compare_models`.

    Raises FitError or ModelError for invalid arguments, before anything is written.
    """
    run = run.filled(runs=300, seeds=1)
    if run.seeds != 1:
        raise FitError(f"seeds: got {run.seeds}; expected 1. Use more runs")
    assert run.runs is not None
    read = {name: (model_of(model), vary) for name, (model, vary) in models.items()}
    measures = measure_names(measures, *(model for model, _ in read.values()), error=FitError)
    all_runs = replace(run, runs=run.runs + len(flocks) * predictions)
    plans = make_plans(read, measures, all_runs, tolerance=tolerance, rules=rules)
    check_flock_count(len(flocks))
    rows: dict[str, Any] = {}
    observed: dict[str, Any] = {"tracks": {}, "lasts": {}}
    for name, target in _named_flocks(flocks).items():
        estimates, sampling = measure_target(target, measures, run)
        rows[name] = flock_estimates(estimates)
        for key, value in sampling.items():
            if value is not None:
                observed[key][name] = value
    plan = ComparisonPlan(
        tuple(models), measures, rows, run.runs, predictions, tolerance, **observed
    )
    plan.check_stored()
    folder.begin(plan, folder.models(sampled_plans(plan, plans)))


def run_comparison(
    folder: ComparisonFolder, workers: Workers, progress: Progress | None = None
) -> ModelComparison:
    """Simulate the missing runs of a folder that was begun, and compare its models."""
    for module in ("sklearn", "arviz_stats"):
        require(module, "comparisons", FitError)
    plan, plans = folder.plan(), folder.plans()
    for model in plans.values():
        model.check_all()  # the file of a plan may have been edited
    total = len(plans) * (plan.runs + len(plan.flocks) * plan.predictions)
    done, scores = 0, []
    for name, model in plans.items():

        def report(count: int, _: int, before: int = done) -> None:
            if progress is not None:
                progress(before + count, total)

        runs = Runs(model, folder.model(name), workers, report)
        try:
            scores.append((name, tuple(model.vary), _score(plan, model, runs)))
        except FitError as error:
            raise FitError(f"{name}: {error}") from None
        done += runs.count
    result = ModelComparison(
        tuple(plan.flocks), plan.measures, rank_models(scores), folder.stored_at
    )
    write_file(folder.path / "comparison.json", result.to_json())
    return result


def _score(plan: ComparisonPlan, model: FitPlan, runs: Runs) -> np.ndarray:
    """Return the (K,) scores of a model: one for each flock, predicted from the others."""
    from scipy.stats import qmc

    priors, numbers, noise = model.priors, len(model.vary), plan.noise
    observed = plan.observed(model)
    first = qmc.LatinHypercube(numbers, rng=np.random.default_rng(model.seed)).random(plan.runs)
    runs.simulate(settings_at(priors, first), observed)
    quantiles, values = runs.draws()
    variance = noise.variance(quantiles, values)
    likelihood = Likelihood(quantiles, noise.imitate(values, variance, model.seed))
    summaries = [likelihood.of(row) for row in plan.values]
    for k in range(len(summaries)):
        others = summaries[:k] + summaries[k + 1 :]

        def log_likelihood(x: np.ndarray, others: Any = others) -> np.ndarray:
            predicted = likelihood.emulator.predict(x)
            return np.sum([summary.at(predicted) for summary in others], axis=0)

        rng = np.random.default_rng((model.seed, k))
        draws, _ = draw_posterior(log_likelihood, numbers, max(plan.predictions, 256), rng)
        runs.simulate(settings_at(priors, draws[: plan.predictions]), [observed[k]])
    quantiles, values = runs.draws()
    variance = noise.variance(quantiles, values)
    predicted = noise.imitate(values, variance, model.seed + 1)[plan.runs :]
    folds = predicted.reshape(len(summaries), plan.predictions, -1)
    return np.array([
        log_predictive(runs_of_fold, row)
        for runs_of_fold, row in zip(folds, plan.values, strict=True)
    ])  # fmt: skip


def open_comparison(folder: str | os.PathLike[str]) -> ModelComparison:
    """Return the result of a finished comparison from its folder.

    Raises FitError if the folder has none.
    """

    def read(data: Any) -> ModelComparison:
        scores = [
            (name, tuple(map(str, entry["paths"])), np.array(entry["scores"], dtype=float))
            for name, entry in data["models"].items()
        ]
        flocks, measures = (tuple(map(str, data[key])) for key in ("flocks", "measures"))
        return ModelComparison(flocks, measures, rank_models(scores), Path(folder))

    return ComparisonFolder(folder).result(read)
