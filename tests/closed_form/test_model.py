"""A model is a value: the same as its file, comparable, unchangeable, and strict about itself."""

from __future__ import annotations

import copy
import math
import pickle
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import murmurate as mm
from processes import ran_well
from structures import STRUCTURES

SPACE = {"size": [10.0, 10.0]}
BOIDS = {"boids": {"count": 3}}


def full() -> mm.Model:
    """A model that says something about everything."""
    return mm.Model(
        name="full",
        title="All at once",
        about="First line.\nSecond line, with \"quotes\", 'more', \\ and ünïcödé.",
        tries=("rules.cohesion.weight=0: nothing holds them",),
        source=mm.Source(reference="Someone 1999", doi="10.1/2", reading="what was meant"),
        dt=0.25,
        order="shuffled",
        positions="at-end",
        space=mm.Space(size=(10.0, 20.0, 1e-3), origin=(-1.0, 0.0, 1e5), boundary="held"),
        flocks={
            "boids": mm.Flock(
                count=7,
                start=mm.InBall(
                    radius=3.0, centre=(4.0, 4.0, 1e5), velocity=mm.Directions(speed=0.5, up_to=2.0)
                ),
                motion=mm.Add(max_speed=2.0, max_force=3.0, turn_rate=40.0),
                combine="priority",
                perching=mm.Perching(ground=mm.Cycle(amplitude=1.0, period=3.0), longest=99),
                look=mm.Look(colour="steelblue", scale=2.0),
            ),
            "hawks-2": mm.Flock(
                count=0,
                start=mm.OffScreen(distance=3.0, velocity=mm.Heading(velocity=(1.0, 0.0, 0.0))),
                motion=mm.ConstantSpeed(speed=mm.Ramp(start=1.0, stop=2.0, end=9.0)),
            ),
            "given": mm.Flock(
                count=1, start=mm.Given(positions=((1.0, 2.0, 1e5),)), motion=mm.Replace()
            ),
        },
        rules={
            "cohesion": mm.Cohesion(moves="boids", weight=-0.1),
            "other": mm.Cohesion(
                moves=("boids", "hawks-2"),
                senses=("boids", "sphere"),
                radius=mm.Steps(times=(1.0,), values=(2.0, 3.0)),
                stage=3,
                limit=9.0,
            ),
            "flee": mm.Flee(moves="boids", senses="hawks-2", nearest=3),
            "path": mm.FollowPath(
                moves="hawks-2",
                path="polyline",
                period=9.0,
                points=((0.0, 0.0, 0.0), (1.0, 2.0, 3.0)),
                closed=False,
            ),
        },
        obstacles={
            "sphere": mm.Sphere(centre=(mm.Cycle(amplitude=1.0, period=2.0), 0.0, 0.0), radius=1.0),
            "box": mm.Box(centre=(5.0, 5.0, 1e5), size=(1.0, 2.0, 3.0)),
            "wall": mm.Wall(point=(0.0, 0.0, 1e5), normal=(0.0, 0.0, 2.0)),
        },
        view=mm.View(steps=99, size=(640, 360), trails=3, camera=mm.Camera(follow="flock")),
        expect=(mm.Expectation(measure="polarization", step=9, low=0.5, high=1.0),),
    )


def models() -> st.SearchStrategy[mm.Model]:
    """The structures of the other tests, with any numbers."""

    def numbered(name: str) -> st.SearchStrategy[mm.Model]:
        make, ranges = STRUCTURES[name]
        values = {
            key: st.integers(*ends) if isinstance(ends[0], int) else st.floats(*ends)
            for key, ends in ranges.items()
            if key != "radius"
        }
        return st.fixed_dictionaries(values).map(lambda numbers: make(**numbers))

    return st.sampled_from(sorted(STRUCTURES)).flatmap(numbered)


