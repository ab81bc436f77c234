"""Independence of what one boid draws in one step: all results of each rule and motion, in pairs,
streams whose names collide, and functions that read one random number twice."""

from __future__ import annotations

import itertools
import math
import runpy
import typing
from collections.abc import Iterator
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

import murmurate as mm
from murmurate.language.source import arguments
from murmurate.model.quantity import quantities
from murmurate.model.registry import MOTIONS, RULES
from murmurate.model.rng_streams import rng_stream_id
from murmurate.model.rule_arguments import Herd, Me, Random, state_tuple

SAMPLES, BINS = 1000, 6
DRAWN = [
    pytest.param(
        kind,
        cls,
        method,
        id=kind,
        marks=() if kind == "burst-and-coast" else pytest.mark.slow,
    )
    for kind, cls in [*RULES.items(), *MOTIONS.items()]
    for method in ("finish", "alone", "turn")
    if cls.__module__.startswith("murmurate.")
    and "random" in arguments(getattr(cls, method, lambda: None))
]
DEPENDENT = {
    "burst-and-coast": {"length", "steps", "owed"},  # the speed of a kick is its length by its time
}
"""Results that depend on each other by definition."""


def parts_of(cls: Any) -> Iterator[SimpleNamespace]:
    """Yield the numbers of a rule or motion, with each choice of its words."""
    numbers: dict[str, Any] = {}
    words: dict[str, tuple[str, ...]] = {}
    for name, field in cls.model_fields.items():
        numbers[name] = field.default
        if name in quantities(cls) and (field.is_required() or field.default == 0.0):
            numbers[name] = 0.7
        if name in cls.__annotations__ and typing.get_origin(field.annotation) is typing.Literal:
            words[name] = typing.get_args(field.annotation)
    numbers |= {"min_speed": 0.0, "target": (0.0, 0.0, -9.0)}
    for choice in itertools.product(*words.values()):
        yield SimpleNamespace(**numbers | dict(zip(words, choice, strict=True)))


def results(cls: Any, method: str, part: Any, dims: int, speed: float, kept: float) -> np.ndarray:
    """Return what a function returns for many random numbers: a row for each."""
    along = (0.0, 0.0, 1.0) if dims == 3 else (1.0, 0.0, 0.0)
    ahead = [speed * c for c in along]
    me = Me(0, 0, 0, *ahead, speed, 1, 0.3, 0.1, math.inf, math.inf, 9, dims)
    before = [kept] * len(cls.states) if len(cls.states) != 3 else [kept * c for c in along]
    given = {
        "self": part, "me": me, "sums": (1.0, 0.0, 0.0, 0.0, 0.0), "x": ahead[0] / 2, "y": 0.0,
        "z": ahead[2] / 2, "herd": Herd(5, 0, 0, 3, 0, 0, 3, 0.1),
        "state": state_tuple(cls.states)(*before),
    }  # fmt: skip
    if method == "finish" and "herd" in arguments(cls.finish):
        given["sums"] = (0.0,)
    function, names = getattr(cls, method), arguments(getattr(cls, method))
    rows = np.random.default_rng(5).random((SAMPLES, 4))
    return np.array(
        [function(*({**given, "random": Random(*row)}[name] for name in names)) for row in rows]
    )


def polar(vectors: np.ndarray, dims: int) -> dict[str, np.ndarray]:
    """Return length and direction of vectors, about x in 2-D and z in 3-D."""
    x, y, z = vectors.T
    length = np.linalg.norm(vectors, axis=1)
    columns = {"length": length, "angle": np.arctan2(y, x)}
    return columns | ({"cosine": z / np.maximum(length, 1e-300)} if dims == 3 else {})


def dependent_pairs(columns: dict[str, np.ndarray], allowed: set[str]) -> list[tuple[str, str]]:
    """Return the pairs of columns that depend on each other, by the chi-squared test of ranks."""
    groups = {}
    for name, column in columns.items():
        if np.ptp(column) > 1e-9 * np.abs(column).max():
            edges = np.unique(np.quantile(column, np.arange(1, BINS) / BINS))
            groups[name] = np.searchsorted(edges, column)
    pairs = []
    for first, other in itertools.combinations(groups, 2):
        counts = np.histogram2d(groups[first], groups[other], (BINS, BINS))[0]
        counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
        if min(counts.shape) > 1 and stats.chi2_contingency(counts).pvalue < 1e-5:
            pairs.append((first, other))
    return [pair for pair in pairs if not set(pair) <= allowed]


@pytest.mark.parametrize(("kind", "cls", "method"), DRAWN)
def test_results_are_independent(kind: str, cls: Any, method: str) -> None:
    """Vectors have independent components, or an independent length and direction."""
    allowed = DEPENDENT.get(kind, set())
    for part, dims, speed, begin in itertools.product(
        parts_of(cls), (2, 3), (1.0, 0.0), (0.0, 1.0) if cls.states else (0.0,)
    ):
        rows = results(cls, method, part, dims, speed, begin)
        state = rows[:, 3:]
        if kind in ("graze", "poisson-kicks"):
            rows = rows[rows[:, :3].any(axis=1)]
        if kind == "inertial-spin":
            rows = state  # which turns the heading
        vectors = [v for v in (rows[:, :3], state) if v.shape[1] == 3 and len(v)]
        more = {} if len(vectors) == 2 else dict(zip(cls.states, state.T, strict=True))
        for vector in vectors:
            ways = [polar(vector, dims), dict(zip("xyz", vector.T, strict=True))]
            pairs = [dependent_pairs({**columns, **more}, allowed) for columns in ways]
            assert not min(pairs, key=len), (part, dims, speed, begin)


