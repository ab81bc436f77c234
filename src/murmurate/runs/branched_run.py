"""Branched runs: a new recording that turns off from a frame of another."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from murmurate.engines.state import state_from_frame
from murmurate.errors import ModelError
from murmurate.frame import Frame
from murmurate.runs.recorded_run import Progress, Stop, check_counts, record
from murmurate.runs.resumed_run import resumed_options

if TYPE_CHECKING:
    from murmurate.record import Recording


def branch(
    path: str | os.PathLike[str],
    to: str | os.PathLike[str],
    at: int | None = None,
    changes: Mapping[str, Any] | None = None,
    *,
    steps: int | None = None,
    every: int | None = None,
    threads: int | None = None,
    force: bool = False,
    commit_seconds: float = 10.0,
    progress: Progress | None = None,
    stop: Stop | None = None,
    command: str = "",
) -> Recording:
    """A new recording that continues from a frame of another with numbers of the model changed. It
    names its parent, the step and the changes.

    at       the step to continue from: one that is recorded; the last unless given
    changes  dotted path -> value, such as {"rules.alignment.weight": 0}
    steps    fly up to this step, counted from the parent's start; as the parent unless given
    every    steps from frame to frame; as the parent unless given

    Where the parent's frames are rounded (precision), the branch begins from the rounded frame.
    Raises an OutputError where it would replace its parent, whatever the force.
    """
    from murmurate.record import Recording
    from murmurate.record.writer import check_output
    from murmurate.runs.simulation import Simulation
    from murmurate.show.output import check_apart

    check_apart(to, path)
    check_output(to, force)
    parent = Recording(path)
    if not len(parent):
        raise ModelError(f"{path}: has no frame to branch from")
    frame = parent[-1] if at is None else parent.frame_at(at)
    model = parent.model.set(dict(changes)) if changes else parent.model
    same = [(n, f.count) for n, f in model.flocks.items()]
    if same != [(n, f.count) for n, f in parent.model.flocks.items()]:
        raise ModelError(f"{path}: a branch has the same flocks and boids as its parent")
    if model.space != parent.model.space:
        raise ModelError(f"{path}: a branch has the same space as its parent")
    every = parent.every if every is None else every
    target = max(parent.target, parent.steps[-1]) if steps is None else int(steps)
    if target < frame.step:
        raise ModelError(f"steps is {target}: the branch begins at step {frame.step}; give more")
    check_counts(target, every)
    if parent.precision is not None:
        frame = _inside(frame)
    options = resumed_options(parent.header, threads)
    simulation = Simulation.from_state(model, state_from_frame(model, frame), options)
    facts = {
        "path": str(Path(path)),
        "fingerprint": parent.header["fingerprint"],
        "step": frame.step,
        "changes": {
            k: v if isinstance(v, int | float | str) else str(v) for k, v in (changes or {}).items()
        },
        "rounded": parent.precision is not None,
    }
    return record(
        simulation, to, target - frame.step, every, precision=parent.precision,
        velocity_precision=parent.header["velocity_precision"], force=force,
        commit_seconds=commit_seconds, progress=progress, stop=stop, command=command, parent=facts,
    )  # fmt: skip


def _inside(frame: Frame) -> Frame:
    """The frame with places that were rounded out of closed faces put on them."""
    space = frame.space
    closed = np.array([word in ("reflecting", "held") for word in space.boundaries])
    low = np.where(closed, space.lower, -np.inf)
    high = np.where(closed, space.upper, np.inf)
    flocks = {
        flock.name: replace(
            flock, positions=np.clip(flock.positions, low, high).astype(flock.positions.dtype)
        )
        for flock in frame.values()
    }
    return replace(frame, flocks=flocks)
