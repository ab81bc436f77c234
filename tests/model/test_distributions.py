"""Distributions by hand: quantiles, moments and bounds; arrays and files of numbers; wrong ones."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import murmurate as mm
from murmurate.model.distribution import Distribution, is_individual, same_numbers
from murmurate.model.quantity import extent, number_at

U = (np.arange(100_000) + 0.5) / 100_000  # the quantiles of evenly spaced numbers have its moments
SOME = {
    "normal": mm.Normal(mean=1.0, sd=0.2),
    "normal from 0": mm.Normal(mean=1.0, sd=2.0, min=0.0),
    "upper tail": mm.Normal(mean=0.0, sd=1.0, min=5.0),
    "lower tail": mm.Normal(mean=0.0, sd=1.0, max=-5.0),
    "both tails": mm.Normal(mean=0.0, sd=1.0, min=-0.5, max=2.0),
    "equal": mm.Normal(mean=3.0, sd=0.0, min=0.0),
    "uniform": mm.Uniform(min=-1.0, max=3.0),
    "lognormal": mm.Lognormal(mean=2.0, sd=1.0),
    "lognormal between": mm.Lognormal(mean=2.0, sd=1.0, min=1.0, max=2.5),
    "equal lognormal": mm.Lognormal(mean=2.0, sd=0.0),
    "choice": mm.Choice(values=(1.0, 5.0, 2.0), probabilities=(0.2, 0.3, 0.5)),
    "equal choice": mm.Choice(values=(0.0, 1.0)),
    "each": mm.Each(values=(3.0, 1.0, 2.0, 2.0)),
}


def model(count: int = 4, **changes: Any) -> mm.Model:
    flat = mm.Model(
        space=mm.Space(size=(50.0, 50.0), boundary="periodic"),
        flocks={"boids": mm.Flock(count=count)},
        rules={
            "cohesion": mm.Cohesion(radius=5.0, weight=0.1),
            "home": mm.TendToPlace(place=(1.0, 2.0)),
        },
    )
    return flat.set(changes)


@pytest.mark.parametrize("value", SOME.values(), ids=SOME)
def test_means_and_bounds(value: Distribution) -> None:
    """Quantiles ascend within the bounds, and have the mean and the sd in closed form."""
    numbers = value.quantiles(U)
    low, high = value.extent()
    assert numbers.dtype == float
    assert (numbers >= low).all()
    assert (numbers <= high).all()
    if not isinstance(value, mm.Choice):
        assert (np.diff(numbers) >= 0.0).all()
    assert numbers.mean() == pytest.approx(value.mean_value, abs=2e-4)
    assert numbers.std() == pytest.approx(value.sd_value, abs=2e-3)


@pytest.mark.parametrize("u", [2.0**-53, 0.5, 1.0 - 2.0**-53])
@pytest.mark.parametrize("value", SOME.values(), ids=SOME)
def test_the_ends_of_the_random_numbers(value: Distribution, u: float) -> None:
    (number,) = value.quantiles(np.array([u]))
    assert math.isfinite(number)
    assert value.extent()[0] <= number <= value.extent()[1]


@pytest.mark.parametrize(("low", "high"), [(-0.5, 2.0), (5.0, math.inf), (-math.inf, -3.0)])
def test_truncated_normal_agrees_with_scipy(low: float, high: float) -> None:
    ours = mm.Normal(mean=2.0, sd=0.5, min=2.0 + 0.5 * low, max=2.0 + 0.5 * high)
    theirs = stats.truncnorm(low, high, loc=2.0, scale=0.5)
    assert ours.quantiles(U[::500]) == pytest.approx(theirs.ppf(U[::500]), rel=1e-9)
    assert ours.mean_value == pytest.approx(theirs.mean(), rel=1e-9)
    assert ours.sd_value == pytest.approx(theirs.std(), rel=1e-6)


def test_lognormal_agrees_with_scipy() -> None:
    """Mean and sd are those of the values, not of their logarithms."""
    ours = mm.Lognormal(mean=2.0, sd=1.0)
    sigma = math.sqrt(math.log1p(0.25))
    theirs = stats.lognorm(sigma, scale=2.0 / math.sqrt(1.25))
    assert theirs.mean() == pytest.approx(2.0)
    assert theirs.std() == pytest.approx(1.0)
    assert ours.quantiles(U[::500]) == pytest.approx(theirs.ppf(U[::500]), rel=1e-9)
    assert (ours.mean_value, ours.sd_value) == pytest.approx((2.0, 1.0))


def test_shares_of_a_choice() -> None:
    numbers = SOME["choice"].quantiles(U)
    assert [(numbers == x).mean() for x in (1.0, 5.0, 2.0)] == pytest.approx([0.2, 0.3, 0.5])
    never = mm.Choice(values=(1.0, 9.0, 2.0, 8.0), probabilities=(0.5, 0.0, 0.5, 0.0))
    assert set(never.quantiles(U)) == {1.0, 2.0}
    assert never.extent() == (1.0, 2.0)


def test_texts() -> None:
    texts = {name: value.text for name, value in SOME.items()}
    assert texts["normal"] == "normal(1, 0.2)"
    assert texts["both tails"] == "normal(0, 1, from -0.5 to 2)"
    assert texts["uniform"] == "uniform(-1, 3)"
    assert texts["lognormal between"] == "lognormal(2, 1, from 1 to 2.5)"
    assert texts["choice"] == "choice(1: 0.2, 5: 0.3, 2: 0.5)"
    assert texts["equal choice"] == "choice(0, 1)"
    assert texts["each"] == "each(3, 1, 2, 2)"
    assert mm.Each(values=tuple(range(50))).text == "each(50 values from 0 to 49)"


@pytest.mark.parametrize("value", [SOME["normal"], SOME["choice"], SOME["each"]])
def test_models_keep_them(value: Distribution) -> None:
    """A model, its TOML and its tables hold a distribution; a table reads as the value."""
    changed = model(**{"rules.cohesion.weight": value})
    assert changed.rules["cohesion"].weight == value
    assert mm.parse(mm.to_toml(changed), f"{changed.name}.toml") == changed
    assert mm.Model(**changed.to_dict()) == changed
    assert changed.traits_of("boids") == ("rules.cohesion.weight",)
    assert hash(changed) != hash(model())


def test_names_of_traits() -> None:
    changed = model(
        **{
            "rules.home.place": [1.0, {"kind": "uniform", "min": 0, "max": 9}],
            "rules.cohesion.weight": mm.Normal(mean=1, sd=1),
            "flocks.boids.motion.max_speed": mm.Uniform(min=1, max=2),
        }
    )
    names = ("motion.max_speed", "rules.cohesion.weight", "rules.home.place.y")
    assert changed.traits_of("boids") == names
    assert model().traits_of("boids") == ()


def test_nobody_takes_one_for_a_common_number() -> None:
    with pytest.raises(TypeError, match=r"normal\(1, 0.2\), which differs between boids"):
        number_at(SOME["normal"], 0.0)
    assert extent(SOME["uniform"]) == (-1.0, 3.0)
    assert is_individual(SOME["each"])
    assert not is_individual(1.0)


def test_which_numbers_are_equal_in_every_boid() -> None:
    fixed, named = SOME["each"], mm.Normal(mean=1, sd=1, draw="boldness")
    assert same_numbers(1.0, 1.0)
    assert same_numbers(fixed, fixed)
    assert same_numbers(named, mm.Normal(mean=1, sd=1, draw="boldness"))
    assert not same_numbers(SOME["normal"], SOME["normal"])  # each is drawn by itself
    assert not same_numbers(named, mm.Normal(mean=2, sd=1, draw="boldness"))


def test_a_flock_that_grows_has_no_number_for_each_boid() -> None:
    source = {"kind": "source", "flock": "boids", "times": [30.0], "numbers": [1]}
    for path in ("rules.cohesion.weight", "flocks.boids.motion.max_speed"):
        with pytest.raises(mm.ModelError, match=rf"^{path}: .* which boids join; expected a dist"):
            model(**{path: mm.Each(values=(1.0, 2.0, 3.0, 4.0)), "population.s": source})


# --- arrays


@pytest.mark.parametrize("dtype", [float, np.float32, int])
def test_arrays(dtype: type) -> None:
    """An array (N,) is a number for each boid, and an array (N, D) a vector for each."""
    array = np.array([1, 2, 3, 4], dtype)
    each = mm.Each(values=(1.0, 2.0, 3.0, 4.0))
    assert mm.Cohesion(weight=array).weight == each
    changed = model(
        **{"rules.cohesion.weight": array, "rules.home.place": np.stack([array, array], axis=1)}
    )
    assert changed.rules["cohesion"].weight == each
    assert changed.rules["home"].place == (each, each)
    assert mm.TendToPlace(place=np.array([1.0, 2.0])).place == (1.0, 2.0)
    assert mm.Cohesion(weight=np.float32(0.5)).weight == 0.5


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (np.ones(3), "got 3 values; expected 4, one for each boid of flock 'boids'"),
        (np.array([1.0, math.nan, 1.0, 1.0]), "got nan for boid 1; expected finite numbers"),
        (np.ones((4, 2)), "array of shape (4, 2); expected a number or shape (N,)"),
        (np.array(["a"] * 4), "expected numbers"),
        (np.array([True] * 4), "got an array of bool; expected numbers"),
        (np.zeros(0), "values: got 0 items; expected at least 1"),
        (np.full(4, 1e12), "got 1e+12; expected a number from -1,000,000,000"),
    ],
)
def test_wrong_arrays(array: np.ndarray, words: str) -> None:
    with pytest.raises(mm.ModelError) as error:
        model(**{"rules.cohesion.weight": array})
    assert str(error.value).startswith("rules.cohesion.weight")
    assert words in str(error.value)


# --- wrong input


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("weight", {"kind": "normal", "mean": 1, "sd": -1}, "weight.sd: got -1"),
        ("weight", {"kind": "normal", "mean": 1}, "weight.sd: is missing"),
        ("weight", {"kind": "normal", "mean": math.nan, "sd": 1}, "weight.mean: got nan"),
        ("weight", {"kind": "normal", "mean": 1, "sd": 1, "spread": 2}, "spread: no such key"),
        ("weight", {"kind": "gauss", "mean": 1, "sd": 1}, "no kind 'gauss'"),
        ("weight", {"kind": "normal", "mean": 1, "sd": 1, "min": 3, "max": 2}, "at most max, 2"),
        ("weight", {"kind": "normal", "mean": 1, "sd": 1, "min": 30}, "bounds that leave 3e-185"),
        ("weight", {"kind": "normal", "mean": 1, "sd": 0, "min": 3}, "mean: got 1 with sd 0"),
        ("weight", {"kind": "normal", "mean": 1, "sd": 1e9}, "Give min, or use larger units"),
        ("weight", {"kind": "normal", "mean": 1, "sd": 1, "draw": "x" * 65}, "weight.draw"),
        ("weight", {"kind": "uniform", "min": 2, "max": 1}, "min: got 2; expected at most max, 1"),
        ("weight", {"kind": "uniform", "min": 2}, "weight.max: is missing"),
        ("weight", {"kind": "lognormal", "mean": 0, "sd": 1}, "mean: got 0"),
        ("weight", {"kind": "lognormal", "mean": 1, "sd": 1, "min": -1}, "min: got -1"),
        ("weight", {"kind": "lognormal", "mean": 1e9, "sd": 1e9}, "Give max"),
        ("weight", {"kind": "choice", "values": []}, "values: got 0 items"),
        (
            "weight",
            {"kind": "choice", "values": [1, 2], "probabilities": [0.5, 0.4]},
            "got a sum of 0.9; expected 1. Divide each by 0.9",
        ),
        (
            "weight",
            {"kind": "choice", "values": [1, 2], "probabilities": [0, 0]},
            "got a sum of 0; expected 1",
        ),
        (
            "weight",
            {"kind": "choice", "values": [1, 2], "probabilities": [1]},
            "got 1 for 2 values",
        ),
        (
            "weight",
            {"kind": "choice", "values": [1, 2], "probabilities": [1.5, -0.5]},
            "probabilities.0: got 1.5",
        ),
        ("weight", {"kind": "each", "values": [1, 2, 3]}, "got 3 values; expected 4"),
        ("weight", {"kind": "each", "values": [1, 2, 3, "a"]}, "values.3: got 'a'"),
        ("weight", {"from": "weights.csv"}, "Only model files on disk name files"),
        ("radius", {"kind": "normal", "mean": 1, "sd": 1}, "a finite number > 0. Give min"),
        ("radius", {"kind": "lognormal", "mean": 1, "sd": 1}, "neighbours reaches that far"),
        ("radius", {"kind": "uniform", "min": 0, "max": 1}, "> 0. Change min"),
        ("radius", {"kind": "each", "values": [1, 2, 3, 0]}, "> 0. Change its values"),
        ("radius", {"kind": "uniform", "min": 1, "max": 30}, "expected at least 60"),
        ("inner_radius", {"kind": "normal", "mean": 1, "sd": 1, "min": 0}, "Give max"),
        ("field_of_view", {"kind": "normal", "mean": 90, "sd": 9, "min": 1}, "Give max"),
        ("field_of_view", {"kind": "uniform", "min": 90, "max": 181}, "Change max"),
    ],
)
def test_wrong_values(path: str, value: Any, words: str) -> None:
    with pytest.raises(mm.ModelError) as error:
        model(**{f"rules.cohesion.{path}": value})
    assert words in str(error.value)


def test_only_rules_and_motions_differ() -> None:
    several = {"kind": "uniform", "min": 1, "max": 2}
    for path in (
        "flocks.boids.sensing.position_error", "flocks.boids.perching.ground", "obstacles.x.radius"
    ):  # fmt: skip
        changes: dict[str, Any] = {path: several}
        if path.startswith("obstacles"):
            changes = {"obstacles.x": {"kind": "sphere", "centre": [9, 9], "radius": several}}
        with pytest.raises(mm.ModelError, match="only numbers of rules and motions may differ"):
            model(**changes)


def test_speeds_in_the_wrong_order() -> None:
    """No boid's smallest speed may be above its largest, whatever numbers it draws."""
    path = "flocks.boids.motion"
    slow, fast = mm.Uniform(min=0.5, max=1.0), mm.Uniform(min=1.0, max=2.0)
    assert model(**{f"{path}.min_speed": slow, f"{path}.max_speed": fast})
    with pytest.raises(mm.ModelError, match="min_speed: got up to 2; expected at most max_speed"):
        model(**{f"{path}.min_speed": fast, f"{path}.max_speed": slow})
    with pytest.raises(mm.ModelError, match="min_speed: got up to any number"):
        model(**{f"{path}.min_speed": mm.Lognormal(mean=1, sd=1), f"{path}.max_speed": 9.0})
    each = np.array([1.0, 5.0, 1.0, 1.0])
    assert model(**{f"{path}.min_speed": each, f"{path}.max_speed": each})
    with pytest.raises(mm.ModelError, match="min_speed: got 5 for boid 1"):
        model(**{f"{path}.min_speed": each, f"{path}.max_speed": each[::-1].copy()})


