"""Recorded runs: simulations recorded in memory or on disk.

A run that is recorded:
    a header and the first frame are made durable
    each `every` steps a frame goes to the writer, whose thread packs and commits it
    at the end, or at whatever ends it, what was added is committed
resumed_run.py goes on with them, branched_run.py turns off from them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from murmurate.dtypes import Dtype
from murmurate.engines.base import EngineChoice
from murmurate.engines.options import RunOptions, is_whole, run_options
from murmurate.errors import ModelError
from murmurate.frame import DistributedFrame, Frame
from murmurate.measures.by_parts import measure_by_parts
from murmurate.measures.defaults import SMALL_FLOCK
from murmurate.model.files import model_of
from murmurate.model.model import Model
from murmurate.model.quantity import MAX_WHOLE

if TYPE_CHECKING:
    import xarray

    from murmurate.record import Recording
    from murmurate.record.writer import Writer
    from murmurate.runs.simulation import Simulation

FrameNow = Callable[[], Frame | DistributedFrame]
Progress = Callable[[Frame | DistributedFrame, "Writer"], object]
Stop = Callable[[], bool]


def run(
    model: Model | str | os.PathLike[str],
    steps: int | None = None,
    every: int = 1,
    seed: int = 0,
    *,
    to: str | os.PathLike[str] | None = None,
    precision: float | None = None,
    velocity_precision: float | None = None,
    engine: EngineChoice = "cpu",
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

    model          a Model, the name of a published flock, or the path of a model file
    to             a folder NAME.zarr to record to; in memory unless given
    precision      largest error of a position, length units; lossless unless given. The largest
                   error of velocities follows from it, and is stated (velocity_precision)
    force          replace a recording that is there
    commit_seconds so much work is lost at most if the machine fails
    progress       called with (frame, writer) after each frame that is recorded
    stop           asked after each frame whether to end early
    engine         its name, or its options: see Simulation
    workers, address  deprecated: use engine=Slabs(workers=..., address=...)

    Returns an xarray.Dataset, or the Recording. Raises ModelError and OpenError before
    anything is computed, RunError when a boid is lost, RecordError when the disk is full: what was
    recorded is kept.
    """
    options = run_options(engine, dtype, threads, seed, workers=workers, address=address)
    return run_with(
        model, options, steps, every, to=to, precision=precision,
        velocity_precision=velocity_precision, force=force, commit_seconds=commit_seconds,
        progress=progress, stop=stop, command=command,
    )  # fmt: skip


def run_with(
    model: Model | str | os.PathLike[str],
    options: RunOptions,
    steps: int | None = None,
    every: int = 1,
    *,
    to: str | os.PathLike[str] | None = None,
    precision: float | None = None,
    velocity_precision: float | None = None,
    **how: Any,
) -> Any:
    """Run and record a model with these options; see run.

    how  further arguments of `record`
    """
    from murmurate.runs.simulation import Simulation

    model = model_of(model)
    steps = model.view.steps if steps is None else steps
    check_counts(steps, every)
    if to is not None:
        from murmurate.record.writer import check_output

        check_output(to, how.get("force", False))
    simulation = Simulation.from_options(model, options)
    if to is None:
        if precision is not None or velocity_precision is not None:
            raise ModelError("a precision is for recordings on disk: give a path, to='NAME.zarr'")
        return in_memory(simulation, steps, every)
    return record(
        simulation, to, steps, every, precision=precision, velocity_precision=velocity_precision,
        **how,
    )  # fmt: skip


def in_memory(simulation: Simulation, steps: int, every: int) -> xarray.Dataset:
    """The frames of a flight as an xarray.Dataset, laid out like a recording."""
    from murmurate.record.header import make_header, schedule_values
    from murmurate.record.layouts import dataset_of_frames

    model, first = simulation.model, simulation.frame
    header = make_header(
        model, first, seed=simulation.seed, every=every, dtype=simulation.options.dtype,
        engine=simulation.options.engine, family=simulation.family,
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
    from murmurate.record.header import make_header, schedule_values
    from murmurate.record.writer import Writer

    check_counts(steps, every)
    model = simulation.model
    held = simulation.distributed_frame if precision is None else None
    first: Frame | DistributedFrame = held or simulation.frame
    header = make_header(
        model, first, seed=simulation.seed, every=every,
        dtype=simulation.options.dtype, engine=simulation.options.engine, family=simulation.family,
        precision=precision, velocity_precision=velocity_precision, command=command, parent=parent,
        **sizes,
    )  # fmt: skip
    frame_now = frames_for(simulation, header)
    if held is not None:
        first = frame_now()
    target = first.step + steps
    with Writer.create(
        path, header, first, target, measure=measures(model), scheduled=schedule_values(model),
        force=force, commit_seconds=commit_seconds,
    ) as writer:  # fmt: skip
        fly_recorded(simulation, writer, frame_now, target, every, progress, stop)
    return Recording(path)


def measures(model: Model) -> Callable[[Frame | DistributedFrame], Mapping[str, Any]]:
    """Frame -> measure -> its value for each flock, as recordings keep them; of a distributed frame
    they are summed up where the boids are."""
    from murmurate.record.header import recorded_measures

    kept = recorded_measures(sum(flock.count for flock in model.flocks.values()))

    def measure(frame: Frame | DistributedFrame) -> Mapping[str, Any]:
        if isinstance(frame, DistributedFrame):
            names = [one.name for one in kept]
            found = measure_by_parts(names, list(model.flocks), frame.map_parts)
            return {one.name: [its[one.name] for its in found.values()] for one in kept}
        return {one.name: [float(one.function(flock)) for flock in frame.values()] for one in kept}

    return measure


def check_counts(steps: int, every: int) -> None:
    """Raises ModelError for steps that cannot be flown."""
    for name, value, least in (("steps", steps, 0), ("every", every, 1)):
        if not is_whole(value) or not least <= value <= MAX_WHOLE:
            raise ModelError(
                f"{name} is {value!r}: it must be a whole number >= {least}, and at most "
                f"{MAX_WHOLE:,}"
            )


def fly_recorded(
    simulation: Simulation,
    writer: Writer,
    frame_now: FrameNow,
    target: int,
    every: int,
    progress: Progress | None,
    stop: Stop | None,
) -> None:
    """Flies up to a step; each frame goes to the writer."""
    while simulation.step_number + every <= target and not (stop is not None and stop()):
        simulation.step(every)
        frame = frame_now()
        writer.add(frame)
        if progress is not None:
            progress(frame, writer)


def frames_for(simulation: Simulation, header: Mapping[str, Any]) -> FrameNow:
    """What gives a simulation's frame as it is now to a recording of this header: where several
    workers hold the boids of a large flock, it is packed by them, and never whole in one place."""
    from murmurate.record.schema import boid_arrays
    from murmurate.record.store import has_one_frame_per_shard

    apart = simulation.n_boids > SMALL_FLOCK and header["precision"] is None
    if (
        apart
        and simulation.distributed_frame
        and has_one_frame_per_shard(boid_arrays(dict(header)))
    ):
        return lambda: simulation.distributed_frame or simulation.frame
    return lambda: simulation.frame
