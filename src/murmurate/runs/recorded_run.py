"""Recorded runs: simulations recorded in memory or on disk, resumed, and branched.

A run that is recorded:
    a header and the first frame are made durable
    each `every` steps a frame goes to the writer, whose thread packs and commits it
    at the end, or at whatever ends it, what was added is committed
To resume, a simulation is made from the last complete frame, and the loop continues from there.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from murmurate.dtypes import Dtype
from murmurate.engine.frame_state import state_of
from murmurate.engine.options import RunOptions, is_whole
from murmurate.engine.protocol import FlightState
from murmurate.engine.registry import SAME_BITS
from murmurate.errors import ModelError
from murmurate.frame import DistributedFrame, Frame
from murmurate.measures.by_parts import measured_by_parts
from murmurate.measures.defaults import SMALL_FLOCK
from murmurate.model.model import Model
from murmurate.model.number import LARGEST_WHOLE

if TYPE_CHECKING:
    import xarray

    from murmurate.record import Recording
    from murmurate.record.writer import Writer
    from murmurate.runs.simulation import Simulation

FrameNow = Callable[[], Frame | DistributedFrame]
Progress = Callable[[Frame | DistributedFrame, "Writer"], object]
Stop = Callable[[], bool]


def run(
    model: Model,
    steps: int | None = None,
    every: int = 1,
    seed: int = 0,
    *,
    to: str | os.PathLike[str] | None = None,
    precision: float | None = None,
    velocity_precision: float | None = None,
    engine: str = "cpu",
    dtype: Dtype = "float32",
    threads: int | None = None,
    workers: int | None = None,
    address: str | None = None,
    force: bool = False,
    commit_seconds: float = 10.0,
    progress: Progress | None = None,
    stop: Stop | None = None,
    command: str = "",
) -> Any:
    """Flies a model from its start and keeps its frames: the first is the start, step 0, and then
    one after every `every` steps.

    to             a folder NAME.zarr to record to; in memory unless given
    precision      largest error of a position, length units; lossless unless given. The largest
                   error of velocities follows from it, and is stated (velocity_precision)
    force          replace a recording that is there
    commit_seconds so much work is lost at most if the machine fails
    progress       called with (frame, writer) after each frame that is recorded
    stop           asked after each frame whether to end early
    workers, address  of engine 'slabs': see Simulation

    Returns an xarray.Dataset, or the Recording. Raises ModelError and RecordingRefused before
    anything is computed, RunError when a boid is lost, RecordError when the disk is full: what was
    recorded is kept.
    """
    from murmurate.runs.simulation import Simulation

    options = RunOptions(engine, dtype, threads, seed, workers, address)
    steps = model.view.steps if steps is None else steps
    check_counts(steps, every)
    if to is not None:
        from murmurate.record.writer import check_output

        check_output(to, force)
    simulation = Simulation.from_options(model, options)
    if to is None:
        if precision is not None or velocity_precision is not None:
            raise ModelError("a precision is for recordings on disk: give a path, to='NAME.zarr'")
        return in_memory(simulation, steps, every)
    return record(
        simulation, to, steps, every, precision=precision, velocity_precision=velocity_precision,
        force=force, commit_seconds=commit_seconds, progress=progress, stop=stop, command=command,
    )  # fmt: skip


def in_memory(simulation: Simulation, steps: int, every: int) -> xarray.Dataset:
    """The frames of a flight as an xarray.Dataset, laid out like a recording."""
    from murmurate.record.layouts import dataset_of_frames
    from murmurate.record.make_header import make_header, schedule_values

    model, first = simulation.model, simulation.frame
    header = make_header(
        model, first, seed=simulation.seed, every=every, dtype=simulation.options.dtype,
        engine=simulation.options.engine,
    )  # fmt: skip

    def flown() -> Any:
        yield first
        for _ in range(steps // every):
            yield simulation.step(every).frame

    return dataset_of_frames(
        header, flown(), steps // every + 1, measures(model), schedule_values(model)
    )


def record(
    simulation: Simulation,
    path: str | os.PathLike[str],
    steps: int,
    every: int = 1,
    *,
    precision: float | None = None,
    velocity_precision: float | None = None,
    force: bool = False,
    commit_seconds: float = 10.0,
    progress: Progress | None = None,
    stop: Stop | None = None,
    command: str = "",
    parent: Mapping[str, Any] | None = None,
    **sizes: Any,
) -> Recording:
    """Records a simulation from where it is, for so many steps more; see run.

    sizes  shard_bytes, chunk_frames: how files are cut
    """
    from murmurate.record import Recording
    from murmurate.record.make_header import make_header, schedule_values
    from murmurate.record.writer import Writer

    check_counts(steps, every)
    model = simulation.model
    held = simulation.distributed_frame if precision is None else None
    header = make_header(
        model, held or simulation.frame, seed=simulation.seed, every=every,
        dtype=simulation.options.dtype, engine=simulation.options.engine, precision=precision,
        velocity_precision=velocity_precision, command=command, parent=parent, **sizes,
    )  # fmt: skip
    frame_now = _frames_for(simulation, header)
    first = frame_now()
    target = first.step + steps
    with Writer.create(
        path, header, first, target, measure=measures(model), scheduled=schedule_values(model),
        force=force, commit_seconds=commit_seconds,
    ) as writer:  # fmt: skip
        _fly(simulation, writer, frame_now, target, every, progress, stop)
    return Recording(path)


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
    from murmurate.record.make_header import schedule_values
    from murmurate.record.resume import ResumedRecording
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
        frame_now = _frames_for(simulation, header)
        _fly(simulation, writer, frame_now, target, header["every"], progress, stop)
    return Recording(path)


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
    Raises an OutputRefused where it would replace its parent, whatever the force.
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
    simulation = Simulation.from_state(model, state_of(model, frame), options)
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


def measures(model: Model) -> Callable[[Frame | DistributedFrame], Mapping[str, Any]]:
    """Frame -> measure -> its value for each flock, as recordings keep them; of a distributed frame
    they are summed up where the boids are."""
    from murmurate.record.make_header import recorded_measures

    kept = recorded_measures(sum(flock.count for flock in model.flocks.values()))

    def measure(frame: Frame | DistributedFrame) -> Mapping[str, Any]:
        if isinstance(frame, DistributedFrame):
            names = [one.name for one in kept]
            found = measured_by_parts(names, list(model.flocks), frame.each_part)
            return {one.name: [its[one.name] for its in found.values()] for one in kept}
        return {one.name: [float(one.function(flock)) for flock in frame] for one in kept}

    return measure


def check_counts(steps: int, every: int) -> None:
    """Raises ModelError for steps that cannot be flown."""
    for name, value, least in (("steps", steps, 0), ("every", every, 1)):
        if not is_whole(value) or not least <= value <= LARGEST_WHOLE:
            raise ModelError(
                f"{name} is {value!r}: it must be a whole number >= {least}, and at most "
                f"{LARGEST_WHOLE:,}"
            )


def _fly(
    simulation: Simulation,
    writer: Writer,
    frame_now: FrameNow,
    target: int,
    every: int,
    progress: Progress | None,
    stop: Stop | None,
) -> None:
    while simulation.step_number + every <= target and not (stop is not None and stop()):
        simulation.step(every)
        frame = frame_now()
        writer.add(frame)
        if progress is not None:
            progress(frame, writer)


def _frames_for(simulation: Simulation, header: Mapping[str, Any]) -> FrameNow:
    """What gives a simulation's frame as it is now to a recording of this header: where several
    workers hold the boids of a large flock, it is packed by them, and never whole in one place."""
    from murmurate.record.packed_frame import one_frame_a_shard
    from murmurate.record.schema import boid_arrays

    apart = simulation.boids > SMALL_FLOCK and header["precision"] is None
    if apart and simulation.distributed_frame and one_frame_a_shard(boid_arrays(dict(header))):
        return lambda: simulation.distributed_frame or simulation.frame
    return lambda: simulation.frame


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
        for flock in frame
    }
    return replace(frame, flocks=flocks)
