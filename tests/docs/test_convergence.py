"""How far the step takes models off values in closed form: the tables of their pages, measured by
docs/make_convergence.py."""

from __future__ import annotations

import json
import math
import sys

import numpy as np
import pytest
from page_blocks import ROOT

import murmurate as mm

DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS))

import make_convergence  # noqa: E402

STORED = json.loads(make_convergence.STORED.read_text(encoding="utf-8"))
CASES = [
    (name, number, case)
    for name, cases in make_convergence.cases().items()
    for number, case in enumerate(cases)
]
IDS = [f"{name}-{number}" for name, number, _ in CASES]
each = pytest.mark.parametrize(("name", "number", "case"), CASES, ids=IDS)


@each
def test_the_tables_are_of_the_cases(name, number, case):
    """All steps that a case is measured at, the model's own among them, and its page has them."""
    stored = STORED[name][number]
    own = mm.load(name).dt
    assert (stored["what"], stored["law"], stored["order"]) == (case.what, case.law, case.order)
    assert stored["exact"] == pytest.approx(case.exact, rel=1e-12)
    assert [row["dt"] for row in stored["rows"]] == [f * own for f in make_convergence.FACTORS]
    page = (DOCS / "models" / f"{name}.md").read_text(encoding="utf-8")
    assert make_convergence.section(STORED[name], own) in page


@each
def test_they_converge_with_the_order_that_is_said(name, number, case):
    """The error from twice to a quarter of the model's step: a line of that slope through
    logarithms, or no error at all."""
    rows, own = STORED[name][number]["rows"], mm.load(name).dt
    off = np.array([row["value"] - case.exact for row in rows])
    errors = np.array([row["error"] for row in rows])
    if case.order == 0:
        assert np.abs(off).max() < 1e-9 * case.exact
        return
    scaled = off / np.array([row["dt"] for row in rows]) ** case.order
    if errors.any():  # what the algebra of the steps says, to chance; and its order
        algebra = np.array([case.steps(row["dt"]) - case.exact for row in rows])
        assert (np.abs(off - algebra) < 4 * errors).all()
        assert (errors < 0.01 * case.exact).all()
        small = np.array([case.steps(own / 2**k) - case.exact for k in range(3, 7)])
        assert np.log2(small[:-1] / small[1:]) == pytest.approx(case.order, abs=0.1)
        return
    assert scaled[2:] == pytest.approx(scaled[1], rel=0.1)
    steps = np.log2(np.abs(off[1:-1] / off[2:]))
    assert steps == pytest.approx(case.order, abs=0.1)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name == "cucker-smale" else pytest.mark.long)
        for name in ("heppner-grenander", "dorsogna-2006", "cucker-smale")
    ],
)  # kernels of their own
def test_what_is_stored_is_measured_again(name):
    """At the model's own step; what depends on chance takes too long."""
    case, stored = make_convergence.cases()[name][0], STORED[name][0]["rows"][1]
    value, _ = case.run(stored["dt"])
    assert value == pytest.approx(stored["value"], rel=1e-12)


def test_a_spin_in_equilibrium():
    """With friction it is about eta dt / (2 chi) too near to the field at the model's own step:
    1.2%, less the second order, J dt^2 / (4 chi) = 0.16%."""
    exact = make_convergence.langevin(0.01)
    off = make_convergence.linear_spin(0.1) / exact - 1
    assert off == pytest.approx(-0.3 * 0.1 / 2.5 + 0.8 * 0.01 / 5, abs=2e-4)


def test_langevin_is_a_mean_over_the_sphere():
    """By quadrature: the weight of a cosine c is exp(c / T)."""
    c, w = np.polynomial.legendre.leggauss(100)
    for heat in (0.01, 0.3, 5.0):
        weight = w * np.exp((c - 1) / heat)
        want = float((weight * (1 - c)).sum() / weight.sum())
        assert make_convergence.langevin(heat) == pytest.approx(want, rel=1e-9)
    assert make_convergence.langevin(1e-4) == pytest.approx(1e-4, rel=1e-6)
    assert math.isfinite(make_convergence.langevin(0.01))
