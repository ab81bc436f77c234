"""Commands with --engine gpu: each works, and where the device fails the command ends with exit
code 1 and a remedy, and what was recorded continues. The tests need wgpu and an adapter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.engines.gpu import device
from murmurate.engines.gpu.device import Device
from murmurate.sweeps.workers import run_task
from tiny_model import TINY

pytest.importorskip("wgpu")
if not device.adapters():
    pytest.skip("no adapter for WebGPU", allow_module_level=True)

GPU = ("--engine", "gpu")


@pytest.fixture
def lose(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Return a function: the device is destroyed before its n-th run of steps, once."""
    run = Device.run

    def lose_before(number: int) -> None:
        calls = 0

        def counted(target: Device, steps: Any, *counts: Any) -> None:
            nonlocal calls
            if counts:  # without a number of steps, a pass writes a frame
                calls += 1
                if calls == number:
                    target.close()
            run(target, steps, *counts)

        monkeypatch.setattr(Device, "run", counted)

    return lose_before


def positions(path: str | Path) -> np.ndarray:
    return np.array([frame["boids"].positions for frame in mm.open(path)])


def test_a_film_keeps_its_pictures(murmurate: Any, lose: Callable[[int], None]) -> None:
    lose(4)
    ran = murmurate("film", "tiny.toml", "-o", "tiny.mp4", *GPU)
    assert ran.code == 1
    assert "note: tiny.mp4: 3 pictures were kept" in ran.err
    assert "got a lost device" in ran.errors[-1] and "with engine 'cpu'" in ran.errors[-1]
    assert Path("tiny.mp4").stat().st_size > 0


@pytest.mark.slow
def test_a_recording_is_resumed_on_the_adapter_or_by_another_engine(
    murmurate: Any, lose: Callable[[int], None]
) -> None:
    record = "run", "tiny.toml", "--steps", 6, "--quiet", *GPU, "-o"
    assert murmurate(*record, "whole.zarr").code == 0
    for name in ("gpu.zarr", "cpu.zarr"):
        lose(4)
        ran = murmurate(*record, name)
        assert ran.code == 1
        resume = f"To resume: murmurate resume {name}, or with --engine cpu"
        assert f"{name}: 4 frames are kept. {resume}" in ran.err
        assert len(mm.open(name)) == 4
    adapter = device.choose_adapter(None).name
    assert f"engine gpu on {adapter}" in murmurate("info", "gpu.zarr").out

    assert murmurate("resume", "gpu.zarr").code == 0
    assert np.array_equal(positions("gpu.zarr"), positions("whole.zarr"))

    ran = murmurate("resume", "cpu.zarr", "--engine", "cpu")
    assert ran.code == 0
    assert f"continues with engine cpu, and was recorded by gpu on {adapter}. Positions after " in (
        " ".join(ran.err.split())
    )
    assert positions("cpu.zarr") == pytest.approx(positions("whole.zarr"), abs=1e-4)
    assert "from step 4 on engine cpu" in " ".join(murmurate("info", "cpu.zarr").out.split())


