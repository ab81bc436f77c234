"""Tables of numbers and lists in rules: on each engine as in plain Python, and what is refused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import flights
import murmurate as mm
from murmurate.codegen.planner import make_plan
from murmurate.errors import ModelError, MurmurateError
from murmurate.model.number_table import pack_table, table_numbers
from murmurate.model.registry import RULES
from murmurate.model.rule_arguments import Me, Other, Parameters, Vector3

RULE = """
import math
import murmurate as mm

class {name}(mm.{base}):
    table: mm.Table = (0.5, 1.5, -1.0)
    count: int = 4
    formula = "a table"

{body}
"""


class Bins(mm.NeighbourRule):
    """Pushes by a number for each distance, and adds up in lists."""

    profile: mm.Table = (1.0, 0.25, -0.5, 0.125, -2.0)
    bins: int = 5
    formula: ClassVar = "profile of the distance"

    def pair(self: Parameters, me: Me, other: Other) -> tuple[float, ...]:
        sums = [0.0] * self.bins
        k = min(int(other.distance), self.bins - 1)
        sums[k] = self.profile[k] * other.dx
        sums[-1] += 0.5 * other.dy + float(other.rank + 10 * other.flock)
        return tuple(sums)

    def finish(self: Parameters, sums: Sequence[float], me: Me) -> Vector3:
        own = list(sums)
        half = [0.5] * 2
        for k in range(len(self.profile)):
            half[k % 2] += own[k] * middle(self.profile)
        return half[0], half[1], total(own)


def middle(table: Sequence[float]) -> float:
    return table[len(table) // 2]


def total(numbers: Sequence[float]) -> float:
    result = 0.0
    for k in range(len(numbers)):
        result += numbers[k]
    return result


def flock(space: mm.Space, **rules: Any) -> mm.Model:
    start = mm.InBox(velocity=mm.Directions(speed=0.5))
    flocks = {name: mm.Flock(count=n, start=start) for name, n in (("boids", 6), ("others", 3))}
    return mm.Model(space=space, flocks=flocks, rules=rules)


BINS = Bins(moves="boids", senses=("others", "boids"), nearest=4, weight=0.01)


@pytest.mark.parametrize("dims", [2, 3])
def test_engines_read_tables_and_lists_as_python_does(dims: int) -> None:
    model = flock(mm.Space(size=(7,) * dims, boundary="periodic"), bins=BINS)
    expected = flights.reference(model, seed=3)
    expected.step(3)
    for engine in (flights.interpreted(model, seed=3), flights.interpreted_gpu(model, seed=3)):
        engine.step(3)
        for ours, theirs in zip(
            flights.arrays(engine)["boids"], flights.arrays(expected)["boids"], strict=True
        ):
            np.testing.assert_allclose(ours, theirs, atol=2e-5)


def test_numbers_of_a_table_are_passed_and_its_length_is_compiled() -> None:
    model = flock(mm.Space(size=(7, 7)), bins=BINS)
    same = model.set({"rules.bins.profile": [3, 1, 4, 1, 5]})
    longer = model.set({"rules.bins.profile": [3, 1, 4, 1, 5, 9]})
    assert flights.text_of(model) == flights.text_of(same) != flights.text_of(longer)
    plan = make_plan(model)
    plan.numbers(0.0)
    assert plan.with_numbers(same).numbers(0.0)[-5:].tolist() == [3, 1, 4, 1, 5]
    assert plan.numbers(0.0)[-5:].tolist() == [1, 0.25, -0.5, 0.125, -2]


def test_a_table_is_a_list_or_a_text() -> None:
    numbers = np.linspace(-1, 1, 7)
    as_list, as_text = Bins(profile=numbers), Bins(profile=pack_table(numbers))
    assert as_list.profile == tuple(numbers)
    assert table_numbers(as_text.profile) == tuple(np.float32(numbers).astype(float))
    for rule in (as_list, as_text):
        model = flock(mm.Space(size=(7, 7)), bins=rule.model_copy(update={"moves": "boids"}))
        assert mm.parse(mm.to_toml(model)) == model


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ([], "got 0 numbers; expected 1 to 100,000"),
        ([1.0, "a"], "got 'a' in a table; expected numbers only"),
        ([1.0, float("nan")], "got nan in row 1; expected numbers from"),
        ([1e12], r"got 1e\+12 in row 0"),
        ("no table", "got 8 characters that are no table; expected a list of numbers"),
        (pack_table([np.inf]), "got inf in row 0"),
        (np.zeros((2, 2)), r"got an array of shape \(2, 2\); expected shape \(N,\)"),
        (3.0, "got 3.0; expected a list of numbers"),
    ],
)
def test_wrong_tables_are_refused(table: Any, problem: str) -> None:
    with pytest.raises(ModelError, match=f"profile: {problem}"):
        Bins(profile=table)


def of_text(tmp_path: Path, body: str, base: str = "Rule") -> mm.Model:
    """Return a model with a rule that has these methods."""
    name = f"Written{len(list(tmp_path.iterdir()))}"
    file = tmp_path / f"{name.lower()}.py"
    file.write_text(RULE.format(name=name, base=base, body=body))
    mm.load_rules(file)
    return mm.Model(
        space=mm.Space(size=(9, 9)), flocks={"boids": mm.Flock(count=3)},
        rules={"written": RULES[name.lower()]()},
    )  # fmt: skip


ALONE = "    def alone(self, me):\n        {}\n        return 0.0, 0.0, 0.0\n"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("h = [0.0, 1.0]", "makes a list"),
        ("h = [0.0] * me.index", "makes a list of another length"),
        ("h = [0.0] * 2000", "makes a list of another length"),
        ("h = [0.0] * 3; g = h", "gives a list another name"),
        ("h = [0.0] * 3; g, x = h, 1.0", "gives a list another name"),
        ("h = g = [0.0] * 3", "gives a list another name"),
        ("h = [0.0] * 3; x = h + 1.0", "computes with a list of 3"),
        ("h = [0.0] * 3; x = h == h", "compares a list of 3"),
        ("h = [0.0] * 3; x = h[1:2]", "takes a slice of a list of 3"),
        ("h = [0.0] * 3; x = h[3]", "no such item of a list of 3"),
        ("h = [0.0] * 3; h[0], x = 1.0, 2.0", "each on a line of its own"),
        ("h = [0.0] * 3; return h", r"returns a list: return its numbers"),
        ("h = list(me.x)", "calls list with a number"),
        ("h = tuple(self.table)", "calls tuple with a table of 3"),
        ("x = self.table[5]", "no such item of a table of 3"),
        ("x = self.table[0.5]", "an index is a whole number"),
        ("self.table[0] = 1.0", "only numbers of a list"),
        ("x = abs(self.table)", "calls abs with a table of 3"),
    ],
)
def test_what_lists_and_tables_cannot_do_is_refused(
    line: str, problem: str, tmp_path: Path
) -> None:
    with pytest.raises(MurmurateError, match=problem):
        flights.text_of(of_text(tmp_path, ALONE.format(line)))


def test_an_index_beyond_a_table_is_named(tmp_path: Path) -> None:
    lines = (
        "x = self.table[me.index + 2]; return x, x, x",
        "h = [0.0] * 3; h[me.index + 2] = 1.0; return h[0], h[1], h[2]",
    )
    for line in lines:
        model = of_text(tmp_path, ALONE.format(line))
        engine = flights.interpreted(model, seed=1)
        with pytest.raises(MurmurateError):
            engine.step(1)
        with pytest.raises(MurmurateError, match=r"written.*\.alone .*IndexError"):
            flights.reference(model, seed=1).step(1)


@pytest.mark.parametrize("fields", [{}, {"nearest": 2, "include_self": True}])
def test_only_rules_of_the_nearest_read_ranks(fields: dict[str, Any]) -> None:
    rule = Bins(moves="boids", **fields)
    with pytest.raises(ModelError, match=r"rules\.bins\.nearest: got .* that reads other\.rank"):
        make_plan(flock(mm.Space(size=(7, 7)), bins=rule))
