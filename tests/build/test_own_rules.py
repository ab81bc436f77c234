"""Rules of one's own: what plain Python may do in them, the fast engine does too; and what cannot
be done is said with the file and the line."""

from __future__ import annotations

import importlib
import math
import math as m
import sys
from collections.abc import Callable, Iterator
from math import hypot
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
import pytest

import flights
import murmurate as mm
from murmurate.model.rule import KINDS

HALF = 0.5
TIMES = 3


def real(x, scale=2.0):
    """A helper with the name of something in the kernel, and a default."""
    return scale * x


def rule(n):
    """One that calls another."""
    return n * real(0.25)


def limited(x, y, z, longest):
    """One with the name of a helper of murmurate's own, but not what it does."""
    real = hypot(longest, 0.0)
    return x + m.fabs(real), y, z


def move_boids(real):
    """One with the name of something generated; and an argument with that of another."""
    return 0.5 * real


class MyOwnLoops(mm.Rule):
    """Loops, breaks, branches on words and numbers, constants, helpers, augmented assignment."""

    rounds: int = 4
    mode: Literal["sine", "root"] = "sine"
    flag: bool = True
    size: mm.Scalar = mm.quantity(0.3)
    towards: mm.Vector = mm.quantity()

    def alone(self, me):
        total = 0.0
        for k in range(self.rounds):
            if k == 2:
                continue
            total += self.size * k
            if total > 100.0:
                break
        count = 0
        while count < TIMES:
            count += 1
            total -= HALF**count
        if self.mode == "sine":
            total += math.sin(me.x)
        elif self.mode == "root":
            total += math.sqrt(abs(me.x))
        else:
            total = math.nan
        if not self.flag:
            total = -total
        x, y, z = self.towards
        now = min(total, 2.0) if me.index % 2 == 0 else max(total, -2.0)
        step, P, new = now * x, y * rule(TIMES), z // 1.0
        a, b, c = limited(step, P, new, 0.125)
        return a * 0.1, b * 0.1, move_boids(c) * 0.2


class MyOwnBoth(mm.NeighbourRule):
    """Neighbours, chance and a lonely part in one rule; the sums are of unequal kinds."""

    power: int = 2
    strength: mm.Scalar = mm.quantity(0.1)

    def pair(self, me, other):
        near = 1.0 / (1.0 + other.r2) ** self.power
        return near, 1, other.dx * near, other.dy * near, other.dz * near, other.w - me.w

    def finish(self, sums, me):
        near, count, x, y, z, up = sums
        if count == 0:
            return 0.0, 0.0, 0.0
        k = self.strength / (near + 1e-3)
        return x * k, y * k, z * k + up / count

    def alone(self, me, random):
        return self.strength * random.d, 0, self.strength * me.flock_size * random.a


class MyOwnHeir(MyOwnBoth):
    """What it does not say itself it has from its parent."""

    def finish(self, sums, me):
        return sums[2], sums[3], 0.0


class MyOwnMotion(mm.Motion):
    """Damped; a motion is a rule's neighbour and is written like one."""

    drag: mm.Scalar = mm.quantity(0.2, ge=0)

    def turn(self, me, x, y, z):
        keep = math.exp(-self.drag * me.dt)
        return keep * me.u + x * me.dt, keep * me.v + y * me.dt, keep * me.w + z * me.dt


def own(dims: int, order: str = "together") -> mm.Model:
    return mm.Model(
        name="own",
        dt=0.1,
        order=order,  # type: ignore[arg-type]
        space=mm.Space(size=(6.5,) * dims, boundary="periodic"),
        flocks={
            "boids": mm.Flock(
                count=20,
                start=mm.InBox(velocity=mm.Directions()),
                motion=MyOwnMotion(drag=0.3),
            )
        },
        rules={
            "loops": MyOwnLoops(towards=(1.0, -0.5, 2.5)[:dims]),
            "root": MyOwnLoops(towards=(0.5,) * dims, mode="root", flag=False, rounds=9),
            "both": MyOwnBoth(radius=2.0),
            "heir": MyOwnHeir(radius=1.5, power=3, weight=0.1, field_of_view=140.0),
        },
    )


def test_both_engines_do_the_same() -> None:
    model = own(2)
    expected = flights.reference(model)
    expected.step(8)
    whole = flights.cpu(model)
    whole.step(8)
    flights.assert_agree(whole, expected)


def test_in_cells_too() -> None:
    expected = flights.reference(own(3))
    expected.step(8)
    with flights.in_cells():
        cells = flights.cpu(own(3))
    assert cells.plan.gridded
    cells.step(8)
    flights.assert_agree(cells, expected)


def test_single_precision_stays_near() -> None:
    """Nothing in a rule of one's own silently leaves float32, or loses more than its digits."""
    one, other = flights.cpu(own(3)), flights.cpu(own(3), dtype="float32")
    one.step(3)
    other.step(3)
    flights.assert_agree(other, one, tolerance=2e-5)


# --- what goes wrong

