"""What the colours of pictures may show, checked against the numbers that a model's boids have."""

from __future__ import annotations

import pytest
from full_model import SPACE

import murmurate as mm
from murmurate.model.warnings import model_warnings

WITH_STATE = mm.load("inertial-spin")


class ColouredEnergy(mm.Rule):
    """Loses energy in each step."""

    states = ("energy",)

    def alone(self, me, state):
        return 0.0, 0.0, 0.0, state.energy - me.dt


def test_words_and_state_by_path_or_last_part() -> None:
    for name in ("flock", "heading", "speed", "motion.spin_x", "spin_x"):
        assert WITH_STATE.set({"view.colour_by": name}).view.colour_by == name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("spn_x", ["did you mean spin_x?", "motion.spin_x", "flock, heading, speed"]),
        ("headng", ["did you mean heading?"]),
        ("pin_x", ["expected flock"]),
        ("a b", ["expected flock", "'a b'"]),
        ("", ["expected flock"]),
        ("x" * 300, ["expected flock"]),
        (3, ["view.colour_by: got 3"]),
    ],
)
def test_other_names_are_refused(name: object, words: list[str]) -> None:
    with pytest.raises(mm.ModelError) as refused:
        WITH_STATE.set({"view.colour_by": name})
    assert all(word in str(refused.value) for word in ["view.colour_by: got", *words])


def test_a_number_that_all_boids_share_gives_a_warning() -> None:
    """It may lose its distribution in a sweep, or by a slider."""
    model = mm.load("jolles-2017")
    assert model.view.colour_by == "motion.speed" and not model_warnings(model)
    same = model.set({"flocks.boids.motion.speed": 1.0})
    (text,) = model_warnings(same)
    assert "view.colour_by: got 'motion.speed', which is the same number" in text


def test_models_whose_boids_are_all_alike_have_no_numbers() -> None:
    with pytest.raises(mm.ModelError, match="this model has none") as refused:
        mm.Model(space=SPACE, flocks={"boids": {"count": 3}}, view=mm.View(colour_by="wait"))
    assert "distribution" in str(refused.value)


def test_a_last_part_of_several_numbers_is_ambiguous() -> None:
    rules = {"walking": ColouredEnergy(), "resting": ColouredEnergy()}
    model = mm.Model(space=SPACE, flocks={"boids": {"count": 3}}, rules=rules)
    assert model.set({"view.colour_by": "rules.walking.energy"}).view.colour_by
    with pytest.raises(mm.ModelError, match=r"rules\.walking\.energy, rules\.resting\.energy"):
        model.set({"view.colour_by": "energy"})


@pytest.mark.parametrize("ends", [[1], [2, 1], [1, 1], [1, 2, 3], ["a", 1], [0, float("inf")]])
def test_ranges(ends: list[object]) -> None:
    assert WITH_STATE.view.colour_range == ()
    assert WITH_STATE.set({"view.colour_range": [0, 1]}).view.colour_range == (0.0, 1.0)
    assert WITH_STATE.set({"view.colour_range": []}).view.colour_range == ()
    with pytest.raises(mm.ModelError, match=r"view\.colour_range"):
        WITH_STATE.set({"view.colour_range": ends})


def test_maps() -> None:
    assert WITH_STATE.set({"view.colour_map": "cyclic"}).view.colour_map == "cyclic"
    with pytest.raises(mm.ModelError, match="'sequential' or 'cyclic'"):
        WITH_STATE.set({"view.colour_map": "jet"})
