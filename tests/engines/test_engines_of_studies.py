"""Sweeps, fits and other studies keep their engine and its options in the plans that they store."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from device_engine import Device, DeviceEngine

import murmurate as mm
from murmurate.engines.options import RunOptions
from murmurate.fitting.fit_plan import FitPlan
from murmurate.sweeps.run import run_sweep
from murmurate.sweeps.store import SweepFolder
from murmurate.sweeps.sweep_plan import SweepPlan, make_plan
from workers_here import Here

pytestmark = pytest.mark.usefixtures("device_alone")

MODEL = mm.load("ucl").set({"flocks.boids.count": 6, "view.steps": 4, "view.every": 2})


def test_a_sweep_keeps_its_engine_and_its_options(tmp_path: Path) -> None:
    plan = make_plan(
        MODEL, {}, mm.RunSpec(steps=2, every=1, engine=Device("b", 4)), measures=("speed",)
    )
    text = plan.to_toml()
    assert 'engine = "device"' in text and "[engine_options]" in text
    assert SweepPlan.from_toml(text, "sweep.toml") == plan
    run_sweep(plan, tmp_path / "it", Here())
    assert DeviceEngine.created == [Device("b", 4)]
    assert SweepFolder(tmp_path / "it").plan() == plan
    plain = make_plan(MODEL, {}, mm.RunSpec(steps=2, every=1, engine="device"), measures=("speed",))
    assert "engine_options" not in plain.to_toml()  # as sweeps of 0.4 are
    assert SweepPlan.from_toml(plain.to_toml(), "sweep.toml") == plain
    wrong = SweepPlan.from_toml(text.replace("depth =", "width ="), "sweep.toml")
    with pytest.raises(
        mm.ModelError, match="width: got 4; expected nothing, since engine 'device'"
    ):
        wrong.check()


def test_recorded_runs_of_a_sweep_are_resumed_with_its_options(tmp_path: Path) -> None:
    plan = make_plan(
        MODEL,
        {},
        mm.RunSpec(steps=2, every=1, engine=Device("b")),
        record=True,
        measures=("speed",),
    )
    for _ in range(2):  # the second time the recording is there
        (outcome,) = Here().results(plan.tasks(recordings=tmp_path / "recordings"))
        assert outcome.error == ""
    assert set(DeviceEngine.created) == {Device("b")} and len(DeviceEngine.created) == 2


def test_a_fit_keeps_its_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from murmurate.sweeps import workers

    for module in ("sklearn", "arviz_stats", "h5netcdf"):
        pytest.importorskip(module)

    class Stop(Exception):
        pass

    def stopped(*_: Any, **__: Any) -> Any:
        raise Stop

    monkeypatch.setattr(workers, "run_task", stopped)
    with pytest.raises(Stop):
        mm.fit(
            MODEL,
            {"speed": (1.0, 0.1)},
            "speed",
            {"dt": (0.5, 2.0)},
            mm.RunSpec(steps=2, warm_up=0, every=1, runs=8, engine=Device("b", 4)),
            output=tmp_path / "it",
        )
    text = (tmp_path / "it" / "fit.toml").read_text()
    plan = FitPlan.from_toml(text, "fit.toml")
    assert plan.options(1) == RunOptions("device", threads=1, seed=1, engine_options=Device("b", 4))
    without = text.replace("[engine_options]", "[x]").split("[x]")
    assert len(without) == 2


def calibrated(options: RunOptions) -> None:
    mm.calibrate(
        MODEL,
        ["speed"],
        {"dt": (0.5, 2.0)},
        mm.RunSpec(steps=2, warm_up=0, every=1, engine=options.choice),
    )


def analysed(options: RunOptions) -> None:
    numbers = {"dt": (0.5, 2.0), "rules.cohesion.weight": (0.1, 0.2)}
    mm.sensitivity(
        MODEL, "speed", numbers, mm.RunSpec(steps=2, warm_up=0, every=1, engine=options.choice)
    )


def compared(options: RunOptions) -> None:
    models = {name: (MODEL, {"dt": (0.5, 2.0)}) for name in ("one", "other")}
    flocks = [{"speed": (1.0 + k, 0.1)} for k in range(4)]
    mm.compare_models(
        models, flocks, "speed", mm.RunSpec(steps=2, warm_up=0, every=1, engine=options.choice)
    )


@pytest.mark.parametrize(
    ("call", "folder"),
    [
        (calibrated, "fitting.calibration.CalibrationFolder"),
        (analysed, "effects.run.SensitivityFolder"),
        (compared, "fitting.comparison_plan.ComparisonFolder"),
    ],
)
def test_a_study_keeps_its_engine(
    call: Callable[[RunOptions], None], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plans that it stores have it."""
    for module in ("sklearn", "arviz_stats", "h5netcdf", "SALib"):
        pytest.importorskip(module)
    plans: list[Any] = []

    class Stop(Exception):
        pass

    def begun(self: Any, *arguments: Any) -> None:
        plans.extend(plan for item in arguments for plan in (item.values() if isinstance(item, dict)
                                                         else [item]))  # fmt: skip
        raise Stop

    monkeypatch.setattr(f"murmurate.{folder}.begin", begun)
    with pytest.raises(Stop):
        call(RunOptions(Device("b", 4)))
    own = RunOptions("device", threads=1, seed=1, engine_options=Device("b", 4))
    options = [plan.options(1) for plan in plans if hasattr(plan, "options")]
    assert options and set(options) == {own}
