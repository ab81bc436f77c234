"""Models whose flocks, rules, parameters, states, functions and variables have names that are
asked for; and the pool of all names that generated texts and their templates hold."""

from __future__ import annotations

import builtins
import keyword
import math
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

import murmurate as mm
from murmurate import codegen
from murmurate.codegen.layout import lay_out
from murmurate.codegen.module_text import functions_text, kernel_text
from murmurate.codegen.planner import make_plan
from murmurate.engines.cpu.thresholds import CpuThresholds
from murmurate.engines.wasm.module_compiler import steps_text
from murmurate.language.statements import GIVEN
from structures import STRUCTURES

CELLS = CpuThresholds(flock=0, model=0, covered=1.0, fetched=0)
WHOLE = CpuThresholds(10**9, 10**9, 10**9)

OF_POOL = (
    "two-flocks",
    "in-turn",
    "shuffled",
    "integrated",
    "herded",
    "tank",
    "spinning",
    "drones",
)
"""Structures that have between them what texts can be made of."""

FLOCKS = ("first_flock", "second_flock")
RULES = ("first_rule", "second_rule", "third_rule", "fourth_rule", "fifth_rule")
PARAMETERS = ("number", "other_number", "vector")
STATES = ("state",)
GLOBALS = ("constant", "helper", "second_helper")
LOCALS = ("a", "b", "c", "d")
PARTS = (*FLOCKS, *RULES, *PARAMETERS, *STATES, *GLOBALS, *LOCALS)
"""What has a name in these models."""
HARMLESS = {part: f"qq{chr(97 + k)}" for k, part in enumerate(PARTS)}

SOURCE = """
import math as mathematics_
import murmurate as mm

{constant} = 0.5


def {helper}({a}, {b}={constant}):
    {c} = mathematics_.sqrt({a} * {a} + 0.25)
    return {c} * {b} + 0.25 * {constant}


def {second_helper}({d}):
    {a} = 1.0 + ({d} + 0.125) ** 1.25
    return {helper}({a}={a}, {b}=0.75)


class NamedPairs(mm.NeighbourRule):
    states = ("{state}",)
    {number}: mm.Scalar = mm.quantity(0.7)

    def pair(self, me, other):
        {d} = {helper}(other.distance)
        {c} = 1.0 / {d}
        return 1.0, other.dx * {c}, other.dy * {c}, mathematics_.sin(other.dz)

    def finish(self, sums, me, random, state):
        {a}, {b}, {c}, {d} = sums
        {a} = 1.0 + {a}
        {b} = {b} * self.{number} + 0.01 * {second_helper}({a})
        return {b} / {a}, {c} / {a}, 0.01 * random.a, 0.5 * state.{state} + me.dt * {a}


class NamedAlone(mm.Rule):
    {other_number}: mm.Scalar = mm.quantity(0.2)
    {vector}: mm.Vector = mm.quantity()

    def alone(self, me):
        {a}, {b}, _ = self.{vector}
        {c} = 0.0
        for {d} in range(3):
            {c} += self.{other_number} * me.dt * {d}
        return {a} * {c}, {b} + 0.01 * {second_helper}({c}), 0.0
"""


def may_name(part: str, name: str) -> bool:
    """Return whether Python and models let a part have this name."""
    if part in (*FLOCKS, *RULES, "flocks", "rules"):
        return (
            re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,63}", name) is not None and name != "obstacles"
        )
    if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("__"):
        return False
    if part in STATES:
        return name[0].isalpha()
    if part in PARAMETERS:
        fields = ("kind", *mm.NeighbourRule.model_fields)
        return (
            not name.startswith(("_", "model_"))
            and not hasattr(mm.NeighbourRule, name)
            and name not in fields
        )
    if part in GLOBALS:
        return name not in ("mm", "mathematics_", "NamedPairs", "NamedAlone", "_")
    return name not in (*GIVEN, "sums", "range", "mathematics_", "_")


def fits(names: Mapping[str, str]) -> bool:
    """Return whether these names can stand together: no two of one scope are the same."""
    scopes = (FLOCKS, RULES, PARAMETERS, (*GLOBALS, *LOCALS))
    return all(may_name(part, name) for part, name in names.items()) and all(
        names[one].replace("-", "_") != names[other].replace("-", "_")
        for scope in scopes
        for one, other in combinations(scope, 2)
    )