def test_numbers_of_each_boid_belong_to_one_flock() -> None:
    both = {
        "flocks.others": {"count": 4},
        "rules.cohesion.moves": ["boids", "others"],
        "rules.home.moves": "boids",
    }
    several = model(**both, **{"rules.cohesion.weight": mm.Normal(mean=1, sd=1)})
    assert several.traits_of("others") == ("rules.cohesion.weight",)
    with pytest.raises(mm.ModelError, match="numbers of each boid for 2 flocks, boids, others"):
        several.set({"rules.cohesion.weight": np.ones(4)})


def test_rules_that_need_finite_numbers_accept_distributions_without_bounds() -> None:
    speed = {"flocks.boids.motion.max_speed": mm.Lognormal(mean=2, sd=1)}
    assert model(**speed, **{"rules.cohesion.form": "steering"})
    force = {"flocks.boids.motion.max_force": mm.Lognormal(mean=2, sd=1)}
    assert model(**force, **{"flocks.boids.combine": "priority"})


# --- files of numbers

TEXT = """
[space]
size = [50, 50]

[flocks.boids]
count = 3

[rules.cohesion]
radius = 5
weight = {}
"""


def load(folder: Path, table: str, csv: str | None, name: str = "weights.csv") -> mm.Model:
    (folder / "mine.toml").write_text(TEXT.format(table))
    if csv is not None:
        (folder / name).write_text(csv)
    return mm.load(folder / "mine.toml")


