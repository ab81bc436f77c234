"""Posteriors by this package, ABC-SMC and neural posterior estimation, from equally many runs.

    python benchmarks/posteriors.py FOLDER [--runs 300] [--datasets 100] [--own 20]
        [--only couzin frames] [--method emulated in_rounds]

Numbers of a model are drawn from their prior, and each makes one data set, so the truth is known.
Some methods learn all posteriors from the same RUNS runs of the prior: the one of `mm.calibrate`
and neural posterior estimation (sbi, Papamakarios & Murray 2016, arXiv:1605.06376). Others choose
RUNS runs for each data set, so they treat the first OWN of them only: `mm.fit`, which simulates in
rounds, and ABC by sequential Monte Carlo (pyABC, Klinger et al. 2018,
doi:10.1093/bioinformatics/bty361). `--only frames gaps flocks` are short data (see calibration.py).
Printed are the coverage of 90% intervals, a test of the ranks
(Talts et al. 2018, arXiv:1804.06788), and the log score, the mean logarithm of the posterior
density at the truth in units of the prior: larger is better.

sbi brings PyTorch. Install both in an environment of their own:
pip install -e ".[infer]" sbi pyabc. A method that is not installed is left out. Results of methods
are in FOLDER, and are not computed again.
"""

from __future__ import annotations

import argparse
import logging
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
from calibration import Case, cases
from scipy.stats import gaussian_kde, qmc

from murmurate.bench.timing import describe_machine
from murmurate.fitting.calibration import DRAWS, CalibratedNumber, CalibrationFolder, data_plans
from murmurate.fitting.fit_plan import FitPlan, make_plan
from murmurate.fitting.likelihood import Likelihood
from murmurate.fitting.priors import settings_at
from murmurate.fitting.rounds import Runs, measured, run_rounds
from murmurate.fitting.run import measure_target
from murmurate.fitting.sampler import draw_posterior
from murmurate.sweeps.workers import Threads

PARTICLES = 25  # of a population of ABC; few, so that some populations are complete within the runs
SAMPLES = 1000  # of a posterior
Draws = tuple[np.ndarray, np.ndarray]  # (S, n) quantiles of the prior, and (S,) weights


class OutOfRunsError(Exception):
    """A method has used all runs of a data set."""


@dataclass(frozen=True)
class Problem:
    """A model with runs of the prior, and data sets of known numbers."""

    case: Case
    folder: Path
    runs: int
    datasets: int

    @cached_property
    def plan(self) -> FitPlan:
        case, seeds = self.case, self.case.run.seeds or 1
        observed = {}
        if case.like is not None:
            _, observed = measure_target(case.like, case.measures, case.run)
        return make_plan(
            case.model,
            {name: (0.0, np.inf) for name in case.measures},
            case.vary,
            replace(case.run, runs=(self.runs + self.datasets) * seeds),
            tolerance=0.0,
            **observed,
        )

    @cached_property
    def all_runs(self) -> Runs:
        """The runs of the prior, and the data sets after them."""
        folder = CalibrationFolder(self.folder / "pool")
        folder.begin(self.plan)
        rng = np.random.default_rng(self.plan.seed)
        numbers = len(self.plan.vary)
        first = qmc.LatinHypercube(numbers, rng=rng).random(self.runs)
        quantiles = np.vstack([first, rng.random((self.datasets, numbers))])
        runs = Runs(self.plan, folder, Threads(), None)
        runs.simulate(settings_at(self.plan.priors, quantiles))
        return runs

    @cached_property
    def pool(self) -> tuple[np.ndarray, np.ndarray]:
        """Quantiles and measures of all runs."""
        return self.all_runs.draws()

    @cached_property
    def fits(self) -> list[FitPlan]:
        """The fit of each data set."""
        return data_plans(self.plan, self.all_runs, self.runs)

    @property
    def training(self) -> tuple[np.ndarray, np.ndarray]:
        return self.pool[0][: self.runs], self.pool[1][: self.runs]

    @property
    def data(self) -> np.ndarray:
        return self.pool[1][self.runs :]

    @property
    def truth(self) -> np.ndarray:
        return self.pool[0][self.runs :]


