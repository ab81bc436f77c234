"""Edited rules of a page: their bits are those of LLVM's code of the same text, and faults have
Python's messages."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.codegen.opened_rules import OpenedRules, opened_model
from murmurate.codegen.planner import make_plan
from murmurate.engines.cpu.thresholds import cpu_layout
from murmurate.engines.wasm import wasm_engine
from murmurate.engines.wasm.module_compiler import build_module, check_mathematics
from murmurate.errors import MurmurateError
from murmurate.language.function_text import function_texts
from murmurate.runs.live_page import flight_head
from opened_reference import Reference, attach
from page_worker import STATE, engine, fly, gap, in_python, places
from processes import CHILD_LIMIT
from random_formulas import Formulas
from tiny_model import TINY

SEED = 7
MODEL = mm.parse(TINY)
PATH = "rules.cohesion.functions"
PUSH = """\
# pushes and pulls
def pair(self, me, other):
    q = strength(other.distance) * math.exp(-other.r2)
    if other.dx > 2 and not other.u < 0:
        return 1, q * other.dx, q * other.dy, 0
    elif me.index % 2 == 0:
        q = -q + round(other.dy)
    return 1, abs(q) ** 2.5 * other.dx, other.dy / max(1, q, abs(other.dy)), 0

def strength(r):
    return 2 / r if r > 1 else 2

def finish(self, sums, me, random):
    n, x, y, z = sums
    return (x + random.a) / max(n, 1), math.sin(y) // 0.1, z
