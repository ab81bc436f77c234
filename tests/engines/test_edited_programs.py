"""The WGSL that a page prints of edited rules is that of Python."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from importlib import resources
from pathlib import Path

import pytest

import murmurate as mm
from murmurate.codegen.opened_rules import OpenedRules, opened_model
from murmurate.codegen.planner import make_plan
from murmurate.engines.gpu.page_program import page_program, short_text
from murmurate.language.formula_tables import formula_tables
from murmurate.language.function_text import function_texts
from murmurate.language.methods import part_of, read_method
from murmurate.language.reader import Readings
from murmurate.language.tree import Call, Function
from murmurate.language.wgsl_library import RECORDS
from murmurate.language.wgsl_printer import WgslPrinter
from murmurate.language.wgsl_types import WgslTypes
from murmurate.model.model import Model
from murmurate.show.scene import jsonable
from processes import CHILD_LIMIT
from random_formulas import Formulas
from tiny_model import TINY

MODEL = mm.parse(TINY)
PIECES = """
def pair(self, me, other):
    e, q = (other.distance, me.index) if other.dx > 0 else (1e-7, 3)
    q **= 2
    if not q or me.x < 1 < other.dx:
        q = 123456789012345678.0
    a = (1, 2) + (q, max(me.dims, me.index) > 2)
    return e, a[2] ** 20, second(other) ** -0.5, -math.inf

def second(me):
    x = me
    return me.dy * x[1] or 3
"""


def printed_in_node(model: Model, changes: list[dict[str, str]]) -> list[str]:
    """The text of the module that a page makes, for each change of rules' functions."""
    if (node := shutil.which("node")) is None:
        pytest.skip("no Node is installed")
    opened, names = opened_model(model, list(model.rules))
    boids = sum(flock.count for flock in model.flocks.values())
    programmed = page_program(model, boids, edit=list(model.rules))
    assert "program" in programmed, programmed
    kinds = function_texts(model.rules, model.space)
    program = {
        "opened": OpenedRules(make_plan(opened), names).manifest(0),
        "edited": jsonable(programmed["program"]["edited"]),
        "tables": formula_tables(),
        "texts": [
            {name: {"own": own.get(name, ""), "kind": kinds[f"rules.{name}"]} for name in names}
            for own in changes
        ],
    }
    script = Path(__file__).parents[1] / "support" / "formula_functions.mjs"
    process = subprocess.run(
        [node, str(script), str(resources.files("murmurate.show") / "viewer" / "formulas.js")],
        input=json.dumps({"program": program}), capture_output=True, text=True, timeout=CHILD_LIMIT,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr[-900:]
    texts: list[str] = json.loads(process.stdout)
    return texts


def printed_in_python(text: str) -> str:
    """The functions of `pair` as Python prints them."""
    rule = MODEL.set({"rules.cohesion.functions": text}).rules["cohesion"]
    fields = {"radius": 0, "weight": 0, "limit": 0, "field_of_view": 0, "inner_radius": 0}
    numbers = next(iter(make_plan(MODEL).flocks)).rules[0].numbers
    part = part_of(type(rule), numbers.fields or fields, numbers.constants)
    types, names, texts = WgslTypes(RECORDS), {}, {}  # type: ignore[var-annotated]

    def print_tree(tree: Function) -> str:
        if tree not in names:
            names[tree] = name = f"edited_0_pair_{len(names)}"
            texts[name] = ""
            texts[name] = WgslPrinter(tree, called, types).text(name)
        return str(names[tree])

    def called(call: Call) -> str:
        assert call.callee is not None
        return print_tree(call.callee)

    print_tree(read_method(part, "pair", Readings()))
    return normal("\n".join(texts.values()))


def normal(text: str) -> str:
    """A text with the same names of structs whoever printed it."""
    text = re.sub(r"\b(Numbers|Me|Other)\d+\b", r"\1", short_text(text))
    structs: dict[str, str] = {}
    return re.sub(
        r"\b(edited_0_pair_tuple|Tuple)\d+\b",
        lambda match: structs.setdefault(match[0], f"Struct{len(structs)}"),
        text,
    )


@pytest.mark.parametrize(
    "seeds",
    [range(15), pytest.param(range(15, 600), marks=pytest.mark.long)],
    ids=["some", "many"],
)
def test_a_page_prints_the_functions_that_python_prints(seeds: range) -> None:
    texts = [PIECES, *(Formulas(seed).text() for seed in seeds)]
    pages = printed_in_node(MODEL, [{"cohesion": text} for text in texts])
    for text, page in zip(texts, pages, strict=True):
        functions = re.findall(r"^fn edited_0_pair_\d+\(.*?^}", page, re.M | re.S)
        assert normal("\n".join(functions)) == printed_in_python(text), text
