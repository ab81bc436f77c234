"""compare_models(): each model is fitted to all flocks but one, and predicts that one.

FOLDER/comparison.toml          measures of the flocks, and counts of runs
FOLDER/models/NAME/model.toml   a model, its bounds and priors
FOLDER/models/NAME/runs/        its finished runs
FOLDER/comparison.json          the scores, written at the end
"""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import TypeAdapter, ValidationError

from murmurate.disk import read_bytes, read_text, write_file
from murmurate.engines.options import RunOptions, options_with_seed, refuse_threads
from murmurate.errors import FitError
from murmurate.fitting.fit_plan import FitFolder, FitPlan, make_plan
from murmurate.fitting.likelihood import Data, Likelihood, make_data
from murmurate.fitting.model_scores import MIN_VALUED, ModelScore, log_predictive, rank_models
from murmurate.fitting.priors import form_text, quantiles_of, settings_at
from murmurate.fitting.rounds import Runs, fit_workers
from murmurate.fitting.run import target_estimates
from murmurate.fitting.sampler import draw_posterior
from murmurate.measures.estimate import with_error
from murmurate.model.files import model_of
from murmurate.model.messages import format_first_error
from murmurate.model.model import Model
from murmurate.model.names import usable_name
from murmurate.model.text_reader import TextError, read_json, read_toml
from murmurate.model.view import frame_rate
from murmurate.optional import require
from murmurate.plots.style import Colours, SizeName
from murmurate.sweeps.run import Progress
from murmurate.sweeps.workers import Workers
from murmurate.tables import to_html

VERSION = 1
MIN_FLOCKS = 3
COLUMNS = ("model", "fitted numbers", "log score", "difference to the best", "95% interval", "")


@dataclass(frozen=True)
class ComparisonPlan:
    """The data of a comparison, and the runs of each model.

    Attributes
    ----------
    models, measures : tuple of str
        Names of the models and of the measures.
    flocks : dict of str to dict
        Flock -> measure -> (value, standard error, degrees of freedom of the error); inf for an
        unknown error and for an exact one.
    runs, predictions : int
        Runs of each model at settings of the prior, and runs that predict each flock.
    tolerance : float
        What no model is expected to reproduce, as a part of each measure.
    """

    models: tuple[str, ...]
    measures: tuple[str, ...]
    flocks: dict[str, dict[str, tuple[float, float, float]]]
    runs: int
    predictions: int
    tolerance: float

    @property
    def values(self) -> np.ndarray:
        """Measures of the flocks as a (K, m) array."""
        return np.array([[row[name][0] for name in self.measures] for row in self.flocks.values()])

    @property
    def noise(self) -> Data:
        """A typical flock, by whose errors runs imitate the data."""
        target, freedom = {}, {}
        for name in self.measures:
            value, error, free = np.array([row[name] for row in self.flocks.values()]).T
            target[name] = float(np.abs(value).mean()), float(np.sqrt((error**2).mean()))
            freedom[name] = float(np.median(free))
        return make_data(target, freedom, self.tolerance)

    def check(self) -> None:
        """Raise FitError for too few flocks, models or runs, and for measures without value."""
        check_flock_count(len(self.flocks))
        for what, names, minimum in (("models", self.models, 2), ("measures", self.measures, 1)):
            if len(names) < minimum:
                raise FitError(f"{what}: got {len(names)}; expected at least {minimum}")
        minimum = len(self.measures) + MIN_VALUED
        for what, count in (("runs", self.runs), ("predictions", self.predictions)):
            if count < minimum:
                raise FitError(f"{what}: got {count}; expected at least {minimum}")
        for flock, row in self.flocks.items():
            for name in self.measures:
                if not math.isfinite(row[name][0]):
                    raise FitError(
                        f"{flock}: got no value of {name}; expected one of every measure. Leave "
                        "out the flock or the measure"
                    )

    def to_toml(self) -> str:
        """Return the plan as TOML."""
        import tomli_w

        return tomli_w.dumps({"version": VERSION, **asdict(self)})

    @classmethod
    def from_toml(cls, text: str, path: str) -> ComparisonPlan:
        """Read a plan. Raises FitError for an invalid one, or one of another version."""
        try:
            table = read_toml(text)
            if table.pop("version", None) != VERSION:
                raise TextError("it has another version")
            plan: ComparisonPlan = TypeAdapter(cls).validate_python(table)
            plan.check()
        except ValidationError as error:
            raise FitError(f"{path}: expected a comparison; {format_first_error(error)}") from None
        except (TextError, KeyError) as error:
            raise FitError(f"{path} is not a comparison: {error}") from None
        return plan


def check_flock_count(count: int) -> None:
    """Raise FitError for too few flocks."""
    if count < MIN_FLOCKS:
        raise FitError(
            f"flocks: got {count}; expected at least {MIN_FLOCKS}. Each flock is predicted from "
            "all others"
        )


class ComparedModelFolder(FitFolder):
    """The folder of a model: as that of a fit, without data."""

    @property
    def plan_path(self) -> Path:
        """Path of model.toml."""
        return self.path / "model.toml"


