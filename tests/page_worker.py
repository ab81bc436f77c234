"""The worker of a page, flown in Node."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import murmurate as mm

SCRIPT = Path(__file__).parent / "page_worker.mjs"
STATE = {"type": "state"}


def fly(head: dict[str, Any], messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The replies of a page's worker to messages; `places` of a state are arrays then. Skips where
    there is no Node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node is installed")
    worker = resources.files("murmurate.show") / "viewer" / "flight.js"
    said = subprocess.run(
        [node, str(SCRIPT), str(worker)],
        input=json.dumps({"head": head, "messages": messages}),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert said.returncode == 0, said.stderr
    found = json.loads(said.stdout)
    assert found["ended"] is None, found["ended"]
    for reply in found["replies"]:
        if "state" in reply:
            boids = sum(reply["state"]["counts"])
            bits = base64.b64decode(reply["state"]["places"])
            reply["state"]["places"] = np.frombuffer(bits, np.float32).reshape(-1, boids)
    replies: list[dict[str, Any]] = found["replies"]
    return replies


def places(flight: Any) -> np.ndarray:
    """(2 axes, boids): places and velocities of an engine's or simulation's flocks, as a worker
    tells them."""
    flocks = flight.frame if isinstance(flight, mm.Simulation) else flight.state().flocks.values()
    rows = [np.concatenate([f.positions, f.velocities], axis=1) for f in flocks]
    return np.concatenate(rows).T.astype(np.float32)
