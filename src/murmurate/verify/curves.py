"""Curves: the runs that a figure needs, flown by the workers of sweeps, each kept once done."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.codegen.kernel_cache import cache_folder
from murmurate.codegen.module_text import kernel_text
from murmurate.codegen.planner import make_plan
from murmurate.errors import ModelError, RunError
from murmurate.model.figure import Line, Panel
from murmurate.model.files import parse, to_toml
from murmurate.model.model import Expectation, Model
from murmurate.sweeps.store import write
from murmurate.sweeps.sweep_plan import Task
from murmurate.sweeps.workers import Processes, Workers
from murmurate.verify.checks import settings, wrong_figures
from murmurate.verify.flights import Flight, flights, fly
from murmurate.verify.verdict import Tier
from murmurate.version import __version__

Progress = Callable[[int, int], object]
BRIEF = 4  # the quick version flies a quarter of the steps


@dataclass(frozen=True)
class Watch(Task):
    """A run of a figure: a task whose record keeps every value of each of its measures.

    watches  name of what is kept -> what is measured
    """

    watches: tuple[tuple[str, Expectation], ...] = ()

    def fly(self) -> dict[str, Any]:
        model = parse(self.model, f"{self.name}.toml")
        watched = dict(enumerate(watch for _, watch in self.watches))
        found = fly(Flight(model, self.seed, watched))
        values = {
            name: [float(f"{value:.8g}") for value in found[k]]
            for k, (name, _) in enumerate(self.watches)
        }
        return {"index": self.index, "values": values}


@dataclass(frozen=True)
class Curve:
    """A line that was flown.

    line    what it is, in full
    at      (n,) where its points stand on the x axis; for a line in time or a distribution one
    series  the runs of each point: (m,) values of the measure each
    """

    line: Line
    at: np.ndarray
    series: list[list[np.ndarray]]


def curves(
    model: Model,
    tier: Tier | None = None,
    *,
    folder: str | os.PathLike[str] | None = None,
    workers: Workers | None = None,
    progress: Progress | None = None,
) -> list[tuple[Panel, list[Curve]]]:
    """Flies what the panels of a model's figure need; returns each panel with its lines.

    tier    None: the figure as it is; 'quick': every other point, the first seed and a quarter of
            the steps; 'full': lines that are marked full as well
    folder  where every run is kept when it is done, by the hash of all that it hangs on: a figure
            that was stopped goes on there, and a changed one flies only what is new. In the user's
            cache unless given
    progress  is called with (series done, series in all)
    Raises ModelError for settings, measures and flocks that are not there, in any tier, all at
    once; RunError for a run that fails.
    """
    if wrong := wrong_figures(model):
        raise ModelError("\n".join(wrong))
    kept = Path(folder) if folder is not None else _folder()
    kept.mkdir(parents=True, exist_ok=True)
    found: list[tuple[Panel, Line, list[list[str]]]] = []
    wanted: dict[str, Watch] = {}
    for panel in model.figure:
        lines = [one for one in panel.lines() if tier == "full" or one.tier == "quick"]
        for line in [_brief(one) for one in lines] if tier == "quick" else lines:
            runs = [_runs(model, line, values) for values in settings(line)]
            wanted |= {name: task for point in runs for name, task in point.items()}
            found.append((panel, line, [list(point) for point in runs]))
    done = {name: values for name in wanted if (values := _read(kept, name)) is not None}
    tasks = _tasks([task for name, task in wanted.items() if name not in done])
    for outcome in (workers or Processes()).outcomes(tasks) if tasks else ():
        if outcome.record is None:
            raise RunError(f"{model.name}: {outcome.error}")
        for name, values in outcome.record["values"].items():
            done[name] = np.array(values, dtype=np.float64)
            write(kept / f"{name}.json", json.dumps(values))
        if progress:
            progress(len(done), len(wanted))
    return [
        (
            panel,
            [
                Curve(line, _places(panel, line), [[done[name] for name in run] for run in runs])
                for other, line, runs in found
                if other is panel
            ],
        )
        for panel in model.figure
    ]


def _folder() -> Path:
    """Where runs are kept unless told otherwise: beside the kernels in the user's cache, or in
    MURMURATE_CACHE."""
    kernels = cache_folder()
    return (kernels if "MURMURATE_CACHE" in os.environ else kernels.parent) / "figures"


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


def _runs(model: Model, line: Line, settings: dict[str, Any]) -> dict[str, Watch]:
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
    watch = Expectation(
        measure=line.measure, flock=line.flock, since=line.since, step=line.step or 0,
        every=line.every or 1, relative=bool(line.relative), low=0.0,
    )  # fmt: skip
    flights(bare, [watch])  # complains of measures that are not there
    text, kernel = to_toml(bare), kernel_text(make_plan(bare), "float64")
    runs = {}
    for seed in line.seeds:
        everything = (__version__, text, kernel, repr(watch), str(seed))
        name = hashlib.sha256("\0".join(everything).encode()).hexdigest()[:32]
        runs[name] = Watch(
            0, 0, 0, seed, {}, text, model.name, line.step or 0, line.since or 0, line.every or 1,
            (line.measure,), "float64", watches=((name, watch),),
        )  # fmt: skip
    return runs


def _tasks(missing: list[Watch]) -> list[Watch]:
    """What is still to be flown, a run for all that looks at it, the longest first."""
    together: dict[tuple[str, int], Watch] = {}
    for task in missing:
        key = task.model, task.seed
        if key in together:
            steps = max(task.steps, together[key].steps)
            watches = together[key].watches + task.watches
            together[key] = replace(together[key], steps=steps, watches=watches)
        else:
            together[key] = task
    tasks = sorted(together.values(), key=_work, reverse=True)
    return [replace(task, index=index) for index, task in enumerate(tasks)]


def _read(folder: Path, name: str) -> np.ndarray | None:
    """What was kept of a run; None where nothing is."""
    try:
        return np.array(json.loads((folder / f"{name}.json").read_text()), dtype=np.float64)
    except (OSError, ValueError):
        return None


def _work(task: Watch) -> int:
    flocks = parse(task.model).flocks.values()
    return task.steps * sum(flock.count for flock in flocks)