"""
STEPS = {"type": "step", "steps": 20}


def edit(text: str) -> dict[str, Any]:
    return {"type": "set", "values": {PATH: text}}


@pytest.fixture(scope="module")
def head() -> dict[str, Any]:
    return flight_head(MODEL, SEED, 60, edit=True)


def plan_of_reference() -> OpenedRules:
    model, names = opened_model(MODEL, list(MODEL.rules))
    return OpenedRules(make_plan(model), names)


def compiled_in_node(
    head: dict[str, Any], texts: dict[str, Any], calls: list[Any] | None = None
) -> dict[str, Any]:
    """What formulas.js says of texts and, if all can run, computes: see formula_functions.mjs."""
    if (node := shutil.which("node")) is None:
        pytest.skip("no Node is installed")
    script = Path(__file__).parents[2] / "support" / "formula_functions.mjs"
    process = subprocess.run(
        [node, str(script), str(resources.files("murmurate.show") / "viewer" / "formulas.js")],
        input=json.dumps({"head": head, "texts": texts, "calls": calls or []}),
        capture_output=True, text=True, timeout=CHILD_LIMIT,
    )  # fmt: skip
    assert process.returncode == 0, process.stderr
    answer: dict[str, Any] = json.loads(process.stdout)
    return answer


def test_an_edited_rule_simulates_as_in_python(head: dict[str, Any]) -> None:
    """Within rounding; and the saved model has the functions."""
    replies = fly(head, [edit(PUSH), STEPS, STATE, {"type": "toml"}])
    model = mm.parse(replies[3]["toml"])
    assert model == MODEL.set({PATH: PUSH})
    python = in_python(model, SEED, 20)
    assert gap(model, replies[2]["state"]["places"], places(python)) < 1e-4


def test_a_rule_as_it_was_has_its_bits_again(head: dict[str, Any]) -> None:
    plain = engine(MODEL, SEED)
    plain.step(40)
    for back in (edit(""), {"type": "reset"}):
        end = fly(head, [STEPS, edit(PUSH), back, STEPS, STATE])[-1]
        assert (end["state"]["places"] == places(plain)).all()


def test_unedited_text_simulates_as_the_rule(head: dict[str, Any]) -> None:
    text = function_texts(MODEL.rules, MODEL.space)["rules.cohesion"]
    end = fly(head, [edit(text.replace("def pair", "# as it is\ndef pair")), STEPS, STATE])[-1]
    python = in_python(MODEL, SEED, 20)
    assert gap(MODEL, end["state"]["places"], places(python)) < 1e-4


def pair(*lines: str) -> str:
    return "\n".join(["def pair(self, me, other):", *(f"    {line}" for line in lines), ""])


HELPER = "\ndef half(x, y):\n    return x / 2\n"
FAULTS = [
    "import os",
    "x = 1",
    pair("return other.dx.real, 0, 0, 0"),
    pair("return open('x'), 0, 0, 0"),
    pair("return (me.x).__class__, 0, 0, 0"),
    pair("return self.__class__, 0, 0, 0"),
    pair("while True:", "    q = 1"),
    pair("return [1][0], 0, 0, 0"),
    pair("return {1: 2}[1], 0, 0, 0"),
    pair("math = 1", "return 0, 0, 0, 0"),
    pair("return 9 ** 999999, 0, 0, 0"),
    pair("q = r = 1", "return q, 0, 0, 0"),
    pair("other.dx = 1", "return 1, 0, 0, 0"),
    pair("return 1 if me.x in (1, 2) else 2, 0, 0, 0"),
    pair("return 1 | 2, 0, 0, 0"),
    pair("return max(a=1), 0, 0, 0"),
    pair("return 'up', 0, 0, 0"),
    pair("pass"),
    "def pair(self, me, other=1):\n    return 0, 0, 0\n",
    "def another(self):\n    return 0\n",
    pair("return 0, 0, 0, 0") * 2,
    "x" * 7000,
    # those of the typed reader
    "# a comment\n\n" + pair("q = 1", "", "return q * other.far, 0, 0, 0"),
    pair("return q, 0, 0, 0"),
    pair("if me.x > 1:", "    q = p", "p = 1", "return q, 0, 0, 0"),
    pair("return self.radios, 0, 0, 0"),
    pair("return max, 0, 0, 0"),
    pair("return math.sin, 0, 0, 0"),
    pair("return math.erf(1), 0, 0, 0"),
    pair("return math.perm(3, 2), 0, 0, 0"),
    pair("return math.sin(1, 2), 0, 0, 0"),
    pair("return max(1), 0, 0, 0"),
    pair("return me + 1, 0, 0, 0"),
    pair("return (1, 2) * 2, 0, 0, 0"),
    pair("return max((1, 2), 2), 0, 0, 0"),
    pair("return (1, 2)[2], 0, 0, 0"),
    pair("return me.x[0], 0, 0, 0"),
    pair("a, b = 1, 2, 3", "return a, 0, 0, 0"),
    pair("return ((1, 2) if me.x > 1 else 3), 0, 0, 0"),
    pair("if me.x > 1:", "    q = 1", "else:", "    q = (1, 2)", "return q, 0, 0, 0"),
    pair("me = 1", "return me, 0, 0, 0"),
    pair("q = 1, 0, 0, 0", "return q"),
    pair("if me.x > 1:", "    return 0, 0, 0, 0"),
    pair("if me.x > 1:", "    return 0, 0, 0", "return 0, 0, 0, 0"),
    pair("return (1, 2), 0, 0, 0"),
    pair("return self.form < 'plan', 0, 0, 0"),
    pair("return half(1), 0, 0, 0") + HELPER,
    pair("return half(1, 2, 3), 0, 0, 0") + HELPER,
    pair("return half(1, 2), 0, 0, 0") + HELPER.replace("x / 2", "half(x, y)"),
    pair("return half, 0, 0, 0") + HELPER,
    pair("return half(1, 2), 0, 0, 0") + HELPER.replace("x / 2", "me.x"),
    "def finish(self, sums, me):\n    return sums[0], 0\n",
    "def finish(self, me):\n    return 0, 0, 0\n",
    "def finish(self, sums, me, state):\n    return 0, 0, 0\n",
    "def finish(self, sums, me):\n    return sums[9], 0, 0\n",
]


def python_fault(text: str) -> str:
    """Python's message about a text: where, what, and the remedy."""
    try:
        model = MODEL.set({PATH: text})
        check_mathematics(cpu_layout(make_plan(model)))  # prints all kernels
    except MurmurateError as error:
        return re.sub(r"^(<[^>]*>, |[\w.]*functions: )", "", str(error)).split("\n")[0]
    return ""


def test_faults_are_those_of_python(head: dict[str, Any]) -> None:
    kind = head["scene"]["functions"]["rules.cohesion"]
    texts = {str(k): {"own": text, "kind": kind} for k, text in enumerate(FAULTS)}
    for rule in (head := json.loads(json.dumps(head)))["modules"]:
        if opened := rule["manifest"].get("opened"):
            opened["rules"] = dict.fromkeys(texts, opened["rules"]["cohesion"])
    results = compiled_in_node(head, texts)["faults"]
    for name, text in enumerate(FAULTS):
        first, *quoted = results[str(name)].split("\n")
        # Python prints the whole numbers of a text as reals
        pair_of_faults = [re.sub(r"\b(\d+)\.0\b", r"\1", x) for x in (first, python_fault(text))]
        assert first and len({*pair_of_faults}) == 1, pair_of_faults
        assert all(line.strip() in text for line in quoted)


