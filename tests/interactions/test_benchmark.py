"""The benchmark of learned functions, in small."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

import murmurate as mm

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from learned_functions import cases, judge, simulate, tracked

pytestmark = pytest.mark.slow


def test_functions_of_a_known_model_are_recovered_far_better_than_by_a_force_map() -> None:
    case = replace(cases()["vicsek-1995, weighted"](), worlds=3, frames=250)
    tracks = tracked(case, simulate(case), 0.05)
    learned = mm.learn_interactions(tracks, radius=case.radius, form="distance", mean=False)
    assert learned.stepping is not None
    verdict = judge(case, learned, tracks)
    assert verdict.known > 0.9
    assert verdict.error < 0.15
    assert verdict.ratio < 0.5
    assert verdict.coverage > 0.7