def nested_loops(depth: int, body: str, result: str) -> str:
    """Return a function's body with loops in loops; Python allows 20."""
    lines = [" " * k + "for _ in range(2):" for k in range(depth)]
    return "\n".join(["x = 0.0", *lines, " " * depth + body, f"return x, {result}, 0.0"])


READS = [
    ("return random.a, random.b, random.a", "reads random.a a second time"),
    ("a = random.a\nreturn a, random.b, a", ""),
    ("if random.a < 0.5:\n    return random.b, 0.0, 0.0\nreturn 0.0, random.b, 0.0", ""),
    ("if random.a < 0.5:\n    return random.a, 0.0, 0.0\nreturn 0.0, 0.0, 0.0", "reads random.a"),
    ("x = random.c if me.x > 0.0 else random.d\nreturn x, 0.0, 0.0", ""),
    ("x = random.c if me.x > 0.0 else random.d\nreturn x, random.d, 0.0", "reads random.d"),
    ("x = 0.0\nfor k in range(3):\n    x = x + random.b\nreturn x, 0.0, 0.0", "reads random.b"),
    ("x = 0.0\nwhile random.b > x:\n    x = x + 0.1\nreturn x, 0.0, 0.0", "reads random.b"),
    (
        "for k in range(3):\n    if k > me.x:\n        return random.b, 0.0, 0.0\n"
        "return random.b, 0.0, 0.0",
        "",
    ),
    (nested_loops(18, "x = x + 1.0", "random.b"), ""),
    (nested_loops(18, "x = x + random.b", "0.0"), "reads random.b"),
    ("x, y, z, _ = gaussians(random.a, random.b, random.c, random.d)\nreturn x, y, z", ""),
    ("return two(random), random.b, 0.0", "reads random.b"),
    ("return two(random), random.c, 0.0", ""),
]
"""Bodies of functions with `random`, and what the error says; '' for those that are accepted."""


def test_a_number_that_is_read_twice_is_refused(tmp_path: Any) -> None:
    """When a simulation is made, on all engines."""
    text = "from murmurate.rules.vectors import gaussians\nimport murmurate as mm\n\n\n"
    text += "def two(random):\n    return random.a + random.b\n"
    for number, (body, _) in enumerate(READS):
        lines = "\n        ".join(["def alone(self, me, random):", *body.splitlines()])
        text += f"\n\nclass Reading{number}(mm.Rule):\n    {lines}\n"
    file = tmp_path / "reading.py"
    file.write_text(text)
    classes = runpy.run_path(str(file))
    for number, (_, problem) in enumerate(READS):
        model = mm.Model(
            space=mm.Space(size=(9.0, 9.0)),
            flocks={"boids": mm.Flock(count=2)},
            rules={"rule": classes[f"Reading{number}"]()},
        )
        refused = pytest.raises(mm.RuleError, match=problem) if problem else nullcontext()
        with refused:
            mm.Simulation(model, engine="reference")


def colliding(count: int) -> list[tuple[str, str]]:
    """Return pairs of names of eight letters with one CRC-32, of `count` names."""
    letters = np.random.default_rng(3).integers(97, 123, (count, 8)).astype(np.uint8)
    first: dict[int, str] = {}
    pairs = []
    for name in {row.tobytes().decode() for row in letters}:
        other = first.setdefault(rng_stream_id(name), name)
        pairs += [(other, name)] if other != name else []
    return pairs


def assert_refused(first: str, other: str) -> None:
    """No two uses of random numbers have these names."""
    flock, noise = mm.Flock(count=2), mm.RandomSteering()
    space = mm.Space(size=(9.0, 9.0))
    births = {"kind": "births", "rate": 0.1, "flock": "a", "distance": 1.0}
    models: list[dict[str, Any]] = [
        {"flocks": {"a": flock}, "rules": {first: noise, other: noise}},
        {"flocks": {first: flock, other: flock}},
        {"flocks": {"a": flock}, "population": {first: births, other: births}},
    ]
    for parts in models:
        with pytest.raises(mm.ModelError, match=f"the random numbers of .*({first}|{other})"):
            mm.Model(space=space, **parts)


def test_names_with_one_stream_are_refused() -> None:
    """CRC-32 is the same for these two words."""
    assert_refused("plumless", "buckeroo")
    weight = mm.Normal(mean=1.0, sd=0.1, draw="rules.one.weight")
    rules = {
        "one": mm.Cohesion(weight=mm.Normal(mean=1.0, sd=0.1)),
        "two": mm.Cohesion(weight=weight),
    }
    with pytest.raises(mm.ModelError, match=r"rules\.two\.weight: got a name or a word of `draw`"):
        mm.Model(space=mm.Space(size=(9.0, 9.0)), flocks={"a": mm.Flock(count=2)}, rules=rules)


@pytest.mark.slow
def test_many_names_with_one_stream_are_refused() -> None:
    pairs = colliding(400_000)
    assert len(pairs) > 10
    for first, other in pairs:
        assert_refused(first, other)
