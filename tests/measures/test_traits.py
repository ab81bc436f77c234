"""Measures by trait, against closed forms, exact means over permutations, and scipy."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from flocks_for_measures import blob, gas, run, space_of

import murmurate as mm
import murmurate.measures as measures
from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame
from murmurate.measures import MEASURES, measure_frames, of_arrays
from murmurate.measures.traits import correlation, ranks

OPEN = space_of("open", 2, 100.0)


def flock_with(x, v, trait, space=OPEN, ids=None) -> FlockFrame:
    return of_arrays(np.asarray(x, float), np.asarray(v, float), space,
                     ids=ids, traits={"rules.pull.weight": trait})  # fmt: skip


@pytest.mark.parametrize("ties", [False, True])
def test_correlations_are_those_of_scipy(ties):
    from scipy import stats

    random = np.random.default_rng(1)
    for n in (3, 10, 50):
        x = random.normal(size=n)
        y = x + random.normal(size=n)
        if ties:
            x, y = np.round(x), np.round(y)
        if np.ptp(x) and np.ptp(y):
            np.testing.assert_allclose(ranks(x), stats.rankdata(x))
            np.testing.assert_allclose(correlation(x, y), stats.spearmanr(x, y)[0])
            np.testing.assert_allclose(correlation(x, y, "pearson"), stats.pearsonr(x, y)[0])


def test_correlations_without_a_value():
    x = np.arange(3.0)
    assert math.isnan(correlation(x[:2], x[:2]))
    assert math.isnan(correlation(x, np.full(3, 1e300)))
    assert correlation(1e-200 * x, 1e200 * x, "pearson") == 1.0


def test_speed_front_and_centre():
    """A column that moves along (3, 4): traits in order of position, speed, distance."""
    u = np.array([0.6, 0.8])
    s = np.array([-4.0, -1.0, 0.0, 1.0, 4.0])
    v = (5 - np.abs(s))[:, None] * u
    column = flock_with(s[:, None] * u + 50, v, s**3)
    assert measures.front_trait_correlation(column, trait="weight") == 1.0
    assert measures.front_trait_correlation(column, trait="weight", method="pearson") == (
        pytest.approx(np.corrcoef(s, s**3)[0, 1])
    )
    assert measures.centre_trait_correlation(column, trait="weight") == pytest.approx(0.0)
    fast = flock_with(s[:, None] * u + 50, v, 7 - np.abs(s))
    assert measures.speed_trait_correlation(fast, trait="rules.pull.weight") == 1.0
    assert measures.centre_trait_correlation(fast, trait="weight", method="pearson") == (
        pytest.approx(-1.0)
    )
    assert measures.front_trait_correlation(fast, trait="weight") == pytest.approx(0.0)
    still = flock_with(s[:, None] * u, np.concatenate([u[None], -u[None], np.zeros((3, 2))]), s)
    assert math.isnan(measures.front_trait_correlation(still, trait="weight"))  # no direction


def test_front_across_the_edge_of_a_torus():
    space = space_of("torus", 2, 10.0)
    x = np.array([[9.0, 5], [9.8, 5], [0.5, 5], [1.2, 5]])
    flock = flock_with(x, np.tile([1.0, 0.0], (4, 1)), [1, 2, 3, 4], space)
    assert measures.front_trait_correlation(flock, trait="weight") == 1.0


def test_mean_and_spread():
    flock = flock_with(np.zeros((4, 2)), np.zeros((4, 2)), [1.0, 2.0, np.nan, 6.0])
    assert measures.trait_mean(flock, trait="weight") == 3.0
    assert measures.trait_spread(flock, trait="weight") == pytest.approx(math.sqrt(14 / 3))


PAIRS = np.array([[0, 0], [0.1, 0], [1, 0], [1.1, 0], [2, 0], [2.1, 0]])


def test_moran_index_of_pairs():
    """Nearest neighbours are partners: alike, opposite, and -1 / (N - 1) over all permutations."""

    def index(trait, k=1):
        flock = flock_with(PAIRS, np.zeros((6, 2)), trait)
        return measures.neighbour_trait_correlation(flock, trait="weight", k=k)

    assert index([1, 1, 2, 2, 5, 5]) == pytest.approx(1.0)
    assert index([1, -1, 1, -1, 1, -1]) == pytest.approx(-1.0)
    assert index([1, 2, 3, 4, 5, 7], k=5) == pytest.approx(-0.2)  # all others
    assert math.isnan(index([1, 1, 1, 1, 1, 1]))
    assert math.isnan(index([1, 2, 3, 4, 5, 7], k=6))
    trait = [1.0, 2.0, 4.0, 8.0, 9.0, 11.0]
    for k in (1, 2):
        values = [index(order, k) for order in itertools.permutations(trait)]
        assert np.mean(values) == pytest.approx(-1 / 5)


def test_assortment_is_a_correlation_over_links():
    flock = gas(2, 60, 10.0)
    trait = np.random.default_rng(2).normal(size=60) + flock.positions[:, 0]
    flock = flock_with(flock.positions, flock.velocities, trait, flock.space)
    ends = []
    for i, j in itertools.permutations(range(60), 2):
        d = flock.positions[i] - flock.positions[j]
        if np.linalg.norm(d - 10 * np.round(d / 10)) <= 1.5:
            ends.append((trait[i], trait[j]))
    expected = np.corrcoef(np.array(ends).T)[0, 1]
    assert measures.trait_assortment(flock, trait="weight", link=1.5) == pytest.approx(expected)
    assert math.isnan(measures.trait_assortment(flock, trait="weight", link=1e-9))
    pairs = flock_with(PAIRS, np.zeros((6, 2)), [1, 1, 2, 2, 5, 5])
    assert measures.trait_assortment(pairs, trait="weight", link=0.2) == pytest.approx(1.0)


def test_clustering_of_traits():
    """1 for clusters of equals, 0 exactly on average over all permutations (Kelley)."""

    def share(trait, link=0.2):
        flock = flock_with(PAIRS, np.zeros((6, 2)), trait)
        return measures.trait_clustering(flock, trait="weight", link=link)

    assert share([1, 1, 2, 2, 5, 5]) == 1.0
    trait = [1.0, 2.0, 4.0, 8.0, 9.0, 11.0]
    shares = [share(order) for order in itertools.permutations(trait)]
    assert np.mean(shares) == pytest.approx(0.0, abs=1e-12)
    assert math.isnan(share(trait, link=5.0))  # one cluster
    assert math.isnan(share(trait, link=0.01))  # six


def test_measure_by_trait():
    """Speeds of four groups whose boids fly at their own speeds."""
    own = np.arange(1.0, 13.0)
    angle = np.linspace(0, 6, 12)
    v = own[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    flock = flock_with(np.zeros((12, 2)), v, own)
    curve = measures.measure_by_trait(flock, trait="weight")
    np.testing.assert_allclose(curve.y, [2, 5, 8, 11])
    assert curve.count.tolist() == [3, 3, 3, 3]
    few = flock_with(np.zeros((12, 2)), v, np.repeat([-1.0, 0.0, 4.0], 4))
    curve = measures.measure_by_trait(few, trait="weight")
    np.testing.assert_allclose(curve.edges, [-1.5, -0.5, 2, 4.5])
    np.testing.assert_allclose(curve.y, [2.5, 6.5, 10.5])
    x = np.stack([own, np.zeros(12)], axis=1)
    column = flock_with(x, np.tile([2.0, 0], (12, 1)), own)
    curve = measures.measure_by_trait(column, trait="weight", of="front", groups=2)
    np.testing.assert_allclose(curve.y, [-3, 3])
    curve = measures.measure_by_trait(column, trait="weight", of="nearest_neighbour_distance")
    np.testing.assert_allclose(curve.y, 1.0)


def test_groups_of_the_first_frame_are_kept():
    """Later boids beyond the limits belong to the end groups, and frames count equally."""
    v = np.ones((4, 2))
    first = flock_with(np.zeros((4, 2)), v, [1.0, 2.0, 3.0, 4.0])
    later = flock_with(np.zeros((4, 2)), 3 * v, [0.0, 9.0, 9.5, 10.0])
    options = {"measure_by_trait": {"trait": "weight", "groups": 2}}
    curve = measure_frames(run([first, later]), ["measure_by_trait"], options=options)[
        "measure_by_trait"
    ].value
    assert curve.count.tolist() == [3, 5]
    np.testing.assert_allclose(curve.y, math.sqrt(2) * 2)


def turning_school(n: int = 12, frames: int = 60):
    """Return headings of boids that repeat those of boid 0, each one frame later than the last."""
    random = np.random.default_rng(5)
    angles = np.cumsum(0.5 * random.normal(size=frames + n))
    return [
        np.array([[np.cos(angles[t - i + n]), np.sin(angles[t - i + n])] for i in range(n)])
        for t in range(frames)
    ]


def test_leaders_by_trait():
    lead = -np.arange(12.0)
    flocks = [flock_with(np.zeros((12, 2)), v, lead**3) for v in turning_school()]
    result = measures.leadership_trait_correlation(run(flocks, 0.1), trait="weight")
    assert result.value == 1.0
    assert result.error == 0.0
    flocks = [flock_with(np.zeros((12, 2)), v, -lead) for v in turning_school()]
    assert measures.leadership_trait_correlation(run(flocks, 0.1), trait="weight").value == -1.0


def test_individual_means_remove_the_noise_of_frames():
    """Fast boids are in front on average; in a single frame noise hides it."""
    random = np.random.default_rng(6)
    bold, flocks = np.arange(30.0), []
    for _ in range(400):
        x = np.stack([bold + 60 * random.normal(size=30), random.normal(size=30)], axis=1)
        present = random.random(30) < 0.7
        flocks.append(flock_with(x[present], np.tile([1.0, 0], (present.sum(), 1)), bold[present],
                                 ids=np.flatnonzero(present)))  # fmt: skip
    frames = run(flocks)
    single = measure_frames(frames, ["front_trait_correlation"], trait="weight")
    assert single["front_trait_correlation"].value.value < 0.3
    means = measures.individual_trait_correlation(frames, trait="weight")
    assert means.value > 0.85
    assert means.independent == 30
    path = measures.individual_trait_correlation(frames, trait="weight", of="straightness")
    assert abs(path.value) < 4 * path.error


def test_repeatability():
    """Variance 3 between boids and 1 within: 0.75, for boids that come and go."""
    random = np.random.default_rng(7)
    own, flocks = 20 + math.sqrt(3) * random.normal(size=300), []
    for _ in range(20):
        present = random.random(300) < 0.5
        speed = own[present] + random.normal(size=present.sum())
        v = np.stack([speed, np.zeros(len(speed))], axis=1)
        flocks.append(of_arrays(np.zeros_like(v), v, OPEN, ids=np.flatnonzero(present)))
    result = measures.repeatability(run(flocks))
    assert result.agrees(0.75)
    assert 0.01 < result.error < 0.04
    alike = [of_arrays(np.zeros((300, 2)), random.normal(size=(300, 2)), OPEN) for _ in range(20)]
    assert measures.repeatability(run(alike)).agrees(0.0)
    fixed = [of_arrays(np.zeros((5, 2)), np.outer(own[:5], [1, 0]), OPEN) for _ in range(3)]
    assert measures.repeatability(run(fixed)).value == pytest.approx(1.0)


def test_errors_of_correlations_cover_the_true_value():
    """The standard error for ranks and numbers, from many samples of a bivariate normal."""
    from murmurate.measures.traits_over_frames import correlation_estimate

    random = np.random.default_rng(8)
    for method, truth in (("pearson", 0.6), ("spearman", 6 / math.pi * math.asin(0.3))):
        results = []
        for _ in range(300):
            x = random.normal(size=40)
            y = 0.6 * x + 0.8 * random.normal(size=40)
            results.append(correlation_estimate(x, y, method))
        spread = np.std([r.value for r in results])
        assert np.mean([r.error for r in results]) == pytest.approx(spread, rel=0.12)
        assert np.mean([r.value for r in results]) == pytest.approx(truth, abs=0.03)


def test_state_that_a_rule_stores_is_a_trait_too():
    flock = blob("open", 2, 20)
    speed = np.linalg.norm(flock.velocities, axis=1)
    flock = FlockFrame(
        "boids", flock.ids, flock.positions, flock.velocities, flock.perch_timers, flock.space,
        memory=speed[:, None], state_names=("motion.effort",),
    )  # fmt: skip
    assert measures.speed_trait_correlation(flock, trait="effort") == 1.0


# --- options


def tracks():
    x = np.random.default_rng(9).normal(size=(12, 8, 2)).cumsum(axis=0)
    return list(measures.of_tracks(x, 0.1, traits={"size": np.arange(8.0)}))


@pytest.mark.slow
def test_trait_of_a_table():
    table = mm.measure(tracks(), ["speed", "front_trait_correlation"], trait="size")
    assert table.results["front_trait_correlation"].options["trait"] == "size"
    default = mm.measure(tracks(), trait="size")
    fast = {n for n, m in MEASURES.items() if "trait" in m.required and not m.slow}
    assert fast <= set(default)
    assert "leadership_trait_correlation" not in default
    assert "leadership_trait_correlation" in mm.measure(tracks(), "all", trait="size")
    without = mm.measure(tracks())
    assert not [name for name in without if "trait" in name]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"trait": "weight"}, "trait: got 'weight'; expected one name of flock 'boids': size"),
        ({"measures": ["speed"], "trait": "size"}, "expected a measure of one as well"),
        (
            {"measures": ["trait_mean"]},
            "no value for 'trait'; expected one. Set --trait VALUE or --option trait_mean",
        ),
        ({"measures": ["trait_mean"], "trait": 3}, "trait: got 3; expected the name"),
    ],
)
def test_wrong_trait(arguments, message):
    with pytest.raises(MeasureError, match=message):
        mm.measure(tracks(), **arguments)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("front_trait_correlation", {"method": "kendall"}, "method: got 'kendall'"),
        ("measure_by_trait", {"of": "state"}, "of: got 'state'; expected 'front', 'centre', or"),
        ("measure_by_trait", {"of": ["front", "centre"]}, "of: got "),
        ("measure_by_trait", {"of": np.zeros(2)}, "of: got "),
        ("measure_by_trait", {"of": "collisions"}, "of: got 'collisions'"),
        ("measure_by_trait", {"groups": 0}, "groups: got 0"),
        ("individual_trait_correlation", {"of": "polarization"}, "of: got 'polarization'"),
        ("individual_trait_correlation", {"of": "approaches"}, "of: got 'approaches'"),
        ("repeatability", {"of": "size"}, "of: got 'size'; expected one of 'speed'"),
    ],
)
def test_wrong_options(name, options, message):
    trait = {} if name == "repeatability" else {"trait": "size"}
    with pytest.raises(MeasureError, match=message):
        mm.measure(tracks(), [name], measure_options={name: options | trait})


def test_wrong_arrays():
    with pytest.raises(MeasureError, match=r"traits: size: got shape \(3,\); expected \(2,\)"):
        of_arrays(np.zeros((2, 2)), traits={"size": [1, 2, 3]})


def test_each_fish_of_a_model_keeps_its_own_speed():
    model = mm.load("jolles-2017")
    run = mm.RunSpec(steps=30, seed=2, engine="reference")
    table = mm.measure(model, ["speed_trait_correlation"], run, trait="speed")
    assert table["speed_trait_correlation"].value == pytest.approx(1.0)


@pytest.mark.slow
def test_fast_fish_of_a_model_are_in_front():
    """Jolles et al. 2017: fish that differ in their own speed sort themselves."""
    model = mm.load("jolles-2017")
    table = mm.measure(
        model,
        ["speed_trait_correlation", "front_trait_correlation"],
        mm.RunSpec(steps=10_000, seed=2),
        trait="speed",
    )
    assert table["speed_trait_correlation"].value == pytest.approx(1.0)  # each keeps its own speed
    front = table["front_trait_correlation"]
    assert front.value > 4 * front.error > 0
    frames = mm.frames(mm.Simulation(model, seed=2), 100, 20)
    own = measures.individual_trait_correlation(frames, trait="speed", of="speed")
    assert own.value == pytest.approx(1.0)
