"""Programs that control the boids of a page: they follow as in Python, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.runs.live_page import flight_head
from page_worker import engine, fly

SEED, N = 3, 12
MODEL = mm.Model(
    dt=0.1,
    space=mm.Space(size=(20.0, 20.0)),
    flocks={"birds": mm.Flock(count=5), "boids": mm.Flock(count=N, motion=mm.Add(max_force=5.0))},
    rules={
        "alignment": mm.Alignment(radius=5.0, moves="boids"),
        "away": mm.Separation(radius=5.0, moves="birds", senses="boids"),
        "lead": mm.Command(form="velocity", moves="boids"),
        "push": mm.Command(adds=True, moves="birds"),
    },
)
LEAVING = MODEL.set({"population.out": {"kind": "deaths", "flocks": "boids", "rate": 0.5}})


def control(steps: int, **controls: Any) -> dict[str, Any]:
    return {"type": "control", "steps": steps, "controls": controls}


@pytest.mark.parametrize("model", [MODEL, LEAVING])
def test_boids_follow_as_in_python(model: mm.Model) -> None:
    random = np.random.default_rng(1)
    simulation = mm.Simulation._of(engine(model, SEED))
    messages, expected = [], []
    for steps in (2, 5, 0, 3, 1):
        ids = simulation.frame["boids"].ids[:: 1 + steps]
        vectors = random.normal(size=(len(ids), 2)).astype(np.float32)
        birds = None if steps == 5 else random.normal(size=(5, 2)).astype(np.float32)
        # ids of pages count from 0 in each flock
        some = {"ids": (ids - 5).tolist(), "vectors": vectors.ravel().tolist()}
        messages.append(control(steps, birds=None if birds is None else birds.tolist(), boids=some))
        expected.append(simulation.step(steps, {"birds": birds, "boids": (ids, vectors)}).frame)
    head: dict[str, Any] = flight_head(model, SEED, 5 + N)
    for reply, frame in zip(fly(head, messages), expected, strict=True):
        assert reply["ok"], reply
        assert reply["controlled"]["step"] == frame.step
        for name, flock in frame.items():
            answer = reply["controlled"]["flocks"][name]
            assert answer["positions"] == flock.positions.ravel().tolist()
            assert answer["velocities"] == flock.velocities.ravel().tolist()
            assert answer["ids"] == (flock.ids - (5 if name == "boids" else 0)).tolist()
    assert (len(expected[-1]["boids"]) < N) == (model is LEAVING)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"bird": None}, "no flock named 'bird'; expected birds, boids"),
    ({"boids": [[1.0, 2.0]]}, "got 1 values; expected 12 vectors of 2 numbers"),
    ({"boids": [1.0] * N}, "got 12 values; expected 12 vectors"),
    ({"boids": [[1.0, "2"]] * N}, "expected 12 vectors of 2 numbers"),
    ({"boids": {"ids": [3, 3], "vectors": [[1, 2], [3, 4]]}}, "got an id twice"),
    (
        {"boids": {"ids": [3, 12], "vectors": [[1, 2], [3, 4]]}},
        "got ids 12; expected ids of its 12",
    ),
    ({"boids": {"ids": [3], "vectors": [[1e10, 2]]}}, "in row 0; expected numbers from"),
    ({"boids": 3}, "got 0 values; expected 12 vectors"),
]


def test_wrong_commands_change_nothing() -> None:
    head: dict[str, Any] = flight_head(MODEL, SEED, 5 + N)
    birds = {"birds": [[1.0, 1.0]] * 5}
    messages = [control(3, **birds, **wrong) for wrong, _ in WRONG]
    *replies, last = fly(head, [*messages, control(1)])
    for reply, (_, message) in zip(replies, WRONG, strict=True):
        assert not reply["ok"] and message in reply["error"], reply
    frame = mm.Simulation._of(engine(MODEL, SEED)).step(1).frame
    assert last["controlled"]["flocks"]["birds"]["positions"] == (
        frame["birds"].positions.ravel().tolist()
    )
    (reply,) = fly(flight_head(mm.load("p5"), SEED, 30), [control(1, boids=[[1.0, 1.0]] * 30)])
    assert "flock with 0 rules of kind 'command'" in reply["error"]
