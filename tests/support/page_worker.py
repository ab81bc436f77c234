"""The worker of a page, flown in Node; and the same modules flown here."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.engines.initial_state import initial_state
from murmurate.engines.options import RunOptions
from murmurate.engines.wasm.page_modules import open_model
from murmurate.engines.wasm.wasm_engine import WasmEngine
from processes import CHILD_LIMIT

SCRIPT = Path(__file__).parent / "page_worker.mjs"
STATE = {"type": "state"}


def fly(head: dict[str, Any], messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The replies of a page's worker to messages; `places` of a state are arrays then. Skips where
    there is no Node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node is installed")
    viewer = resources.files("murmurate.show") / "viewer"
    scripts = ["formulas.js"] * ("formulas" in head) + ["flight.js"]
    said = subprocess.run(
        [node, str(SCRIPT), *(str(viewer / script) for script in scripts)],
        input=json.dumps({"head": head, "messages": messages}),
        capture_output=True,
        text=True,
        timeout=CHILD_LIMIT,
    )
    assert said.returncode == 0, said.stderr
    found = json.loads(said.stdout)
    assert found["ended"] is None, found["ended"]
    for reply in found["replies"]:
        if "state" in reply:
            rows, boids = 2 * head["scene"]["dims"], sum(reply["state"]["counts"])
            bits = base64.b64decode(reply["state"]["places"])
            reply["state"]["places"] = np.frombuffer(bits, np.float32).reshape(rows, boids)
    replies: list[dict[str, Any]] = found["replies"]
    return replies


def places(flight: Any) -> np.ndarray:
    """(2 axes, boids): places and velocities of an engine's or simulation's flocks, as a worker
    tells them."""
    state = flight.frame if isinstance(flight, mm.Simulation) else flight.state()
    rows = [np.concatenate([f.positions, f.velocities], axis=1) for f in state.flocks.values()]
    return np.concatenate(rows).T.astype(np.float32)


def in_python(model: mm.Model, seed: int, steps: int) -> mm.Simulation:
    """A flight by plain Python, from the start of pages: nothing is compiled."""
    return mm.Simulation(model, seed, engine="reference", dtype="float32").step(steps)


def engine(model: mm.Model, seed: int, state: Any = None) -> WasmEngine:
    """The engine that flies the modules of a page of a model, from a state or the start."""
    options = RunOptions("wasm", seed=seed)
    boids = sum(model.max_boids(name) for name in model.flocks)
    one = WasmEngine(open_model(model, boids), state or initial_state(model, seed), options)
    views = {
        f"rules.{n}.field_of_view": getattr(r, "field_of_view", 180.0)
        for n, r in model.rules.items()
    }
    plan = one.layout.plan
    plan.slots[:] = [replace(s, value=views.get(s.path, s.value)) for s in plan.slots]
    return one


def gap(model: mm.Model, one: np.ndarray, other: np.ndarray) -> float:
    """The largest distance between places, in extents of the flock."""
    dims = model.space.dims
    away = np.abs(one - other)[:dims]
    for axis in np.flatnonzero(model.space.periodic):
        away[axis] = np.minimum(away[axis], model.space.size[axis] - away[axis])
    return float(away.max() / np.ptp(other[:dims], axis=1).max())
