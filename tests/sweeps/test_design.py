"""Which settings a sweep flies, and with which seeds."""

from __future__ import annotations

import pytest

import murmurate as mm
from murmurate.sweeps.design import parameter_sets, parse_vary
from murmurate.sweeps.sweep_plan import SweepPlan, make_plan, run_seed


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a.b=0:1:0.25", (0.0, 0.25, 0.5, 0.75, 1.0)),
        ("a.b=0:0.5:0.1", (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)),  # 0.1 * 3 is 0.3, the end is there
        ("a.b=1:10:3", (1, 4, 7, 10)),
        ("a.b=5:1:-2", (5, 3, 1)),
        ("a.b=100,400", (100, 400)),
        ("a.b=0.5", (0.5,)),
        ("a.b=0:5", (0, 5)),
        ("a.law=linear,unit", ("linear", "unit")),
        ("a.kind='x','y'", ("x", "y")),
    ],
)
def test_values(text, values):
    assert parse_vary(text) == ("a.b" if text.startswith("a.b") else text.split("=")[0], values)
    assert [type(v) for v in parse_vary(text)[1]] == [type(v) for v in values]


@pytest.mark.parametrize("text", ["a.b", "=1", "a.b=", "a.b=0:1:0", "a.b=0:1:-1", "a.b=0:1:1e-9"])
def test_values_that_are_none(text):
    with pytest.raises(mm.SweepError, match="--vary"):
        parse_vary(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a.b=0:0.4:5", r"one value between 0 and 0.4, .*a.b=0; for 5 values .*a.b=0:0.4:0.1$"),
        ("a.b=50:10:-60", r"one value between 50 and 10, .*write --vary a.b=50$"),
        ("a.b=3:3:1", r"write --vary a.b=3$"),
        ("a.b=0:0.4:0.5", r"write --vary a.b=0$"),
    ],
)
def test_a_step_beyond_the_last_value_is_refused(text, message):
    with pytest.raises(mm.SweepError, match=message):
        parse_vary(text)


def test_what_is_said_of_five_values_gives_five():
    with pytest.raises(mm.SweepError) as caught:
        parse_vary("a.b=-1:2:7")
    assert len(parse_vary(str(caught.value).rpartition("--vary ")[2])[1]) == 7


def test_an_interval_is_no_grid():
    for method in ("grid", "list"):
        with pytest.raises(mm.SweepError, match=r"got the interval 0:5;.*a\.b=0:5:STEP.*a\.b=0,5"):
            parse_vary("a.b=0:5", method)
    assert parse_vary("a.b=0:5", "sobol") == ("a.b", (0, 5))
    assert parse_vary("a.b=0,5", "grid") == ("a.b", (0, 5))


def test_a_grid_has_every_value_with_every_other():
    sets = parameter_sets({"a": (1, 2), "b": (3, 4, 5)})
    assert [(p["a"], p["b"]) for p in sets] == [(1, 3), (1, 4), (1, 5), (2, 3), (2, 4), (2, 5)]
    assert parameter_sets({}) == [{}]


def test_a_list_goes_side_by_side():
    assert parameter_sets({"a": (1, 2), "b": (3, 4)}, "list") == [
        {"a": 1, "b": 3},
        {"a": 2, "b": 4},
    ]
    with pytest.raises(mm.SweepError, match="got 2 of a, 1 of b"):
        parameter_sets({"a": (1, 2), "b": (3,)}, "list")


@pytest.mark.parametrize("method", ["latin-hypercube", "sobol"])
def test_samples_fill_their_box_evenly(method):
    sets = parameter_sets({"x": (0.0, 2.0), "n": (10, 17)}, method, samples=16, seed=3)
    assert sets == parameter_sets({"x": (0.0, 2.0), "n": (10, 17)}, method, samples=16, seed=3)
    assert sets != parameter_sets({"x": (0.0, 2.0), "n": (10, 17)}, method, samples=16, seed=4)
    # each sixteenth of the interval holds one sample, each of the eight whole numbers two
    assert sorted(int(p["x"] * 8) for p in sets) == list(range(16))
    assert sorted(p["n"] for p in sets) == sorted([*range(10, 18)] * 2)


@pytest.mark.parametrize("values", [(1.0,), (2.0, 1.0), ("a", "b"), (0.0, 1.0, 2.0)])
def test_samples_need_an_interval(values):
    with pytest.raises(mm.SweepError, match="interval"):
        parameter_sets({"x": values}, "sobol", samples=4)


def test_seeds_follow_from_the_sweep_and_the_index_alone():
    seeds = [run_seed(1, k) for k in range(2000)]
    assert len(set(seeds)) == 2000
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert not set(seeds) & {run_seed(2, k) for k in range(2000)}
    assert run_seed(1, 7) == seeds[7]


def test_a_plan_is_its_file():
    plan = make_plan(
        mm.load("ucl"),
        {"rules.alignment.weight": [0, 0.5], "flocks.boids.count": range(9, 12)},
        mm.RunSpec(seeds=2, seed=5, steps=40, warm_up=3, every=4),
        measures=("speed", "milling@boids"),
    )
    again = SweepPlan.from_toml(plan.to_toml(), "sweep.toml")
    assert again == plan
    assert list(again.tasks()) == list(plan.tasks())
    assert len(plan) == len(list(plan.tasks())) == 12
    assert [task.index for task in plan.tasks({0, 5})] == [1, 2, 3, 4, 6, 7, 8, 9, 10, 11]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"run": mm.RunSpec(steps=0)}, "steps: got 0; expected at least 1"),
        ({"run": mm.RunSpec(steps=10, warm_up=8, every=5)}, "steps: got 10; expected at least 13"),
        ({"run": mm.RunSpec(seeds=0)}, "seeds: got 0; expected at least 1"),
        ({"run": mm.RunSpec(seeds=range(3))}, "seeds: got range.*; expected a whole number"),
        ({"run": mm.RunSpec(runs=9)}, "runs: got 9; expected None. A sweep has as many"),
        ({"measures": ("polarisation",)}, "did you mean 'polarization'"),
        ({"measures": ("speed@falcons",)}, "falcons"),
        ({"vary": {"rules.alignmnt.weight": [1]}}, "did you mean 'alignment'"),
        ({"vary": {"flocks.boids.count": [5, -1, -2]}}, "-2"),
        ({"vary": {"flocks.boids.count": []}}, "no values"),
        ({"vary": {"flocks.boids.count": 5}}, "sequence"),
    ],
)
def test_invalid_sweeps_are_refused_before_any_run(settings, message):
    arguments = {"vary": {}, "run": mm.RunSpec(steps=20), **settings}
    with pytest.raises((mm.SweepError, mm.ModelError), match=message):
        make_plan(mm.load("ucl"), **arguments)
