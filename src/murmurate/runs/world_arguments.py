"""Arguments of Worlds with a row for each world: numbers, starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from murmurate.engines.initial_state import to_floats
from murmurate.engines.options import RunOptions
from murmurate.errors import ModelError
from murmurate.model.model import Model
from murmurate.runs.engine_start import check_model


def models_with(
    models: Sequence[Model],
    vary: Mapping[str, Sequence[Any] | np.ndarray] | None,
    options: RunOptions,
) -> list[Model]:
    """Return models with numbers of each world. Raises ModelError for wrong ones."""
    count = len(models)
    if vary is None:
        return list(models)
    if not isinstance(vary, Mapping):
        raise ModelError(
            f"vary: got {vary!r}; expected path -> values, such as "
            "{'rules.alignment.weight': [0.1, 0.2]}"
        )
    columns = {}
    for path, values in vary.items():
        if isinstance(values, str) or not hasattr(values, "__len__"):
            raise ModelError(
                f"vary[{path!r}]: got {values!r}; expected {count} values, one for each world"
            )
        if len(values) != count:
            raise ModelError(
                f"vary[{path!r}]: got {len(values)} values; expected {count}, one for each world"
            )
        columns[path] = values.tolist() if isinstance(values, np.ndarray) else list(values)
    varied, by_changes = [], dict[Any, Model]()
    for world, model in enumerate(models):
        changes = {path: values[world] for path, values in columns.items()}
        key = (id(model), repr(changes))
        if key not in by_changes:
            try:
                by_changes[key] = model.set(changes)
                check_model(by_changes[key], options, checked_model=model)
            except ModelError as error:
                raise ModelError(f"vary: world {world}: {error}") from None
        varied.append(by_changes[key])
    return varied


def array_of_shape(what: str, values: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Return values as a float64 array of a shape, or raise ModelError."""
    array = to_floats(what, values, "numbers")
    if array.shape != shape:
        raise ModelError(f"{what}: got an array of shape {array.shape}; expected {shape}")
    return array


def pair_of_world(name: str, pair: Any, world: int, count: int) -> Any:
    """Return the positions and velocities of one of some worlds, from a start of all of them."""
    try:
        arrays = tuple(np.asarray(values, float) for values in pair)
    except (TypeError, ValueError) as error:
        raise ModelError(
            f"start[{name!r}]: got {type(pair).__name__}; expected a pair of arrays (positions, "
            f"velocities): {error}"
        ) from None
    for array in arrays:
        if array.ndim == 3 and len(array) != count:
            raise ModelError(
                f"start[{name!r}]: got an array of shape {array.shape}; expected {count} worlds"
            )
    return tuple(array[world] if array.ndim == 3 else array for array in arrays)
