"""Resumed and branched runs: a simulation continues from a frame of a recording.

`resume` appends to the recording what it would have had without a break. `branch` begins another
recording with other numbers.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from murmurate.engines.base import EngineChoice
from murmurate.engines.options import RunOptions, is_whole
from murmurate.engines.registry import engine_class, engine_family
from murmurate.engines.state import (
    FlightState,
    FlockState,
    flock_state_from_frame,
    state_from_frame,
)
from murmurate.errors import ModelError
from murmurate.frame import Frame
from murmurate.model.model import Model
from murmurate.runs.record_run import (
    check_counts,
    frames_for,
    measures,
    record,
    record_steps,
)
from murmurate.runs.recorder import Recorder
from murmurate.runs.replay import Replay
from murmurate.runs.sources import Progress, notes

if TYPE_CHECKING:
    from murmurate.record import Recording
    from murmurate.runs.simulation import Simulation


def resume(
    recording: Recording | str | os.PathLike[str],
    steps: int | None = None,
    *,
    threads: int | None = None,
    engine: EngineChoice | None = None,
    exact: bool = True,
    progress: Progress | None = None,
) -> Recording:
    """Continue a recording from its last complete frame: after a crash, or to simulate more.

    The result equals a run without a break, bit for bit, on one kind of machine: inputs that a
    Recorder stored are given again. Damaged metadata is written again.

    Parameters
    ----------
    recording : Recording or path
        The recording.
    steps : int, optional
        Simulate up to this step, counted from the start; by default as first requested, or up to
        the last stored input.
    threads : int, optional
        Threads that share a step.
    engine : str or EngineOptions, optional
        An engine of the same family, which gives the same bits, such as 'slabs' for 'cpu'. By
        default that of the recording, on the same device.
    exact : bool, default True
        False: the engine may be of another family, or on another device. The recording states from
        which step on. Statistics agree; positions differ from those of a run without a break.
    progress
        As for `run`.

    Returns
    -------
    Recording
        The recording.

    Raises
    ------
    OpenError
        Another process writes the recording.
    ModelError
        Its rules are not known here; or the engine is of another family, and `exact` is true; or it
        computes in another precision.
    """
    from murmurate.record import Recording
    from murmurate.record.header import present_parts, schedule_values
    from murmurate.record.writer import ResumedRecording
    from murmurate.runs.simulation import Simulation

    if isinstance(recording, Recording):
        recording = recording.path
    first_model = Recording(recording).model
    again = ResumedRecording(recording)
    try:
        model = again.inputs.model_at(again.step, first_model)
        for note in again.notes:
            notes.info(f"{recording}: {note}")
        notes.info(f"{recording}: resumes from step {again.step}")
        header = present_parts(again.header, again.frames)
        _check_kept(recording, model, header.get("kept_names", {}))
        target = max(again.target, again.inputs.last_step) if steps is None else int(steps)
        check_counts(target, header["every"])
        if target < again.step:
            raise ModelError(
                f"{recording}: got steps={target}; expected at least {again.step}, the last "
                "recorded step: a recording is never cut"
            )
        options = resumed_options(header, threads, engine, exact)
        if again.exact is not None:
            state: FlightState = state_from_frame(model, again.exact)
        elif model.changes_numbers:
            state = state_from_frame(model, Recording(recording)[again.frames - 1])
        else:
            state = recorded_state(model, Recording(recording), again.frames - 1)
        simulation = Simulation.from_state(model, state, options)
        if exact:
            check_family(header, options.engine, simulation.family)  # that of its device
        other_bits = not exact and _note_other_bits(recording, header, simulation, again.step)
        writer = again.writer(
            target, measure=measures(model), scheduled=schedule_values(model),
            engine=(options.engine, simulation.family) if other_bits else None,
        )  # fmt: skip
    except BaseException:
        again.release()
        raise
    with writer:
        present_frame = frames_for(simulation, header)
        replayed = Replay(simulation, again.inputs.since(again.step))
        record_steps(replayed, writer, present_frame, target, header["every"], progress)
    return Recording(recording)


def _check_kept(path: object, model: Model, recorded: Mapping[str, Sequence[str]]) -> None:
    """Raise ModelError if rules store other per-boid numbers than the recording has."""
    for name, names in recorded.items():
        own = model.memory_of(name)
        if names and tuple(names) != own:
            raise ModelError(
                f"{path}: got flock {name!r} with {', '.join(names)}; expected what its rules "
                f"store: {', '.join(own) or 'nothing'}. Resume it with the rules of the "
                "recording, or branch from it"
            )


def resumed_options(
    header: Mapping[str, Any],
    threads: int | None,
    engine: EngineChoice | None = None,
    exact: bool = True,
) -> RunOptions:
    """Return the run options that continue a recording.

    raises ModelError  the engine is of another family than that of the recording, and `exact` is
        true
    """
    from murmurate.record.header import last_engine

    recorded, family = last_engine(dict(header))
    own = engine_class(recorded).options_of_family(family) if engine is None and family else None
    options = RunOptions(engine or own or recorded, header["dtype"], threads, header["seed"])
    if exact and options.engine != recorded:
        check_family(header, options.engine, engine_family(options.engine))
    return options


def check_family(header: Mapping[str, Any], engine: str, family: str) -> None:
    """Raise ModelError if an engine gives other bits than the one that made a recording.

    header  the header of the recording
    engine, family  the engine that is to continue it, and its family
    """
    from murmurate.record.header import last_engine

    recorded, theirs = last_engine(dict(header))
    theirs = theirs or engine_family(recorded)
    if family != theirs:
        remedy = "Resume it on that device" if engine == recorded else "Leave it out"
        raise ModelError(
            f"engine: got {engine!r}, of family {family!r}; expected {recorded!r}, by which this "
            f"was recorded, or another engine of family {theirs!r}: one of another family leaves "
            f"other bits. {remedy}, or accept other bits: exact=False, on the command line "
            "--engine or --adapter"
        )


def _note_other_bits(
    path: object, header: Mapping[str, Any], simulation: Simulation, step: int
) -> bool:
    """Return whether an engine of another family continues a recording; print the effect.

    raises ModelError  it computes in another precision
    """
    from murmurate.record.header import engine_text, last_engine

    engine = simulation.options.engine
    recorded, family = last_engine(dict(header))
    family = family or engine_family(recorded)
    dtype = simulation.options.dtype
    if dtype != header["dtype"]:
        raise ModelError(
            f"engine: got {engine!r}, which computes in {dtype}; expected one "
            f"that computes in {header['dtype']}, as {path} is recorded. Use engine 'cpu'"
        )
    other_bits = simulation.family != family
    if other_bits:
        notes.info(
            f"{path}: continues with engine {engine_text(engine, simulation.family)}, and was "
            f"recorded by {engine_text(recorded, family)}. Positions after step {step} differ from "
            "those of a run without a break; statistics agree"
        )
    return other_bits


# --- branches


def branch(
    recording: Recording | str | os.PathLike[str],
    path: str | os.PathLike[str],
    at: int | None = None,
    changes: Mapping[str, Any] | None = None,
    *,
    steps: int | None = None,
    every: int | None = None,
    threads: int | None = None,
    engine: EngineChoice | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Recording:
    """Record a run that continues from a frame of a recording, with other numbers of the model.

    Parameters
    ----------
    recording : Recording or path
        The recording to continue.
    path : path
        The new recording, NAME.zarr. It stores its parent, the step and the changes.
    at : int, optional
        A recorded step to continue from; the last one by default.
    changes : mapping, optional
        Dotted path -> value, such as {"rules.alignment.weight": 0}.
    steps : int, optional
        Simulate up to this step, counted from the parent's start; that of the parent by default.
    every : int, optional
        Steps between frames; those of the parent by default.
    threads : int, optional
        Threads that share a step.
    engine : str or an engine with options, optional
        The engine of the branch; that of the parent by default.
    force, progress
        As for `run`.

    Returns
    -------
    Recording
        The new recording.

    Raises
    ------
    OutputError
        The branch would replace its parent, even with `force`.
    ModelError
        The changes need other flocks or another space, or the parent has no such frame.

    Notes
    -----
    If the parent's frames are rounded (precision), the branch begins from the rounded frame.

    What the parent was given after that frame, see Recorder, is given to the branch too; the
    changes hold nevertheless.
    """
    from murmurate.record import Recording
    from murmurate.record.writer import check_output
    from murmurate.runs.simulation import Simulation
    from murmurate.show.output import check_apart

    if isinstance(recording, Recording):
        recording = recording.path
    check_apart(path, recording)
    check_output(path, force)
    parent = Recording(recording)
    if not len(parent):
        raise ModelError(f"{recording}: got no frame; expected one to branch from")
    frame = parent[-1] if at is None else parent.frame_at(at)
    model = parent.model_at(frame.step)
    model = model.set(dict(changes)) if changes else model
    counts = [(n, f.count) for n, f in model.flocks.items()]
    if counts != [(n, f.count) for n, f in parent.model.flocks.items()]:
        raise ModelError(f"{recording}: got other flocks or counts; expected those of the parent")
    if model.space != parent.model.space:
        raise ModelError(f"{recording}: got another space; expected that of the parent")
    every = parent.every if every is None else every
    target = max(parent.target, parent.steps[-1]) if steps is None else int(steps)
    if target < frame.step:
        raise ModelError(
            f"steps: got {target}; expected at least {frame.step}, where the branch begins"
        )
    check_counts(target, every)
    if parent.precision is not None:
        frame = _inside(frame)
    options = resumed_options(parent.header, threads, engine, exact=False)
    simulation = Simulation.from_state(model, state_from_frame(model, frame, options.seed), options)
    facts = {
        "path": str(Path(recording)),
        "fingerprint": parent.header["fingerprint"],
        "step": frame.step,
        "changes": {
            k: v if isinstance(v, int | float | str) else str(v) for k, v in (changes or {}).items()
        },
        "rounded": parent.precision is not None,
    }
    settings: dict[str, Any] = {
        "precision": parent.precision, "velocity_precision": parent.header["velocity_precision"],
        "force": force, "parent": facts,
    }  # fmt: skip
    if not parent.header.get("inputs"):
        return record(simulation, path, target - frame.step, every, progress=progress, **settings)
    replayed = Replay(simulation, parent.inputs.since(frame.step), changes)
    with Recorder(simulation, path, every, **settings):
        for step in range(frame.step + every, target + 1, every):
            replayed.step(every)
            if progress is not None:
                progress(step, target)
    return Recording(path)


def replay(
    recording: Recording | str | os.PathLike[str],
    at: int,
    *,
    threads: int | None = None,
    engine: EngineChoice | None = None,
) -> Simulation:
    """Return the simulation that was recorded, at a step, which may be between or after frames.

    It continues from the frame before, and is given all that the recorded simulation was given
    until then, so that its state is the same bit for bit, on one kind of machine.

    Parameters
    ----------
    recording : Recording or path
        The recording.
    at : int
        A step from the first frame on.
    threads : int, optional
        Threads that share a step.
    engine : str or EngineOptions, optional
        An engine of the same family, which gives the same bits. By default that of the recording.

    Returns
    -------
    Simulation
        What was given to the recorded simulation after this step is not given to it.

    Raises
    ------
    ModelError
        The step is before the first frame; or as for `resume`.
    DamagedRecordingError
        There is no frame to continue from, or the log of inputs is damaged.
    """
    from murmurate.record import Recording
    from murmurate.record.header import present_parts
    from murmurate.record.recovery import recover
    from murmurate.record.writer import newest_exact_state
    from murmurate.runs.simulation import Simulation

    path = recording.path if isinstance(recording, Recording) else Path(recording)
    recovered = recover(path)
    recorded, header = Recording(path, recovered), recovered.header
    if not is_whole(at) or at < header["first_step"]:
        raise ModelError(
            f"at: got {at!r}; expected a whole number of at least {header['first_step']}, the step "
            f"of the first frame of {path}"
        )
    frames = 1 + (int(at) - header["first_step"]) // header["every"]
    frames, exact = newest_exact_state(path, recovered, frames)
    frame = recorded[frames - 1] if exact is None else exact
    header = present_parts(header, frames + 1)
    options = resumed_options(header, threads, engine)
    model = recorded.model_at(frame.step)
    _check_kept(path, model, header.get("kept_names", {}))
    simulation = Simulation.from_state(model, state_from_frame(model, frame, options.seed), options)
    check_family(header, options.engine, simulation.family)
    Replay(simulation, recorded.inputs.since(frame.step)).step(int(at) - frame.step)
    return simulation


def _inside(frame: Frame) -> Frame:
    """Return a frame with positions that were rounded out of closed faces moved onto them."""
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


# --- a recorded frame as the state of a simulation


class RecordedState(FlightState):
    """The state of a simulation as a recording has it, read when it is needed."""

    flocks: RecordedFlocks

    def size(self, flock: str) -> int:
        """Return the number of boids of a flock."""
        return self.flocks.recording.counts[flock]

    def rows(self, flock: str, rows: slice) -> FlockState:
        """Return some boids of a flock. Raises DamagedRecordingError."""
        return self.flocks.rows(flock, rows)


class RecordedFlocks(Mapping[str, FlockState]):
    """The flocks of a frame by name; each access reads the file."""

    def __init__(self, model: Model, recording: Recording, number: int) -> None:
        self.model, self.recording, self.number = model, recording, number

    def __len__(self) -> int:
        return len(self.recording.counts)

    def __iter__(self) -> Iterator[str]:
        return iter(self.recording.counts)

    def __getitem__(self, name: str) -> FlockState:
        return self.rows(name, slice(0, self.recording.counts[name]))

    def rows(self, name: str, rows: slice) -> FlockState:
        """Return some boids of a flock; only these are read."""
        return flock_state_from_frame(
            self.model, self.recording.flock_rows(self.number, name, rows)
        )


def recorded_state(model: Model, recording: Recording, number: int) -> RecordedState:
    """Return the state from which a model continues a frame of its recording."""
    return RecordedState(recording.steps[number], RecordedFlocks(model, recording, number))