@pytest.mark.parametrize(
    ("table", "csv"),
    [
        ('{ from = "weights.csv" }', "weight\n1\n2.5\n3\n"),
        ('{ from = "weights.csv" }', "1\n2.5\n3\n"),
        ('{ kind = "each", from = "weights.csv" }', "\ufeffid,mass\r\n0,1\r\n1,2.5\r\n2,3\r\n"),
        ('{ from = "weights.csv", column = "b" }', "id,a,b\n2,9,3\n0,9,1\n1,9,2.5\n"),
        ('{ from = "weights.csv" }', "name,weight\nann,1\nbob,2.5\n\ncid,3\n"),
    ],
)
def test_files_of_numbers(tmp_path: Path, table: str, csv: str) -> None:
    loaded = load(tmp_path, table, csv)
    assert loaded.rules["cohesion"].weight == mm.Each(values=(1.0, 2.5, 3.0))
    assert "from" not in mm.to_toml(loaded)


def test_a_file_for_a_component_and_for_a_motion(tmp_path: Path) -> None:
    text = TEXT.format("1") + '[rules.wind]\nvector = [{ from = "x.csv" }, 0]\n'
    text = text.replace(
        "count = 3", 'count = 3\n[flocks.boids.motion]\nmax_speed = {from = "x.csv"}'
    )
    (tmp_path / "mine.toml").write_text(text)
    (tmp_path / "x.csv").write_text("4\n5\n6\n")
    loaded = mm.load(tmp_path / "mine.toml")
    assert loaded.traits_of("boids") == ("motion.max_speed", "rules.wind.vector.x")


