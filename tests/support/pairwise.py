"""Models that have between them every value of every feature of a kernel, and every pair of values.

A row gives each feature a value. ROWS has all pairs of values that a model can have; Python
executes the text of all of them in default tests. COMPILED are simple rows, one for each kind of
search, which default tests compile. Numbers of a model can be drawn at random: its structure stays,
so each is compiled once.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import pytest

import murmurate as mm
from murmurate.codegen.layout import lay_out
from murmurate.codegen.planner import make_plan
from murmurate.engines.cpu.thresholds import CpuThresholds
from populations import peopled
from structure_parts import flock_of
from structures_states import ReadClock

FEATURES = {
    "search": ("visible", "voronoi", "totals", "nearest", "metric"),
    "layout": ("cells", "all pairs"),
    "dimensions": ("2", "3"),
    "faces": ("periodic", "open", "reflecting", "held"),
    "order": ("synchronous", "one-by-one", "shuffled", "at end"),
    "integrator": ("euler", "verlet", "rk4"),
    "motion": ("add", "direction", "spin"),
    "state": ("none", "stored", "read"),
    "flocks": ("1", "2", "3"),
    "stages": ("1", "2"),
    "combination": ("sum", "priority", "levels"),
    "noise": ("none", "drawn"),
    "obstacles": ("none", "fixed", "moving"),
    "population": ("constant", "changing"),
    "perching": ("never", "perches"),
    "senses": ("exact", "late", "lossy"),
    "numbers": ("shared", "differ"),
    "view": ("round", "cone"),
    "zone": ("disc", "ring"),
    "itself": ("left out", "included"),
    "limit": ("none", "finite"),
    "precision": ("float64", "float32"),
}
"""Feature -> its values."""
Value = tuple[str, str]
"""A feature and a value."""
IMPOSSIBLE = [
    ("integrator verlet rk4", "order one-by-one shuffled at_end"),
    ("integrator verlet rk4", "stages 2"),
    ("integrator verlet rk4", "state stored read"),
    ("integrator verlet rk4", "motion direction spin"),
    ("senses late lossy", "order one-by-one shuffled at_end"),
    ("senses late lossy", "search voronoi totals"),
    ("senses late lossy", "state read"),
    ("senses late", "search nearest", "layout cells"),
    ("senses lossy", "layout cells"),
    ("search voronoi", "order one-by-one shuffled at_end", "layout cells"),
    ("search visible", "dimensions 3"),
    ("search totals", "view cone"),
    ("search totals", "zone ring"),
]
"""Values that no model has together: its check refuses them, or its layout differs."""


def _values(text: str) -> list[Value]:
    feature, *values = text.split()
    return [(feature, value.replace("_", " ")) for value in values]


REFUSED = [frozenset(values) for groups in IMPOSSIBLE for values in product(*map(_values, groups))]
Row = dict[str, str]


def pairs_of(row: Row) -> set[frozenset[Value]]:
    """Return the pairs of values in a row, which need not be complete."""
    return {frozenset(pair) for pair in combinations(row.items(), 2)}


def all_pairs() -> set[frozenset[Value]]:
    """Return the pairs of values that a model can have."""
    values = [[(feature, value) for value in FEATURES[feature]] for feature in FEATURES]
    pairs = {frozenset(pair) for one, two in combinations(values, 2) for pair in product(one, two)}
    return pairs.difference(REFUSED)


SEARCHES = {
    "metric": {"search": "metric"},
    "metric-all": {"search": "metric", "layout": "all pairs"},
    "nearest": {"search": "nearest"},
    "nearest-all": {"search": "nearest", "layout": "all pairs"},
    "totals": {"search": "totals"},
    "visible": {"search": "visible"},
    "voronoi": {"search": "voronoi", "layout": "all pairs"},
    "in-turn": {"search": "metric", "order": "one-by-one"},
}  # fmt: skip
"""Each kind of search: the features that its simple row has beside first values."""


def make_rows() -> Iterator[Row]:
    """Yield simple rows, then rows until all pairs are in one: each has a missing pair, and most of
    what is left."""
    missing = all_pairs()
    for features in SEARCHES.values():
        row = {feature: values[0] for feature, values in FEATURES.items()} | features
        missing -= pairs_of(row)
        yield row
    order = sorted(missing, key=lambda pair: sorted(_rank(value) for value in pair))
    for pair in order:
        if pair not in missing:
            continue
        row = dict(pair)
        for feature, values in FEATURES.items():
            if feature not in row:
                possible = [
                    value
                    for value in values
                    if not any(refused <= {*row.items(), (feature, value)} for refused in REFUSED)
                ]
                gains = {
                    value: sum(frozenset(((feature, value), x)) in missing for x in row.items())
                    for value in possible
                }
                row[feature] = max(possible, key=gains.__getitem__)
        missing -= pairs_of(row)
        yield row


def _rank(value: Value) -> tuple[int, int]:
    feature, word = value
    return list(FEATURES).index(feature), FEATURES[feature].index(word)


COMPILED = list(SEARCHES)
ROWS = {
    COMPILED[k] if k < len(COMPILED) else f"{k}-{row['search']}": row
    for k, row in enumerate(make_rows())
}
"""Rows that default tests compile, each in a second or two; two only slow tests compile."""


COMPLEX = {
    "moving": ROWS["32-metric"] | {"obstacles": "moving"},
    "late": ROWS["34-metric"] | {"obstacles": "none"},
    "lossy": ROWS["36-metric"] | {"obstacles": "none"},
}
"""Rows that slow tests compile beside the simple ones, for most other values. Functions of
obstacles take seconds to compile, so one row has some. Other slow tests compile published flocks
with the motions and combinations that are left out, and flocks among obstacles that rest."""


def row_of(name: str) -> Row:
    """Return a row of ROWS or of COMPLEX."""
    return COMPLEX.get(name) or ROWS[name]


def as_params() -> list[Any]:
    """Return names of all rows as parameters of a test that compiles them: simple ones in default
    tests, where "voronoi" stands for all pairs, those of COMPLEX in slow ones, in long ones all."""
    marks = {name: () if name in COMPILED else pytest.mark.long for name in ROWS}
    marks |= dict.fromkeys((*COMPLEX, "metric-all", "nearest-all"), pytest.mark.slow)
    return [pytest.param(name, marks=mark) for name, mark in marks.items()]


class PairsTired(mm.NeighbourRule):
    """Stores a number that no other boid reads."""

    states = ("tiredness",)

    def pair(self, me: Any, other: Any) -> tuple[float, ...]:
        return 1.0, other.dx, other.dy, other.dz

    def finish(self, sums: Any, me: Any, state: Any) -> tuple[float, ...]:
        k = -0.2 / (1.0 + state.tiredness)
        tiredness = 0.9 * state.tiredness + me.dt * sums[0]
        return k * sums[1], k * sums[2], k * sums[3], tiredness


NUMBERS: dict[str, tuple[float, float]] = {
    "count": (1, 25), "side": (9.0, 14.0), "radius": (1.0, 2.9), "weight": (-0.5, 0.5),
    "reach": (30.0, 170.0),
}  # fmt: skip
"""The ranges of the numbers of a model."""


def model_of(
    row: Row,
    count: float = 25,
    side: float = 10.0,
    radius: float = 2.5,
    weight: float = 0.3,
    reach: float = 120.0,
) -> mm.Model:
    """Return a model with the values of a row, and these numbers."""
    dims = int(row["dimensions"])
    names = ("boids", "others", "hawks")[: int(row["flocks"])]
    senses = row["senses"]
    movers = names[:1] if senses == "late" else names  # cells serve one flock that senses late
    differ = row["numbers"] == "differ"
    faces = FEATURES["faces"]
    first = faces.index(row["faces"])
    sensing = {"senses": names}
    if row["view"] == "cone":
        sensing["field_of_view"] = mm.Uniform(min=20.0, max=reach) if differ else reach
    if row["zone"] == "ring":
        sensing["inner_radius"] = 0.2 * radius
    if row["itself"] == "included":
        sensing["include_self"] = True
    if row["limit"] == "finite":
        sensing["limit"] = 0.5
    searches = {
        "metric": {"radius": 0.9 * radius}, "nearest": {"nearest": 4}, "totals": {},
        "voronoi": {"neighbours": "voronoi"},
        "visible": {"neighbours": "visible", "radius": radius},
    }  # fmt: skip
    search = searches[row["search"]]
    level = {"level": 1} if row["combination"] == "levels" else {}
    rules: dict[str, Any] = {
        "together": mm.Alignment(
            moves=movers, weight=mm.Normal(mean=weight, sd=0.1) if differ else weight,
            **sensing, **search, **level,
        ),
        "apart": mm.Separation(moves="boids", radius=radius, law="linear", weight=0.2),
    }  # fmt: skip
    if row["state"] != "none":
        kind = PairsTired if row["state"] == "stored" else ReadClock
        reached = {"radius": radius} if row["search"] == "totals" else search
        rules["state"] = kind(moves=movers, weight=0.3, **(sensing | reached | level))
    if row["noise"] == "drawn":
        rules["noise"] = mm.RandomSteering(moves=names, weight=0.2)
    if row["stages"] == "2":
        rules["later"] = mm.Cohesion(
            moves="boids", senses=names, radius=0.8 * radius, weight=weight, stage=2
        )
    if row["obstacles"] != "none":
        rules["avoid"] = mm.AvoidObstacles(moves="boids", look_ahead=1.5, weight=0.4)
    if "hawks" in movers:
        rules["hunt"] = mm.Hunt(moves="hawks", senses="boids", nearest=2, weight=0.5)
    motions: dict[str, Any] = {
        "add": mm.Add(max_speed=mm.Uniform(min=0.8, max=1.6) if differ else 1.5, max_force=4.0),
        "direction": mm.SelfPropelled(speed=0.8, turn_rate=300.0, max_force=5.0),
        "spin": mm.InertialSpin(speed=0.8, inertia=0.7, friction=0.4, max_force=5.0),
    }
    parts: dict[str, Any] = {"combine": row["combination"], "diameter": 0.5}
    if row["perching"] == "perches":
        parts["perching"] = mm.Perching(ground=2.0, shortest=1, longest=4)
    if senses == "late":
        parts["sensing"] = mm.Sensing(delay=0.25, refresh=0.2, position_error=0.1)
    if senses == "lossy":
        parts["sensing"] = mm.Sensing(
            delay=0.1, refresh=0.2, clock_spread=0.2, range=0.3 * side, loss=0.1, bad_share=0.3,
            bad_length=4.0, bad_loss=0.8, max_lost=2, velocity_error=0.1,
        )  # fmt: skip
    flocks = {"boids": flock_of(count, motions[row["motion"]], **parts)}
    for name, size in zip(names[1:], (7, 4), strict=False):
        flocks[name] = flock_of(size, mm.Add(max_speed=1.2, max_force=3.0), diameter=0.8)
    obstacles: dict[str, Any] = {}
    if row["obstacles"] != "none":
        x = 0.3 * side if row["obstacles"] == "fixed" else mm.Ramp(start=3.0, stop=4.0, end=1.0)
        middle = (0.5 * side,) * (dims - 1)
        obstacles = {
            "rock": mm.Sphere(centre=(x, *middle), radius=1.0),
            "box": mm.Box(centre=(0.8 * side, *middle), size=(1.0, 1.5, 2.0)[:dims]),
        }
    order = row["order"]
    model = mm.Model(
        name="pairwise",
        dt=0.1,
        space=mm.Space(
            size=(side, 0.95 * side, side)[:dims],
            origin=(-1.0, 0.0, 0.0)[:dims],
            boundary=tuple(faces[(first + axis) % len(faces)] for axis in range(dims)),
        ),
        order="shuffled" if order == "at end" else order,  # type: ignore[arg-type]
        positions="at-end" if order == "at end" else "in-turn",
        integrator=row["integrator"],  # type: ignore[arg-type]
        flocks=flocks,
        rules=rules,
        obstacles=obstacles,
    )
    return peopled(model) if row["population"] == "changing" else model


CELLS = CpuThresholds(flock=0, model=0, covered=1.0, fetched=0)
ALL_PAIRS = CpuThresholds(10**6, 10**6, 10**6)


def in_cells(row: Row) -> bool:
    return row["layout"] == "cells"


def thresholds(row: Row) -> CpuThresholds:
    """Return the sizes from which engine cpu uses the layout of a row."""
    return CELLS if in_cells(row) else ALL_PAIRS


def has_layout_and_search(row: Row) -> bool:
    """Tell whether the model of a row has its layout and its search.

    Raises
    ------
    ModelError
        No model has these values.
    """
    layout = lay_out(make_plan(model_of(row)), thresholds(row))
    searches = {
        f"{'visible' if rule.has_view else 'nearest' if rule.nearest else 'metric'} {search}"
        for rule, _, search in layout.senses()
        if rule.name == "together"
    }
    word, cells = row["search"], row["layout"] == "cells"
    where = word if word in ("totals", "voronoi") else "cells" if cells else "all_pairs"
    kind = "metric" if word in ("totals", "voronoi") else word
    return bool(layout.gridded) == cells and searches == {f"{kind} {where}"}