def emulated(problem: Problem, count: int) -> list[Draws]:
    """Return posteriors by the likelihood of this package, from the runs of the prior."""
    (quantiles, values), rng = problem.training, np.random.default_rng(1)
    variance = problem.fits[0].data.variance(quantiles, values)
    likelihood, found = Likelihood(quantiles, values), []
    for plan in problem.fits[:count]:
        learned, data = likelihood, plan.data
        if data.noise(values, variance).any():
            learned = Likelihood(quantiles, data.imitate(values, variance, plan.seed))
        log_likelihood = learned.of(data.values)
        found.append(_equal(draw_posterior(log_likelihood, len(plan.vary), SAMPLES, rng)[0]))
    return found


def in_rounds(problem: Problem, count: int) -> list[Draws]:
    """Return posteriors as `mm.fit` computes them, each from runs of its own."""
    found = []
    for k, fit in enumerate(problem.fits[:count]):
        plan = replace(fit, runs=problem.runs * fit.seeds, seed=k + 1)
        folder = CalibrationFolder(problem.folder / "rounds" / f"{k:03}")
        folder.begin(plan)
        posterior, _ = run_rounds(plan, Runs(plan, folder, Threads(), None))
        found.append(_equal(posterior.quantiles.reshape(-1, len(plan.vary))[::2]))
    return found


def neural(problem: Problem, count: int) -> list[Draws]:
    """Return posteriors by neural posterior estimation, from the runs of the prior."""
    import torch
    from sbi.inference import NPE
    from sbi.utils import BoxUniform
    from torch.utils.tensorboard import SummaryWriter

    torch.manual_seed(1)
    torch.set_num_threads(1)
    quantiles, values = (torch.tensor(part, dtype=torch.float32) for part in problem.training)
    numbers = quantiles.shape[1]
    inference = NPE(
        BoxUniform(torch.zeros(numbers), torch.ones(numbers)),
        summary_writer=SummaryWriter(problem.folder / "logs"),
    )
    inference.append_simulations(quantiles, values).train()
    posterior = inference.build_posterior()
    data = torch.tensor(problem.data[:count], dtype=torch.float32)
    return [
        _equal(posterior.sample((SAMPLES,), x=row, show_progress_bars=False).numpy().clip(0, 1))
        for row in data
    ]


def abc_smc(problem: Problem, count: int) -> list[Draws]:
    """Return posteriors by ABC-SMC: the last population that is complete within the runs."""
    import pyabc

    logging.getLogger("ABC").setLevel(logging.ERROR)
    plan, numbers = problem.plan, len(problem.plan.vary)
    prior = pyabc.Distribution(**{f"q{k}": pyabc.RV("uniform", 0, 1) for k in range(numbers)})
    found = []
    for k, row in enumerate(problem.data[:count]):
        np.random.seed(k)  # pyABC uses this generator
        first = index = (k + 1) * 1_000_000

        def simulate(point: Any, last: int = first + problem.runs) -> dict[str, float]:
            nonlocal index
            if index == last:
                raise OutOfRunsError
            index += 1
            (values,) = settings_at(
                plan.priors, np.array([[point[f"q{j}"] for j in range(numbers)]])
            )
            record = plan.tasks(index, values)[0].run()
            (means,) = measured([record], tuple(plan.target))[0]
            return dict(zip(plan.target, map(float, means), strict=True))

        smc = pyabc.ABCSMC(
            simulate, prior, pyabc.AdaptivePNormDistance(p=2), population_size=PARTICLES,
            sampler=pyabc.SingleCoreSampler(),
        )  # fmt: skip
        smc.new("sqlite://", dict(zip(plan.target, map(float, row), strict=True)))
        with suppress(OutOfRunsError):
            smc.run()
        table, weights = smc.history.get_distribution()
        found.append((table[[f"q{j}" for j in range(numbers)]].to_numpy(), np.array(weights)))
    return found


