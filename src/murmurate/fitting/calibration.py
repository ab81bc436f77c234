"""calibrate(): whether the posteriors of a fit contain the truth as often as they claim.

Numbers are drawn from the prior, each makes a data set, and each data set a posterior. If the
posteriors are right, the true numbers are spread evenly over the ranks of their draws, and nine in
ten are in the 90% interval.
"""

from __future__ import annotations

import json
import math
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from murmurate.disk import write_file
from murmurate.engines.run_spec import RunSpec, spec_of
from murmurate.errors import FitError
from murmurate.fitting.fit_plan import FitFolder, FitPlan, make_plan
from murmurate.fitting.identifiability import PROBABILITY
from murmurate.fitting.likelihood import Likelihood
from murmurate.fitting.priors import settings_at
from murmurate.fitting.rounds import Runs, measured
from murmurate.fitting.run import measure_target
from murmurate.fitting.sampler import draw_posterior
from murmurate.measures.estimate import clopper_pearson
from murmurate.model.files import model_of
from murmurate.model.model import Model
from murmurate.schema import parameter_label
from murmurate.sweeps.design import measure_names
from murmurate.sweeps.run import Progress
from murmurate.sweeps.workers import make_workers
from murmurate.tracks.sampling import TrackSampling

DRAWS = 199  # of each posterior: a rank is one of 200
BINS = 10  # of the ranks
SAMPLED = 398  # draws of which every second one counts
MAX_FAILED = 0.1  # share of the data sets: those that remain are not drawn from the prior
FLAT, COVERS = 0.01, 0.99  # significance of the test of ranks, and probability of the bounds


@dataclass(frozen=True)
class CalibratedNumber:
    """How well posteriors of one number are calibrated.

    ranks  (n,) rank of the true value among `DRAWS` draws, for each data set
    inside  (n,) true if the 90% interval contains the true value
    share  mean standard deviation of the posteriors, relative to that of the prior
    """

    path: str
    label: str
    ranks: np.ndarray
    inside: np.ndarray
    share: float

    @property
    def counts(self) -> np.ndarray:
        """Data sets in each of ten bins of ranks."""
        return np.histogram(self.ranks, bins=BINS, range=(0, DRAWS + 1))[0]

    @property
    def p_value(self) -> float:
        """Probability of ranks as uneven as these or more, if the posteriors are right."""
        from scipy.stats import chisquare

        return float(chisquare(self.counts).pvalue)

    @property
    def spread(self) -> float:
        """Standard deviation of the ranks as parts of all: 0.289 for right posteriors.

        It is smaller for posteriors that are too wide.
        """
        return float(((self.ranks + 0.5) / (DRAWS + 1)).std())

    @property
    def coverage(self) -> float:
        """Share of the data sets whose 90% interval contains the true value."""
        return float(self.inside.mean())

    @property
    def coverage_interval(self) -> tuple[float, float]:
        """The 95% interval of the coverage (Clopper & Pearson 1934)."""
        return clopper_pearson(int(self.inside.sum()), len(self.inside), 0.05)

    @property
    def bounds(self) -> tuple[float, float]:
        """Bounds of the coverage in 99% of cases, if the posteriors are right: binomial."""
        from scipy.stats import binom

        n = len(self.inside)
        low, high = binom.interval(COVERS, n, PROBABILITY)
        return float(low) / n, float(high) / n

    @property
    def calibrated(self) -> bool:
        """True if the ranks are even and the coverage is within its bounds."""
        low, high = self.bounds
        return self.p_value >= FLAT and low <= self.coverage <= high