HEAD = """import math

import numpy as np

import murmurate as mm

TABLE = {"a": 1.0}


def countdown(n):
    if n <= 0:
        return 0.0
    return 1.0 + countdown(n - 1)


"""
BROKEN = {
    # the class's text, the line in it (counted from 1) that must be named, and words of the message
    "raises": (
        """class OwnRaises(mm.Rule):
    def alone(self, me):
        x = me.nothing
        return x, 0.0, 0.0
""",
        3,
        ["OwnRaises.alone", "nothing"],
    ),
    "returns-two": (
        """class OwnTwo(mm.Rule):
    def alone(self, me):
        if me.x > 1e9:
            return 0.0, 0.0, 0.0
        return 1.0, 2.0
""",
        5,
        ["OwnTwo.alone", "2 numbers", "three"],
    ),
    "returns-nothing": (
        """class OwnNothing(mm.Rule):
    def alone(self, me):
        me.x + 1.0
""",
        2,
        ["OwnNothing.alone", "None"],
    ),
    "uneven": (
        """class OwnUneven(mm.NeighbourRule):
    def pair(self, me, other):
        if other.dx > 0.0:
            return other.dx, other.dy
        return (other.dx,)

    def finish(self, sums, me):
        return 0.0, 0.0, 0.0
""",
        2,
        ["OwnUneven.pair", "1 and 2"],
    ),
    "not-written-out": (
        """class OwnVariable(mm.NeighbourRule):
    def pair(self, me, other):
        answer = (1.0, other.dx)
        return answer

    def finish(self, sums, me):
        return 0.0, 0.0, 0.0
""",
        4,
        ["OwnVariable.pair", "written out"],
    ),
    "unknown-name": (
        """class OwnUnknown(mm.Rule):
    def alone(self, me):
        a = 1.0
        return a * STRENGTH, 0.0, 0.0
""",
        4,
        ["OwnUnknown.alone", "STRENGTH"],
    ),
    "a-table": (
        """class OwnTable(mm.Rule):
    def alone(self, me):
        return TABLE["a"], 0.0, 0.0
""",
        3,
        ["OwnTable.alone", "TABLE"],
    ),
    "calls-itself": (
        """class OwnRecursive(mm.Rule):
    def alone(self, me):
        return countdown(3), 0.0, 0.0
""",
        None,
        ["own_broken_rule.py, line 10", "countdown calls itself"],
    ),
    "prints": (
        """class OwnPrints(mm.Rule):
    def alone(self, me):
        print(me.x)
        return 0.0, 0.0, 0.0
""",
        3,
        ["OwnPrints.alone", "print"],
    ),
    "arrays": (
        """class OwnArrays(mm.Rule):
    def alone(self, me):
        return np.array([me.x, me.y, me.z])
""",
        3,
        ["OwnArrays.alone", "np"],
    ),
    "arguments": (
        """class OwnArguments(mm.Rule):
    def alone(self, you):
        return 0.0, 0.0, 0.0
""",
        2,
        ["OwnArguments.alone", "alone(self, me)"],
    ),
    "no-finish": (
        """class OwnUnfinished(mm.NeighbourRule):
    def pair(self, me, other):
        return (other.dx,)
""",
        None,
        ["OwnUnfinished", "finish"],
    ),
}


@pytest.fixture
def loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], type]]:
    """Loads a rule's class from a file of its own; it is forgotten afterwards."""
    monkeypatch.syspath_prepend(str(tmp_path))
    known = set(KINDS)

    def load(text: str) -> type:
        (tmp_path / "own_broken_rule.py").write_text(HEAD + text, encoding="utf-8")
        importlib.invalidate_caches()
        module = importlib.import_module("own_broken_rule")
        return next(c for name, c in vars(module).items() if name.startswith("Own"))

    yield load
    sys.modules.pop("own_broken_rule", None)
    for kind in set(KINDS) - known:
        del KINDS[kind]


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_done(name: str, loaded: Callable[[str], type]) -> None:
    text, line, words = BROKEN[name]
    cls = loaded(text)
    model = mm.Model(
        space=mm.Space(size=(5.0, 5.0)),
        flocks={"boids": mm.Flock(count=2, motion=mm.Add())},
        rules={"mine": cls()},
    )
    with pytest.raises(mm.RuleError) as caught:
        flights.cpu(model).step(1)
    message = str(caught.value)
    if line is not None:
        where = f"own_broken_rule.py, line {line + HEAD.count(chr(10))}"
        assert where in message, message
    assert all(word in message for word in words), message


def test_built_in_rules_cannot_be_replaced() -> None:
    with pytest.raises(mm.ModelError, match="built-in 'cohesion'"):

        class Cohesion(mm.Rule):
            """Has the name of another."""

            formula: ClassVar[str] = ""

            def alone(self, me):
                return 0.0, 0.0, 0.0

    assert KINDS["cohesion"] is mm.Cohesion
    assert np.isfinite(KINDS["cohesion"]().weight)
