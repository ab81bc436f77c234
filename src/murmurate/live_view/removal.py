"""Boids that pages take away: one of a flock, or a flock whose last one it is, with the rules that
are about nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from murmurate.errors import ModelError
from murmurate.live_view.edits import Edit
from murmurate.model.messages import unknown
from murmurate.model.model import Model
from murmurate.model.rule import NeighbourRule, Rule


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
    values: dict[str, Any] = {f"flocks.{name}": None}
    gone = []
    for rule, its in model.rules.items():
        rest = _others_named(its, name)
        if any(not flocks for flocks in rest.values()):
            gone.append(rule)
            values[f"rules.{rule}"] = None
        else:
            values |= {f"rules.{rule}.{key}": flocks for key, flocks in rest.items()}
    also = f", and what was about it alone: {', '.join(gone)}" if gone else ""
    return Edit(values, notice=f"Took away flock {name}{also}.")


def _others_named(rule: Rule, name: str) -> dict[str, list[str]]:
    """Of the lists in which a rule names a flock, those whom it names beside."""
    lists = {"moves": rule.moves}
    if isinstance(rule, NeighbourRule):
        lists["senses"] = rule.senses
    named = {key: [one] if isinstance(one, str) else list(one) for key, one in lists.items()}
    return {
        key: [other for other in names if other != name]
        for key, names in named.items()
        if name in names
    }