@dataclass(frozen=True)
class Calibration:
    """The result of `calibrate`: a number in each row of the table that it displays.

    Attributes
    ----------
    name : str
        Name of the model.
    measures : tuple of str
        Measures of the data sets.
    runs, datasets : int
        Runs that the posteriors are learned from, and data sets with a posterior.
    numbers : tuple of CalibratedNumber
        Each number that was varied.
    failed : tuple of str
        Why each of the other data sets has no posterior.
    """

    name: str
    measures: tuple[str, ...]
    runs: int
    datasets: int
    numbers: tuple[CalibratedNumber, ...]
    failed: tuple[str, ...] = ()

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """Return a row per number: path, test of ranks, coverage, its bounds, and verdict."""
        return [
            (
                number.path, f"p = {number.p_value:.2f}, sd {number.spread:.3f}",
                "{:.2f} ({:.2f} to {:.2f})".format(number.coverage, *number.coverage_interval),
                "{:.2f} to {:.2f}".format(*number.bounds),
                "calibrated" if number.calibrated else "not calibrated",
            )
            for number in self.numbers
        ]  # fmt: skip

    def __repr__(self) -> str:
        width = max(len(number.path) for number in self.numbers)
        lines = [f"{self.name}: {self.datasets} data sets, posteriors from {self.runs} runs"]
        if self.failed:
            reasons = Counter(self.failed).most_common()
            each = "; ".join(f"{reason} ({count})" for reason, count in reasons)
            lines.append(f"{len(self.failed)} more data sets failed: {each}")
        for path, test, coverage, bounds, verdict in self.rows():
            lines.append(
                f"{path:<{width}}  ranks: {test}  90% interval: {coverage}, expected {bounds}  "
                f"{verdict}"
            )
        return "\n".join(lines)

    def to_json(self) -> str:
        """Return all results as JSON text."""
        return json.dumps({
            "model": self.name, "measures": list(self.measures), "runs": self.runs,
            "datasets": self.datasets, "failed": list(self.failed), "draws": DRAWS,
            "numbers": {
                n.path: {
                    "label": n.label, "ranks": n.ranks.tolist(), "inside": n.inside.tolist(),
                    "share_of_prior": n.share, "p_value": n.p_value, "spread": n.spread,
                    "coverage": n.coverage, "bounds": list(n.bounds), "calibrated": n.calibrated,
                }
                for n in self.numbers
            },
        }, indent=1)  # fmt: skip

    def save_plot(
        self, path: str | os.PathLike[str], *, style: Literal["light", "dark"] = "light",
        size: Literal["screen", "talk", "single-column", "double-column"] = "screen",
        force: bool = False,
    ) -> Path:  # fmt: skip
        """Plot the ranks of each number to a .png, .svg or .pdf, and return its path.

        Raises OutputError for an existing file, unless `force` is True, and for another ending.
        """
        from murmurate.plots.fits import save_rank_plot

        return save_rank_plot(self, path, style=style, size=size, force=force)


class CalibrationFolder(FitFolder):
    """The folder of a calibration: as that of a fit, without data."""

    kind = "calibration"
    command = ""
    plan_name = "calibration.toml"