@pytest.mark.parametrize(
    ("table", "csv", "words"),
    [
        ('{ from = "weights.csv" }', None, "cannot be read"),
        ('{ from = "../weights.csv" }', None, "expected a file in the folder of the model file"),
        ('{ from = "/etc/passwd" }', None, "expected a file in the folder of the model file"),
        ("{ from = 3 }", None, "expected the name of a CSV file"),
        ('{ from = "weights.csv" }', "weight\n1\n2\n", "got 2 values; expected 3"),
        ('{ from = "weights.csv" }', "weight\n", "got no numbers"),
        ('{ from = "weights.csv" }', "weight\n1_0\n2\n3\n", "line 2: got '1_0'"),
        ('{ from = "weights.csv" }', "weight\n1\n\u0661\n3\n", "line 3: got '\u0661'"),
        ('{ from = "weights.csv" }', "", "got no numbers"),
        ('{ from = "weights.csv" }', "weight\n1\nx\n3\n", "line 3: got 'x'"),
        ('{ from = "weights.csv" }', "weight\n1\ninf\n3\n", "line 3: got 'inf'"),
        ('{ from = "weights.csv" }', "a,b\n1,2\n1,2\n1,2\n", "got columns a, b; expected one"),
        ('{ from = "weights.csv", column = "c" }', "a,b\n1,2\n", "no column named 'c'"),
        ('{ from = "weights.csv" }', "id,weight\n0,1\n0,2\n1,3\n", "line 3: got id 0 twice"),
        ('{ from = "weights.csv" }', "id,weight\n1,1\n2,2\n3,3\n", "line 4: got id 3"),
        ('{ from = "weights.csv" }', "1,5\n2,5\n3,5\n", "line 1: got 2 cells without names"),
        ('{ from = "weights.csv" }', "id,weight\n0,1,5\n", "line 2: got 3 cells; expected 2"),
        ('{ from = "weights.csv" }', "id,weight\n0\n", "line 2: got 1 cells; expected 2"),
        ('{ from = "weights.csv" }', "a;b\n1;2\n", "Separate columns by commas"),
        ('{ from = "weights.csv" }', "1\n2\n3\n4\n", "got more than 3 rows"),
        ('{ from = "weights.csv" }', "weight" + ",1" * 40_000, "a row of more than 65,536"),
        ('{ from = "weights.csv" }', '"\n",' * 20_000, "a row of more than 65,536"),
        ('{ from = "weights.csv" }', "weight,weight\n1,2\n", "got two columns 'weight'"),
        ('{ from = "weights.csv", column = "b" }', "1\n2\n3\n", "first row has no names"),
        ('{ from = "weights.csv", mean = 1 }', "1\n", "got mean beside from"),
        ('{ kind = "normal", from = "weights.csv" }', "1\n", "expected kind 'each'"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_wrong_files(tmp_path: Path, table: str, csv: str | None, words: str) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    (tmp_path / "weights.csv").write_text("1\n2\n3\n")
    with pytest.raises(mm.ModelError) as error:
        load(folder, table, csv)
    assert "mine.toml: rules.cohesion.weight" in str(error.value)
    assert words in str(error.value)


def test_a_link_to_a_file_elsewhere_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "models"
    folder.mkdir()
    (tmp_path / "secret.csv").write_text("1\n2\n3\n")
    (folder / "weights.csv").symlink_to(tmp_path / "secret.csv")
    with pytest.raises(mm.ModelError, match="expected a file in the folder of the model file"):
        load(folder, '{ from = "weights.csv" }', None)


def test_texts_from_elsewhere_name_no_files() -> None:
    with pytest.raises(mm.ModelError, match="Only model files on disk name files"):
        mm.parse(TEXT.format('{ from = "weights.csv" }'))


def test_a_list_is_not_a_number() -> None:
    with pytest.raises(mm.ModelError, match=r"got a list of 3; expected one number.*kind = 'each'"):
        mm.load("ucl").set({"rules.cohesion.weight": [1.0, 2.0, 3.0]})
