"""Refusals of engines, which name the engines that can simulate the model.

An engine lists in `refuses` the names of `murmurate.model.features.FEATURES` that it does not
simulate. Its `problems` returns where a model has them, and what else it cannot simulate.
"""

from __future__ import annotations

from murmurate.engines.options import RunOptions
from murmurate.engines.registry import engine_class
from murmurate.errors import ModelError
from murmurate.model.model import Model

PREFERRED = ("cpu", "slabs", "gpu")
"""Engines that a refusal may recommend. The others are slow."""


def check_engine(model: Model, options: RunOptions) -> None:
    """Raise ModelError for a model that the engine of the options cannot simulate."""
    engine = engine_class(options.engine)
    if problems := engine.problems(model, options):
        remedy = f"engine {options.engine!r}. Use engine {capable(model, options)}"
        raise ModelError("\n".join(f"{problem} for {remedy}" for problem in problems))
    engine.check(model, options)


def capable(model: Model, options: RunOptions) -> str:
    """Return the names of the engines that can simulate a model, in words."""
    names = [repr(n) for n in PREFERRED if not engine_class(n).problems(model, options)]
    return f"{', '.join(names[:-1])} or {names[-1]}" if names[1:] else names[0]
