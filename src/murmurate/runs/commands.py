"""Commands of controllers to boids, as numbers of per-boid state, and their recorders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

import numpy as np

from murmurate.errors import ModelError
from murmurate.frame import FlockFrame, Frame
from murmurate.model.messages import format_unknown, list_names
from murmurate.model.model import Model
from murmurate.model.number import MAX_NUMBER
from murmurate.model.population import first_ids

KIND = "command"
EXAMPLE = 'such as {"boids": array}'
MAX_NAMED = 8  # ids in a message

Memory = tuple[str, int, np.ndarray]
"""A flock, the first number of its per-boid state that changes, and (4, N) values, or (4, E, N) in
worlds: x, y, z, and 1 for boids with a command."""


class Attached(Protocol):
    """Interface of objects that record a simulation while it is stepped, see mm.Recorder."""

    path: object
    due: int
    """The step of the next frame."""

    def add_frame(self) -> None:
        """Record the present frame."""

    def add_input(self, kind: str, text: str, arrays: Mapping[str, np.ndarray | None]) -> None:
        """Record the next input of the simulation."""

    def add_model(self, model: Model) -> None:
        """Record another model. Raises ModelError if the recording cannot continue with it."""


def memory_of_controls(
    model: Model,
    controls: Any,
    shapes: Mapping[str, tuple[int, ...]],
    dtype: str,
    frame: Frame | None = None,
) -> Iterator[Memory]:
    """Yield the per-boid state that controls become. Raises ModelError for wrong controls.

    shapes  the shape of the commands of each flock: (N, D), or (E, N, D) in worlds
    frame   the present frame if ids were given, else None: see `gives_ids`
    """
    if not isinstance(controls, Mapping):
        raise ModelError(
            f"controls: got {type(controls).__name__}; expected a mapping of flocks, {EXAMPLE}"
        )
    for flock, values in controls.items():
        if flock not in model.flocks:
            raise ModelError(f"controls: {format_unknown('flock', flock, model.flocks)}")
        what, shape = f"controls[{flock!r}]", shapes[flock]
        first = _first_number(model, flock)
        if values is None:
            yield flock, first, np.zeros((4, *shape[:-1]), dtype)
        elif frame is None or not isinstance(values, tuple):
            yield flock, first, _memory(what, values, shape, dtype)
        else:
            first_id = first_ids(model, {name: own.n_ever for name, own in frame.items()})[flock]
            rows, vectors = _rows_of_ids(what, values, frame[flock], first_id)
            before = frame[flock].memory[:, first : first + 4].T.copy()
            before[:, rows] = _memory(what, vectors, (len(rows), shape[-1]), dtype)
            yield flock, first, before


def gives_ids(controls: Any) -> bool:
    """Return whether controls name some boids by their ids, so that a frame is needed."""
    return isinstance(controls, Mapping) and any(isinstance(v, tuple) for v in controls.values())


def input_arrays(values: Any, dtype: str) -> dict[str, np.ndarray]:
    """Return the controls of a flock, which were checked, as arrays of their log."""
    if values is None:
        return {}
    if isinstance(values, tuple):
        return {"ids": np.array(values[0], np.int64), "vectors": np.array(values[1], dtype)}
    return {"vectors": np.array(values, dtype)}


def controls_of_input(arrays: Mapping[str, np.ndarray]) -> Any:
    """Return the controls of a flock from the arrays of their log."""
    vectors = arrays.get("vectors")
    return (arrays["ids"], vectors) if "ids" in arrays else vectors


def _first_number(model: Model, flock: str) -> int:
    """Return the index of the first number of the rule of kind 'command' that moves a flock."""
    rules = [name for name, rule in model.moved_by(flock).items() if rule.kind == KIND]
    if len(rules) != 1:
        raise ModelError(
            f"controls[{flock!r}]: got commands for a flock with {len(rules)} rules of kind "
            "'command'; expected one. "
            + (
                f"Remove one of {list_names(rules)}" if rules
                else f"Add [rules.command], with moves = {flock!r} if there are other flocks"
            )
        )  # fmt: skip
    return model.memory_of(flock).index(f"rules.{rules[0]}.x")


def _memory(what: str, values: Any, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Return the per-boid state, (4, N) or (4, E, N), for commands of a shape."""
    try:
        array = np.asarray(values)
    except (TypeError, ValueError) as error:
        raise ModelError(
            f"{what}: got {type(values).__name__}; expected an array of shape {shape}: {error}"
        ) from None
    if array.shape != shape or array.dtype.kind not in "iuf":
        worlds = " of each world" if len(shape) == 3 else ""
        raise ModelError(
            f"{what}: got an array of shape {array.shape} and type {array.dtype}; expected numbers "
            f"of shape {shape}, a vector for each present boid{worlds} in the order of ids"
        )
    with np.errstate(over="ignore"):  # which is refused below
        vectors = array.astype(dtype, copy=False)
    memory = np.zeros((4, *shape[:-1]), dtype)
    memory[: shape[-1]] = np.moveaxis(vectors, -1, 0)
    memory[3] = 1.0
    allowed = np.abs(vectors) <= MAX_NUMBER
    if not allowed.all():
        free = np.isnan(vectors).all(axis=-1)
        wrong = np.argwhere(~allowed.all(axis=-1) & ~free)
        if len(wrong):
            *world, row = wrong[0].tolist()
            where = f"row {row}" + (f" of world {world[0]}" if world else "")
            raise ModelError(
                f"{what}: got {array[tuple(wrong[0])].tolist()} in {where}; expected numbers "
                f"from {-MAX_NUMBER:g} to {MAX_NUMBER:g}, or nan on every axis to leave the boid "
                "to its other rules"
            )
        if free.all():
            raise ModelError(
                f"{what}: got nan for every boid; expected a command for some. Give None to leave "
                "all boids to their other rules"
            )
        memory[:, free] = 0.0
    return memory


def _rows_of_ids(
    what: str, values: tuple[Any, ...], flock: FlockFrame, first_id: int
) -> tuple[np.ndarray, Any]:
    """Return the rows of the boids with some ids, and the vectors for them."""
    ids = np.asarray(values[0]) if len(values) == 2 else np.zeros((0, 0))
    if ids.ndim != 1 or ids.dtype.kind not in "iu" or len(set(ids.tolist())) != len(ids):
        raise ModelError(
            f"{what}: got a tuple of {len(values)}; expected (ids, vectors): different whole "
            f"numbers of shape (K,), and an array of shape (K, {flock.positions.shape[1]})"
        )
    rows = np.searchsorted(flock.ids, ids)
    present = set(flock.ids.tolist())
    numbers: list[int] = list(map(int, ids))
    absent = [i for i in numbers if i not in present]
    left = [i for i in absent if 0 <= i - first_id < flock.n_ever]
    if absent:
        named = ", ".join(map(str, (left or absent)[:MAX_NAMED]))
        more = " and others" if len(left or absent) > MAX_NAMED else ""
        raise ModelError(
            f"{what}: got ids {named}{more}, "
            + (f"which have left flock {flock.name!r}" if left else "which no boid ever had")
            + f"; expected ids of its {len(flock):,} boids, as in frame[{flock.name!r}].ids"
        )
    return rows, values[1]
