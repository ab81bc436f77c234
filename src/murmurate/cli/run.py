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
from murmurate.cli.options import FLIGHT, RECORDING, Changes, FlightOptions, ModelName, load_model
from murmurate.cli.recorded import check_every, command_line, recorded
from murmurate.cli.terminal import (
    EXIT_INTERRUPTED,
    EXIT_OK,
    CommandError,
    console,
    print_error,
    print_line,
)

if TYPE_CHECKING:
    from murmurate.engines.options import RunOptions
    from murmurate.model.model import Model
    from murmurate.runs.simulation import Simulation

BLOCK = 0.1  # seconds of flight between two readings of the clock
PAUSE = 0.25  # seconds between updates, at least
SHARE = 10  # figures may take 1 part in so many of the time


def run(
    model: ModelName,
    /,
    *,
    steps: Annotated[
        int | None,
        Parameter(help="Steps to fly; as the model's view says unless given.", group=FLIGHT),
    ] = None,
    output: Annotated[
        Path | None,
        Parameter(alias="-o", help="Record the flight: a folder NAME.zarr.", group=RECORDING),
    ] = None,
    every: Annotated[
        int | None,
        Parameter(
            help="Steps from one recorded frame to the next; 1 unless given.", group=RECORDING
        ),
    ] = None,
    precision: Annotated[
        float | None,
        Parameter(
            help="Record positions to this largest error only, in a fraction of the size; "
            "exactly unless given.",
            group=RECORDING,
        ),
    ] = None,
    force: Annotated[
        bool, Parameter(help="Replace a recording that is there.", group=RECORDING)
    ] = False,
    json: Annotated[bool, Parameter(help="Print the figures at the end as JSON.")] = False,
    quiet: Annotated[bool, Parameter(help="Print the figures at the end only.")] = False,
    flight: FlightOptions | None = None,
    changes: Changes | None = None,
) -> int:
    """Fly a model without pictures; its figures are shown while it flies, and at the end.

    With -o it is recorded, durably: Ctrl-C, a crash or a power cut leaves what was flown, and
    murmurate resume continues it.

    For instance:

        murmurate run agentpy-3d --steps 1000
        murmurate run starlings --boids 100000 --steps 20000 --every 10 -o flock.zarr
        murmurate run mine.toml --rules my_rules.py --seed 3 --json
    """
    from murmurate.cli.picture_progress import say_compiling
    from murmurate.model.quantity import MAX_WHOLE
    from murmurate.runs.simulation import Simulation

    options = (flight or FlightOptions()).run_options()
    flown = load_model(model, changes)
    steps = flown.view.steps if steps is None else steps
    if not 0 <= steps <= MAX_WHOLE:
        raise CommandError(f"--steps {steps}: it must be 0 or more, and at most {MAX_WHOLE:,}")
    if output is not None:
        return _record(flown, output, steps, every, precision, force, quiet, json, options)
    given = {"--every": every is not None, "--precision": precision is not None, "--force": force}
    for option in (name for name, is_given in given.items() if is_given):
        raise CommandError(f"{option} is for recordings: give -o NAME.zarr too")
    simulation = Simulation.from_options(flown, options)
    watch = _RunProgress(simulation, steps, silent=json or quiet)
    if not (json or quiet) and steps:
        say_compiling(simulation)
    with ask_to_stop() as stop, watch:
        watch.speed = fly(simulation, steps, watch.update, stop)
    stopped = watch.step < steps
    if stopped:
        print_error(f"ended by {cause()} after step {watch.step} of {steps}", kind="stopped")
    watch.conclude(as_json=json)
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
    from murmurate.runs.recorded_run import run_with

    every = check_every(every)
    return recorded(
        output,
        lambda **watch: run_with(
            model, options, steps, every, to=output, precision=precision, force=force,
            command=command_line(), **watch,
        ),
        quiet,
        as_json,
    )  # fmt: skip


def fly(
    simulation: Simulation,
    steps: int,
    update: Callable[[bool], object],
    stop: threading.Event,
) -> float | None:
    """Flies so many steps, or until asked to stop, with an update(last) every now and then.

    Returns boid-steps a second, the first step (and compiling) left out; None for no other step.
    """
    boids = simulation.n_boids
    simulation.step(min(1, steps))
    done, block, flying, due = min(1, steps), 1, 0.0, 0.0
    while True:
        now = time.perf_counter()
        last = done >= steps or stop.is_set()
        if now >= due or last:
            update(last)
            due = now + max(PAUSE, SHARE * (time.perf_counter() - now))
        if last:
            return (done - 1) * boids / flying if flying else None
        block = min(block, steps - done)
        begin = time.perf_counter()
        simulation.step(block)
        took = time.perf_counter() - begin
        flying, done = flying + took, done + block
        block = max(1, min(4 * block, int(block * BLOCK / max(took, 1e-9))))


class _RunProgress:
    """Shows a flight's figures: live on a terminal, a line now and then elsewhere."""

    def __init__(self, simulation: Simulation, steps: int, silent: bool) -> None:
        self.speed: float | None = None
        self.step = 0
        self._simulation, self._steps, self._silent = simulation, steps, silent
        self._out = console(errors=True)
        self._live: Any = None
        self._figures: dict[str, dict[str, float]] = {}
        self._time, self._boids = 0.0, 0
        self._next_line = 0.0

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
        """Looks at the flock as it is now."""
        from murmurate.cli.terminal import make_measures_table

        if self._silent and not last:
            return
        flown = self._simulation
        self._figures, self.step = flown.measure(), flown.step_number
        self._time, self._boids = flown.time, flown.n_boids
        if self._live is not None:
            from rich.console import Group

            title = f"step {self.step} of {self._steps}, time {self._time:g}:"
            self._live.update(Group(title, make_measures_table(self._figures)), refresh=True)
        elif not self._silent and self.step >= self._next_line and not last:
            self._next_line = self.step + self._steps / 10
            self._out.print(self._line(), soft_wrap=True)

    def _line(self) -> str:
        parts = [
            f"{name}: speed {f['speed']:.4g}, polarization {f['polarization']:.3f}"
            for name, f in self._figures.items()
        ]
        return f"step {self.step} of {self._steps}; " + "; ".join(parts)

    def conclude(self, as_json: bool) -> None:
        """The figures of the last update."""
        from murmurate.cli.terminal import format_rate, make_measures_table

        if as_json:
            print_line(json.dumps(self.record(), indent=2))
            return
        print_line(f"{self._simulation.model.name} after step {self.step}, time {self._time:g}:")
        console().print(make_measures_table(self._figures))
        if self.speed:
            console().print(format_rate(self.speed))

    def record(self) -> dict[str, Any]:
        """What --json prints. A figure that a flock is too small for is null."""
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
