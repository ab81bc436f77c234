"""Phrases: the words that all kernels' texts are made of.

Every kernel works on slots: the places of boids in the arrays of one step. Gridded flocks come
first, in the order of their cells; then the others, flock by flock, in id order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from murmurate.codegen import function_library
from murmurate.codegen.plan import Numbers, Plan, RulePlan
from murmurate.codegen.writer import Writer

AXES = "xyz"

ARGUMENTS = (
    "P, now, new, timers, new_timers, ids, kinds, flocks, totals, table, lower, upper, "
    "step, time, key0, key1, near_d, near_i, near_q, near_v, scratch"
)
CELLS = "start, grid, corner, size, stage, stage_ids, stage_kinds, slabs, own, guesses, picked"


def arguments(text: Text) -> str:
    """What every kernel of a model is given."""
    return ", ".join([ARGUMENTS, *text.plan.extras])


@dataclass
class Text:
    """What is being written, and what it is about."""

    plan: Plan
    library: function_library.Library
    dtype: str

    @property
    def dims(self) -> int:
        return self.plan.model.space.dims

    @property
    def periodic(self) -> tuple[bool, ...]:
        return self.plan.model.space.periodic

    def kind(self, flock: str) -> int:
        return list(self.plan.counts).index(flock)


def word(name: str) -> str:
    return name.replace("-", "_")


def sums(rule: RulePlan) -> str:
    return f"s_{word(rule.name)}"


def packed(numbers: Numbers) -> str:
    """The expression that gathers a part's numbers from the slots."""

    def one(slot: object) -> str:
        if isinstance(slot, tuple):
            return "(" + ", ".join(one(s) for s in slot) + ("," if len(slot) == 1 else "") + ")"
        return f"P[{slot}]"

    fields = [one(slot) for slot in numbers.fields.values()] or ["real(0.0)"]
    return f"{numbers.tuple_name}({', '.join(fields)})"


def borrow(w: Writer, arguments: str) -> None:
    """All arrays among a kernel's arguments, borrowed."""
    numbers = {"first", "last", "steps", "limit", "step", "time", "key0", "key1"}
    names = [name for name in arguments.split(", ") if name not in numbers]
    for name in names:  # one by one: tuples cost numba time
        w.line(f"{name} = borrowed({name})")


def arrays(w: Writer, text: Text) -> None:
    """Names for the rows of the state, X Y Z U V W, and for each flock's slots: where they begin
    and how many to sweep, its first id and how many boids it has."""
    for kind, name in enumerate(text.plan.counts):
        f = word(name)
        for k, what in enumerate(("begin", "swept", "first", "size")):
            w.line(f"{what}_{f} = flocks[{kind}, {k}]")
    for k in range(text.dims):
        w.line(f"{AXES[k].upper()}, {'UVW'[k]} = now[{k}], now[{k + text.dims}]")
    for k in range(text.dims):
        if text.periodic[k]:
            w.line(f"side{k} = upper[{k}] - lower[{k}]")
            w.line(f"half{k} = real(0.5) * side{k}")


def rows(text: Text) -> list[str]:
    """X Y U V, or X Y Z U V W."""
    return [*"XYZ"[: text.dims], *"UVW"[: text.dims]]


def load(text: Text, letters: Sequence[str], index: str) -> str:
    """'X[i], Y[i], real(0.0)'."""
    return ", ".join(
        f"{letter}[{index}]" if k < text.dims else "real(0.0)" for k, letter in enumerate(letters)
    )


def other(w: Writer, text: Text, velocity: str) -> None:
    w.line("r2 = dx * dx + dy * dy + dz * dz")
    w.line("far2 = greater(r2, real(1e-18))")
    w.line(f"other = Other(dx, dy, dz, far2, math.sqrt(far2), {velocity})")