def test_a_recording_of_an_adapter_that_is_not_here_needs_a_choice(
    murmurate: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("murmurate.engines.gpu.gpu_engine._family", lambda _: "gpu on Voodoo")
        ran = murmurate("run", "tiny.toml", "--steps", 2, "-o", "a.zarr", "--quiet", *GPU)
    assert ran.code == 0
    ran = murmurate("resume", "a.zarr", "--steps", 4)
    assert ran.code == 2 and "family 'gpu on Voodoo'" in ran.err
    assert "on the command line --engine or --adapter" in ran.err


def test_a_run_of_a_sweep_is_repeated(tmp_path: Path, lose: Callable[[int], None]) -> None:
    """As one whose process dies: a driver that was reset works again."""
    model = mm.load("vicsek-1995").set({"flocks.boids.count": 20})
    task = next(iter(_plan(model).tasks(recordings=tmp_path)))
    lose(3)
    result = run_task(task)
    assert result.error == "" and result.record is not None
    assert result.record["measures"]["speed"]["mean"] == pytest.approx(0.03)
    assert len(mm.open(task.record)) == 5


def _plan(model: mm.Model) -> Any:
    from murmurate.sweeps.sweep_plan import make_plan

    return make_plan(
        model,
        {},
        mm.RunSpec(steps=4, every=1, warm_up=0, engine=mm.Gpu()),
        record=True,
        measures=("speed",),
    )


def test_double_precision_is_refused(murmurate: Any) -> None:
    ran = murmurate("run", "tiny.toml", "--dtype", "float64", *GPU)
    assert ran.code == 2
    assert ran.errors == [
        "--dtype: got 'float64'; expected 'float32' for engine 'gpu'. Use engine 'cpu'"
    ]


def test_verify_computes_in_single_precision(murmurate: Any) -> None:
    Path("one.toml").write_text(
        TINY + '[[expect]]\nmeasure = "speed"\nkind = "trajectory"\nstep = 2\nvalue = 0.4\n'
        'tolerance = 1e-12\n[[expect]]\nmeasure = "speed"\nstep = 2\nlow = 0.4\nhigh = 0.6\n'
    )
    ran = murmurate("verify", "one.toml", *GPU)
    assert ran.code == 0, ran.err
    assert "1 not precise enough" in ran.out and "1 agree" in ran.out
    ran = murmurate("verify", "p5", *GPU)
    assert ran.code == 2 and ran.errors[0].startswith("p5: order: got 'one-by-one'")


def test_a_missing_adapter_is_reported_once(
    murmurate: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device, "adapters", lambda: ())
    ran = murmurate("verify", *GPU)
    assert ran.code == 2
    assert sum("found no adapter" in error for error in ran.errors) == 1


def test_a_lost_device_is_no_verdict(murmurate: Any, lose: Callable[[int], None]) -> None:
    Path("one.toml").write_text(
        TINY + '[[expect]]\nmeasure = "speed"\nstep = 2\nlow = 0.4\nhigh = 0.6\n'
    )
    lose(2)
    ran = murmurate("verify", "one.toml", *GPU)
    assert ran.code == 1 and "got a lost device" in ran.err and "DIFFERS" not in ran.out


@pytest.mark.slow
def test_processes_share_an_adapter(murmurate: Any) -> None:
    words = "--vary", "rules.cohesion.weight=0.01,0.02", "--steps", 4, "--warm-up", 0, "--every", 1
    ran = murmurate("sweep", "tiny.toml", *words, "-o", "two", "--processes", 2, *GPU)
    assert ran.code == 0, ran.err
    assert len(list(Path("two", "runs").glob("*.json"))) == 2


@pytest.mark.parametrize(
    ("words", "file"),
    [
        (("still", "tiny.toml", "--at", 2, "-o", "a.png"), "a.png"),
        (("page", "tiny.toml", "--steps", 4, "-o", "a.html"), "a.html"),
        (("measure", "tiny.toml", "--steps", 4, "--warm-up", 0, "--every", 1), ""),
    ],
)
def test_pictures_pages_and_measures(murmurate: Any, words: tuple[str, ...], file: str) -> None:
    ran = murmurate(*words, *GPU)
    assert ran.code == 0, ran.err
    assert not file or Path(file).stat().st_size > 1000


@pytest.mark.slow
def test_fit_and_export(murmurate: Any) -> None:
    record = murmurate("run", "tiny.toml", "--steps", 6, "-o", "a.zarr", "--quiet", *GPU)
    assert record.code == 0
    assert murmurate("export", "a.zarr", "a.npz").code == 0
    exported = np.load("a.npz")
    assert any(np.array_equal(exported[k], positions("a.zarr")) for k in exported.files)
    ran = murmurate(
        "fit", "tiny.toml", "a.zarr", "--measures", "speed", "--vary",
        "flocks.boids.motion.max_speed=0.1:0.5", "--steps", 4, "--warm-up", 0, "--every", 2,
        "--seeds", 1, "--runs", 8, "--quiet", "-o", "it", *GPU,
    )  # fmt: skip
    assert ran.code == 0, ran.err
