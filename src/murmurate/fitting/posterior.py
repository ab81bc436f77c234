"""Posterior: draws of the numbers of a model, their summary, and undetermined numbers."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from murmurate.disk import atomic_write
from murmurate.errors import FitError
from murmurate.fitting.identifiability import (
    PROBABILITY,
    Marginal,
    cut_bounds,
    joint_columns,
    remarks,
    share_of_prior,
)
from murmurate.fitting.priors import Prior, settings_at
from murmurate.optional import optional

if TYPE_CHECKING:
    import xarray


@dataclass(frozen=True, eq=False)
class Posterior:
    """Draws from the posterior of the numbers of a model.

    Attributes
    ----------
    priors : dict of str to Prior
        Path -> prior of each number, in the order of the columns.
    quantiles : (chains, draws, D) ndarray
        The draws, as quantiles of the priors. Chains are independent of each other.
    log_likelihood : (chains, draws) ndarray
        Logarithm of the likelihood of each draw.
    observed : dict of str to float
        Measure -> value of the data.
    predicted : dict of str to (n,) ndarray
        Measure -> its means over runs at draws of the posterior, which the fit did not use.
    """

    priors: dict[str, Prior]
    quantiles: np.ndarray
    log_likelihood: np.ndarray
    observed: dict[str, float] = field(default_factory=dict)
    predicted: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def paths(self) -> tuple[str, ...]:
        """Paths of the numbers."""
        return tuple(self.priors)

    def __len__(self) -> int:
        """Return the number of draws in all chains."""
        return self.log_likelihood.size

    def draws(self) -> dict[str, np.ndarray]:
        """Return path -> (chains, draws) values."""
        return {
            path: prior.values(self.quantiles[:, :, column])
            for column, (path, prior) in enumerate(self.priors.items())
        }

    def settings(self, count: int, seed: int = 0) -> list[dict[str, Any]]:
        """Return `count` draws as settings, path -> value. All weights are equal.

        Parameters
        ----------
        count : int
            Number of settings, at most `len(self)`.
        seed : int, default 0
            Seed of the choice, without replacement.

        Raises
        ------
        FitError
            If there are fewer draws.
        """
        if not 0 <= count <= len(self):
            raise FitError(f"count: got {count}; expected 0 to {len(self)}, the number of draws")
        rows = np.random.default_rng(seed).choice(len(self), count, replace=False)
        return settings_at(self.priors, self._flat[rows])

    def best(self) -> dict[str, Any]:
        """Return the draw with the largest likelihood, as a setting."""
        return settings_at(self.priors, self._flat[[int(np.argmax(self.log_likelihood))]])[0]

    def marginals(self) -> list[Marginal]:
        """Return the summary of each number. Raises FitError if ArviZ is missing."""
        with optional("posteriors", FitError):
            from arviz_stats.base import array_stats

        together, best, rows = joint_columns(self._flat), self.best(), []
        tails = [0.5 - PROBABILITY / 2, 0.5, 0.5 + PROBABILITY / 2]
        for column, (path, values) in enumerate(self.draws().items()):
            flat, q = values.ravel(), self.quantiles[:, :, column]
            low, median, high = (float(x) for x in np.quantile(flat, tails))
            shortest = array_stats.hdi(flat, prob=PROBABILITY)
            prior = self.priors[path]
            rows.append(Marginal(
                path, (prior.low, prior.high), best[path], float(flat.mean()), float(flat.std()),
                median, (low, high), (float(shortest[0]), float(shortest[1])), share_of_prior(q),
                cut_bounds(q), tuple(self.paths[other] for other in together[column]),
                float(array_stats.ess(q)), float(array_stats.rhat(q)),
            ))  # fmt: skip
        return rows

    def remarks(self) -> list[str]:
        """Return remarks on numbers that the data leave open, one line each."""
        return remarks(self.marginals(), self.paths, self._flat)

    def to_inference_data(self) -> xarray.DataTree:
        """Return the posterior as ArviZ's InferenceData, which is an xarray.DataTree.

        Returns
        -------
        xarray.DataTree
            Groups `posterior`, `prior`, `log_likelihood`, `observed_data` and
            `posterior_predictive`, whose variables are named after the paths and measures; and
            `sample_stats` with the draws as quantiles of the prior.

        Raises
        ------
        FitError
            If ArviZ is missing.
        """
        with optional("posteriors", FitError):
            from arviz_base import from_dict

        shape = self.log_likelihood.shape
        q = np.random.default_rng(0).random((len(self.priors), *shape))
        prior = zip(self.priors.items(), q, strict=True)
        groups: dict[str, Any] = {
            "posterior": self.draws(),
            "prior": {path: item.values(row) for (path, item), row in prior},
            "log_likelihood": {"measures": self.log_likelihood},
            "sample_stats": {"quantiles": self.quantiles},
        }  # fmt: skip
        if self.observed:
            groups["observed_data"] = {k: np.array(value) for k, value in self.observed.items()}
        if self.predicted:
            groups["posterior_predictive"] = {k: v[None] for k, v in self.predicted.items()}
        return from_dict(groups, attrs={"posterior": {"priors": self._prior_text()}})

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write `to_inference_data` as netCDF, and return the path. ArviZ and xarray read it.

        Raises FitError if ArviZ, h5netcdf or h5py is missing.
        """
        tree = self.to_inference_data()
        with optional("posteriors as netCDF", FitError):
            import h5netcdf  # noqa: F401
            import h5py  # noqa: F401

        with atomic_write(Path(path)) as draft:
            tree.to_netcdf(draft, engine="h5netcdf")
        return Path(path)

    @classmethod
    def read(cls, path: str | os.PathLike[str], priors: dict[str, Prior]) -> Posterior:
        """Read a posterior that `save` wrote.

        Raises
        ------
        FileNotFoundError
            If there is no such file.
        FitError
            If xarray, h5netcdf or h5py is missing, or the file is not such a posterior.
        """
        with optional("posteriors as netCDF", FitError):
            import h5netcdf  # noqa: F401
            import h5py  # noqa: F401
            import xarray

        try:
            with xarray.open_datatree(Path(path), engine="h5netcdf") as tree:
                draws = _variables(tree, "sample_stats")["quantiles"]
                logs = _variables(tree, "log_likelihood")["measures"]
                observed = _variables(tree, "observed_data")
                predicted = _variables(tree, "posterior_predictive")
        except FileNotFoundError:
            raise
        except (OSError, KeyError, ValueError) as error:
            raise FitError(f"{path}: got a damaged file ({error}); expected a posterior") from None
        if draws.shape != (*logs.shape, len(priors)):
            raise FitError(
                f"{path}: got draws of shape {draws.shape}; expected {len(priors)} numbers"
            )
        return cls(
            priors, draws, logs, {name: float(value) for name, value in observed.items()},
            {name: value[0] for name, value in predicted.items()},
        )  # fmt: skip

    def _prior_text(self) -> str:
        return "; ".join(f"{path}: {prior.text()}" for path, prior in self.priors.items())

    @property
    def _flat(self) -> np.ndarray:
        return self.quantiles.reshape(-1, len(self.priors))


def _variables(tree: Any, group: str) -> dict[str, np.ndarray]:
    """Return the variables of a group of a tree; none if it is missing."""
    if group not in tree.children:
        return {}
    return {str(name): variable.values for name, variable in tree[group].data_vars.items()}