@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(model=models())
def test_random_models_are_their_files(model: mm.Model) -> None:
    again = mm.parse(mm.to_toml(model))
    assert again == model
    assert hash(again) == hash(model)
    assert again.to_dict() == model.to_dict()


def test_a_full_model_is_its_file() -> None:
    model = full()
    assert mm.parse(mm.to_toml(model)) == model
    assert mm.parse(mm.to_toml(model)).to_dict() == model.to_dict()


@pytest.mark.parametrize("name", mm.zoo())
def test_the_zoo_is_its_files(name: str) -> None:
    model = mm.load(name)
    assert mm.parse(mm.to_toml(model)) == model


def test_copies_are_equal() -> None:
    model = full()
    for other in (
        copy.copy(model),
        copy.deepcopy(model),
        pickle.loads(pickle.dumps(model)),
        full(),
    ):
        assert other == model
        assert hash(other) == hash(model)
        assert other.fingerprint() == model.fingerprint()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("dt", 0.26),
        ("title", "another"),
        ("order", "one-by-one"),
        ("rules.cohesion.weight", -0.100000001),
        ("rules.cohesion.weight", {"kind": "ramp", "start": -0.1, "stop": 0.0, "end": 1.0}),
        ("rules.path.points.1.2", 3.5),
        ("rules.other.radius.values.1", 3.5),
        ("flocks.boids.count", 8),
        ("flocks.boids.motion.max_speed", 2.5),
        ("flocks.boids.start.velocity.speed", 0.6),
        ("obstacles.sphere.centre.0.period", 2.5),
        ("obstacles.box.size.1", 2.5),
        ("space.boundary", "reflecting"),
        ("view.camera.turn", 1.0),
    ],
)
def test_set(path: str, value: Any) -> None:
    """One number changes, and nothing else; putting it back gives the same model again."""
    model = full()
    changed = model.set({path: value})
    assert changed != model
    assert hash(changed) != hash(model)
    assert changed.fingerprint() != model.fingerprint()
    assert model == full(), "the model itself has not changed"
    here: Any = changed.to_dict()
    for key in path.split("."):
        here = here[int(key)] if isinstance(here, list) else here[key]
    assert here == value or {"kind": "cycle", **value} == here


def test_set_several_and_none() -> None:
    model = full()
    assert model.set({}) == model
    changed = model.set({"dt": 0.5, "rules.cohesion.weight": 0.7})
    assert (changed.dt, changed.rules["cohesion"].weight) == (0.5, 0.7)
    assert changed.set({"dt": 0.25, "rules.cohesion.weight": -0.1}) == model


