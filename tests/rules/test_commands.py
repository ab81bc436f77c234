"""Commands: what a controller gives to boids reaches them exactly, and wrong commands nobody."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm
from murmurate.runs.record_run import record

N, DT = 7, 0.5
FORMS = ("acceleration", "velocity", "heading")
random = np.random.default_rng(4)
START = (random.uniform(2.0, 8.0, (N, 2)), random.normal(size=(N, 2)))
COMMANDS = random.normal(size=(N, 2))
COMMANDS[2] = np.nan


def model(combine: str = "sum", **fields: Any) -> mm.Model:
    motion = mm.Add(max_force=50.0)
    return mm.Model(
        dt=DT,
        space=mm.Space(size=(10.0, 10.0), boundary="open"),
        flocks={"boids": mm.Flock(count=N, motion=motion, combine=combine)},
        rules={
            "wind": mm.Wind(vector=(0.3, -0.2)),
            "drift": mm.TendToPlace(place=(1.0, 1.0), weight=0.01, level=1),
            "command": mm.Command(**fields),
        },
    )


def simulation(model: mm.Model, engine: str = "reference", **options: Any) -> mm.Simulation:
    return mm.Simulation(model, 1, start={"boids": START}, engine=engine, **options)


def expected(form: str, adds: bool) -> np.ndarray:
    """Return the velocities after a step."""
    x, v = START
    others = v + DT * (np.array([0.3, -0.2]) + 0.01 * (1.0 - x))
    speeds = np.linalg.norm(v, axis=1, keepdims=True)
    headings = COMMANDS / np.linalg.norm(COMMANDS, axis=1, keepdims=True)
    own = {"acceleration": v + DT * COMMANDS, "velocity": COMMANDS, "heading": speeds * headings}
    commanded = own[form] + (others - v if adds else 0.0)
    return np.where(np.isnan(COMMANDS), others, commanded)


@pytest.mark.parametrize(("form", "adds"), list(product(FORMS, (False, True))))
def test_boids_follow_commands(form: str, adds: bool) -> None:
    for combine in ("sum", "levels") if not adds else ("sum",):
        sim = simulation(model(combine, form=form, adds=adds))
        sim.step(1, controls={"boids": COMMANDS})
        velocities = sim.frame["boids"].velocities
        np.testing.assert_allclose(velocities, expected(form, adds), rtol=0, atol=1e-12)


@pytest.mark.parametrize("combine", ["sum", "priority", "levels"])
def test_text_follows_commands_as_the_reference_does(combine: str) -> None:
    for form, adds in product(FORMS, (False, True)):
        own = model(combine, form=form, adds=adds, level=2)
        engines = [make(own, {"boids": START}) for make in (flights.interpreted, flights.reference)]
        values = np.zeros((4, N))
        values[:2], values[3] = np.nan_to_num(COMMANDS).T, ~np.isnan(COMMANDS[:, 0])
        for engine in engines:
            engine.set_memory("boids", 0, values)
            engine.step(2)
        flights.assert_agree(*engines)


WRONG = [
    ([COMMANDS], "controls: got list; expected a mapping of flocks"),
    ({"birds": COMMANDS}, "controls: no flock named 'birds': did you mean 'boids'"),
    ({"boids": COMMANDS[:5]}, r"controls\['boids'\]: got an array of shape \(5, 2\)"),
    ({"boids": COMMANDS.T}, r"expected numbers of shape \(7, 2\)"),
    ({"boids": COMMANDS * np.nan}, "got nan for every boid"),
    ({"boids": np.where(np.arange(N)[:, None] == 3, np.inf, 1.0) + 0 * START[0]}, "in row 3"),
    ({"boids": np.where([[True, False]], np.nan, START[0])}, r"got \[nan, .*\] in row 0"),
    ({"boids": [[1.0], [1.0, 2.0]]}, r"controls\['boids'\]: got list; expected an array"),
    ({"boids": COMMANDS + 0j}, "and type complex128; expected numbers"),
    ({"boids": COMMANDS + 1e300}, "in row 0; expected numbers from"),
    ({"boids": START[0] > 0}, "and type bool; expected numbers"),
    ({"boids": ([1, 7], COMMANDS[:2])}, "got ids 7, which no boid ever had"),
    ({"boids": ([1, 1], COMMANDS[:2])}, "different whole numbers"),
    ({"boids": ([1], COMMANDS[:2])}, r"expected numbers of shape \(1, 2\)"),
]


def test_wrong_commands_change_nothing() -> None:
    sim = simulation(model(form="velocity")).step(1, controls={"boids": COMMANDS})
    before = sim.frame
    for controls, message in WRONG:
        with pytest.raises(mm.errors.ModelError, match=message):
            sim.step(1, controls=controls)
        assert sim.step_number == 1
        assert (sim.frame["boids"].memory == before["boids"].memory).all()
    free = simulation(model().set({"rules.command": None}))
    with pytest.raises(mm.errors.ModelError, match="0 rules of kind 'command'; expected one"):
        free.step(1, controls={"boids": COMMANDS})


def test_a_command_holds_until_the_next_one() -> None:
    sims = [simulation(model(form="velocity")) for _ in range(3)]
    sims[0].step(2, controls={"boids": COMMANDS}).step(3)
    sims[1].step(5, controls={"boids": COMMANDS})
    some = np.flatnonzero(~np.isnan(COMMANDS[:, 0]))
    sims[2].step(5, controls={"boids": (some, COMMANDS[some])})
    for sim in sims[1:]:
        assert (sim.frame["boids"].positions == sims[0].frame["boids"].positions).all()
    sims[0].step(1, controls={"boids": None})
    assert not sims[0].frame["boids"].memory.any()


def test_boids_that_left_take_no_commands() -> None:
    region = {"kind": "ball", "centre": [5.0, 5.0], "radius": 2.5}
    out = {"kind": "exit", "flocks": "boids", "region": region}
    leaving = mm.Model(
        space=mm.Space(size=(10.0, 10.0), boundary="open"),
        flocks={"birds": mm.Flock(count=3), "boids": mm.Flock(count=N)},
        rules={"command": mm.Command(moves="boids"), "lead": mm.Command(moves="birds")},
        population={"out": out},
    )
    sim = simulation(leaving).step(1)
    gone = sorted({*range(3, 3 + N)} - {*sim.frame["boids"].ids.tolist()})
    with pytest.raises(mm.errors.ModelError, match=f"got ids {gone[0]}.* have left flock 'boids'"):
        sim.step(1, controls={"boids": (gone, np.ones((len(gone), 2)))})


def test_a_recording_has_the_commands(tmp_path: Path) -> None:
    sim = simulation(model(form="heading")).step(1, controls={"boids": COMMANDS})
    recording = record(sim, tmp_path / "run.zarr", 4, every=2)
    again = mm.Simulation.from_frame(sim.model, recording[1], seed=1, engine="reference")
    assert (again.step(2).frame["boids"].positions == sim.frame["boids"].positions).all()


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["cpu", "wasm", "gpu"])
def test_engines_follow_commands(engine: str) -> None:
    dtype = "float32" if engine == "gpu" else "float64"
    own = model("levels", form="velocity")
    sims = [simulation(own, engine, dtype=dtype), simulation(own)]
    for k in range(4):
        for sim in sims:
            sim.step(2, controls={"boids": COMMANDS * (1 + k)})
    first, other = (sim.frame["boids"].positions for sim in sims)
    np.testing.assert_allclose(first, other, atol=1e-4 if engine == "gpu" else 1e-12)


@pytest.mark.slow
def test_a_failed_step_is_computed_again_with_its_commands() -> None:
    strong = model().set({"flocks.boids.motion.max_force": np.inf})
    sim = simulation(strong, "cpu", dtype="float64")
    for k in range(3):
        sim.step(1, controls={"boids": COMMANDS * (k + 1)})
    before = sim.frame["boids"].positions
    with pytest.raises(mm.errors.RunError):
        sim.step(2, controls={"boids": np.full((N, 2), 1e9)})
    assert sim.step_number == 3
    assert (sim.frame["boids"].positions == before).all()
