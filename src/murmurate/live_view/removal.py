"""Boids that pages take away: one of a flock, or a flock whose last one it is, with the rules that
are about nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from murmurate.errors import ModelError
from murmurate.live_view.edits import Edit
from murmurate.model.model import Model
from murmurate.model.registry import unknown
from murmurate.model.rule import NeighbourRule


def remove_boid(model: Model, name: str, boid: int) -> Edit:
    """The model without boid number `boid` of a flock. Raises ModelError for a flock that is not
    there, and where nobody would be left."""
    if name not in model.flocks:
        raise ModelError(unknown("flock", name, model.flocks))
    flock = model.flocks[name]
    if flock.count == 1:
        return _without_flock(model, name)
    edit = Edit({f"flocks.{name}.count": flock.count - 1}, leaving=[(name, boid)])
    if flock.start.kind == "given":
        start = flock.start
        given: dict[str, Any] = {"kind": "given", "positions": _without(start.positions, boid)}
        if start.velocities:
            given["velocities"] = _without(start.velocities, boid)
        edit.values[f"flocks.{name}.start"] = given
    return edit


def _without(rows: Sequence[Any], row: int) -> list[Any]:
    return [*rows[:row], *rows[row + 1 :]]


def _without_flock(model: Model, name: str) -> Edit:
    if len(model.flocks) == 1:
        raise ModelError(f"it is the last boid of {name}, and there is no other flock")
    edit = Edit({f"flocks.{name}": None})
    for rule, its in model.rules.items():
        named = {"moves": its.moves, "senses": its.senses if isinstance(its, NeighbourRule) else ""}
        for key, flocks in named.items():
            names = [flocks] if isinstance(flocks, str) else list(flocks)
            if name not in names:
                continue
            rest = [other for other in names if other != name]
            if not rest:
                edit.values = {
                    path: value
                    for path, value in edit.values.items()
                    if not path.startswith(f"rules.{rule}.")
                }
                edit.values[f"rules.{rule}"] = None
                break
            edit.values[f"rules.{rule}.{key}"] = rest
    gone = [path.partition(".")[2] for path, value in edit.values.items() if value is None][1:]
    if gone:
        edit.notice = f"Took away flock {name}, and what was about it alone: {', '.join(gone)}."
    return edit
