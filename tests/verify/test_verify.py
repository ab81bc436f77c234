"""murmurate verify: a sample of the zoo, broken models, mistakes, and the command.

pytest -m long tests/verify verifies all of the zoo.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import murmurate as mm
import murmurate.verify
from murmurate.cli import main
from murmurate.errors import ModelError
from murmurate.measures.arrays import of_arrays
from murmurate.measures.neighbour_directions import anisotropy
from murmurate.verify import verify
from murmurate.verify.expectation_runs import PlannedRun, options_of_run, simulate_run
from murmurate.verify.statistics import (
    frame_statistic,
    heading_along_x,
    speed_along_heading,
    velocity_along_x,
    velocity_spread,
)

ZOO = sorted(mm.zoo())
LONG = pytest.mark.long


def with_only(model: mm.Model, keep: Any) -> mm.Model:
    """Return the model with the expectations for which `keep` returns True."""
    return model.model_copy(update={"expect": tuple(e for e in model.expect if keep(e))})


def settings(expectation: mm.Expectation) -> set[str]:
    return {f"{path.split('.')[-1]}={value}" for path, value in expectation.set.items()}


def test_statistics() -> None:
    x = np.zeros((3, 2))
    flock = of_arrays(x, np.array([[3.0, 0.0], [0.0, 4.0], [0.0, -4.0]]))
    assert velocity_spread(flock) == 8.0
    assert heading_along_x(flock) == 1.0
    assert velocity_along_x(flock) == 1.0
    assert math.isnan(heading_along_x(of_arrays(x, x)))
    assert math.isnan(speed_along_heading(flock))  # no heading is kept
    assert frame_statistic("polarization") is not frame_statistic("milling")
    with pytest.raises(ModelError, match="polarization"):
        frame_statistic("polarisation")


def test_statistics_of_field_studies() -> None:
    x = np.random.default_rng(1).uniform(-1, 1, size=(600, 3)) * [4, 2, 1]
    turn = np.stack([-x[:, 1], x[:, 0], 0 * x[:, 0]], axis=1)  # its correlations reach far
    flock = of_arrays(x, turn + np.array([3.0, 0, 4.0]))
    assert frame_statistic("middle_aspect_ratio")(flock) == pytest.approx(2, rel=0.1)
    assert frame_statistic("thin_along_z")(flock) > 0.99
    assert frame_statistic("thin_along_z")(of_arrays(x[:, ::-1], x)) < 0.1
    assert frame_statistic("steepness")(flock) == pytest.approx(0.8, abs=0.02)
    share = frame_statistic("correlation_length_by_extent")
    assert 0.2 < share(flock) < 0.6
    larger = of_arrays(x * 7, flock.velocities)
    assert share(larger) == pytest.approx(share(flock))
    assert frame_statistic("nearest_anisotropy")(flock) == anisotropy(flock, inner=True)
    assert frame_statistic("seventh_anisotropy")(flock) == anisotropy(flock, k=7, inner=True)


def test_bounds() -> None:
    exact = mm.Expectation(measure="speed", step=1, value=2.0, tolerance=0.5)
    assert exact.bounds() == (1.5, 2.5)
    assert mm.Expectation(measure="speed", step=1, low=1.0).bounds() == (1.0, math.inf)
    for wrong in ({}, {"value": 1.0}, {"value": 1.0, "tolerance": 0.1, "low": 0.0}):
        with pytest.raises(ModelError, match="value and tolerance"):
            mm.Expectation(measure="speed", step=1, **wrong)
    with pytest.raises(ModelError, match="since"):
        mm.Expectation(measure="speed", step=1, since=2, low=0.0)
    with pytest.raises(ModelError, match="low: got 1; expected at most high, 0"):
        mm.Expectation(measure="speed", step=1, low=1.0, high=0.0)
    assert mm.Expectation(measure="speed", step=1, low=1.0, high=1.0).bounds() == (1.0, 1.0)


def test_steps_between_measurements_that_leave_one() -> None:
    with pytest.raises(
        ModelError, match=r"every: got 60.*only step 10 of 10 to 50.*at most 40.*since to 50"
    ):
        mm.Expectation(measure="speed", step=50, since=10, every=60, low=0.0)
    for since in (None, 10, 50):
        mm.Expectation(measure="speed", step=50, since=since, every=40, low=0.0)


@pytest.mark.parametrize(
    ("seeds", "message"),
    [
        ((1, -1), "seeds.1: got -1; expected a number greater than or equal to 0"),
        ((1, 2, 1), "seeds: got 1 twice"),
    ],
)
def test_impossible_seeds(seeds: tuple[int, ...], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        mm.Expectation(measure="speed", step=1, low=0.0, seeds=seeds)


@pytest.mark.parametrize(
    ("measure", "reason"),
    [
        ("collisions", r"needs an option \(radius\)"),
        ("state", "is a word"),
        ("pair_correlation", "is a curve"),
        ("susceptibility", "is taken over many frames"),
        ("captures", "is of a hunt"),
    ],
)
def test_measures_that_cannot_be_expected(measure: str, reason: str) -> None:
    with pytest.raises(ModelError, match=f"^{measure} {reason}.*one number a frame"):
        frame_statistic(measure)
    with pytest.raises(ModelError) as refused:
        frame_statistic("another")
    assert f" {measure}," not in str(refused.value)


def test_one_error_lists_all_mistakes_of_expectations() -> None:
    model = mm.load("cucker-smale")
    wrong = [
        {"measure": "sped", "flock": "bods"},
        {"measure": "speed", "set": {"rules.none.weight": 1}, "tier": "full"},
    ]
    expect = tuple(mm.Expectation(step=1, low=0.0, **table) for table in wrong)
    with pytest.raises(ModelError) as refused:
        verify(model.model_copy(update={"expect": expect}))
    lines = str(refused.value).splitlines()
    starts = ("expect.0.measure: no measure", "expect.0.flock: no flock", "expect.1.set: rules.non")
    assert len(lines) == 3
    assert all(line.startswith(start) for line, start in zip(lines, starts, strict=True))


def test_a_value_relative_to_zero_is_nan() -> None:
    """All boids have one velocity, so the spread at step 0 is 0."""
    alike = {"kind": "box", "velocity": {"kind": "heading", "velocity": [1, 0]}}
    model = mm.Model(space={"size": [9, 9]}, flocks={"boids": {"count": 3, "start": alike}})
    expectation = mm.Expectation(measure="velocity_spread", step=2, since=1, relative=True, low=0.0)
    run = PlannedRun(model, options_of_run("reference", 1), {0: expectation})
    (values,) = simulate_run(run).values()
    assert len(values) == 2 and np.isnan(values).all()


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("vicsek-1995", marks=pytest.mark.slow),
        pytest.param("cucker-smale", marks=LONG),
    ],
)
def test_a_sample(name: str) -> None:
    """Vicsek's curve at 40 particles; both of Cucker and Smale's cases."""
    model = mm.load(name)
    if name == "vicsek-1995":
        model = with_only(model, lambda e: "count=40" in settings(e))
    results = verify(model)
    assert len(results) >= 5
    assert [r for r in results if not r.agrees] == []
    statistics = [r for r in results if r.expected.kind != "trajectory"]
    assert all(math.isfinite(r.error) and r.flights >= 8 for r in statistics)


@pytest.mark.slow
def test_two_verifications_are_equal() -> None:
    """Threads end in any order, and the numbers do not depend on it."""
    model = with_only(mm.load("vicsek-1995"), lambda e: "count=40" in settings(e))
    model = model.model_copy(update={"expect": model.expect[:1]})
    first, second = verify(model), verify(model)
    assert first == second and first


BROKEN = [
    ("vicsek-1995", {"rules.heading-alignment.weight": -1.0}, "start="),
    pytest.param("gregoire-chate", {"rules.heading-alignment.weight": -1.0}, "", marks=LONG),
    pytest.param("vicsek-1995", {"rules.heading-alignment.radius": 0.5}, "count=40", marks=LONG),
    ("vicsek-1995", {"flocks.boids.motion.noise_law": "gaussian"}, "count=40"),
    ("gregoire-chate", {"rules.vectorial-noise.weight": 1.16}, ""),
    pytest.param("cucker-smale", {"rules.alignment.weight": -1.0}, "", marks=LONG),
    ("cucker-smale", {"rules.alignment.weight": 2.0}, ""),
    pytest.param("couzin-2002", {"rules.orientation.weight": -1.0}, "radius=2.0", marks=LONG),
    pytest.param("couzin-2002", {"flocks.boids.motion.turn_rate": 80.0}, "radius=2.0", marks=LONG),
    ("olfati-saber-2006", {"rules.lattice.distance": 3.5}, ""),
    pytest.param("swarmalators", {"rules.swarmalators.repulsion": 2.0}, "law=linear", marks=LONG),
    pytest.param(
        "swarmalators", {"rules.swarmalators.attraction": 1.3}, "synchronisation=-0.75", marks=LONG
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "change", "only"), BROKEN)
def test_verify_notices_a_broken_model(name: str, change: dict[str, Any], only: str) -> None:
    """A sign, a factor of 2, another law: an expectation differs."""
    model = mm.load(name)
    if only:
        model = with_only(model, lambda e: any(s.startswith(only) for s in settings(e)))
    elif name == "cucker-smale":
        model = with_only(model, lambda e: not e.set)
    elif name == "gregoire-chate":
        model = with_only(model, lambda e: not e.set and e.kind == "mean")
    elif name == "olfati-saber-2006":
        model = with_only(model, lambda e: e.since is not None)
    assert model.expect
    assert any(result.differs for result in verify(model.set(change)))


def write(folder: Path, expect: str) -> str:
    text = f"""
        [space]
        size = [9, 9]
        [flocks.boids]
        count = 5
        start = {{ kind = "box", velocity = {{ kind = "heading", velocity = [1, 0] }} }}
        {expect}
    """
    path = folder / "mine.toml"
    path.write_text("\n".join(line.strip() for line in text.splitlines()))
    return str(path)


EXPECT = '[[expect]]\nmeasure = "{}"\nstep = 3\nlow = {}\nhigh = 1.5\nwhy = "all have one velocity"'


def test_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", write(tmp_path, EXPECT.format("polarization", 0.99))]) == 0
    out = capsys.readouterr().out
    assert "agrees" in out and "by origin: 1 checked" in out
    assert main(["verify", write(tmp_path, EXPECT.format("polarization", 1.2))]) == 1
    assert "DIFFERS" in capsys.readouterr().out
    assert main(["verify", write(tmp_path, EXPECT.format("polarisation", 0.0))]) == 2
    assert "polarization" in capsys.readouterr().err
    assert main(["verify", write(tmp_path, "")]) == 2
    assert "nothing to verify" in capsys.readouterr().err
    assert main(["verify", "no-such-flock"]) == 2
    assert main(["verify", "--quick", "--full"]) == 2
    assert main(["verify", "ucl", "--seed-shift", "-1"]) == 2


def test_an_imprecise_result_is_no_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Headings are random: the mean is 0, and 64 runs do not determine its sign."""
    text = EXPECT.format("heading_along_x", 0.0)
    text = text.replace("high = 1.5", "").replace("step = 3", "step = 0")
    path = Path(write(tmp_path, text))
    random = path.read_text().replace(
        '{ kind = "heading", velocity = [1, 0] }', '{ kind = "directions", speed = 1 }'
    )
    path.write_text(random.replace("count = 5", "count = 1"))
    assert main(["verify", str(path)]) == 0
    out = capsys.readouterr().out
    assert "not precise" in out and "1 not precise enough" in out and "differ" not in out


