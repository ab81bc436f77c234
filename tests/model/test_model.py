"""A model is an immutable, comparable value, and equal to its file."""

from __future__ import annotations

import copy
import pickle
import re
import sys
from typing import Any

import numpy as np
import pytest
from full_model import BOIDS, SPACE, full
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import murmurate as mm
from murmurate.model.model import TEXTS
from processes import ran_well
from structures import STRUCTURES


def models() -> st.SearchStrategy[mm.Model]:
    """Return the structures of the other tests, with random numbers."""

    def with_numbers(name: str) -> st.SearchStrategy[mm.Model]:
        make, ranges = STRUCTURES[name]
        values = {
            key: st.integers(*ends) if isinstance(ends[0], int) else st.floats(*ends)
            for key, ends in ranges.items()
            if key != "radius"
        }
        return st.fixed_dictionaries(values).map(lambda numbers: make(**numbers))

    return st.sampled_from(sorted(STRUCTURES)).flatmap(with_numbers)


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
        ("about", "another"),
        ("source.reading", "another"),
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
    """set changes one number and nothing else, and leaves the model itself alone."""
    model = full()
    changed = model.set({path: value})
    assert changed != model
    assert hash(changed) != hash(model)
    is_text = path.split(".")[0] in TEXTS
    assert (changed.fingerprint() == model.fingerprint()) == is_text
    assert model == full(), "the model itself has not changed"
    item: Any = changed.to_dict()
    for key in path.split("."):
        item = item[int(key)] if isinstance(item, list) else item[key]
    assert item == value or {"kind": "cycle", **value} == item


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


def test_whole_numbers_may_be_written_as_real_ones() -> None:
    assert full().set({"flocks.boids.count": 1e3}).flocks["boids"].count == 1000


def test_models_do_not_change() -> None:
    model = full()
    with pytest.raises(Exception, match="models cannot be changed"):
        model.dt = 3.0  # type: ignore[misc]
    with pytest.raises(Exception, match="cannot be changed"):
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
        with pytest.raises(mm.ModelError, match=r"model\.set"):
            change()
    assert model == full()


def test_the_order_of_rules_counts() -> None:
    """Flocks that combine by priority depend on it, so models in another order differ."""
    wind, cohesion = mm.Wind(vector=(1.0, 0.0)), mm.Cohesion()
    first = mm.Model(space=SPACE, flocks=BOIDS, rules={"wind": wind, "cohesion": cohesion})
    other = mm.Model(space=SPACE, flocks=BOIDS, rules={"cohesion": cohesion, "wind": wind})
    assert first != other
    assert mm.parse(mm.to_toml(other)) == other != first


@pytest.mark.slow
def test_fingerprints_are_the_same_in_every_process() -> None:
    code = "import murmurate as mm; print(mm.parse(open(0).read(), 'full.toml').fingerprint())"
    output = ran_well(sys.executable, "-c", code, input=mm.to_toml(full()))
    assert output.strip() == full().fingerprint()


def test_the_order_of_0_1_0_is_still_read() -> None:
    """Old files and calls with order 'together' give models of order 'synchronous'."""
    new = full().set({"order": "synchronous", "positions": "in-turn"})
    assert new.order == "synchronous"
    assert full().set({"order": "together", "positions": "in-turn"}) == new
    old = 'order = "together"\n[space]\nsize = [5, 5]\n[flocks.boids]\ncount = 2\n'
    model = mm.parse(old)
    assert model == mm.parse(old.replace("together", "synchronous"))
    assert model.fingerprint() == mm.parse(old.split("\n", 1)[1]).fingerprint()
    assert "together" not in mm.to_toml(model)


def test_parts_of_models_cannot_be_changed() -> None:
    """The message says how to get a changed copy."""
    model = mm.load("starlings")
    parts = [
        (model, "dt", "dt"),
        (model.space, "size", "space.size"),
        (model.rules["cohesion"], "weight", "rules.NAME.weight"),
        (model.flocks["boids"], "count", "flocks.NAME.count"),
        (model.flocks["boids"].motion, "max_speed", "flocks.NAME.motion.max_speed"),
        (model.flocks["boids"].start, "radius", "PATH.radius"),
    ]
    for part, name, path in parts:
        for change in (lambda part, name: setattr(part, name, 3), delattr):
            with pytest.raises(mm.ModelError, match=re.escape(f'model.set({{"{path}": ')):
                change(part, name)


def test_values_that_are_no_table_and_no_text_are_refused() -> None:
    model = mm.load("vicsek-1995")
    for changes in (3, None, "dt", [("dt", 3)], {3: 4}, {"dt"}):
        with pytest.raises(mm.ModelError, match=r"changes: got .* a table of paths and values"):
            model.set(changes)  # type: ignore[arg-type]
    for text in (3, None, {"a": 3}, b"a = 3", model):
        with pytest.raises(mm.ModelError, match=r"text: got .* the text of a model file"):
            mm.parse(text)  # type: ignore[arg-type]


def test_fields_that_are_no_parameters_are_refused() -> None:
    def alone(self: Any, me: Any) -> tuple[float, float, float]:
        return 1.0, 0.0, 0.0

    fields: list[tuple[dict[str, Any], str]] = [
        ({"power": 3.0}, "got power without a type; expected 'power: Scalar = ...'"),
        ({"weight": 3.0}, "got weight without a type"),
        ({"words": ["a"]}, "got words without a type"),
        ({"__annotations__": {"power": np.ndarray}}, "got a field of a type that no parameter"),
        ({"__annotations__": {"power": "Nope"}, "power": 1.0}, "got the type Nope, which is not"),
    ]
    for names, message in fields:
        with pytest.raises(mm.RuleError, match=re.escape(message)) as error:
            type("Push", (mm.Rule,), {"alone": alone, **names})()
        assert "pydantic" not in str(error.value)
    with pytest.raises(mm.ModelError, match="Cohesion: got 3 without a name"):
        mm.Cohesion(3)  # type: ignore[misc]
