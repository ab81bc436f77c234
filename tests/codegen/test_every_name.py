"""Every name that occurs in kernels, in Python and in numpy may be that of a flock, of a rule, of a
parameter and of a kept number: the module is the same as with harmless names. Nothing is compiled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest.mock import patch

import pytest

import murmurate as mm
from murmurate.codegen import planner, program_text, templates
from murmurate.codegen.layout import lay_out
from murmurate.codegen.module_text import kernel_text
from murmurate.engines.cpu.thresholds import CpuThresholds
from murmurate.model.rng_streams import rng_stream_id
from named_models import CELLS, NO_CODE, WHOLE, may_name, words

FLOCKS_A_MODEL = 20
NUMBERS_A_RULE = 60
MARK = "qq"
"""How harmless names begin; no other name of a text holds it."""
LAYOUTS: dict[str, tuple[CpuThresholds, str, int]] = {
    "cells": (CELLS, "synchronous", 0), "one-by-one": (CELLS, "one-by-one", 0),
    "all-pairs": (WHOLE, "synchronous", 0), "nearest": (CELLS, "synchronous", 3),
}  # fmt: skip
"""Layouts, orders of update and how many nearest are sensed, which models of many flocks have."""
START = {"kind": "box", "velocity": {"kind": "directions", "speed": 0.4}}
RULE = """
import murmurate as mm

class ManyNumbers(mm.Rule):
    states = ({states},)
{fields}

    def alone(self, me, state):
        x = {sum}
        return x, 0.5 * x, 0.0, {changed}
