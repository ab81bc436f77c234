"""A printed function computes the same as the function itself. Both run as plain Python: random
functions in the language of rules, and all rules and motions of murmurate."""

from __future__ import annotations

import importlib.util
import itertools
import math
import random
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest

import murmurate as mm
from cases import cases
from murmurate.codegen.layout import lay_out
from murmurate.codegen.module_text import kernel_text, shared_functions
from murmurate.codegen.plan import Numbers
from murmurate.codegen.planner import make_plan
from murmurate.language.library import Library
from murmurate.language.methods import part_of, read_method, sums_of
from murmurate.language.reader import Reader, Readings
from murmurate.language.scope import Part
from murmurate.language.source import arguments
from murmurate.language.state_reads import mentions_state
from murmurate.language.tree import INT, REAL, Tuple
from murmurate.model.registry import MOTIONS, RULES
from murmurate.model.rule_arguments import (
    Arc,
    Herd,
    Me,
    MeWithState,
    Other,
    OtherWithState,
    Random,
    state_tuple,
)
from murmurate.model.rule_functions import is_of_user
from named_models import CELLS, WHOLE
from structures import STRUCTURES

FILES = itertools.count()
NUMBERS = [-3.0, -1.5, -0.25, 0.0, 0.5, 1.0, 2.0, 7.25]
HELPERS = """import math
from math import sqrt

CONSTANT = 0.75
COUNT = 3
FLAG = True


def along(a, direction=(0.6, -0.8), *, signs=(1, -1)):
    return a * direction[0] * signs[1] - direction[1]


def hypotenuse(a, b=CONSTANT, c=2):
    return sqrt(a * a + b * b) + c


def ordered(a, *, upper=1.0):
    if a > upper:
        return upper, a
    return a, upper


def first_power(x):
    total = 1
    while total < 8 and total < abs(x):
        total *= 2
    return total


"""


