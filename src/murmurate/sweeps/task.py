"""Task: one run of a sweep or a fit, and its record in a file."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

from murmurate.disk import read_bytes
from murmurate.engines.options import RunOptions
from murmurate.frame import Frame
from murmurate.measures.errorbars import mean_and_error
from murmurate.model.files import parse
from murmurate.model.model import Model
from murmurate.model.text_reader import read_json
from murmurate.rules.rule_file import load_rules
from murmurate.sweeps.design import parse_measure
from murmurate.tracks.sampling import TrackSampling
from murmurate.version import __version__

Value = Annotated[FiniteFloat, Field(ge=-1e150, le=1e150)]  # its square is finite
Count = Annotated[FiniteFloat, Field(ge=0)]
Index = Annotated[int, Field(ge=0)]


@dataclass(frozen=True)
class Task:
    """One run, as values that can be sent to another process or machine.

    index  index of the run. Its seed depends on the index only, so results depend neither on the
        workers nor on the order of the runs.
    point, repeat  index of the parameter set, and of the run among those of the set
    options  engine, precision, threads and seed
    values  parameter set: path -> value
    model, name  the model as TOML, and its name
    steps, warm_up, every  number of steps, steps before the first measurement, steps between
        measurements
    rules  Python files with rules
    record  path of the recording; '' if the run is not recorded
    engine_path  import path of an engine that was registered by hand
    tracks  how the run is sampled to be measured as tracks are
    """

    index: int
    point: int
    repeat: int
    options: RunOptions
    values: dict[str, Any]
    model: str
    name: str
    steps: int
    warm_up: int
    every: int
    measures: tuple[str, ...]
    rules: tuple[str, ...] = ()
    record: str = ""
    engine_path: str = ""
    tracks: TrackSampling | None = None

    @property
    def seed(self) -> int:
        """Seed of the run."""
        return self.options.seed

    @property
    def recording(self) -> str | None:
        """Path of the recording in the folder of the sweep; None if the run is not recorded."""
        return f"recordings/{Path(self.record).name}" if self.record else None

    def run(self) -> dict[str, Any]:
        """Simulate and measure; return the record of the run.

        The record has the settings, and for each measure its mean over the run with its error.
        """
        start_time = time.perf_counter()
        for file in self.rules:
            load_rules(Path(file))
        model = parse(self.model, f"{self.name}.toml")
        model = model.set(self.values) if self.values else model
        measures = {text: parse_measure(text, model) for text in self.measures}
        series: dict[str, list[float]] = {text: [] for text in measures}
        boids = dict.fromkeys(measures, 0)
        for frame in _record_frames(model, self) if self.record else _simulate(model, self):
            for text, (measure, flock) in measures.items():
                flock_frame = frame[flock] if flock else frame.main
                series[text].append(float(measure.function(flock_frame)))
                boids[text] = max(boids[text], len(flock_frame or ()))
        summaries = {text: _summarise(values) for text, values in series.items()}
        for text, (measure, _) in measures.items():
            if summaries[text]["mean"] is None and math.inf not in series[text]:
                count = len(series[text])
                why = measure.why_missing(boids[text], count, measure.defaults)
                summaries[text]["missing"] = why
        recording = {"recording": self.recording} if self.record else {}
        return {
            "index": self.index,
            "point": self.point,
            "repeat": self.repeat,
            "seed": self.seed,
            "values": self.values,
            "steps": self.steps,
            "measures": summaries,
            "seconds": time.perf_counter() - start_time,
            "murmurate": __version__,
            **recording,
        }


def _simulate(model: Model, task: Task) -> Iterator[Frame]:
    """Yield the frames to measure."""
    from murmurate.runs.simulation import Simulation

    simulation = Simulation(model, **task.options.arguments)
    if task.tracks is not None:
        yield from task.tracks.sample(
            lambda step: simulation.step(step - simulation.step_number).frame, model.dt,
            task.warm_up, task.steps, task.tracks.stride(task.every * model.dt),
        )  # fmt: skip
        return
    simulation.step(task.warm_up)
    for _ in range((task.steps - task.warm_up) // task.every):
        yield simulation.step(task.every).frame
    simulation.step((task.steps - task.warm_up) % task.every)


def _record_frames(model: Model, task: Task) -> Iterator[Frame]:
    """Record the whole run, and yield the frames to measure.

    An incomplete recording is resumed. A damaged one, or one of another run, is replaced.
    """
    from murmurate.errors import DamagedRecordingError, ModelError, OpenError
    from murmurate.record import Recording
    from murmurate.record.header import COMMAND
    from murmurate.runs.record_run import run
    from murmurate.runs.resume_run import resume

    path, options = Path(task.record), task.options
    path.parent.mkdir(exist_ok=True)
    try:
        recording = Recording(path)
        header = recording.header
        actual = [header[name] for name in ("every", "seed", "engine", "dtype")]
        expected = [task.every, options.seed, options.engine, options.dtype]
        same_model = recording.model.fingerprint() == model.fingerprint()
        if actual != expected or not same_model:
            raise DamagedRecordingError("another run")
        rec = resume(path, task.steps, threads=options.threads, engine=options.choice)
    except (DamagedRecordingError, OpenError, ModelError):
        token = COMMAND.set("murmurate sweep")
        try:
            rec = run(model, task.steps, every=task.every, output=path, options=options, force=True)
        finally:
            COMMAND.reset(token)
    for number in range(task.warm_up // task.every + 1, len(rec)):
        yield rec[number]


def _summarise(values: list[float]) -> dict[str, Any]:
    """Return the mean over a run, its error and the last value; None for nan, as in JSON."""
    estimate = mean_and_error(values)  # type: ignore[arg-type]
    numbers = {
        "mean": estimate.value,
        "error": estimate.error,
        "independent": estimate.independent,
        "freedom": estimate.freedom,
        "short": bool(estimate.short),
        "last": values[-1],
    }
    return {k: v if not isinstance(v, float) or math.isfinite(v) else None
            for k, v in numbers.items()}  # fmt: skip


# --- records in files, which users may have edited


class _Part(BaseModel):
    model_config = ConfigDict(strict=True)


class _Summary(_Part):
    """A measure in a record. See `_summarise`."""

    mean: Value | None
    error: Value | None
    last: Value | None
    independent: Count | None = None
    freedom: Count | None = None
    short: bool = False
    missing: str = ""


class _Record(_Part):
    """Result of `Task.run`."""

    index: Index
    point: Index
    repeat: Index
    seed: Index
    values: dict[str, Any]
    measures: dict[str, _Summary]
    murmurate: str = ""
    recording: Annotated[str, Field(pattern=r"^recordings/[0-9]{6,12}\.zarr$")] = ""


class _Failure(_Part):
    """A failed run."""

    index: Index
    seed: Index
    values: dict[str, Any]
    error: str


def read_record(path: Path) -> dict[str, Any] | None:
    """Read the record of a finished run; None if the file is missing, incomplete or invalid."""
    return _read(path, _Record)


def read_failure(path: Path) -> dict[str, Any] | None:
    """Read the record of a failed run; None if the file is missing, incomplete or invalid."""
    return _read(path, _Failure)


def _read(path: Path, kind: type[_Part]) -> dict[str, Any] | None:
    try:
        record: dict[str, Any] = read_json(read_bytes(path))
        kind.model_validate(record)
    except (OSError, ValueError):  # ValidationError is a ValueError
        return None
    return record


def matches_run(
    record: Mapping[str, Any], measures: Iterable[str], recording: str | None, **run: Any
) -> bool:
    """Return True if a record, also of a failure, belongs to a run.

    measures  measures that it must contain
    recording  path of the recording in the folder of the sweep; None if the run is not recorded
    **run  index, point, repeat, seed and values, which follow from the plan
    """
    if any(record.get(name, value) != value for name, value in run.items()):
        return False
    if "measures" not in record:
        return "error" in record
    return set(measures) <= set(record["measures"]) and record.get("recording") == recording
