"""Task: one run of a sweep or a fit, simulated, measured and reduced to a record."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from murmurate.engines.options import RunOptions
from murmurate.frame import Frame
from murmurate.measures.errorbars import mean_and_error
from murmurate.model.files import parse
from murmurate.model.model import Model
from murmurate.rules.rule_file import load_rules
from murmurate.sweeps.measure_names import parse_measure
from murmurate.version import __version__


@dataclass(frozen=True)
class Task:
    """One run: everything that flying it takes, plain enough to be sent to another machine.

    index    its number in the sweep; its seed follows from that alone, so results depend neither on
             the workers nor on the order
    options  how it is flown
    record   where the whole run is recorded, if it is
    engine_path  where a worker finds the class of its engine, if that was registered by hand
    """

    index: int
    point: int
    repeat: int
    options: RunOptions
    values: dict[str, Any]
    model: str
    name: str
    steps: int
    burn_in: int
    every: int
    measures: tuple[str, ...]
    rules: tuple[str, ...] = ()
    record: str = ""
    engine_path: str = ""

    @property
    def seed(self) -> int:
        return self.options.seed

    @property
    def recording(self) -> str | None:
        """Its recording in the sweep's folder; None where it is not recorded."""
        return f"recordings/{Path(self.record).name}" if self.record else None

    def fly(self) -> dict[str, Any]:
        """Flies it; returns its record. Raises whatever goes wrong."""
        return fly_one(self)


def fly_one(task: Task) -> dict[str, Any]:
    """Flies a run; returns its record: what it was, and each measure's mean over the run with its
    error bar. Raises whatever goes wrong."""
    begin = time.perf_counter()
    for file in task.rules:
        load_rules(Path(file))
    model = parse(task.model, f"{task.name}.toml")
    model = model.set(task.values) if task.values else model
    measures = {text: parse_measure(text, model) for text in task.measures}
    series: dict[str, list[float]] = {text: [] for text in measures}
    for frame in _recorded(model, task) if task.record else _flown(model, task):
        for text, (measure, flock) in measures.items():
            seen = frame[flock] if flock else frame.main
            series[text].append(float(measure.function(seen)))
    found = {}
    for text, values in series.items():
        estimate = mean_and_error(values)  # type: ignore[arg-type]
        found[text] = {
            "mean": estimate.value,
            "error": estimate.error,
            "independent": estimate.independent,
            "freedom": estimate.freedom,
            "short": bool(estimate.short),
            "last": values[-1],
        }
    kept = {"recording": task.recording} if task.record else {}
    return {
        "index": task.index,
        "point": task.point,
        "repeat": task.repeat,
        "seed": task.seed,
        "values": task.values,
        "steps": task.steps,
        "measures": {text: _without_nan(numbers) for text, numbers in found.items()},
        "seconds": time.perf_counter() - begin,
        "murmurate": __version__,
        **kept,
    }


def _flown(model: Model, task: Task) -> Iterator[Frame]:
    """The frames that are measured, as they are flown."""
    from murmurate.runs.simulation import Simulation

    simulation = Simulation.from_options(model, task.options)
    simulation.step(task.burn_in)
    for _ in range((task.steps - task.burn_in) // task.every):
        yield simulation.step(task.every).frame
    simulation.step((task.steps - task.burn_in) % task.every)


def _recorded(model: Model, task: Task) -> Iterator[Frame]:
    """The same frames, of a recording of the whole run. One that is there is resumed; what
    is damaged, or is of another run, is recorded again."""
    from murmurate.errors import DamagedRecordingError, OpenError
    from murmurate.record import Recording
    from murmurate.runs import recorded_run, resumed_run

    path, options = Path(task.record), task.options
    path.parent.mkdir(exist_ok=True)
    try:
        found = Recording(path).header
        same = [found[name] for name in ("fingerprint", "every", "seed", "engine", "dtype")]
        wanted = [model.fingerprint(), task.every, options.seed, options.engine, options.dtype]
        if same != wanted:
            raise DamagedRecordingError("another run")
        rec = resumed_run.resume(path, task.steps, threads=options.threads, engine=options.choice)
    except (DamagedRecordingError, OpenError):
        rec = recorded_run.run_with(
            model, options, task.steps, task.every, to=path, force=True, command="murmurate sweep"
        )
    for number in range(task.burn_in // task.every + 1, len(rec)):
        yield rec[number]


def _without_nan(numbers: dict[str, Any]) -> dict[str, Any]:
    """JSON knows no nan: such a number is null."""
    return {k: v if not isinstance(v, float) or math.isfinite(v) else None
            for k, v in numbers.items()}  # fmt: skip