class Writer:
    """Write random functions of two real numbers, a whole number and a pair."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.reals, self.pairs, self.lines = ["x", "y"], ["pair"], []

    def function(self) -> str:
        for _ in range(self.random.randint(1, 6)):
            self.statement("    ", 2)
        results = ", ".join(self.real(3) for _ in range(3))
        head = f"{HELPERS}def tried(x, y, n, pair):\n"
        return head + "\n".join([*self.lines, f"    return {results}\n"])

    def pick(self, *choices: Callable[[], str]) -> str:
        return self.random.choice(choices)()

    def real(self, depth: int) -> str:
        def part() -> str:
            return self.real(depth - 1)

        if depth == 0:
            return self.random.choice([*self.reals, "0.5", "-2.0", "3", "n", "CONSTANT", "pair[1]"])
        choose = self.random.choice
        return self.pick(
            lambda: f"({part()} {choose('+-*')} {part()})",
            lambda: f"{choose(self.reals)} {choose('+-*')} {choose(self.reals)} - {part()}",
            lambda: f"{part()} / (1.0 + abs({part()}))",
            lambda: f"({part()}) // 2.5 + ({part()}) % 3.0",
            lambda: f"-({part()})",
            lambda: f"+{choose(self.reals)} ** {choose(['2', '3', '2.0'])}",
            lambda: f"abs({part()}) ** {choose(['0.5', '1.5', '0.3', 'CONSTANT'])}",
            lambda: f"-abs({part()}) ** 2",
            lambda: f"(-{choose(self.reals)}) ** {choose(['2', '3'])}",
            lambda: f"(({choose(self.reals)} * 0.1) ** 2) ** 3",
            lambda: f"1.5 ** (-{choose(self.reals)} * 0.1)",
            lambda: f"-({choose(self.reals)} - {part()}) - (x - (y - x))",
            lambda: f"{part()} - ({part()} if x < y else {part()})",
            lambda: f"({part()} if {self.test(depth - 1)} else {part()})",
            lambda: f"{choose(['max', 'min'])}({part()}, {part()})",
            lambda: f"math.{choose(['sin', 'cos', 'atan', 'tanh', 'fabs'])}({part()})",
            lambda: f"math.sqrt(abs({part()})) + math.atan2({part()}, {part()})",
            lambda: f"hypotenuse({part()}{choose(['', ', y', ', c=3', ', c=n, b=y'])})",
            lambda: f"along({part()}{choose(['', ', pair', ', signs=(2, n)'])})",
            lambda: f"ordered({part()}{choose(['', ', upper=x'])})[{choose(['0', '1', '-1'])}]",
            lambda: f"{choose(self.pairs)}[{choose(['0', '1', '-1', 'n % 2'])}]",
            lambda: f"({part()}, {part()}, 1.0)[1:][{choose('01')}]",
            lambda: f"float(int({part()})) + int({self.test(depth - 1)}) + math.floor({part()})",
            lambda: f"{self.integer(depth - 1)}",
        )

    def integer(self, depth: int) -> str:
        if depth <= 0:
            return self.random.choice(["n", "2", "COUNT", "len(pair)"])
        choose = self.random.choice
        return self.pick(
            lambda: f"({self.integer(depth - 1)} {choose('+-*&|^')} {self.integer(depth - 1)})",
            lambda: f"(({self.integer(depth - 1)} & 7) {choose(['<<', '>>'])} 2)",
            lambda: f"~{self.integer(0)}",
            lambda: f"first_power({self.real(depth - 1)})",
        )

    def test(self, depth: int) -> str:
        def part() -> str:
            return self.real(max(depth - 1, 0))

        choose = self.random.choice
        signs = ["<", "<=", ">", ">=", "==", "!="]
        if depth <= 0:
            return f"{choose(self.reals)} {choose(signs)} {choose(NUMBERS)}"
        return self.pick(
            lambda: f"{part()} {choose(signs)} {part()} {choose(signs)} {part()}",
            lambda: f"({self.test(depth - 1)} {choose(['and', 'or'])} {self.test(depth - 1)})",
            lambda: f"not ({self.test(depth - 1)} and not {self.test(0)} or {self.test(0)})",
            lambda: "FLAG",
        )

    def statement(self, indent: str, depth: int) -> None:
        choose = self.random.choice
        name = choose(["x", "y", "z", "w"]) if indent == "    " else choose(self.reals)

        def block() -> None:
            for _ in range(self.random.randint(1, 2)):
                self.statement(f"{indent}    ", depth - 1)

        kind = self.random.randrange(8 if depth > 0 else 4)
        match kind:
            case 0:
                self.lines.append(f"{indent}{name} = 1.0 * {self.real(2)}")
            case 1:
                name = choose(self.reals)
                self.lines.append(f"{indent}{name} {choose(['+=', '-=', '*='])} {self.real(2)}")
            case 2:
                self.lines.append(f"{indent}x, y = {choose(['y, x', 'ordered(x)', 'pair'])}")
            case 3:
                self.lines.append(f"{indent}pair = {self.real(1)} + 0.0, (x + y) * 1.0")
            case 4:
                self.lines.append(f"{indent}if {self.test(2)}:")
                block()
                if self.random.random() < 0.5:
                    self.lines.append(f"{indent}elif {self.test(1)}:")
                    block()
                self.lines.append(f"{indent}else:")
                block()
            case 5:
                ends = choose(["3", "n", "1, 4", "4, 0, -2", "COUNT"])
                self.lines.append(f"{indent}for k in range({ends}):")
                self.lines.append(f"{indent}    x += 0.5 * k")
                block()
                left = choose(["break", "continue", "pass"])
                self.lines += [f"{indent}    if x > 9.0:", f"{indent}        {left}"]
            case 6:
                self.lines.append(f"{indent}for item in ({self.real(1)} + 0.0, y * 1.0):")
                self.lines.append(f"{indent}    y += item")
                block()
            case 7:
                self.lines.append(f"{indent}match n:")
                self.lines.append(f"{indent}    case 0 | 1:")
                self.lines.append(f"{indent}        x = {self.real(1)} + 0.0")
                self.lines.append(f"{indent}    case other if {self.test(1)}:")
                self.lines.append(f"{indent}        y += other")
                self.lines.append(f"{indent}    case _:")
                self.lines.append(f"{indent}        x -= 1.0")
        if kind == 0 and name not in self.reals:
            self.reals.append(name)


def module_of(folder: Path, text: str) -> Any:
    """Write a text to a file and import it, so that the reader finds its functions."""
    name = f"printed_{next(FILES)}"
    file = folder / f"{name}.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def in_python(library: Library, **others: Any) -> dict[str, Any]:
    """Return the functions of a library, run as plain Python in double precision.

    others  values of names that replace those of double precision
    """
    names: dict[str, Any] = {
        "math": math, "real": float, **dict.fromkeys(("rule", "once", "exact"), lambda f: f),
        "sin_real": math.sin, "cos_real": math.cos, "exp_real": math.exp, "log_real": math.log,
        "pow_real": lambda x, y: x**y, "np": SimpleNamespace(nan=math.nan),
    }  # fmt: skip
    names |= {name: function for (function, _), name in library.shared.items()} | others
    exec(compile(library.text(), "printed", "exec"), names)
    return names


def outcome(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return the result of a function, or its error."""
    try:
        return tuple(float(x) for x in function(*arguments))
    except (ArithmeticError, ValueError) as error:
        return type(error)


