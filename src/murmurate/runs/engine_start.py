"""Check models before they are simulated, and start their engines."""

from __future__ import annotations

import logging
import os
import pickle
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from murmurate.codegen.planner import check_states
from murmurate.engines.base import EngineBase
from murmurate.engines.individual_numbers import check_counts
from murmurate.engines.initial_state import initial_state
from murmurate.engines.memory import check_memory
from murmurate.engines.options import RunOptions, cores
from murmurate.engines.refusals import check_engine
from murmurate.engines.registry import engine_class
from murmurate.engines.state import FlightState
from murmurate.errors import ModelError
from murmurate.frame import Frame
from murmurate.language.methods import check_methods, check_turn
from murmurate.model.files import model_of
from murmurate.model.model import Model
from murmurate.model.warnings import ModelWarning, check_precision, model_warnings

log = logging.getLogger(__name__)


def engine_at_start(
    model: Model | str | os.PathLike[str],
    options: RunOptions,
    start: Mapping[str, Any] | Frame | None,
) -> EngineBase:
    """Return an engine at the model's start."""
    model = model_of(model)
    check_model(model, options)
    return engine_of(model, checked_start(model, options, start), options)


def pickled(models: Model | Sequence[Model], name: str) -> bytes:
    """Return models as bytes. Raises ModelError for classes that cannot be pickled."""
    try:
        return pickle.dumps(models)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ModelError(
            f"model {name!r}: got classes that cannot be pickled: {error}. Define rules and "
            "motions at the top level of a module that can be imported"
        ) from error


def checked_start(
    model: Model, options: RunOptions, start: Mapping[str, Any] | Frame | None
) -> FlightState:
    """Return the state at a model's start. Warns of suspicious input."""
    state = initial_state(model, options.seed, start)
    dtype = getattr(engine_class(options.engine), "dtype", options.dtype)
    if model.changes_numbers:
        for name in model.flocks:
            if state.size(name) > model.max_boids(name):
                raise ModelError(
                    f"start[{name!r}]: got {state.size(name):,} boids; expected at most "
                    f"{model.max_boids(name):,}, the largest number of flock {name!r}. Give fewer, "
                    f"or change flocks.{name}"
                )
    ends = state.flocks.max_coordinates()
    check_precision(model, dtype, ends)
    check_counts(model, {name: state.size(name) for name in state.flocks})
    for text in model_warnings(model, dtype, ends):
        warnings.warn(text, ModelWarning, stacklevel=_caller_level())
    return state


def engine_of(model: Model, state: FlightState, options: RunOptions) -> EngineBase:
    """Return the engine that the options name, in a state."""
    engine: EngineBase = engine_class(options.engine)(model, state, options)
    log.info(
        "%s: %d boids from step %d, engine %s, %s, %d threads, seed %d",
        model.name or "a model",
        sum(map(state.size, state.flocks)),
        state.step,
        options.engine,
        engine.options.dtype,
        options.threads or cores(),
        options.seed,
    )
    return engine


def check_model(model: Model, options: RunOptions, checked_model: Model | None = None) -> None:
    """Raise RuleError or ModelError if a model cannot be simulated, before anything is compiled."""
    checked_rules = (
        {type(rule) for rule in checked_model.rules.values()}
        if checked_model is not None
        else set()
    )
    for rule in model.rules.values():
        if type(rule) not in checked_rules:
            check_methods(type(rule))
    for flock in model.flocks.values():
        check_turn(type(flock.motion))
    check_states(model)
    check_engine(model, options)
    if checked_model is None:  # else its state is in memory already
        check_memory(model, options)


def check_same_boids(model: Model, new_model: Model, sizes: Mapping[str, int]) -> None:
    """Raise ModelError if a new model has other flocks, numbers of boids or another space.

    sizes  the present number of boids of each flock
    """
    flocks, new_flocks = model.flocks, new_model.flocks
    counts_differ = any(
        name in new_flocks and new_flocks[name].count != flock.count
        for name, flock in flocks.items()
    )
    if counts_differ or (model.changes_numbers and not _fits(new_model, sizes)):
        raise ModelError(
            "flocks: got another number of boids; expected the same. Use fork, or start a new "
            "simulation"
        )
    if list(new_flocks) != list(flocks) or new_model.space != model.space:
        raise ModelError(
            "model: got other flocks or another space; expected the same. Start a new simulation"
        )


def _fits(model: Model, sizes: Mapping[str, int]) -> bool:
    """Return whether a model has room for some numbers of boids."""
    return all(
        number <= model.max_boids(name) if model.changes_numbers
        else number == model.flocks[name].count
        for name, number in sizes.items()
        if name in model.flocks
    )  # fmt: skip


def _caller_level() -> int:
    """Return the `stacklevel` of the nearest caller outside of murmurate."""
    frame, level = sys._getframe(1), 1
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] == "murmurate":
        frame, level = frame.f_back, level + 1
    return level