def test_set_takes_values_and_adds_rules() -> None:
    model = mm.Model(space=SPACE, flocks=BOIDS)
    with_wind = model.set({"rules.gust": mm.Wind(vector=(1.0, 0.0))})
    assert with_wind.rules["gust"] == mm.Wind(vector=(1.0, 0.0))
    ramp = mm.Ramp(start=0.0, stop=1.0, end=2.0)
    assert with_wind.set({"rules.gust.weight": ramp}).rules["gust"].weight == ramp


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("rules.cohesoin.weight", 1.0, ["rules.cohesoin.weight", "did you mean 'cohesion'?"]),
        ("rules.cohesion.wieght", 1.0, ["rules.cohesion.wieght", "did you mean 'weight'?"]),
        ("rules.cohesion.radius", -3, ["rules.cohesion.radius: -3", "must be > 0 or inf"]),
        ("rules.cohesion.weight", math.nan, ["rules.cohesion.weight: nan"]),
        ("rules.cohesion.weight", math.inf, ["rules.cohesion.weight: inf", "finite"]),
        ("rules.cohesion.weight", "big", ["rules.cohesion.weight", "'big'"]),
        ("rules.cohesion.weight", True, ["rules.cohesion.weight", "True"]),
        ("rules.cohesion.form", "steer", ["rules.cohesion.form", "'steering'", "'steer'"]),
        ("rules.cohesion.moves", "bods", ["rules.cohesion.moves", "did you mean 'boids'?"]),
        ("rules.flee.senses", "hawks", ["rules.flee.senses", "did you mean 'hawks-2'?"]),
        ("rules", 3.0, ["rules: is a whole table"]),
        ("flocks.boids.count", -1, ["flocks.boids.count", "-1"]),
        ("flocks.boids.count", 1.5, ["flocks.boids.count", "1.5"]),
        ("flocks.boids.start.radius", 0.0, ["flocks.boids.start.radius", "greater than 0"]),
        ("flocks.boids.start.kind", "bal", ["flocks.boids.start", "did you mean 'ball'?"]),
        ("flocks.boids.motion.min_speed", 5.0, ["flocks.boids.motion.min_speed", "max_speed"]),
        ("flocks.boids.motion.kind", "ad", ["flocks.boids.motion", "did you mean 'add'?"]),
        ("flocks.boids.motion.max_force", math.inf, ["flocks.boids.motion.max_force", "priority"]),
        ("flocks.boids.perching.shortest", 100, ["flocks.boids.perching", "longest is 99"]),
        ("flocks.boids.look.colour", "steelblu", ["look.colour", "did you mean steelblue"]),
        ("space.size.1", 0, ["space.size.1", "greater than 0"]),
        ("space.size.3", 1.0, ["space.size.3", "0 to 2"]),
        ("space.boundary", "torus", ["space.boundary", "periodic", "'torus'"]),
        ("obstacles.wall.normal", [0.0, 0.0, 0.0], ["obstacles.wall.normal: is zero"]),
        ("obstacles.box.centre", [0.0, 0.0], ["obstacles.box.centre", "2 numbers", "3 dimensions"]),
        ("dt", math.inf, ["dt", "finite"]),
        ("dt", 0, ["dt", "greater than 0"]),
        ("dt", True, ["dt", "number, not True"]),
        ("dt", "0.1", ["dt", "number, not '0.1'"]),
        ("dt", 1e12, ["dt: 1e+12", "1,000,000,000", "float32"]),
        ("space.size", [True, 9.0, 9.0], ["space.size.0", "number, not True"]),
        ("space.size.0", 1e12, ["space.size.0: 1e+12", "float32"]),
        ("space.size.²", 1.0, ["space.size.²", "0 to 2"]),
        ("rules.cohesion.weight", 1e12, ["rules.cohesion.weight: 1e+12", "float32"]),
        ("rules.cohesion.radius", 1e12, ["rules.cohesion.radius: 1e+12", "float32"]),
        ("flocks.boids.start.radius", 1e12, ["flocks.boids.start.radius: 1e+12", "float32"]),
        ("obstacles.box.centre.0", -1e12, ["obstacles.box.centre: -1e+12", "float32"]),
        ("flocks.boids.count", True, ["flocks.boids.count", "whole number, not True"]),
        ("flocks.boids.count", "12", ["flocks.boids.count", "whole number, not '12'"]),
        ("rules.cohesion.nearest", True, ["rules.cohesion.nearest", "whole number, not True"]),
        ("oder", "synchronous", ["oder", "did you mean 'order'?"]),
    ],
)
def test_what_is_refused(path: str, value: Any, words: list[str]) -> None:
    """The message names the place, what was found, and what was meant or is allowed."""
    with pytest.raises(mm.ModelError) as caught:
        full().set({path: value})
    message = str(caught.value)
    assert all(word in message for word in words), message


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("dt", 10**400, ["dt: must be a valid number", "(401 characters)"]),
        ("space.size." + "1" * 5000, 1.0, ["space.size.111", "0 to 2"]),
        (".".join("a" * 20_000), 1.0, ["a.a.a", "has 20,000 parts", "may have 12"]),
        ("view.steps", 10**400, ["view.steps", "at most 9,007,199,254,740,992"]),
        ("space.size", "9" * 5000, ["space.size", "(5,002 characters)"]),
    ],
    ids=["digits", "place", "path", "steps", "word"],
)
def test_what_is_too_long_is_refused_in_few_words(path: str, value: Any, words: list[str]) -> None:
    with pytest.raises(mm.ModelError) as caught:
        full().set({path: value})
    message = str(caught.value)
    assert all(word in message for word in words), message[:1000]
    assert len(message) < 500