"""


def batches(part: str, size: int) -> Iterator[list[str]]:
    """Yield all names that a part may have, in groups of at most `size`."""
    names = [name for name in words() if may_name(part, name)]
    assert len(names) > 1500
    for first in range(0, len(names), size):
        yield names[first : first + size]


def harmless(count: int, kind: str) -> list[str]:
    return [f"{MARK}{kind}{k}" for k in range(count)]


def many_flocks(flocks: Sequence[str], rules: Sequence[str], order: str, nearest: int) -> mm.Model:
    """Return a model whose flocks and rules have these names; each rule moves a flock."""
    flock = {"count": 9, "start": START, "motion": {"kind": "add", "max_speed": 0.8}}
    reach = {"nearest": nearest} if nearest else {}
    return mm.Model(
        name="named", dt=0.5, order=order, space={"size": [12.0, 12.0], "boundary": "periodic"},
        flocks=dict.fromkeys(flocks, flock),
        rules={
            rule: {"kind": "cohesion", "moves": mover, "senses": [mover], "radius": 2.5, **reach}
            for rule, mover in zip(rules, flocks, strict=True)
        },
    )  # type: ignore[arg-type]  # fmt: skip


def many_numbers(folder: Path, parameters: Sequence[str], states: Sequence[str]) -> mm.Model:
    """Return a model with a rule whose parameters and states have these names."""
    folder.mkdir()
    file = folder / "many_numbers.py"
    file.write_text(
        RULE.format(
            states=", ".join(map(repr, states)),
            fields="\n".join(f"    {name}: mm.Scalar = mm.quantity(0.5)" for name in parameters),
            sum=" + ".join(f"self.{name}" for name in parameters),
            changed=", ".join(f"0.5 * state.{name} + x" for name in states),
        )
    )
    mm.load_rules(file)
    return mm.Model(
        space={"size": [12.0, 12.0], "boundary": "periodic"},
        flocks={"boids": {"count": 9, "start": START}}, rules={"numbers": {"kind": "many-numbers"}},
    )  # type: ignore[arg-type]  # fmt: skip


def text_of(model: mm.Model, thresholds: CpuThresholds) -> str:
    """Return the text of a model's kernels. The numbers of its random streams, which follow from
    names, are those of positions in the model."""
    indices = {name: f"{k}" for k, name in enumerate([*model.flocks, *model.rules])}

    def rng_stream(flock: str, what: str) -> int:
        return rng_stream_id(indices[flock], indices.get(what, what))

    with (
        patch.object(planner, "rng_stream_id", rng_stream),
        patch.object(program_text, "rng_stream_id", rng_stream),
        patch.object(templates, "WIDTH", 10**9),  # lines are broken as names are long
    ):
        model_plan = planner.make_plan(model)
        return kernel_text(model_plan, "float32", lay_out(model_plan, thresholds))


def assert_same_module(neutral: str, named: str, names: Sequence[str]) -> None:
    """Assert that two texts differ only in identifiers made of harmless names, one to one.

    Fields of tuples, after a point or in quotes, may share a name with another thing.
    """
    name = re.compile(r"""([."']?)\b([^\W\d]\w*)""")
    first, second = (NO_CODE.sub("", text) for text in (neutral, named))
    lines = zip(name.sub("", first).split("\n"), name.sub("", second).split("\n"), strict=True)
    for mine, theirs in lines:
        assert mine == theirs, names
    renamed: dict[str, str] = {}
    back: dict[str, str] = {}
    for (sign, mine), (second_sign, theirs) in zip(
        name.findall(first), name.findall(second), strict=True
    ):
        assert sign == second_sign and (MARK in mine or mine == theirs), (mine, theirs)
        if not sign:
            assert renamed.setdefault(mine, theirs) == theirs, (mine, theirs)
            assert back.setdefault(theirs, mine) == mine, (mine, theirs)


PARTS = [
    (0, 40),
    pytest.param(1, 4, marks=pytest.mark.slow),
    *(pytest.param(first, 4, marks=pytest.mark.long) for first in (0, 2, 3)),
]
"""The first batch of names that a test tries, and the step to the next."""
each_part = pytest.mark.parametrize(("first", "step"), PARTS)


@pytest.mark.slow
@each_part
@pytest.mark.parametrize("layout", LAYOUTS)
def test_flocks_and_rules_may_have_every_name(layout: str, first: int, step: int) -> None:
    """Each name is that of a flock and of another flock's rule, in one of the layouts."""
    thresholds, order, nearest = LAYOUTS[layout]
    plain: dict[int, str] = {}
    groups = list(batches("flocks", FLOCKS_A_MODEL))
    for names in groups[list(LAYOUTS).index(layout) :: len(LAYOUTS)][first::step]:
        count = len(names)
        if count not in plain:
            neutral = many_flocks(harmless(count, "f"), harmless(count, "r"), order, nearest)
            plain[count] = text_of(neutral, thresholds)
        named = many_flocks(names, [*names[1:], names[0]], order, nearest)
        assert_same_module(plain[count], text_of(named, thresholds), names)


@each_part
@pytest.mark.parametrize("part", ["number", "state"])
def test_parameters_and_kept_numbers_may_have_every_name(
    tmp_path: Path, part: str, first: int, step: int
) -> None:
    plain: dict[int, str] = {}
    for k, names in enumerate(list(batches(part, NUMBERS_A_RULE))[first::step]):
        count = len(names)
        parameters, state = harmless(count, "p"), harmless(count, "k")
        if count not in plain:
            neutral = many_numbers(tmp_path / f"plain{count}", parameters, state)
            plain[count] = text_of(neutral, WHOLE)
        names_of_parts = (names, state) if part == "number" else (parameters, names)
        named = many_numbers(tmp_path / f"named{k}", *names_of_parts)
        assert_same_module(plain[count], text_of(named, WHOLE), names)


def test_a_name_that_captures_is_found() -> None:
    neutral = "def f(first_qqa_, chunk):\n    first = first_qqa_.qqb + chunk.chunk\n"
    assert_same_module(neutral, neutral.replace("qqa", "a").replace("qqb", "chunk_2"), [])
    for wrong in (
        neutral.replace("first_qqa_", "first"),
        neutral.replace("first_qqa_", "chunk"),
        neutral.replace("+", "-"),
        neutral.replace("first =", "second ="),
    ):
        with pytest.raises(AssertionError):
            assert_same_module(neutral, wrong, [])