def test_text_that_python_cannot_read_is_refused_with_its_place(head: dict[str, Any]) -> None:
    cases = {
        pair("return (1 + 2, 0, 0"): "line 2, column 12: got \"'(' was never closed\"",
        pair("return 1 +", "q = 2"): "line 2, column 15: got 'invalid syntax'",
        "def pair(self, me, other)\n    return 0, 0, 0": "line 1, column 26: got \"expected ':'\"",
        pair("  return 0, 0, 0", "return 1"): "line 3, column 5",
        pair("return 0 $ 1, 0, 0"): "line 2, column 14",
        pair("return " + "(" * 150 + "1" + ")" * 150): "nested brackets",
        pair("return " + "-" * 5000 + "1, 0, 0"): "nested brackets",
    }
    kind = head["scene"]["functions"]["rules.cohesion"]
    for text, message in cases.items():
        fault = compiled_in_node(head, {"cohesion": {"own": text, "kind": kind}})["faults"]
        assert message in fault["cohesion"], fault


STEER = "    return steer(u, v, w, me)"
NOISE = "    return steer(u + 40 * (random.a - 0.5), v, w, me)"
LESSON = [
    ("separation", {"q = 1.0 / other.r2": "q = 1.0"}),
    ("cohesion", {"    return steer(x, y, z, me)": "    return steer(-y, x, z, me)"}),
    ("alignment", {STEER: "    return 0, 0, 0"}),
    ("alignment", {"finish(self, sums, me)": "finish(self, sums, me, random)", STEER: NOISE}),
]


@pytest.mark.slow
def test_the_edits_of_the_lesson() -> None:
    """Those of docs/live-page.md."""
    model = mm.load("p5")
    texts = function_texts(model.rules, model.space)
    head = flight_head(model, SEED, 60, edit=True)
    for rule, changes in LESSON:
        text = texts[f"rules.{rule}"]
        for old, new in changes.items():
            assert text.count(old) == 1
            text = text.replace(old, new)
        change = {f"rules.{rule}.functions": text}
        end = fly(head, [{"type": "set", "values": change}, STEPS, STATE])[-1]
        python = in_python(model.set(change), SEED, 20)
        assert gap(model, end["state"]["places"], places(python)) < 1e-4


@pytest.mark.slow
def test_a_page_has_the_bits_of_llvm(head: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every step of a flight: the kernels around the functions are the same module."""
    opened = plan_of_reference()
    reference = Reference(opened, MODEL.set({PATH: PUSH}))
    monkeypatch.setattr(
        wasm_engine, "build_module",
        lambda layout, dtype: build_module(layout, dtype, OpenedRules(layout.plan, opened.names)),
    )  # fmt: skip
    flight = engine(opened.plan.model, SEED)
    attach(flight._instance, flight._memory.layout.opened["address"], reference)
    flight.step(20)
    end = fly(head, [edit(PUSH), STEPS, STATE])[-1]
    assert (end["state"]["places"] == places(flight)).all()


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(4), marks=pytest.mark.slow),
        pytest.param(range(4, 24), marks=pytest.mark.long),
    ],
)
def test_random_functions_have_the_bits_of_llvm(head: dict[str, Any], seeds: range) -> None:
    rng = np.random.default_rng(seeds[0])
    rows = rng.normal(0, 2, (200, 1024)).astype(np.float32)
    rows[::3] = rng.integers(-3, 4, rows[::3].shape)
    opened = plan_of_reference()
    slot = opened.function("cohesion", "pair")
    calls = [{"rule": "cohesion", "method": "pair", "numbers": base64.b64encode(rows).decode()}]
    for seed in seeds:
        text = Formulas(seed).text()
        text += "\ndef finish(self, sums, me):\n    return sums[0], sums[1], sums[2]\n"
        kind = head["scene"]["functions"]["rules.cohesion"]
        results = compiled_in_node(head, {"cohesion": {"own": text, "kind": kind}}, calls)
        assert not results["faults"]["cohesion"], f"{results['faults']}\n{text}"
        numbers = np.frombuffer(base64.b64decode(results["results"][0]), np.float32)
        reference = Reference(opened, MODEL.set({PATH: text}))
        expected = []
        for row in rows:
            reference.numbers[:] = row
            reference.call(slot)
            begin = opened.positions["out"]["0"]
            expected.append(reference.numbers[begin : begin + 12].copy())
        page, llvm = numbers.reshape(len(rows), -1)[:, :12], np.array(expected)
        same = (page.view(np.int32) == llvm.view(np.int32)) | (np.isnan(page) & np.isnan(llvm))
        assert same.all(), f"{np.argwhere(~same)[:3]} {page[~same][:3]} {llvm[~same][:3]}\n{text}"