def test_everything_wrong_is_said_at_once() -> None:
    text = """
        dt = -1
        order = "togther"
        [space]
        size = [10, nan]
        [flocks.boids]
        count = 3
        motion = { kind = "add", max_sped = 3 }
        [rules.cohesion]
        radius = -3
        weigth = 2
        [rules.windy]
        kind = "wnd"
    """
    with pytest.raises(mm.ModelError) as caught:
        mm.parse(text, "my.toml")
    lines = str(caught.value).splitlines()
    assert all(line.startswith("my.toml: ") for line in lines)
    for place in (
        "dt",
        "order",
        "space.size.1",
        "flocks.boids.motion.max_sped",
        "rules.cohesion.radius",
        "rules.cohesion.weigth",
        "rules.windy",
    ):
        assert sum(f"my.toml: {place}: " in line for line in lines) == 1, (place, lines)
    assert len(lines) == 7


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("size = ", ["my.toml", "not a TOML file"]),
        ("[space]\nsize=[9.0,9.0]", ["flocks"]),
        ("[space]\nsize=[9.0]\n[flocks.a]\ncount=1", ["space.size"]),
        ("[space]\nsize=[9.0,9.0]\n[flocks.obstacles]\ncount=1", ["flocks.obstacles", "taken"]),
        ("[space]\nsize=[9.0,9.0]\n[flocks.'1']\ncount=1", ["flocks.1", "letter"]),
    ],
)
def test_bad_files(text: str, words: list[str]) -> None:
    with pytest.raises(mm.ModelError) as caught:
        mm.parse(text, "my.toml")
    assert all(word in str(caught.value) for word in words), str(caught.value)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("a = " + "[" * 95_000 + "]" * 95_000, "tables and lists in each other: at most 12"),
        ("a = " + "{b=" * 500 + "1" + "}" * 500, "tables and lists in each other: at most 12"),
        (".".join("a" * 20_000) + " = 1", "a dotted key of too many parts: at most 12"),
        ("[a" + ".'a'" * 50 + "]", "a dotted key of too many parts: at most 12"),
        ("dt = " + "1" * 5000, "a number or key of 5,000 characters: at most 256"),
        ("a" * 300 + " = 1", "a number or key of 300 characters: at most 256"),
    ],
    ids=["lists", "tables", "key", "header", "digits", "word"],
)
def test_toml_beyond_limits_is_refused(line: str, words: str) -> None:
    with pytest.raises(mm.ModelError) as caught:
        mm.parse(f'title = "a"\n{line}\n', "my.toml")
    assert str(caught.value) == f"my.toml: not a TOML file: {words} are allowed (at line 2)"


def test_only_brackets_and_dots_of_the_toml_itself_count() -> None:
    """Those in strings and comments are text."""
    many = "[{" * 50 + "a.b." * 50
    text = f"""
        # {many}
        title = "{many}\\"{many}"  # {many}
        about = \"\"\"{many} "" \\" ' {many}\"\"\"
        tries = ['''{many} '' " {many}''']
        space.size = [9.0, 9.0]
        flocks.boids.count = 1
        source."{"a.b." * 50}" = 1
    """
    with pytest.raises(mm.ModelError, match=r"source.*no such key") as caught:
        mm.parse(text)
    assert len(str(caught.value).splitlines()) == 1


