"""A device that fails ends the run with an error and a remedy, and nothing waits for it. Ctrl-C
leaves a state from which a run continues. The tests need wgpu and an adapter."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.engines.gpu import device, device_process
from murmurate.engines.gpu.device import Device, DeviceProcess

pytest.importorskip("wgpu")
if not device.adapters():
    pytest.skip("no adapter for WebGPU", allow_module_level=True)

MODEL = mm.load("vicsek-1995").set({"flocks.boids.count": 40})


@pytest.fixture
def simulation(monkeypatch: pytest.MonkeyPatch) -> mm.Simulation:
    """A simulation after three steps, with its process to itself."""
    monkeypatch.setattr(device, "_idle", device.deque())
    return mm.Simulation(MODEL, seed=2, engine="gpu").step(3)


def device_of(simulation: mm.Simulation) -> Device:
    result: Device = simulation._engine._device  # type: ignore[attr-defined]
    return result


def kill(target: Device) -> None:
    """End the process as wgpu does where a driver loses a device, and as a driver may."""
    os.kill(target.process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))


def stop(target: Device) -> None:
    os.kill(target.process.pid, signal.SIGSTOP)


def fill(target: Device) -> None:
    """Ask for a buffer that no memory holds."""
    target.process.post("allocate", "numbers", 1 << 62)


@pytest.mark.parametrize(
    ("fail", "message"),
    [
        (Device.close, "got a lost device .*Parent device is lost"),
        (kill, "got a lost device .its process ended with code"),
        (fill, "greater than the maximum buffer size"),
        pytest.param(
            stop, "got no answer for 0.5 s",
            marks=pytest.mark.skipif(sys.platform == "win32", reason="it has no SIGSTOP"),
        ),
    ],
)  # fmt: skip
def test_a_device_that_fails_is_an_error_at_the_last_step(
    simulation: mm.Simulation,
    monkeypatch: pytest.MonkeyPatch,
    fail: Callable[[Device], object],
    message: str,
) -> None:
    fail(device_of(simulation))
    with monkeypatch.context() as patch:
        if fail is stop:
            patch.setattr(device, "MAX_SECONDS", 0.5)
        for use in (lambda: simulation.step(2), lambda: simulation.frame):
            with pytest.raises(mm.DeviceError, match=message) as error:
                use()
            assert error.value.step == simulation.step_number == 3
            assert "with engine 'cpu'" in str(error.value)
            assert "\n" not in str(error.value)
    assert mm.Simulation(MODEL, engine="gpu").step(1).step_number == 1  # on another device


def test_an_adapter_that_has_gone_is_an_error() -> None:
    with pytest.raises(mm.DeviceError, match="no longer there"):
        Device(device.Adapter("Voodoo", "DiscreteGPU", "Vulkan", 1 << 20, 8))


def test_what_wgpu_printed_last_is_the_cause() -> None:
    """It prints so where the driver has no memory or has lost the device."""
    process = DeviceProcess()
    process._log.write(
        b"thread '<unnamed>' (9) panicked at src/lib.rs:605:5:\nError in wgpuQueueSubmit: "
        b"Validation Error\n\nCaused by:\n  Not enough memory left.\n\nstack backtrace:\n   0: x\n"
    )
    process._log.flush()
    os.kill(process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
    with pytest.raises(mm.DeviceError) as error:
        process.ask("adapters", adapter="A")
    assert "got too little memory (Error in wgpuQueueSubmit: Validation Error Caused by: Not " in (
        str(error.value)
    )
    process.end()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Not enough memory left.", device_process.MEMORY),
        ("Parent device is lost", device_process.LOST),
        ("The WGPU device was lost (Unknown)", device_process.LOST),
        ("no definition for `memory`: control[LOST]", device_process.FAULT),
    ],
)
def test_kinds_of_errors(text: str, kind: str) -> None:
    assert device_process.describe(RuntimeError(text)) == (kind, text)


def test_ctrl_c_leaves_a_state_that_continues(
    simulation: mm.Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the thread waits for an answer."""
    ask, interrupted = DeviceProcess.ask, list[str]()

    def interrupt(process: DeviceProcess, operation: str, *words: Any, adapter: str) -> Any:
        answer = ask(process, operation, *words, adapter=adapter)
        interrupted.append(operation)
        if len(interrupted) % 2:
            raise KeyboardInterrupt
        return answer

    monkeypatch.setattr(DeviceProcess, "ask", interrupt)
    while simulation.step_number < 9:
        try:
            simulation.step(1)
        except KeyboardInterrupt:
            continue
    assert "read" in interrupted
    monkeypatch.setattr(DeviceProcess, "ask", ask)
    frame = simulation.frame  # a step that was interrupted is complete in it
    expected = mm.Simulation(MODEL, seed=2, engine="gpu").step(frame.step).frame
    assert np.array_equal(frame["boids"].positions, expected["boids"].positions)


def test_only_what_is_shown_is_read(simulation: mm.Simulation) -> None:
    """A frame is positions and velocities; steps read the 32 bytes that say how they ended.

    The state of the first step is copied: a failed step is computed again from it.
    """
    state, before = 4 * 2 * 2 * 40, simulation.diagnostics().bytes_read
    steps = before - state
    assert 0 <= steps <= 3 * 32 and steps % 32 == 0
    _ = simulation.frame
    assert simulation.diagnostics().bytes_read == before + state


def test_submissions_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a slow one, the next has fewer passes; drivers end long ones."""

    clock = iter([0.0, 1.0, 2.0, 2.001])
    time = SimpleNamespace(perf_counter=lambda: next(clock))
    monkeypatch.setattr(device_process, "time", time)
    operations = object.__new__(device_process.Operations)
    operations._submitted, operations._begin, operations._passes = 0, 0.0, 100
    operations._buffers = {"a": None}
    operations._device = _Recorder()
    operations.run([], 0, [])
    operations._submitted = 100
    operations.read("a", 4)
    assert operations._passes == 5  # 100 passes in 1 s: 5 of them take 0.05 s
    operations.run([], 0, [])
    operations._submitted = 5
    operations.read("a", 4)
    assert operations._passes == 20  # at most four times as many


@pytest.mark.parametrize(
    ("settings", "declared", "kind"),
    [
        (device_process.UNIFORM, "var<uniform>", "uniform"),
        (device_process.STORED, "var<storage, read>", "read-only-storage"),
    ],
)
def test_software_adapters_store_settings(
    settings: tuple[str, str], declared: str, kind: str
) -> None:
    seen: dict[str, Any] = {}
    device = _Recorder()
    device.create_shader_module = lambda code: seen.update(code=code)  # type: ignore[attr-defined]
    device.create_bind_group_layout = lambda entries: seen.update(entries=entries)  # type: ignore[attr-defined]
    operations = object.__new__(device_process.Operations)
    operations._compiled, operations._modules, operations._layouts = {}, {}, {}
    operations._device, operations._settings, operations._pipelines = device, settings, []
    operations.pipeline("var<uniform> settings: Settings;", "step", {0: "uniform", 1: "storage"})
    assert seen["code"] == f"{declared} settings: Settings;"
    assert [entry["buffer"]["type"] for entry in seen["entries"]] == [kind, "storage"]


class _Recorder:
    """A device whose every method does nothing."""

    def __getattr__(self, name: str) -> _Recorder:
        return self

    def __call__(self, *arguments: Any, **options: Any) -> _Recorder:
        return self