def compare_function(tmp_path: Path, seed: int) -> None:
    """A random function computes the same when printed."""
    text = Writer(seed).function()
    tried = module_of(tmp_path, text).tried
    library = Library()
    tree = Readings().read(tried, [REAL, REAL, INT, Tuple((REAL, REAL))])
    name = library.add(tree, "helper", "tried")
    printed = in_python(library)[name]
    numbers = random.Random(seed)
    for n in (0, 1, 2, 5):
        x, y, a, b = (numbers.choice(NUMBERS) for _ in range(4))
        expected, result = outcome(tried, x, y, n, (a, b)), outcome(printed, x, y, n, (a, b))
        assert result == pytest.approx(expected, rel=1e-12, nan_ok=True), (
            f"{text}\n{library.text()}"
        )


@cases("seed", range(100))
def test_random_functions_compute_the_same_when_printed(tmp_path: Path, seed: int) -> None:
    compare_function(tmp_path, seed)


@pytest.mark.slow
@cases("seed", range(100, 300))
def test_more_random_functions_compute_the_same_when_printed(tmp_path: Path, seed: int) -> None:
    compare_function(tmp_path, seed)


# --- rules and motions of murmurate


def filled(fields: Any, numbers: random.Random) -> Any:
    """Return random numbers in the form of a part's fields: slots, or tuples of them."""
    if isinstance(fields, dict):
        return {name: filled(field, numbers) for name, field in fields.items()}
    if isinstance(fields, tuple):
        return tuple(filled(field, numbers) for field in fields)
    return numbers.uniform(0.1, 2.0)


class AnyState:
    """Per-boid state of any name: a number that depends on the name."""

    def __init__(self, number: float) -> None:
        self.number = number

    def __getattr__(self, name: str) -> float:
        return self.number + len(name)


def given_to(part: Part, argument: str, sums: int, numbers: random.Random) -> Any:
    """Return random numbers for an argument of a method."""
    stateful = (MeWithState, OtherWithState) if mentions_state(part.cls) else (Me, Other)
    records = dict(zip(("me", "other"), stateful, strict=True))
    records |= {"arc": Arc, "random": Random, "herd": Herd}
    if argument in records:
        record: Any = records[argument]
        certain = {"index": 3, "dims": 3, "flock_size": 5.0, "count": 4.0}
        above = ("speed", "dt", "max_speed", "max_force", "r2", "distance", "spread", *"abcd")
        return record(
            *(
                AnyState(numbers.random())
                if name == "state"
                else certain.get(name, numbers.uniform(0.01 if name in above else -0.9, 0.9))
                for name in record._fields
            )
        )
    match argument:
        case "state":
            return state_tuple(part.cls.states)(*(numbers.random() for _ in part.cls.states))
        case "sums":
            return tuple(numbers.uniform(-0.9, 2.0) for _ in range(sums))
    return numbers.uniform(-1.0, 1.0)


