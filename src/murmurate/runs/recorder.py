"""Recorder: records a simulation that a program steps, with all that it is given from outside."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import tomli_w

from murmurate.errors import ModelError
from murmurate.model.files import to_toml
from murmurate.model.model import Model
from murmurate.runs.record_run import begin, check_counts
from murmurate.runs.sources import notes

if TYPE_CHECKING:
    from murmurate.runs.simulation import Simulation


class Recorder:
    """Records a simulation while a program steps it. Use it in a `with`, or `close` it.

        with mm.Recorder(sim, "controlled.zarr", every=10):
            for _ in range(1000):
                sim.step(1, controls=...)

    It records a frame every `every` steps, and all that the simulation is given from outside: the
    controls of `step`, numbers and rules that `set` changes, and positions and velocities of
    `set_state`. So the recording can be resumed, branched and repeated bit for bit, see
    `mm.replay`. Of a program that is killed, all inputs are kept, and the frames of all but the
    last 10 seconds, which `mm.resume` computes again.

    Parameters
    ----------
    simulation : Simulation
        Its present frame is the first one.
    path : path
        A folder NAME.zarr.
    every : int, default 1
        Steps between frames.
    precision : float, optional
        Largest error of a position, length units; lossless by default.
    velocity_precision : float, optional
        Largest error of a velocity, length/time units.
    force : bool, default False
        Replace an existing recording.

    Raises
    ------
    ModelError, OpenError
        An argument cannot be used, or the simulation is recorded already. Nothing is written.
    RecordError
        The disk is full: raised by a later step. What was recorded before is kept.

    Notes
    -----
    What a recording states once cannot be changed while it is written, such as `dt`, obstacles,
    schedules and numbers that differ between boids: `set` refuses it.
    """

    def __init__(
        self,
        simulation: Simulation,
        path: str | os.PathLike[str],
        every: int = 1,
        *,
        precision: float | None = None,
        velocity_precision: float | None = None,
        force: bool = False,
        parent: Mapping[str, Any] | None = None,
        **sizes: Any,
    ) -> None:
        from murmurate.runs.simulation import Simulation

        if not isinstance(simulation, Simulation):
            raise ModelError(
                f"simulation: got a {type(simulation).__name__}; expected a Simulation that your "
                "program steps. mm.run records a model"
            )
        check_counts(0, every)
        simulation.attach(self)
        try:
            self._writer, self._present_frame = begin(
                simulation, path, 0, every, force=force, precision=precision,
                velocity_precision=velocity_precision, parent=parent, inputs=True, **sizes,
            )  # fmt: skip
        except BaseException:
            simulation.attach(None)
            raise
        self.path = self._writer.path
        self._simulation, self._every = simulation, every
        self._frames, self._inputs = 1, 0
        self._stated = _stated(simulation.model)
        self.due = simulation.step_number + every

    def __repr__(self) -> str:
        writer = self._writer
        return (
            f"<Recorder {str(self.path)!r}: {self._frames:,} frames, {self._inputs:,} inputs, "
            f"{writer.bytes:,} bytes, {writer.input_bytes:,} of them for inputs>"
        )

    def add_frame(self) -> None:
        """Record the present frame; the simulation calls it."""
        self._writer.add(self._present_frame())
        self._frames += 1
        self.due += self._every

    def add_input(self, kind: Any, text: str, arrays: Mapping[str, np.ndarray | None]) -> None:
        """Record the next input of the simulation, which calls this."""
        from murmurate.record.input_log import Input

        present = {name: values for name, values in arrays.items() if values is not None}
        self._writer.add(Input(self._simulation.step_number, kind, text, present))
        self._inputs += 1

    def add_model(self, model: Model) -> None:
        """Record a change of the model; the simulation calls it.

        Raises ModelError if a recording cannot have both models.
        """
        before = self._simulation.model
        if model == before:
            return
        stated = _stated(model)
        for what, value in self._stated.items():
            if value != stated[what]:
                raise ModelError(
                    f"{what}: got a change while {self.path} is recorded; expected the same in all "
                    "frames. Close the recorder, and begin another recording"
                )
        self.add_input(*_text_of_change(before, model), {})

    def close(self) -> None:
        """Commit the recording, and detach from the simulation. Raises RecordError."""
        self._simulation.attach(None)
        self._writer.close()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *error: Any) -> None:
        self._simulation.attach(None)
        self._writer.__exit__(*error)
        notes.info(repr(self))


class SeriesRecorder:
    """Records the simulation of a live view to NAME.zarr, NAME-2.zarr and so on.

    A recording has one simulation, whose flocks, obstacles and the like stay. Where a restart,
    another model or a drawn part changes these, the recording ends, and another begins with the
    next step. It states its parent if the flock moved on.

    path    the first recording
    every   steps between frames
    paths   the recordings so far

    Raises OpenError or ModelError, before anything is written.
    """

    def __init__(self, path: str | os.PathLike[str], every: int = 1) -> None:
        from murmurate.record.writer import check_output

        check_counts(0, every)
        self._path, self._every = check_output(path), every
        self.paths: list[Path] = []
        self._recorder: Recorder | None = None
        self._simulation: Simulation | None = None
        self._parent: dict[str, Any] | None = None

    def follow(self, simulation: Simulation) -> None:
        """Record the next steps of a simulation: call it before each block of steps."""
        if simulation is self._simulation:
            return
        self.close()
        path, parent = self._free_path(), self._parent
        moved_on = parent is not None and parent["step"] == simulation.step_number > 0
        self._recorder = Recorder(
            simulation, path, self._every, parent=parent if moved_on else None
        )
        self._simulation = simulation
        self.paths.append(path)

    def prepare(self, model: Model) -> None:
        """End the recording if it cannot contain the model that is about to run."""
        if self._simulation is not None and _stated(self._simulation.model) != _stated(model):
            self.close()

    def close(self) -> None:
        """End the present recording. Raises RecordError if it cannot be written."""
        recorder, simulation = self._recorder, self._simulation
        self._recorder = self._simulation = None
        if recorder is None or simulation is None:
            return
        self._parent = {
            "path": str(recorder.path), "fingerprint": simulation.model.fingerprint(),
            "step": simulation.step_number, "changes": {}, "rounded": False,
        }  # fmt: skip
        recorder.close()

    def _free_path(self) -> Path:
        if not self.paths:
            return self._path  # which is checked again
        numbered = (
            self._path.with_name(f"{self._path.stem}-{number}.zarr")
            for number in count(len(self.paths) + 1)
        )
        return next(path for path in numbered if not (path.exists() or path.is_symlink()))


def _stated(model: Model) -> dict[str, Any]:
    """Return the facts of a model that a recording states once for all frames."""
    from murmurate.record.header import scheduled_numbers

    flocks = model.flocks
    return {
        "dt": model.dt,
        "obstacles": model.obstacles,
        "schedules": scheduled_numbers(model),
        "numbers that differ between boids": {name: model.individuals_of(name) for name in flocks},
        "per-boid state": {name: model.memory_of(name) for name in flocks},
        "perching": {name: flock.perching is None for name, flock in flocks.items()},
        "max_boids": model.max_counts,
    }


def _text_of_change(before: Model, after: Model) -> tuple[str, str]:
    """Return the kind of input that changes a model into another, and its TOML."""
    old, new = _leaves(before.to_dict()), _leaves(after.to_dict())
    changes = {path: value for path, value in new.items() if old.get(path) != value}
    if old.keys() <= new.keys():
        try:
            if before.set(changes) == after:
                return "changes", tomli_w.dumps(changes)
        except ModelError:
            pass
    return "model", to_toml(after)


def _leaves(table: Mapping[str, Any], path: str = "") -> dict[str, Any]:
    """Return the values of nested tables by dotted path."""
    leaves: dict[str, Any] = {}
    for name, value in table.items():
        inner = f"{path}.{name}" if path else name
        leaves |= _leaves(value, inner) if isinstance(value, Mapping) else {inner: value}
    return leaves