def calibrate(
    model: Model | str | os.PathLike[str],
    measures: str | Sequence[str],
    vary: Mapping[str, Sequence[Any]],
    run: RunSpec | None = None,
    *,
    datasets: int = 100,
    like: Any = None,
    output: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Calibration:
    """Check that posteriors of a model contain the truth as often as they claim.

    Parameters
    ----------
    model : Model, str or path-like
        A Model, the name of a published flock, or the path of a model file.
    measures : str or sequence of str
        Measures of the data sets.
    vary : mapping
        Path -> (low, high) or (low, high, prior), as for `fit`.
    run : RunSpec, optional
        Number of runs at settings of the prior, from which all posteriors are learned, by default
        600; their steps and engine, and where they are simulated. With several seeds, data sets are
        as many flocks, of which the mean and its error are given.
    datasets : int, default 100
        Data sets: one more run of the model each, at a setting of the prior.
    like : Tracks, Recording, str, path-like, iterable of frames or float, optional
        Data that data sets are like: as long, and sampled at the times of their frames with the
        same gaps if they are tracks of positions. Or a frame rate, for tracks of positions as long
        as runs. By default data sets are as long as runs, with the velocities of the model.
    output : str or path-like, optional
        Folder that stores each finished run. The default is a temporary folder.
    progress : callable, optional
        Called with (runs done, all runs).

    Returns
    -------
    Calibration
        Ranks and coverage of each number. It displays as a table.

    Raises
    ------
    FitError, ModelError
        For invalid arguments, before anything is simulated; if the extra `infer` is missing; if
        more than a tenth of the data sets fail.

    Notes
    -----
    The posteriors have no rounds of their own: all of them follow from the same runs, so that 100
    cost as much as one. Those of `fit` have more runs near the data.

    Source: Talts et al. 2018, arXiv:1804.06788.
    """
    model = model_of(model)
    measures = measure_names(measures, model, error=FitError)
    run = spec_of(run, FitError, runs=600, seeds=1)
    assert run.runs is not None and run.seeds is not None
    if datasets < BINS:
        raise FitError(f"datasets: got {datasets}; expected at least {BINS}")
    settings = run.runs // max(run.seeds, 1)
    plan = make_plan(
        model, {name: (0.0, math.inf) for name in measures}, vary,
        replace(run, runs=(settings + datasets) * run.seeds), tolerance=0.0,
    )  # fmt: skip
    if isinstance(like, int | float):
        plan = replace(plan, tracks=TrackSampling(like))
    elif like is not None:
        plan = replace(plan, **measure_target(like, measures, run)[1])
    plan.check_all()
    if run.seeds > 1:  # the mean of several flocks is given as a number
        plan = replace(plan, steps=plan.run_steps(), lasts=None)
    workers = make_workers(run.workers, FitError)
    with CalibrationFolder.opened(output) as folder:
        folder.begin(plan)
        all_runs = Runs(plan, folder, workers, progress)
        result = _calibrate(plan, all_runs, settings, datasets)
        write_file(folder.path / "calibration.json", result.to_json())
    return result


def _calibrate(plan: FitPlan, all_runs: Runs, settings: int, datasets: int) -> Calibration:
    """Simulate settings and data sets, and rank the true numbers in their posteriors."""
    from scipy.stats import qmc

    rng = np.random.default_rng(plan.seed)
    numbers = len(plan.vary)
    first = qmc.LatinHypercube(numbers, rng=rng).random(settings)
    all_runs.simulate(settings_at(plan.priors, np.vstack([first, rng.random((datasets, numbers))])))
    quantiles, values = all_runs.draws()
    truths, quantiles, values = quantiles[settings:], quantiles[:settings], values[:settings]
    data = [item.data for item in data_plans(plan, all_runs, settings)]
    failed = _failures(plan, all_runs, settings, [item.values for item in data])
    sound = next(item for number, item in enumerate(data) if number not in failed)
    likelihood, variance = Likelihood(quantiles, values), sound.variance(quantiles, values)
    ranks, inside, spreads = [], [], []
    tails = [0.5 - PROBABILITY / 2, 0.5 + PROBABILITY / 2]
    for number, (truth, item) in enumerate(zip(truths, data, strict=True)):
        if number in failed:
            continue
        learned = likelihood
        if item.noise(values, variance).any():
            learned = Likelihood(quantiles, item.imitate(values, variance, plan.seed))
        draws, _ = draw_posterior(learned.of(item.values), numbers, SAMPLED, rng)
        low, high = np.quantile(draws, tails, axis=0)
        inside.append((low <= truth) & (truth <= high))
        spreads.append(draws.std(axis=0) * math.sqrt(12.0))
        thinned = draws[: 2 * DRAWS : 2]
        below, equal = (thinned < truth).sum(axis=0), (thinned == truth).sum(axis=0)
        ranks.append(below + rng.integers(0, equal + 1))  # ties of whole numbers
    model = plan.parsed_model
    return Calibration(
        plan.name, tuple(plan.target), settings * plan.seeds, len(ranks),
        tuple(
            CalibratedNumber(
                path, parameter_label(model, path), np.array(ranks)[:, k], np.array(inside)[:, k],
                float(np.mean(spreads, axis=0)[k]),
            )
            for k, path in enumerate(plan.vary)
        ),
        tuple(failed.values()),
    )  # fmt: skip


def _failures(
    plan: FitPlan, all_runs: Runs, first: int, values: Sequence[np.ndarray]
) -> dict[int, str]:
    """Return why data sets, from setting `first` on, have no values. Raises FitError for many."""
    failed = {}
    for number, row in enumerate(values):
        if not np.isfinite(row).all():
            begin = (first + number) * plan.seeds
            records = all_runs.records[begin : begin + plan.seeds]
            names = [name for name, x in zip(plan.target, row, strict=True) if not np.isfinite(x)]
            reasons = [record["error"] for record in records if "error" in record]
            failed[number] = reasons[0] if reasons else f"no value of {', '.join(names)}"
    if len(failed) > MAX_FAILED * len(values):
        raise FitError(
            f"datasets: got {len(failed)} of {len(values)} that failed, the first with: "
            f"{next(iter(failed.values()))}; expected at most {MAX_FAILED:.0%}. Vary numbers "
            "within narrower bounds, or choose measures that all settings have"
        )
    return failed


def data_plans(plan: FitPlan, all_runs: Runs, first: int) -> list[FitPlan]:
    """Return the fit of each data set, which is a setting of `all_runs` from `first` on.

    Several flocks have a mean with an error, as users give it. One flock has the length of a run.
    """
    names, count = tuple(plan.target), plan.seeds
    values, _ = measured(all_runs.records[first * count :], names)
    flocks = values.reshape(-1, count, len(names))
    errors = np.full(flocks[:, 0].shape, math.inf)
    if count > 1:
        errors = flocks.std(axis=1, ddof=1) / math.sqrt(count)
    pairs = np.stack([flocks.mean(axis=1), errors], axis=2).tolist()
    return [
        replace(
            plan,
            target=dict(zip(names, map(tuple, row), strict=True)),
            freedom=dict.fromkeys(names, count - 1.0),
        )
        for row in pairs
    ]


def open_calibration(folder: str | os.PathLike[str]) -> Calibration:
    """Return the result of a finished calibration from its folder.

    Raises FitError if the folder has none.
    """

    def read(data: Any) -> Calibration:
        numbers = tuple(
            CalibratedNumber(
                name, entry["label"], np.array(entry["ranks"], dtype=int),
                np.array(entry["inside"], dtype=bool), float(entry["share_of_prior"]),
            )
            for name, entry in data["numbers"].items()
        )  # fmt: skip
        measures = tuple(map(str, data["measures"]))
        failed = tuple(map(str, data.get("failed", ())))
        return Calibration(data["model"], measures, data["runs"], data["datasets"], numbers, failed)

    return CalibrationFolder(folder).result(read)
