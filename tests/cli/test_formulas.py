"""What is printed of a rule is what it computes: its form, its zone, and what becomes of it."""

from __future__ import annotations

import pytest

import murmurate as mm
from murmurate.model.description import describe_settings, fill_formula
from murmurate.model.registry import RULES


@pytest.mark.parametrize(
    ("rule", "printed"),
    [
        (mm.Cohesion(), "1 * (mean of x_j - x_i)"),
        (
            mm.Cohesion(form="steering", weight=2),
            "2 * (max_speed * direction to the mean of x_j - v_i, at most max_force)",
        ),
        (mm.Alignment(), "1 * (mean of v_j - v_i)"),
        (mm.Alignment(divide_by="flock"), "1 * 1/N sum of (v_j - v_i)"),
        (
            mm.Alignment(form="steering", divide_by="flock"),
            "1 * (max_speed * direction of the mean of v_j - v_i, at most max_force)",
        ),
        (
            mm.Separation(form="steering", law="unit"),
            "1 * (max_speed * direction of the sum of 1 away from x_j - v_i, at most max_force)",
        ),
        (mm.HeadingAlignment(), "1 * sum of v_j / |v_j|"),
        (mm.HeadingAlignment(divide_by="neighbours"), "1 * mean of v_j / |v_j|"),
        (mm.VectorialNoise(), "1 * n_i * random direction"),
        (mm.VectorialNoise(times="one"), "1 * random direction"),
        (
            mm.WeightedAlignment(exponent=0.5, divide_by="weights"),
            "1 * sum of w (v_j - v_i) / sum of w, w = (1 + (r / 1)^2)^-0.5",
        ),
        (
            mm.Borders(margin=2, push="linear"),
            "1 * (lower + 2 - x below it, upper - 2 - x above it), each axis",
        ),
        (mm.PoissonKicks(rate=3, law="forward"), "1 * forward kicks of 1 at 3 a time unit"),
    ],
)
def test_a_formula_follows_the_words(rule: mm.Rule, printed: str) -> None:
    assert fill_formula(rule.formula_as_set, rule) == printed


@pytest.mark.parametrize(
    ("rule", "printed"),
    [
        (mm.Cohesion(), "senses its own flock"),
        (mm.Cohesion(radius=3), "senses its own flock within 3"),
        (mm.Cohesion(inner_radius=1, radius=3), "senses its own flock from 1 to 3"),
        (mm.Cohesion(inner_radius=1), "senses its own flock beyond 1"),
        (mm.Cohesion(neighbours="voronoi"), "senses the Voronoi neighbours in its own flock"),
        (mm.Cohesion(nearest=7, senses="a"), "senses the 7 nearest of a"),
        (mm.Wind(vector=(1, 0), normalise=True), "brought to length 1 before the weight"),
        (mm.Wind(vector=(1, 0), limit=2, stage=2, level=1), "at most 2 before the weight, stage 2, "
         "level 1"),
        (mm.Wind(vector=(1, 0), level=1, wakes=True), "level 1, which it wakes"),
    ],
)  # fmt: skip
def test_notes_say_what_the_formula_does_not(rule: mm.Rule, printed: str) -> None:
    assert describe_settings(rule) == printed


def test_a_custom_rule_without_a_formula_is_described_by_its_docstring(murmurate, tmp_path):
    (tmp_path / "own_told.py").write_text(
        '''
import murmurate as mm


class OwnTold(mm.NeighbourRule):
    """Pushes along x,
    as told.

    And more.
    """

    states = ("tiredness",)
    strength: mm.Scalar = mm.quantity(3.0)

    def pair(self, me, other):
        return 1.0, 0.0

    def finish(self, sums, me, state):
        return self.strength, 0.0, 0.0, state.tiredness


class OwnTold2(OwnTold):
    """With both."""

    formula = "{weight} * {strength} {of} {pair}"


class OwnTold3(OwnTold):
    formula = ""
'''
    )
    (tmp_path / "told.toml").write_text(
        "[space]\nsize = [9, 9]\n[flocks.boids]\ncount = 3\nmotion = { kind = 'replace' }\n"
        "[rules.own-told]\nradius = 4\nweight = 0.5\n[rules.own-told2]\n[rules.own-told3]\n"
    )
    try:
        ran = murmurate("show", "told.toml", "--rules", "own_told.py")
    finally:
        for kind in [kind for kind in RULES if kind.startswith("own-told")]:
            del RULES[kind]
    assert ran.code == 0, ran.err
    printed = [" ".join(line.split()) for line in ran.out.splitlines()]
    at = printed.index("own-told Pushes along x, as told.")
    assert " ".join(printed[at + 1 : at + 3]).startswith(
        "weight 0.5, strength 3, senses its own flock within 4, stores tiredness of each boid"
    )
    at = printed.index("own-told2 1 * 3 {of} {pair}")
    assert printed[at + 1] == "With both."
    assert "own-told3 has neither formula nor docstring" in printed