class ComparisonFolder:
    """The folder of a comparison."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    @property
    def plan_path(self) -> Path:
        """Path of comparison.toml."""
        return self.path / "comparison.toml"

    def model(self, name: str) -> ComparedModelFolder:
        """Return the folder of a model."""
        return ComparedModelFolder(self.path / "models" / usable_name(name))

    def begin(self, plan: ComparisonPlan, models: Mapping[str, FitPlan]) -> None:
        """Create the folder, or check that it contains the same comparison.

        Raises FitError for a folder with other contents: nothing is overwritten.
        """
        if self.plan_path.is_file():
            if self.plan() != plan:
                raise FitError(
                    f"{self.path}: got a folder that holds another comparison; expected a new "
                    "folder or the same comparison. Resume the other one by its name (murmurate "
                    f"compare-models {self.path})"
                )
        elif self.path.exists() and (
            not self.path.is_dir() or {path.name for path in self.path.iterdir()} - {"models"}
        ):
            raise FitError(
                f"{self.path}: got a path that already exists and holds no comparison; expected a "
                "new name"
            )
        for name, model in models.items():
            self.model(name).begin(model)
        if not self.plan_path.is_file():
            write_file(self.plan_path, plan.to_toml())

    def plan(self) -> ComparisonPlan:
        """Read the plan. Raises FitError if there is none."""
        try:
            text = read_text(self.plan_path, "replace")
        except OSError:
            raise FitError(f"{self.path}: holds no comparison; expected {self.plan_path}") from None
        return ComparisonPlan.from_toml(text, str(self.plan_path))

    def plans(self) -> dict[str, FitPlan]:
        """Read the plan of each model. Raises FitError if one is missing."""
        return {name: self.model(name).plan() for name in self.plan().models}


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
        """What the comparison says about each model but the best, one line each."""
        best, lines = self.scores[0].name, []
        for score in self.scores[1:]:
            size = with_error(-score.difference, score.difference_error)
            lines.append(
                f"{best} predicts these flocks better than {score.name}, by {size}"
                if score.worse
                else f"these flocks do not distinguish {best} and {score.name}: {size} is within "
                "its error"
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
        table = [COLUMNS, *self.rows()]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = [
            "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
            for row in table
        ]
        return "\n".join([self.title, *lines, *self.statements])

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
        from murmurate.plots.comparison import save_comparison_plot

        return save_comparison_plot(self, path, style=style, size=size, force=force)


def compare_models(
    models: Mapping[str, tuple[Model | str | os.PathLike[str], Mapping[str, Sequence[Any]]]],
    flocks: Mapping[str, Any] | Sequence[Any],
    measures: str | Sequence[str],
    *,
    priors: Mapping[str, Any] | None = None,
    runs: int = 300,
    predictions: int = 40,
    tolerance: float = 0.001,
    seed: int | None = None,
    steps: int = 1000,
    warm_up: int = 200,
    every: int = 10,
    frames_per_second: float | None = None,
    fps: float | None = None,
    options: RunOptions | None = None,
    output: str | os.PathLike[str] | None = None,
    processes: int | None = None,
    on: Literal["threads", "processes", "ray"] = "threads",
    progress: Progress | None = None,
) -> ModelComparison:
    """Compare models by how well they predict flocks that they were not fitted to.

    Parameters
    ----------
    models : mapping
        Name -> (model, vary): a Model, the name of a published flock or the path of a model file,
        and path -> (low, high) of the numbers to fit.
    flocks : sequence or mapping
        Three or more flocks, each Tracks, a Recording, a path or measure -> (value, error); or
        name -> flock. All have the same units and are about as long.
    measures : str or sequence of str
        Measures by which flocks are described, each a number per frame.
    priors : mapping, optional
        Path -> prior within the bounds, as for `fit`.
    runs : int, default 300
        Runs of each model at settings of the prior, from which all its posteriors are learned.
    predictions : int, default 40
        Runs of each model that predict each flock.
    tolerance, seed, steps, warm_up, every, options, processes, on, progress
        As for `fit`. A run is as long as a flock was observed.
    frames_per_second, fps : float, optional
        Frame rate of tracks.
    output : str or path-like, optional
        Folder that stores each finished run. An interrupted comparison resumes from it. The default
        is a temporary folder.

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
    options = options_with_seed(options, seed)
    refuse_threads(options, FitError)
    if isinstance(flocks, str | os.PathLike):
        raise FitError(f"flocks: got {flocks!r}; expected several flocks, such as a list of files")
    names = (measures,) if isinstance(measures, str) else tuple(measures)
    plans = make_plans(
        models, names, priors or {}, evaluations=runs + len(flocks) * predictions,
        tolerance=tolerance, seed=options.seed, steps=steps, warm_up=warm_up, every=every,
        engine=options.choice, dtype=options.dtype,
    )  # fmt: skip
    check_flock_count(len(flocks))
    rows = _measured_flocks(flocks, names, frame_rate(frames_per_second, fps))
    plan = ComparisonPlan(tuple(models), names, rows, runs, predictions, tolerance)
    plan.check()
    workers = fit_workers(on, processes)
    # after Ctrl-C a run in progress may still try to store its record
    with tempfile.TemporaryDirectory(
        prefix="murmurate-comparison-", ignore_cleanup_errors=True
    ) as temporary:
        folder = ComparisonFolder(output or Path(temporary) / "comparison")
        folder.begin(plan, plans)
        result = run_comparison(folder, workers, progress)
    return result if output is not None else replace(result, folder=None)


