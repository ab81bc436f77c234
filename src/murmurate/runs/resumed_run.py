"""Resumed runs: a simulation is made from a recording's last complete frame, and the loop continues
from there."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from murmurate.engines.base import EngineChoice
from murmurate.engines.options import RunOptions, run_options
from murmurate.engines.protocol import FlightState
from murmurate.engines.registry import engine_family
from murmurate.engines.state import state_from_frame
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
    engine: EngineChoice | None = None,
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
    engine  in place of the one that it was recorded with, its name or its options: one of the same
            family, which leaves the same bits, such as 'cpu' and 'slabs'
    workers, address  deprecated: use engine=Slabs(workers=..., address=...)
    found   called with what was found on disk (frames, notes) before the flight

    Damaged metadata is written again. Raises OpenError when another process writes it,
    ModelError where its rules are not known, and for an engine of another family.
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
        options = resumed_options(header, threads, engine, workers=workers, address=address)
        if again.exact is not None:
            state: FlightState = state_from_frame(model, again.exact)
        else:
            state = recorded_state(model, Recording(path), again.frames - 1)
        simulation = Simulation.from_state(model, state, options)
        check_family(header, options.engine, simulation.family)  # that of its device
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
    engine: EngineChoice | None = None,
    **deprecated: Any,
) -> RunOptions:
    """Return how a recording is continued: as it was simulated, or by another engine of the same
    family. Raises ModelError for an engine of another family."""
    options = run_options(
        engine or header["engine"], header["dtype"], threads, header["seed"], **deprecated
    )
    if options.engine != header["engine"]:
        check_family(header, options.engine, engine_family(options.engine))
    return options


def check_family(header: Mapping[str, Any], engine: str, family: str) -> None:
    """Raise ModelError where a recording was made by an engine of another family: what follows
    would have other bits than without a break.

    engine, family  of the engine that is to continue it
    """
    recorded = header["engine"]
    theirs = header.get("family") or engine_family(recorded)
    if family != theirs:
        remedy = "Resume it on that device" if engine == recorded else "Leave it out"
        raise ModelError(
            f"engine: got {engine!r}, of family {family!r}; expected {recorded!r}, by which this "
            f"was recorded, or another engine of family {theirs!r}: one of another family leaves "
            f"other bits. {remedy}, or begin a new recording"
        )
