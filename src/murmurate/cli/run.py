"""murmurate run: a simulation without pictures, its measures shown live."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from murmurate.cli.interrupt import ask_to_stop, cause
from murmurate.cli.options import (
    RECORDING,
    Changes,
    FlightOptions,
    InFlight,
    InRecording,
    ModelName,
    load_model,
)
from murmurate.cli.record import run_recorded
from murmurate.cli.terminal import (
    EXIT_INTERRUPTED,
    EXIT_OK,
    ProgressLines,
    console,
    print_error,
    print_line,
)
from murmurate.errors import CommandError

if TYPE_CHECKING:
    from murmurate.engines.options import RunOptions
    from murmurate.model.model import Model
    from murmurate.runs.simulation import Simulation

BLOCK_SECONDS = 0.1  # of simulating between two readings of the clock
MIN_PAUSE_SECONDS = 0.25  # between updates
PAUSE_RATIO = 10  # pause between updates / time that an update takes


def run(
    model: ModelName,
    /,
    *,
    steps: InFlight[int | None] = None,
    output: Annotated[Path | None, Parameter(alias="-o", group=RECORDING)] = None,
    every: InRecording[int | None] = None,
    precision: InRecording[float | None] = None,
    force: InRecording[bool] = False,
    json: bool = False,
    quiet: bool = False,
    flight: FlightOptions | None = None,
    changes: Changes | None = None,
) -> int:
    """Simulate a model without pictures, and print its measures; with -o, record it.

    With -o it is recorded, durably: Ctrl-C, a crash or a power cut keeps the frames before, and
    murmurate resume continues.

    For instance:

        murmurate run agentpy-3d --steps 1000
        murmurate run starlings --boids 100000 --steps 20000 --every 10 -o flock.zarr
        murmurate run mine.toml --rules my_rules.py --seed 3 --json

    Parameters
    ----------
    steps
        Steps to simulate; those of the model's view by default.
    output
        Record the run: a folder NAME.zarr.
    every
        Steps from one recorded frame to the next; 1 by default.
    precision
        Largest error of recorded positions, for smaller files; exact by default.
    force
        Replace an existing recording.
    json
        Print the measures at the end as JSON.
    quiet
        Print the measures at the end only.
    """
    from murmurate.model.number import MAX_WHOLE
    from murmurate.runs.simulation import Simulation

    options = (flight or FlightOptions()).run_options()
    changed = load_model(model, changes)
    steps = changed.view.steps if steps is None else steps
    if not 0 <= steps <= MAX_WHOLE:
        raise CommandError(f"--steps {steps}: expected 0 to {MAX_WHOLE:,}")
    if output is not None:
        return _record(changed, output, steps, every, precision, force, quiet, json, options)
    passed = {"--every": every is not None, "--precision": precision is not None, "--force": force}
    for option in (name for name, is_passed in passed.items() if is_passed):
        raise CommandError(f"{option}: got it without a recording. Give -o NAME.zarr too")
    simulation = Simulation(changed, **options.arguments)
    progress = _RunProgress(simulation, steps, silent=json or quiet)
    with ask_to_stop() as stop, progress:
        progress.speed = simulate(simulation, steps, progress.update, stop)
    stopped = progress.step < steps
    if stopped:
        print_error(f"ended by {cause()} after step {progress.step} of {steps}", kind="stopped")
    progress.conclude(as_json=json)
    return EXIT_INTERRUPTED if stopped else EXIT_OK


def _record(
    model: Model,
    output: Path,
    steps: int,
    every: int | None,
    precision: float | None,
    force: bool,
    quiet: bool,
    as_json: bool,
    options: RunOptions,
) -> int:
    from murmurate.runs.record_run import run as record_run

    if every is not None and every < 1:
        raise CommandError(f"--every: got {every}; expected at least 1")
    return run_recorded(
        output,
        lambda **callbacks: record_run(
            model, steps, every=every or 1, output=output, options=options, precision=precision,
            force=force, **callbacks,
        ),
        quiet,
        as_json,
    )  # fmt: skip


def simulate(
    simulation: Simulation,
    steps: int,
    update: Callable[[bool], object],
    stop: threading.Event,
) -> float | None:
    """Simulate some steps, or until `stop` is set, and return the speed.

    update  called from time to time with whether it is the last call
    stop  ends the run
    returns  boid-steps per second without the first step, which may compile; None without other
        steps
    """
    simulation.step(min(1, steps))
    done, block, busy, due, boid_steps = min(1, steps), 1, 0.0, 0.0, 0
    while True:
        clock_time = time.perf_counter()
        last = done >= steps or stop.is_set()
        if clock_time >= due or last:
            update(last)
            spent = time.perf_counter() - clock_time
            due = clock_time + max(MIN_PAUSE_SECONDS, PAUSE_RATIO * spent)
        if last:
            return boid_steps / busy if busy else None
        block = min(block, steps - done)
        boid_steps += block * simulation.n_boids
        start = time.perf_counter()
        simulation.step(block)
        seconds = time.perf_counter() - start
        busy, done = busy + seconds, done + block
        block = max(1, min(4 * block, int(block * BLOCK_SECONDS / max(seconds, 1e-9))))


class _RunProgress:
    """The measures of a run: live on a terminal, else a line from time to time."""

    def __init__(self, simulation: Simulation, steps: int, silent: bool) -> None:
        self.speed: float | None = None
        self.step = 0
        self._simulation, self._steps, self._silent = simulation, steps, silent
        self._out = console(errors=True)
        self._live: Any = None
        self._figures: dict[str, dict[str, float]] = {}
        self._time, self._boids = 0.0, 0
        self._lines = ProgressLines()

    def __enter__(self) -> _RunProgress:
        if not self._silent and self._out.is_terminal:
            from rich.live import Live

            self._live = Live(console=self._out, auto_refresh=False, transient=True)
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def update(self, last: bool) -> None:
        """Read the present frame."""
        from murmurate.cli.terminal import make_measures_table

        if self._silent and not last:
            return
        simulation = self._simulation
        self._figures, self.step = simulation.measure(), simulation.step_number
        self._time, self._boids = simulation.time, simulation.n_boids
        if self._live is not None:
            from rich.console import Group

            title = f"step {self.step} of {self._steps}, time {self._time:g}:"
            self._live.update(Group(title, make_measures_table(self._figures)), refresh=True)
        elif not self._silent and not last:
            from murmurate.model.description import format_number

            figures = "; ".join(
                f"{name}: speed {format_number(f['speed'])}, "
                f"polarization {format_number(f['polarization'])}"
                for name, f in self._figures.items()
            )
            if line := self._lines.line(self.step, self._steps, "steps", figures):
                self._out.print(line, soft_wrap=True)

    def conclude(self, as_json: bool) -> None:
        """Print the measures of the last update."""
        from murmurate.cli.terminal import format_rate, make_measures_table

        if as_json:
            print_line(json.dumps(self.record(), indent=2))
            return
        print_line(f"{self._simulation.model.name} after step {self.step}, time {self._time:g}:")
        console().print(make_measures_table(self._figures))
        if self.speed:
            console().print(format_rate(self.speed))

    def record(self) -> dict[str, Any]:
        """Return the object that --json prints. A measure of too small a flock is null."""
        return {
            "model": self._simulation.model.name,
            "seed": self._simulation.seed,
            "steps": self.step,
            "time": self._time,
            "boids": self._boids,
            "flocks": {
                name: {k: v if math.isfinite(v) else None for k, v in f.items()}
                for name, f in self._figures.items()
            },
            "boid_steps_per_second": self.speed,
        }
