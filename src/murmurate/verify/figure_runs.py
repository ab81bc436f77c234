"""Figure runs: the runs of a figure, simulated by the workers of sweeps, each stored when done."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.codegen.cache_folder import cache_folder
from murmurate.codegen.code_digest import code_of
from murmurate.codegen.module_text import kernel_text
from murmurate.codegen.planner import make_plan
from murmurate.disk import read_bytes, write_file
from murmurate.engines.base import EngineChoice
from murmurate.engines.cpu.thresholds import cpu_layout
from murmurate.errors import ModelError, RunError
from murmurate.model.files import parse, to_toml
from murmurate.model.model import Model
from murmurate.model.results import Expectation, Line, Panel
from murmurate.model.text_reader import read_json
from murmurate.sweeps.task import Task
from murmurate.sweeps.workers import Processes, Workers
from murmurate.verify.checks import settings, wrong_figures
from murmurate.verify.planned_runs import PlannedRun, fly, options_of_run
from murmurate.verify.verdict import Tier
from murmurate.version import __version__

Progress = Callable[[int, int], object]
BRIEF = 4  # the quick version flies a quarter of the steps


@dataclass(frozen=True)
class FigureRun(Task):
    """A run of a figure: a task whose record keeps every value of each of its measures.

    series  name of a series of values that is kept -> what is measured
    """

    series: tuple[tuple[str, Expectation], ...] = ()

    def run(self) -> dict[str, Any]:
        model = parse(self.model, f"{self.name}.toml")
        measured = dict(enumerate(one for _, one in self.series))
        found = fly(PlannedRun(model, self.options, measured))
        values = {
            name: [float(f"{value:.8g}") for value in found[k]]
            for k, (name, _) in enumerate(self.series)
        }
        return {"index": self.index, "values": values}


@dataclass(frozen=True)
class FlownLine:
    """A line of a figure whose runs were flown.

    line    what it is, in full
    at      (n,) where its points stand on the x axis; for a line in time or a distribution one
    series  the runs of each point: (m,) values of the measure each
    """

    line: Line
    at: np.ndarray
    series: list[list[np.ndarray]]


def fly_figure(
    model: Model,
    tier: Tier | None = None,
    *,
    folder: str | os.PathLike[str] | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
    engine: EngineChoice = "cpu",
) -> list[tuple[Panel, list[FlownLine]]]:
    """Flies what the panels of a model's figure need; returns each panel with its lines.

    tier    None: the figure as it is; 'quick': every other point, the first seed and a quarter of
            the steps; 'full': lines that are marked full as well
    folder  where every run is stored when it is done, by the hash of all that it depends on: a
            figure that was stopped is resumed there, and a changed one flies only what is new. In
            the user's cache unless given
    progress  is called with (series done, series in all)
    engine  that flies them, see murmurate.engines.registry
    Raises ModelError for settings, measures and flocks that are not there, in any tier, all at
    once; RunError for a run that fails.
    """
    if wrong := wrong_figures(model):
        raise ModelError("\n".join(wrong))
    kept = Path(folder) if folder is not None else cache_folder("figures")
    kept.mkdir(parents=True, exist_ok=True)
    found: list[tuple[Panel, Line, list[list[str]]]] = []
    wanted: dict[str, FigureRun] = {}
    for panel in model.figure:
        lines = [one for one in panel.lines() if tier == "full" or one.tier == "quick"]
        for line in [_brief(one) for one in lines] if tier == "quick" else lines:
            runs = [_runs(model, line, values, engine) for values in settings(line)]
            wanted |= {name: task for point in runs for name, task in point.items()}
            found.append((panel, line, [list(point) for point in runs]))
    done = {name: values for name in wanted if (values := _read(kept, name)) is not None}
    tasks = _tasks([task for name, task in wanted.items() if name not in done])
    for outcome in (workers or Processes()).results(tasks) if tasks else ():
        if outcome.record is None:
            raise RunError(f"{model.name}: {outcome.error}")
        for name, values in outcome.record["values"].items():
            done[name] = np.array(values, dtype=np.float64)
            write_file(kept / f"{name}.json", json.dumps(values))
        if progress:
            progress(len(done), len(wanted))
    return [
        (
            panel,
            [
                FlownLine(
                    line, _places(panel, line), [[done[name] for name in run] for run in runs]
                )
                for other, line, runs in found
                if other is panel
            ],
        )
        for panel in model.figure
    ]


def _places(panel: Panel, line: Line) -> np.ndarray:
    if panel.shows in ("mean", "binder"):
        return np.array(line.at or next(iter(line.vary.values())), dtype=np.float64)
    return np.array(line.at, dtype=np.float64)


def _brief(line: Line) -> Line:
    """The line in its quick version."""
    step, since = line.step or 0, line.since or 0
    every = line.every or 1
    few = {
        "vary": {path: values[::2] for path, values in line.vary.items()},
        "at": line.at[::2] if line.vary else line.at,
        "seeds": line.seeds[:1],
        "step": max(step // BRIEF, since // BRIEF + every),
        "since": since // BRIEF,
    }
    return line.model_copy(update=few)


def _runs(
    model: Model, line: Line, settings: dict[str, Any], engine: EngineChoice
) -> dict[str, FigureRun]:
    """The runs of one point: name of its record -> the run."""
    changed = model.set(settings) if settings else model
    bare = changed.model_copy(
        update={
            "expect": (),
            "figure": (),
            "about": "",
            "tries": (),
            "source": type(model.source)(),
        }
    )
    measured = Expectation(
        measure=line.measure, flock=line.flock, since=line.since, step=line.step or 0,
        every=line.every or 1, relative=bool(line.relative), low=0.0,
    )  # fmt: skip
    plan = make_plan(bare)
    text, kernel = to_toml(bare), code_of(kernel_text(plan, "float64", cpu_layout(plan)))
    engine_text, runs = str(options_of_run(engine, 0).choice), {}
    for seed in line.seeds:
        everything = (__version__, engine_text, text, kernel, repr(measured), str(seed))
        name = hashlib.sha256("\0".join(everything).encode()).hexdigest()[:32]
        runs[name] = FigureRun(
            0, 0, 0, options_of_run(engine, seed), {}, text, model.name, line.step or 0,
            line.since or 0, line.every or 1, (line.measure,), series=((name, measured),),
        )  # fmt: skip
    return runs


def _tasks(missing: list[FigureRun]) -> list[FigureRun]:
    """What is still to be flown: a run for all series of one model and seed, the longest first."""
    merged: dict[tuple[str, int], FigureRun] = {}
    for task in missing:
        key = task.model, task.seed
        if key in merged:
            steps = max(task.steps, merged[key].steps)
            series = merged[key].series + task.series
            merged[key] = replace(merged[key], steps=steps, series=series)
        else:
            merged[key] = task
    tasks = sorted(merged.values(), key=_work, reverse=True)
    return [replace(task, index=index) for index, task in enumerate(tasks)]


def _read(folder: Path, name: str) -> np.ndarray | None:
    """What was kept of a run; None where nothing is."""
    try:
        return np.array(read_json(read_bytes(folder / f"{name}.json")), dtype=np.float64)
    except (OSError, ValueError):
        return None


def _work(task: FigureRun) -> int:
    flocks = parse(task.model).flocks.values()
    return task.steps * sum(flock.count for flock in flocks)
