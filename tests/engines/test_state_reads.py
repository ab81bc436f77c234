"""What simulates reads boids only when it needs them, and once: on a device, each read is a
transfer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from device_engine import Device, DeviceEngine
from hypothesis import given, settings
from hypothesis import strategies as st

import murmurate as mm
from murmurate.engines import registry
from murmurate.sweeps.sweep_plan import make_plan
from murmurate.verify import verify

MODEL = mm.load("ucl").set(
    {"flocks.boids.count": 6, "view.steps": 6, "view.every": 3, "view.warm_up": 0,
     "view.size": [64, 64]}
)  # fmt: skip


@pytest.fixture(autouse=True)
def device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DeviceEngine, "expected", None)
    registry.register("device", DeviceEngine)


@contextmanager
def read_after(*steps: int) -> Iterator[None]:
    """The state is read after each of these steps, once, and after no other."""
    DeviceEngine.expected = set(steps)
    yield
    assert DeviceEngine.expected == set(), "these were not read"
    DeviceEngine.expected = None


def test_a_read_that_nobody_needs_is_noticed() -> None:
    simulation = mm.Simulation(MODEL, engine="device").step(2)
    with (
        pytest.raises(AssertionError, match="read after step 2, and"),
        read_after(),
    ):
        _ = simulation.frame


@given(st.lists(st.sampled_from(["step", "look", "set", "model", "place"]), max_size=12))
@settings(max_examples=25)
def test_only_frames_read(done: list[str]) -> None:
    """Whatever is done in between."""
    with read_after():
        simulation = mm.Simulation(MODEL, 3, engine="device")
        for what in done:
            if what == "step":
                simulation.step(1)
            elif what == "look":
                assert simulation.distributed_frame is None and simulation.compiled
                assert simulation.family == "device a" and simulation.n_boids == 6
                assert simulation.time == simulation.step_number * MODEL.dt
                assert repr(simulation) and simulation.options.engine_options == Device()
                assert simulation.is_compatible(MODEL)
            elif what == "set":
                simulation.set({"rules.alignment.weight": 0.01 * len(done)})
            elif what == "model":
                simulation.replace_model(MODEL)
            else:
                simulation.set_state("boids", velocities=np.ones((6, MODEL.space.dims)))
    step = simulation.step_number
    with read_after(step):
        _ = simulation.frame
    with read_after(step):
        twin = simulation.copy()
    with read_after(step + 2):
        _ = twin.step(2).frame


def test_runs_read_what_they_record(tmp_path: Path) -> None:
    with read_after(0, 3, 6):
        mm.run(MODEL, 6, every=3, options=mm.RunOptions(engine="device"))
    with read_after(0, 3, 6):
        mm.run(
            MODEL, 6, every=3, output=tmp_path / "a.zarr", options=mm.RunOptions(engine="device")
        )
    with read_after(0, 2):
        mm.run(
            MODEL,
            2,
            every=2,
            output=tmp_path / "b.zarr",
            precision=0.1,
            options=mm.RunOptions(engine="device"),
        )
    with read_after(9, 12):
        mm.resume(tmp_path / "a.zarr", 12)
    with read_after(6, 9, 12):
        mm.branch(tmp_path / "a.zarr", tmp_path / "c.zarr", at=6)


def test_films_stills_and_pages_read_what_they_show(tmp_path: Path) -> None:
    with read_after(3, 6):
        mm.film(MODEL, tmp_path / "a.gif", options=mm.RunOptions(engine="device"))
    with read_after(4):
        mm.still(MODEL, tmp_path / "a.png", at=4, options=mm.RunOptions(engine="device"))
    with read_after(2, 4, 6):
        mm.replay_page(
            MODEL, steps=6, view=mm.View(every=2), options=mm.RunOptions(engine="device")
        )


def test_measures_sweeps_and_verify_read_what_they_measure() -> None:
    with read_after(2, 4, 6):
        mm.measure(MODEL, "speed", mm.RunSpec(steps=6, warm_up=2, every=2, engine="device"))
    plan = make_plan(
        MODEL, {}, mm.RunSpec(steps=7, warm_up=1, every=2, engine="device"), measures=("speed",)
    )
    with read_after(3, 5, 7):
        next(plan.tasks()).run()
    simulation = mm.Simulation(MODEL, engine="device")
    with read_after(0):
        simulation.measure("speed", "polarization")
    expectation = mm.Expectation(
        measure="speed", flock="boids", step=4, kind="trajectory", seeds=(1,), value=1.0,
        tolerance=1e-6,
    )  # fmt: skip
    with read_after(4):
        verify(MODEL.model_copy(update={"expect": (expectation,)}), engine="device")
