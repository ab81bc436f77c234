"""Resumed runs: a simulation is made from a recording's last complete frame, and the loop continues
from there."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from murmurate.engine.frame_state import state_of
from murmurate.engine.options import RunOptions
from murmurate.engine.protocol import FlightState
from murmurate.engine.registry import SAME_BITS
from murmurate.errors import ModelError
from murmurate.model.model import Model
from murmurate.runs.recorded_run import (
    Progress,
    Stop,
    check_counts,
    fly_recorded,
    frames_for,
    measures,
)

if TYPE_CHECKING:
    from murmurate.record import Recording


def resume(
    path: str | os.PathLike[str],
    steps: int | None = None,
    *,
    threads: int | None = None,
    engine: str | None = None,
    workers: int | None = None,
    address: str | None = None,
    commit_seconds: float = 10.0,
    progress: Progress | None = None,
    stop: Stop | None = None,
    found: Callable[[Any], object] | None = None,
) -> Recording:
    """Resumes a recording from its last complete frame: after a crash, or to fly further. It
    becomes what it would have been without a break, bit for bit, on one kind of machine.

    steps   fly up to this step, counted from the start; as was asked for at first unless given
    engine  in place of the one that it was recorded with: 'cpu' and 'slabs' leave the same bits;
            workers and address are of the latter
    found   called with what was found on disk (frames, notes) before the flight

    Damaged metadata is written again. Raises RecordingRefused when another process writes it,
    ModelError where its rules are not known, and for an engine that leaves other bits.
    """
    from murmurate.record import Recording
    from murmurate.record.header import schedule_values
    from murmurate.record.writer import ResumedRecording
    from murmurate.runs.recorded_state import recorded_state
    from murmurate.runs.simulation import Simulation

    model = Recording(path).model
    again = ResumedRecording(path)
    try:
        if found is not None:
            found(again)
        header = again.header
        _check_kept(path, model, header.get("kept_names", {}))
        target = again.target if steps is None else int(steps)
        check_counts(target, header["every"])
        if target < again.step:
            raise ModelError(
                f"{path}: step {target} is asked for, and frames up to step {again.step} are "
                "there; a recording is not cut"
            )
        options = resumed_options(header, threads, engine, workers, address)
        if again.exact is not None:
            state: FlightState = state_of(model, again.exact)
        else:
            state = recorded_state(model, Recording(path), again.frames - 1)
        simulation = Simulation.from_state(model, state, options)
        writer = again.writer(
            target, measure=measures(model), scheduled=schedule_values(model),
            commit_seconds=commit_seconds,
        )  # fmt: skip
    except BaseException:
        again.release()
        raise
    with writer:
        frame_now = frames_for(simulation, header)
        fly_recorded(simulation, writer, frame_now, target, header["every"], progress, stop)
    return Recording(path)


def _check_kept(path: object, model: Model, recorded: Mapping[str, Sequence[str]]) -> None:
    """Raises ModelError where rules keep other numbers of boids than those that are recorded."""
    for name, names in recorded.items():
        kept = model.memory_of(name)
        if names and tuple(names) != kept:
            raise ModelError(
                f"{path}: recorded of the flock {name!r} is {', '.join(names)}, "
                f"and its rules keep {', '.join(kept) or 'nothing'} now: resume it with the rules "
                "that it was recorded with, or branch from it"
            )


def resumed_options(
    header: Mapping[str, Any],
    threads: int | None,
    engine: str | None = None,
    workers: int | None = None,
    address: str | None = None,
) -> RunOptions:
    """How a recording is flown on: as it was, or with another engine that leaves the same bits."""
    recorded = header["engine"]
    engine = engine or recorded
    if engine != recorded and not {engine, recorded} <= set(SAME_BITS):
        raise ModelError(
            f"engine is {engine!r}, and the recording was flown by {recorded!r}, which leaves "
            f"other bits: leave it out. Only {' and '.join(map(repr, SAME_BITS))} go on for each "
            "other"
        )
    return RunOptions(engine, header["dtype"], threads, header["seed"], workers, address)