METHODS: dict[str, tuple[Callable[[Problem, int], list[Draws]], str, bool]] = {
    "emulated likelihood": (emulated, "sklearn", False),
    "neural posterior estimation": (neural, "sbi", False),
    "ABC-SMC": (abc_smc, "pyabc", True),
    "emulated likelihood, in rounds": (in_rounds, "sklearn", True),
}
"""Name -> function, the module that it needs, and whether each data set has runs of its own."""


def _equal(draws: np.ndarray) -> Draws:
    return draws, np.full(len(draws), 1.0 / len(draws))


def log_density(draws: np.ndarray, weights: np.ndarray, truth: np.ndarray) -> float:
    """Return the logarithm of the density of draws at the truth, by kernels on a logit scale."""
    draws, truth = np.clip(draws, 1e-4, 1 - 1e-4), np.clip(truth, 1e-4, 1 - 1e-4)
    kernels = gaussian_kde(np.log(draws / (1 - draws)).T, weights=weights)
    log = kernels.logpdf(np.log(truth / (1 - truth)))[0] - np.log(truth * (1 - truth)).sum()
    return float(max(log, -20.0))


def judge(name: str, problem: Problem, posteriors: list[Draws], own: int) -> None:
    """Print the row of a method."""
    rng = np.random.default_rng(0)
    ranks, inside, scores = [], [], []
    for (draws, weights), truth in zip(posteriors, problem.truth, strict=False):
        chosen = draws[rng.choice(len(draws), DRAWS, p=weights / weights.sum())]
        low, high = np.quantile(chosen, [0.05, 0.95], axis=0)
        inside.append((low <= truth) & (truth <= high))
        ranks.append((chosen < truth).sum(axis=0))
        scores.append(log_density(draws, weights, truth))
    numbers = [
        CalibratedNumber(path, path, np.array(ranks)[:, k], np.array(inside)[:, k], 0.0)
        for k, path in enumerate(problem.plan.vary)
    ]
    coverage = ", ".join(f"{number.coverage:.2f}" for number in numbers)
    ps = ", ".join(f"{number.p_value:.3f} (sd {number.spread:.3f})" for number in numbers)
    some = [_mean(scores), f"{_mean(scores[:own])} in the first {own}"]
    print(
        f"{name}: {len(scores)} data sets, coverage {coverage}, ranks p {ps}, log score "
        + ", ".join(some), flush=True,
    )  # fmt: skip


def _mean(scores: list[float]) -> str:
    error = np.std(scores, ddof=1) / np.sqrt(len(scores))
    return f"{np.mean(scores):.2f} ± {error:.2f}"


def stored(path: Path, compute: Callable[[], list[Draws]]) -> list[Draws]:
    """Return posteriors from a file, or compute and store them."""
    if not path.is_file():
        begin = time.perf_counter()
        parts = {f"{kind}{k}": item for k, pair in enumerate(compute())
                 for kind, item in zip("dw", pair, strict=True)}  # fmt: skip
        np.savez_compressed(path, **parts)
        print(f"{path.stem}: {time.perf_counter() - begin:.0f} s", flush=True)
    with np.load(path) as file:
        return [(file[f"d{k}"], file[f"w{k}"]) for k in range(len(file.files) // 2)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--datasets", type=int, default=100)
    parser.add_argument("--own", type=int, default=20)
    parser.add_argument("--only", nargs="+", choices=list(cases()), default=["vicsek", "couzin"])
    names = [function.__name__ for function, _, _ in METHODS.values()]
    parser.add_argument("--method", nargs="+", choices=names, default=names)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    print(describe_machine())
    for name in arguments.only:
        folder = arguments.folder / name
        problem = Problem(cases()[name], folder, arguments.runs, arguments.datasets)
        print(f"{name}: {arguments.runs} runs for each method", flush=True)
        for method, (function, module, has_own) in METHODS.items():
            if function.__name__ not in arguments.method:
                continue
            try:
                __import__(module)
            except ImportError:
                print(f"{method}: {module} is not installed")
                continue
            count = arguments.own if has_own else arguments.datasets
            path = folder / f"{function.__name__}.npz"
            judge(method, problem, stored(path, partial(function, problem, count)), arguments.own)


if __name__ == "__main__":
    main()
