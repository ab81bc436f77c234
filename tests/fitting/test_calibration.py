"""Calibration: ranks and coverage of posteriors that are right, too narrow or biased."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest

import murmurate as mm
from murmurate.errors import FitError
from murmurate.fitting.calibration import DRAWS, CalibratedNumber, Calibration, open_calibration

NOISE = "flocks.boids.motion.noise"
EVEN = 1 / math.sqrt(12.0)  # standard deviation of even ranks, as parts of all


def number(truth: np.ndarray, width: float = 1.0, shift: float = 0.0) -> CalibratedNumber:
    """A number whose posteriors are normal, `width` times as wide as the error, and shifted."""
    rng = np.random.default_rng(1)
    centre = truth + rng.normal(size=truth.shape) + shift
    draws = centre[:, None] + width * rng.normal(size=(len(truth), DRAWS))
    low, high = np.quantile(draws, [0.05, 0.95], axis=1)
    ranks = (draws < truth[:, None]).sum(axis=1)
    return CalibratedNumber("p", "p", ranks, (low <= truth) & (truth <= high), 0.1)


def test_right_posteriors_are_calibrated_and_others_are_not() -> None:
    truth = 100.0 * np.random.default_rng(0).random(100)
    right = number(truth)
    assert right.calibrated and right.p_value > 0.05 and right.counts.sum() == 100
    low, high = right.bounds
    assert (low, high) == (0.82, 0.97) and low <= right.coverage <= high
    assert right.coverage_interval[0] < right.coverage < right.coverage_interval[1]
    narrow, wide, biased = number(truth, 0.5), number(truth, 3.0), number(truth, shift=1.0)
    assert not narrow.calibrated and narrow.coverage < low
    assert not wide.calibrated and wide.coverage > high
    assert not biased.calibrated and biased.p_value < 1e-4
    text = repr(Calibration("it", ("speed",), 600, 100, (right, narrow)))
    assert "100 data sets, posteriors from 600 runs" in text and "not calibrated" in text


@pytest.mark.slow
def test_a_calibration_is_stored_resumed_and_drawn(tmp_path) -> None:
    for module in ("sklearn", "matplotlib"):
        pytest.importorskip(module)
    model = mm.load("vicsek-1995").set({"flocks.boids.count": 12, "space.size": [2.0, 2.0]})
    run = mm.RunSpec(runs=30, steps=20, warm_up=5, every=5, engine="reference")
    options = {"run": run, "datasets": 10, "output": tmp_path / "it"}
    result = mm.calibrate(model, ["polarization"], {NOISE: (0.5, 5.0)}, **options)
    assert result.datasets == 10 and result.numbers[0].label == "noise (rad)"
    runs = {path: path.stat().st_mtime_ns for path in (tmp_path / "it" / "runs").glob("*.json")}
    again = mm.calibrate(model, ["polarization"], {NOISE: (0.5, 5.0)}, **options)
    assert again.to_json() == result.to_json() and len(runs) == 40
    assert all(path.stat().st_mtime_ns == time for path, time in runs.items())
    assert open_calibration(tmp_path / "it").to_json() == result.to_json()
    path = result.save_plot(tmp_path / "it.svg")
    texts = " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text()))
    assert "expected" in texts and "90% intervals contain" in texts
    with pytest.raises(FitError, match=r"another calibration.* the same calibration\.$"):
        mm.calibrate(
            model, ["polarization"], {NOISE: (0.5, 5.0)}, **options | {"run": replace(run, seed=1)}
        )
    for number in (30, 35):
        (file,) = (tmp_path / "it" / "runs").glob(f"*{number}.json")
        record = json.loads(file.read_text())
        record["measures"]["polarization"]["mean"] = None
        file.write_text(json.dumps(record))
        if number == 30:
            result = mm.calibrate(model, ["polarization"], {NOISE: (0.5, 5.0)}, **options)
            assert result.datasets == len(result.numbers[0].ranks) == 9
            assert "1 more data sets failed: no value of polarization (1)" in repr(result)
            assert open_calibration(tmp_path / "it").failed == result.failed
    with pytest.raises(FitError, match=r"datasets: got 2 of 10 that failed, .*; expected .* 10%"):
        mm.calibrate(model, ["polarization"], {NOISE: (0.5, 5.0)}, **options)
    with pytest.raises(FitError, match="got no finished calibration"):
        open_calibration(tmp_path)
    with pytest.raises(FitError, match="datasets: got 9; expected at least 10"):
        mm.calibrate(model, ["polarization"], {NOISE: (0.5, 5.0)}, datasets=9)


def short_data(model, kind, spec):
    """What data sets are like: frames, tracks with gaps, or several flocks."""
    run = mm.Simulation(model.set({NOISE: 2.0}), seed=1, threads=1).step(20)
    frames = [run.step(4).frame for _ in range(12)]
    if kind == "frames":
        return {"like": frames, "run": spec}
    if kind == "flocks":
        return {"run": replace(spec, seeds=3, steps=68)}
    positions = np.array([frame["boids"].positions for frame in frames], float)
    positions[np.random.default_rng(0).random(positions.shape[:2]) < 0.2] = np.nan
    return {"like": mm.Tracks(positions, 0.25, space=model.space), "run": spec}


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param("frames", marks=pytest.mark.long),
        pytest.param("tracks", marks=pytest.mark.long),
        pytest.param("flocks", marks=pytest.mark.long),
    ],
)
def test_posteriors_of_short_data_are_calibrated(kind):
    """An error that was widened made the ranks 0.18 to 0.21 wide."""
    pytest.importorskip("sklearn")
    model = mm.load("vicsek-1995").set({"flocks.boids.count": 40, "space.size": [3.0, 3.0]})
    result = mm.calibrate(
        model,
        ["polarization"],
        {NOISE: (0.5, 5.0)},
        **short_data(model, kind, mm.RunSpec(runs=100, warm_up=20, every=4, steps=400)),
    )
    (number,) = result.numbers
    assert number.calibrated
    assert number.spread == pytest.approx(EVEN, abs=0.039)  # three standard errors