def test_mistakes_of_all_files_are_reported_before_the_first_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    figure = "\n[[figure]]\ntitle = 'a'\nx = 'x'\ny = 'y'\nstep = 1\nshows = 'time'\n"
    write(tmp_path, EXPECT.format("state", 0.0) + figure + 'flock = "none"')
    assert main(["verify", "nowhere.toml", "mine.toml"]) == 2
    missing, first, second = capsys.readouterr().err.splitlines()
    assert "nowhere.toml: cannot be read: no such file" in missing
    assert "Errno" not in missing
    assert "mine.toml: expect.0.measure: state is a word" in first
    assert "mine.toml: figure.0.flock: no flock named 'none'" in second


@pytest.mark.parametrize("command", ["verify", "still", "page"])
def test_other_files_are_not_models(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, hint in (
        ("ok.npy", "murmurate measure"),
        ("x.csv", "murmurate measure"),
        ("ok.png", ".toml"),
        ("ok.toml", "Save it in UTF-8"),
    ):
        path = tmp_path / name
        path.write_bytes(b"\x93NUMPY" if name != "x.csv" else b"frame,particle,x,y\n")
        assert main([command, str(path)]) == 2
        err = capsys.readouterr().err
        if command != "verify" and hint == "murmurate measure":  # it draws tracks, too
            assert f"{path}: " in err and ("cannot be read" in err or "got no rows" in err)
        else:
            assert f"{path}: got " in err and hint in err


def test_ctrl_c_ends_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: Any, **keywords: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(murmurate.verify, "verify", interrupted)
    assert main(["verify", write(tmp_path, EXPECT.format("polarization", 0.0))]) == 130
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("murmurate: stopped: mine: ended by Ctrl-C") and "none is stored" in line


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, EXPECT.format("polarization", 0.99))
    assert main(["verify", path, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["verdicts"] == {
        "agrees": 1, "differs": 0, "not precise enough": 0, "known difference": 0,
    }  # fmt: skip
    assert document["origins"] == {
        "exact": 0, "published": 0, "quoted": 0, "claimed": 0, "checked": 1,
    }  # fmt: skip
    (row,) = document["results"]
    assert row["model"] == "mine" and row["agrees"] and row["value"] == pytest.approx(1.0)
    assert (row["low"], row["high"], row["error"]) == (0.99, 1.5, pytest.approx(0.0, abs=1e-6))
    assert (row["kind"], row["verdict"], row["flights"]) == ("mean", "agrees", 8)
    assert row["seeds"] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert main(["verify", path, "--json", "--seed-shift", "10"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["results"]
    assert row["seeds"] == list(range(11, 19))


@pytest.mark.long
@pytest.mark.parametrize("name", ZOO)
def test_quick_tier(name: str) -> None:
    assert [r for r in verify(mm.load(name)) if r.differs] == []


@pytest.mark.long
@pytest.mark.parametrize("name", [n for n in ZOO if 'tier = "full"' in mm.zoo()[n]])
def test_full_tier(name: str) -> None:
    assert [r for r in verify(mm.load(name), "full") if r.differs] == []