WAYS = ("pair", "finish", "alone", "perch", "turn")
"""Methods of rules and motions that kernels call."""


def parts() -> dict[str, tuple[Part, Numbers]]:
    """Return (part, numbers) of the rules and motions of all published and test models."""
    result = {}
    models = {name: mm.load(name) for name in sorted(mm.zoo())}
    models |= {f"structure {name}": make() for name, (make, _) in STRUCTURES.items()}
    models["states"] = mm.parse("""
        space.size = [9, 9]
        flocks.boids.count = 3
        rules.alarm = { radius = 2 }
        rules.command = { form = "heading" }
        rules.contagion = { radius = 2 }
        rules.skitter = { radius = 2 }
        rules.steer-to-avoid = { look_ahead = 2 }
        rules.flock-centring = { radius = 2, forward = 0.5 }
        rules.velocity-matching = { radius = 2, forward = 0.5 }

        [rules.social-turn]
        radius = 2
        attraction = 0.4
        alignment = 0.7
        attraction_range = 1.5
        alignment_range = 1
    """)
    for name, model in models.items():
        plan = make_plan(model)
        for flock in plan.flocks:
            motion: Any = type(plan.model.flocks[flock.flock].motion)
            for cls, numbers in (
                (motion, flock.motion),
                *((type(rule.rule), rule.numbers) for rule in flock.rules),
            ):
                part = part_of(cls, numbers.fields, numbers.constants)
                result[f"{name} {flock.flock} {flock.stage} {numbers.owner} {cls.__name__}"] = (
                    part, numbers,
                )  # fmt: skip
    return result


def test_rules_and_motions_compute_the_same_when_printed() -> None:
    compared = set()
    for name, (part, numbers_of_part) in parts().items():
        readings, library = Readings(), Library(shared_functions())
        sums = sums_of(part, readings) if hasattr(part.cls, "pair") else 0
        methods = [way for way in WAYS if hasattr(part.cls, way)]
        printed = {
            way: library.add(read_method(part, way, readings), way, "part", part.words)
            for way in methods
        }
        functions = in_python(library)
        for seed, way in itertools.product(range(4), methods):
            numbers = random.Random(seed)
            method = getattr(part.cls, way)
            own = SimpleNamespace(
                **filled(numbers_of_part.fields, numbers), **numbers_of_part.constants
            )
            values = [given_to(part, arg, sums, numbers) for arg in arguments(method)[1:]]
            expected = outcome(method, own, *values)
            result = outcome(functions[printed[way]], own, *values)
            assert result == pytest.approx(expected, rel=1e-12, abs=1e-12), (name, way)
        compared.add(part.cls)
    own_parts = {cls for cls in (*RULES.values(), *MOTIONS.values()) if not is_of_user(cls)}
    own_parts -= {
        mm.Learned,
        mm.LearnedWalls,
        mm.Policy,
    }  # of tables: see test_tables.py, rules/test_policies.py
    assert compared >= own_parts, {c.__name__ for c in own_parts - compared}


def test_murmurates_own_functions_are_read_once_for_all_texts() -> None:
    read: list[tuple[Any, ...]] = []
    reading = Reader.read

    def counted(reader: Reader) -> Any:
        if not reader.kernels:
            types = tuple(reader.arguments.values())
            read.append((reader.function, types, reader.part))
        return reading(reader)

    with (
        patch.object(Reader, "read", counted),
        patch.dict("murmurate.language.reader._BUILT_IN", clear=True),
    ):
        for model, size in itertools.product(map(mm.load, ("starlings", "p5")), (CELLS, WHOLE)):
            plan = make_plan(model)
            for dtype in ("float32", "float64"):
                kernel_text(plan, dtype, lay_out(plan, size))
    assert len(read) == len(set(read)) > 5