def named_model(
    folder: Path,
    names: Mapping[str, str],
    *,
    order: str = "synchronous",
    nearest: int = 0,
    dims: int = 2,
    boundary: str = "periodic",
    stage: int = 1,
    rests: bool = False,
    count: int = 60,
) -> mm.Model:
    """Return a model with these names; its rule file is written into a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "named_rules.py"
    file.write_text(SOURCE.format(**names), encoding="utf-8")
    mm.load_rules(file)
    first, second = names["first_flock"], names["second_flock"]
    start = {"kind": "box", "velocity": {"kind": "directions", "speed": 0.4}}
    perching = {"ground": 1.0, "shortest": 1, "longest": 4} if rests else None
    flocks: dict[str, Any] = {
        first: {
            "count": count, "start": start, "motion": {"kind": "add", "max_speed": 0.8},
            **({"perching": perching} if perching else {}),
        },
        second: {"count": 9, "start": start, "motion": {"kind": "add", "max_speed": 1.2}},
    }  # fmt: skip
    reach = {"nearest": nearest} if nearest else {}
    rules: dict[str, Any] = {
        names["first_rule"]: {
            "kind": "cohesion", "moves": first, "senses": [first, second], "radius": 2.5,
            "field_of_view": 120.0, "inner_radius": 0.25, "weight": 0.3, **reach,
        },
        names["second_rule"]: {
            "kind": "named-pairs", "moves": first, "senses": [second, first], "radius": 2.0,
            "limit": 3.0, "weight": 0.2, names["number"]: 0.6,
        },
        names["third_rule"]: {
            "kind": "named-alone", "moves": [first, second], names["other_number"]: 0.3,
            names["vector"]: [0.5, -0.25, 0.125][:dims],
        },
        names["fourth_rule"]: {
            "kind": "random-steering", "moves": [first, second], "weight": 0.5, "stage": stage,
        },
        names["fifth_rule"]: {
            "kind": "separation", "moves": [second], "senses": [first, second], "radius": 3.0,
            "weight": 0.2, **reach,
        },
    }  # fmt: skip
    return mm.Model(
        name="named", dt=0.5, order=order,
        space={"size": [12.0] * dims, "boundary": boundary}, flocks=flocks, rules=rules,
    )  # type: ignore[arg-type]  # fmt: skip


NO_CODE = re.compile(r'#.*|"""[^"]*"""|(?<=namedtuple\()"\w+"')
"""Comments, docstrings, and what Python calls a type of tuples in messages."""


@lru_cache(maxsize=1)
def words() -> tuple[str, ...]:
    """Return all names in texts, and those of Python, its `math` and numpy."""
    found: set[str] = {*keyword.kwlist, *keyword.softkwlist, *vars(builtins), *dir(math), *dir(np)}
    for text in _texts():
        found |= set(re.findall(r"[A-Za-z_]\w*", NO_CODE.sub("", text)))
    return tuple(sorted(name for name in found if len(name) < 60))


@lru_cache(maxsize=1)
def pool() -> tuple[str, ...]:
    """Return the words, those of templates, and what both are made of: `first_chunk` gives
    first_chunk, first and chunk."""
    found = set(words())
    for page in Path(codegen.__file__).parent.rglob("*.j2"):
        found |= set(re.findall(r"[A-Za-z_]\w*", page.read_text(encoding="utf-8")))
    for name in tuple(found):
        parts = name.split("_")
        found |= {
            "_".join(parts[first:last])
            for first in range(len(parts))
            for last in range(first + 1, len(parts) + 1)
        }
    return tuple(sorted(name for name in found if re.match(r"[A-Za-z]", name) and len(name) < 60))


def _texts() -> Iterable[str]:
    models = [mm.load(name) for name in ("starlings", "parker-perch")]
    models += [STRUCTURES[name][0]() for name in OF_POOL]
    for dtype in ("float32", "float64"):
        yield functions_text(dtype)
    for model in models:
        plan = make_plan(model)
        for thresholds in (CELLS, WHOLE):
            layout = lay_out(plan, thresholds)
            yield kernel_text(plan, "float32", layout, in_page=True)
            yield steps_text(layout, "float32")
