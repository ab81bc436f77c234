"""Recorded runs: simulations recorded in memory or on disk.

A run on disk:
    a header and the first frame are made durable
    every `every` steps a frame goes to the writer, whose thread encodes and commits it
    at the end, or after an error, what was added is committed
resume_run.py continues recordings and branches from them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, overload

from murmurate.activity import doing
from murmurate.engines.options import (
    RunOptions,
    is_whole,
    options_with_seed,
)
from murmurate.errors import ModelError
from murmurate.frame import DistributedFrame, Frame
from murmurate.measures.by_parts import measure_by_parts
from murmurate.measures.defaults import SMALL_FLOCK
from murmurate.model.files import model_of
from murmurate.model.model import Model
from murmurate.model.number import MAX_WHOLE
from murmurate.runs.frame_source import FrameSource
from murmurate.runs.replay import Replay
from murmurate.runs.sources import Progress

if TYPE_CHECKING:
    import xarray

    from murmurate.record import Recording
    from murmurate.record.writer import Writer
    from murmurate.runs.simulation import Simulation

PresentFrame = Callable[[], Frame | DistributedFrame]


@overload
def run(
    model: Model | str | os.PathLike[str],
    steps: int | None = None,
    *,
    every: int = 1,
    seed: int | None = None,
    output: None = None,
    options: RunOptions | None = None,
    progress: Progress | None = None,
) -> xarray.Dataset: ...


@overload
def run(
    model: Model | str | os.PathLike[str],
    steps: int | None = None,
    *,
    every: int = 1,
    seed: int | None = None,
    output: str | os.PathLike[str],
    precision: float | None = None,
    velocity_precision: float | None = None,
    options: RunOptions | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Recording: ...


def run(
    model: Model | str | os.PathLike[str],
    steps: int | None = None,
    *,
    every: int = 1,
    seed: int | None = None,
    output: str | os.PathLike[str] | None = None,
    precision: float | None = None,
    velocity_precision: float | None = None,
    options: RunOptions | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> xarray.Dataset | Recording:
    """Simulate a model from its start and record a frame every `every` steps, the start included.

    Parameters
    ----------
    model : Model, str or path
        A Model, the name of a published flock, or a model file.
    steps : int, optional
        Steps to simulate; by default those of the model's view.
    every : int, default 1
        Steps between frames.
    seed : int, optional
        Seed of the simulation; overrides that of `options`.
    output : path, optional
        A folder NAME.zarr to record to. By default frames stay in memory.
    precision : float, optional
        Largest error of a position, length units; lossless by default. The largest error of
        velocities follows from it and is stored.
    velocity_precision : float, optional
        Largest error of a velocity, length/time units.
    options : RunOptions, optional
        Engine, precision of numbers and threads, such as RunOptions(engine=Slabs(workers=4)).
    force : bool, default False
        Replace an existing recording.
    progress : callable, optional
        Called with (step, last step) after each frame. A KeyboardInterrupt, also one that it
        raises, ends the run early, and all frames are kept.

    Returns
    -------
    xarray.Dataset or Recording
        The frames in memory, in the layout of a recording; or the recording, if `output` is given.

    Raises
    ------
    ModelError, OpenError
        An argument cannot be used. Raised before anything is simulated.
    RunError
        A boid is lost; the frames before are kept.
    RecordError
        The disk is full; the frames before are kept.
    """
    from murmurate.runs.simulation import Simulation

    options = options_with_seed(options, seed)
    model = model_of(model)
    steps = model.view.steps if steps is None else steps
    check_counts(steps, every)
    if output is not None:
        from murmurate.record.writer import check_output

        check_output(output, force)
    simulation = Simulation(model, **options.arguments)
    if output is None:
        if precision is not None or velocity_precision is not None:
            raise ModelError(
                "precision: got it without output; expected a recording on disk. Give "
                "output='NAME.zarr'"
            )
        return in_memory(simulation, steps, every, progress)
    return record(
        simulation, output, steps, every, precision=precision,
        velocity_precision=velocity_precision, force=force, progress=progress,
    )  # fmt: skip


def in_memory(
    simulation: Simulation, steps: int, every: int, progress: Progress | None = None
) -> xarray.Dataset:
    """Return the frames of a run as an xarray.Dataset, in the layout of a recording."""
    from murmurate.record.datasets import dataset_of_frames
    from murmurate.record.header import make_header, schedule_values

    model, first = simulation.model, simulation.frame
    header = make_header(
        model, first, seed=simulation.seed, every=every, dtype=simulation.options.dtype,
        engine=simulation.options.engine, family=simulation.family,
    )  # fmt: skip

    def coming() -> Iterator[Frame]:
        yield first
        for done in range(every, steps + 1, every):
            yield simulation.step(every).frame
            if progress is not None:
                progress(done, steps)

    return dataset_of_frames(
        header, coming(), steps // every + 1, measures(model), schedule_values(model)
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
    parent: Mapping[str, Any] | None = None,
    **sizes: Any,
) -> Recording:
    """Record the next steps of a simulation and return the recording.

    simulation  its present frame is the first one
    path  a folder NAME.zarr
    commit_seconds  seconds of work that are lost at most if the machine fails
    parent  of a branch: what it continues
    **sizes  `shard_bytes` and `chunk_frames`: how files are divided
    """
    from murmurate.record import Recording

    check_counts(steps, every)
    target = simulation.step_number + steps
    writer, present_frame = begin(
        simulation, path, target, every, precision=precision,
        velocity_precision=velocity_precision, force=force, commit_seconds=commit_seconds,
        parent=parent, **sizes,
    )  # fmt: skip
    with writer:
        record_steps(simulation, writer, present_frame, target, every, progress)
    return Recording(path)


def begin(
    simulation: Simulation,
    path: str | os.PathLike[str],
    target: int,
    every: int,
    *,
    precision: float | None,
    force: bool,
    commit_seconds: float = 10.0,
    **settings: Any,
) -> tuple[Writer, PresentFrame]:
    """Begin a recording with the present frame of a simulation.

    Return its writer, and a function that gives the frames for it.

    target  the step up to which the simulation is to run
    settings  of make_header
    """
    from murmurate.record.header import make_header, schedule_values
    from murmurate.record.writer import Writer

    model = simulation.model
    gathers = precision is not None or model.changes_numbers
    parts = None if gathers else simulation.distributed_frame
    first: Frame | DistributedFrame = parts or simulation.frame
    header = make_header(
        model, first, seed=simulation.seed, every=every, dtype=simulation.options.dtype,
        engine=simulation.options.engine, family=simulation.family, precision=precision, **settings,
    )  # fmt: skip
    present_frame = frames_for(simulation, header)
    if parts is not None:
        first = present_frame()
    writer = Writer.create(
        path, header, first, target, measure=measures(model), scheduled=schedule_values(model),
        force=force, commit_seconds=commit_seconds,
    )  # fmt: skip
    return writer, present_frame


def record_frames(
    source: FrameSource, path: str | os.PathLike[str], steps: int, every: int
) -> Recording:
    """Record the present frame of a source and those of its next steps. Return the recording."""
    from murmurate.record import Recording
    from murmurate.record.header import make_header, schedule_values
    from murmurate.record.writer import Writer

    check_counts(steps, every)
    model, first = source.model, source.frame
    dtype = str(next(iter(first.values())).positions.dtype)
    header = make_header(model, first, seed=source.seed or 0, every=every, dtype=dtype, engine="")
    target = first.step + steps
    with (
        Writer.create(
            path, header, first, target, measure=measures(model), scheduled=schedule_values(model)
        ) as writer,
        doing(f"Simulating {steps:,} steps", steps) as work,
    ):
        record_steps(
            source, writer, lambda: source.frame, target, every,
            lambda step, _: setattr(work, "done", step - first.step),
        )  # fmt: skip
    return Recording(path)


def measures(model: Model) -> Callable[[Frame | DistributedFrame], Mapping[str, Any]]:
    """Return a function frame -> measure -> its value for each flock, as recordings store them."""
    from murmurate.record.header import measured_boids, recorded_measures

    recorded = recorded_measures(measured_boids(model))
    names = [measure.name for measure in recorded]

    def values(frame: Frame | DistributedFrame) -> Mapping[str, Any]:
        if isinstance(frame, DistributedFrame):  # the workers that hold the boids compute
            by_flock = measure_by_parts(names, list(model.flocks), frame.map_parts)
            return {name: [row[name] for row in by_flock.values()] for name in names}
        return {m.name: [float(m.function(flock)) for flock in frame.values()] for m in recorded}

    return values


def check_counts(steps: int, every: int) -> None:
    """Raise ModelError if numbers of steps are not allowed."""
    for name, value, minimum in (("steps", steps, 0), ("every", every, 1)):
        if not is_whole(value) or not minimum <= value <= MAX_WHOLE:
            raise ModelError(
                f"{name}: got {value!r}; expected a whole number from {minimum} to {MAX_WHOLE:,}"
            )


def record_steps(
    simulation: FrameSource | Replay,
    writer: Writer,
    present_frame: PresentFrame,
    target: int,
    every: int,
    progress: Progress | None,
) -> None:
    """Simulate up to a step and pass each frame to the writer."""
    while simulation.step_number + every <= target:
        simulation.step(every)
        frame = present_frame()
        writer.add(frame)
        if progress is not None:
            progress(simulation.step_number, target)


def frames_for(simulation: Simulation, header: Mapping[str, Any]) -> PresentFrame:
    """Return a function that gives a simulation's present frame for a recording with this header.

    If several workers hold a large flock, they encode it, and no process gathers it; unless frames
    are rounded or numbers of boids change.
    """
    from murmurate.record.schema import boid_arrays
    from murmurate.record.store import has_one_frame_per_shard

    large = simulation.n_boids > SMALL_FLOCK and header["precision"] is None
    if (
        large
        and not header.get("rows")
        and simulation.distributed_frame
        and has_one_frame_per_shard(boid_arrays(dict(header)))
    ):
        return lambda: simulation.distributed_frame or simulation.frame
    return lambda: simulation.frame