def test_a_model_file_is_read_up_to_a_length(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(b"#" * ((16 << 20) + 1))
    with pytest.raises(mm.ModelError, match=r"a\.toml: is too long .* 16 MiB"):
        mm.load(tmp_path / "a.toml")


def test_whole_numbers_may_be_written_as_real_ones() -> None:
    assert full().set({"flocks.boids.count": 1e3}).flocks["boids"].count == 1000


@pytest.mark.parametrize(
    ("dt", "count", "steps", "most"),
    [
        (1e-7, 3, "1e+07", "100,000"),
        (1e-3, 1_000_000, "1,000", "200"),
        (1e-310, 3, "inf", "100,000"),
    ],
)
def test_what_boids_remember_is_bounded(dt: float, count: int, steps: str, most: str) -> None:
    """In steps, and in steps times boids."""
    flock = {"count": count, "sensing": {"delay": 0.75, "refresh": 0.25}}
    with pytest.raises(mm.ModelError) as caught:
        mm.Model(space=SPACE, dt=dt, flocks={"boids": flock})
    said = str(caught.value)
    assert f"flocks.boids.sensing: delay and refresh are {steps} steps of dt" in said
    assert f"at most {most} steps" in said
    mm.Model(space=SPACE, dt=1 / 64, flocks={"boids": flock})


def test_a_torus_is_at_least_two_radii_long() -> None:
    space = mm.Space(size=(10.0, 3.9), boundary="periodic")
    with pytest.raises(mm.ModelError, match=r"space\.size\.1: is 3\.9.*rules\.cohesion\.radius"):
        mm.Model(space=space, flocks=BOIDS, rules={"cohesion": mm.Cohesion(radius=2.0)})


def test_models_do_not_change() -> None:
    model = full()
    with pytest.raises(Exception, match="frozen"):
        model.dt = 3.0  # type: ignore[misc]
    with pytest.raises(Exception, match="frozen"):
        model.rules["cohesion"].weight = 3.0  # type: ignore[attr-defined]
    changes = [
        lambda: model.rules.update({}),
        lambda: model.rules.pop("cohesion"),
        lambda: model.rules.popitem(),
        lambda: model.rules.clear(),
        lambda: model.rules.setdefault("x", mm.Cohesion()),
        lambda: model.rules.__setitem__("cohesion", mm.Cohesion()),
        lambda: model.flocks.__delitem__("boids"),
        lambda: model.obstacles.__ior__({}),
    ]
    for change in changes:
        with pytest.raises(TypeError, match=r"model\.set"):
            change()
    assert model == full()


def test_the_order_of_rules_counts() -> None:
    """By priority the first rule comes first: models with rules in another order are others."""
    wind, cohesion = mm.Wind(vector=(1.0, 0.0)), mm.Cohesion()
    one = mm.Model(space=SPACE, flocks=BOIDS, rules={"wind": wind, "cohesion": cohesion})
    other = mm.Model(space=SPACE, flocks=BOIDS, rules={"cohesion": cohesion, "wind": wind})
    assert one != other
    assert mm.parse(mm.to_toml(other)) == other != one


def test_fingerprints_are_the_same_in_every_process() -> None:
    code = "import murmurate as mm; print(mm.parse(open(0).read(), 'full.toml').fingerprint())"
    found = ran_well(sys.executable, "-c", code, input=mm.to_toml(full()))
    assert found.strip() == full().fingerprint()


def test_the_order_of_0_1_0_is_still_read() -> None:
    """'together' is now 'synchronous': old files and calls give the same model."""
    new = full().set({"order": "synchronous", "positions": "in-turn"})
    assert new.order == "synchronous"
    assert full().set({"order": "together", "positions": "in-turn"}) == new
    old = 'order = "together"\n[space]\nsize = [5, 5]\n[flocks.boids]\ncount = 2\n'
    model = mm.parse(old)
    assert model == mm.parse(old.replace("together", "synchronous"))
    assert model.fingerprint() == mm.parse(old.split("\n", 1)[1]).fingerprint()
    assert "together" not in mm.to_toml(model)