def _measured_flocks(
    flocks: Mapping[str, Any] | Sequence[Any], measures: Sequence[str], rate: float | None
) -> dict[str, dict[str, tuple[float, float, float]]]:
    """Return flock -> measure -> (value, error, freedom), as plans store them."""
    if not isinstance(flocks, Mapping):
        named = [
            (os.fspath(item) if isinstance(item, str | os.PathLike) else f"flock {k}", item)
            for k, item in enumerate(flocks, 1)
        ]
        if len(dict(named)) < len(named):
            raise FitError(f"flocks: got {', '.join(map(str, dict(named)))}; expected each once")
        flocks = dict(named)
    return {
        name: flock_estimates(target_estimates(target, measures, None, rate))
        for name, target in flocks.items()
    }


def flock_estimates(estimates: Mapping[str, Any]) -> dict[str, tuple[float, float, float]]:
    """Return measure -> (value, error, freedom) from estimates."""
    return {
        name: (item.value, item.error, math.inf if math.isnan(item.freedom) else item.freedom)
        for name, item in estimates.items()
    }


def make_plans(
    models: Mapping[str, tuple[Any, Mapping[str, Any]]], measures: Sequence[str],
    priors: Mapping[str, Any], **settings: Any,
) -> dict[str, FitPlan]:  # fmt: skip
    """Return the checked plan of each model. Raises FitError or ModelError.

    `settings` are other fields of `FitPlan`.
    """
    unknown = set(priors) - {path for _, vary in models.values() for path in vary}
    if unknown:
        raise FitError(f"priors: got {', '.join(sorted(unknown))}; expected paths that are varied")
    if len({usable_name(name) for name in models}) < len(models):
        raise FitError(f"models: got {', '.join(models)}; expected names of different folders")
    target = {measure: (0.0, math.inf) for measure in measures}
    return {
        name: make_plan(
            model_of(model), target, vary, {},
            prior={path: form_text(form) for path, form in priors.items() if path in vary},
            **settings,
        )
        for name, (model, vary) in models.items()
    }  # fmt: skip


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
    result = ModelComparison(tuple(plan.flocks), plan.measures, rank_models(scores), folder.path)
    write_file(folder.path / "comparison.json", result.to_json())
    return result


def _score(plan: ComparisonPlan, model: FitPlan, runs: Runs) -> np.ndarray:
    """Return the (K,) scores of a model: one for each flock, predicted from the others."""
    from scipy.stats import qmc

    priors, numbers, noise = model.priors, len(model.vary), plan.noise
    first = qmc.LatinHypercube(numbers, rng=np.random.default_rng(model.seed)).random(plan.runs)
    runs.simulate(settings_at(priors, first))
    values = noise.imitate(*runs.measures(), model.seed)
    likelihood = Likelihood(quantiles_of(priors, runs.settings), values)
    summaries = [likelihood.of(row) for row in plan.values]
    for k in range(len(summaries)):
        others = summaries[:k] + summaries[k + 1 :]

        def log_likelihood(x: np.ndarray, others: Any = others) -> np.ndarray:
            predicted = likelihood.emulator.predict(x)
            return np.sum([summary.at(predicted) for summary in others], axis=0)

        rng = np.random.default_rng((model.seed, k))
        draws, _ = draw_posterior(log_likelihood, numbers, max(plan.predictions, 256), rng)
        runs.simulate(settings_at(priors, draws[: plan.predictions]))
    values, errors = (part[plan.runs :] for part in runs.measures())
    predicted = noise.imitate(values, errors, model.seed + 1)
    folds = predicted.reshape(len(summaries), plan.predictions, -1)
    return np.array([
        log_predictive(runs_of_fold, row)
        for runs_of_fold, row in zip(folds, plan.values, strict=True)
    ])  # fmt: skip


def open_comparison(folder: str | os.PathLike[str]) -> ModelComparison:
    """Return the result of a finished comparison from its folder.

    Raises FitError if the folder has none.
    """
    path = Path(folder) / "comparison.json"
    try:
        data = read_json(read_bytes(path))
        scores = [
            (name, tuple(map(str, entry["paths"])), np.array(entry["scores"], dtype=float))
            for name, entry in data["models"].items()
        ]
        flocks, measures = (tuple(map(str, data[key])) for key in ("flocks", "measures"))
        return ModelComparison(flocks, measures, rank_models(scores), Path(folder))
    except (OSError, TextError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise FitError(
            f"{path}: got no finished comparison ({error}); expected the result of murmurate "
            f"compare-models. Finish it with murmurate compare-models {folder}"
        ) from None
