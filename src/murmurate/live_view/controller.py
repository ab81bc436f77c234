"""Controller: decides which model runs. Changed numbers apply between two steps; any other change
is compiled in another thread first.

    requested  the model that the pages show
    running    the simulation's model: `requested`, or the previous one while that is compiled

Everything here runs in the runner's thread, except `_compile`.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal

from murmurate.engines.options import RunOptions
from murmurate.errors import ModelError, MurmurateError, RunError
from murmurate.frame import Frame
from murmurate.live_view.edits import ModelEdit, check_paths, check_size
from murmurate.live_view.messages import decode_value
from murmurate.live_view.runner import Runner
from murmurate.live_view.server_messages import MeasurePoint
from murmurate.model.files import to_toml
from murmurate.model.messages import format_unknown
from murmurate.model.model import Model
from murmurate.runs.simulation import Simulation
from murmurate.show import scene
from murmurate.show.scene_types import ModelScene

MAX_AHEAD = 4  # models that are compiled at a time before they are requested
Event = Literal["values", "scene", "busy", "failed", "recovered", "position", "seek"]
Listener = Callable[[Event, Any], object]

logger = logging.getLogger(__name__)


class Controller:
    """Keeps a simulation on the requested model.

    on_event     called with an event and its data: "values" (the previous model), "scene" (whether
                 the flock restarted), "busy" (the activity, or ""), "failed" (the error),
                 "recovered" (None)
    before_model  called with a model before the flock continues with it
    on_compiled  called in the compiling thread when a model is compiled, before it runs
    Other arguments are those of a Runner.
    """

    editable = True  # whether pages may change the model

    def __init__(
        self,
        model: Model,
        options: RunOptions,
        *,
        on_frame: Callable[[Frame], object],
        on_event: Listener,
        before_steps: Callable[[float], object],
        before_model: Callable[[Model], object] = lambda _: None,
        on_compiled: Callable[[], object] = lambda: None,
    ) -> None:
        self._options = options
        self._on_event, self._on_compiled = on_event, on_compiled
        self._before_model = before_model
        self.loaded = self.requested = model
        self.seed = options.seed
        self.off: dict[str, Any] = {}  # rule that is switched off -> its weight
        self.failed = False  # whether a step failed since the last restart
        self._compiling: threading.Thread | None = None
        self._unrequested: list[Model] = []  # models that are compiled before they are requested
        self._fresh = False  # whether the requested model starts from step 0 in any case
        self._continuation = Continuation(model)
        self.runner = Runner(
            Simulation(model, **options.arguments),
            model.view.frames_per_second * model.view.every,
            on_frame=on_frame,
            on_error=self._fail,
            before_steps=before_steps,
        )

    @property
    def running(self) -> Model:
        """The model of the simulation."""
        return self.runner.simulation.model

    @property
    def busy(self) -> bool:
        """Whether a model is being compiled."""
        return self._compiling is not None

    def scene(self, number: int, time: float) -> ModelScene:
        """Return the scene message, without the session's fields."""
        return scene.scene(self.requested, self.loaded, number, time)

    def toml(self) -> str:
        """Return the requested model as TOML."""
        return to_toml(self.requested)

    def check_editable(self, subject: str) -> None:
        """Raise ModelError if pages may not change the model. Here they may."""

    def recorded_points(
        self, step: int, max_points: int, names: Collection[str] = ()
    ) -> list[MeasurePoint] | None:
        """Return the recorded points of the charts; None for a simulation, which is measured."""
        return None

    def prepare(self) -> None:
        """Compile the requested model in another thread."""
        self._on_event("busy", "compiling the rules")
        if self._compiling is not None:
            return  # the model that is requested then is checked when this thread ends
        model, simulation = self.requested, self.runner.simulation
        fresh = self._fresh or not self._continues(model)
        trial = None if fresh else self._continuation.prepare_trial(simulation, model)
        self._compiling = threading.Thread(
            target=self._compile,
            args=(model, trial),
            name="murmurate-compiling",
            daemon=True,
        )
        self._compiling.start()

    def compile_ahead(self, model: Model) -> None:
        """Compile a model that may be requested soon, in another thread. The flock goes on. Errors
        are reported when it is requested."""
        running = self.runner.simulation.is_compatible(model)
        if running or model in self._unrequested or len(self._unrequested) == MAX_AHEAD:
            return

        def compile() -> None:
            with suppress(Exception):
                trial = self._simulation(model)
                if not trial.compiled:
                    trial.step(1)
            self._unrequested.remove(model)

        self._unrequested.append(model)
        threading.Thread(target=compile, name="murmurate-ahead", daemon=True).start()

    # --- requests of pages

    def set(self, changes: Mapping[str, Any], off: Collection[str] | None = None) -> None:
        """Set values at dotted paths. Raises ModelError and changes nothing if one is invalid.

        off  the rules to switch off; all others are switched on. By default, rules that are off
             stay off unless their weight is set.
        """
        check_paths(changes)
        values = {path: decode_value(value) for path, value in changes.items()}
        if off is None:
            off = [r for r in self.off if _weight(r) not in values and "rules" not in values]
        self._set(values, off)

    def edit(self, model: Model, edit: ModelEdit) -> None:
        """Request an edited model. The flock continues from its state, also with other flocks or
        other numbers of boids. Raises ModelError."""
        check_size(model, self.loaded)
        self._continuation.record_edit(self.running, self.requested, model, edit)
        self.off = {rule: weight for rule, weight in self.off.items() if rule in model.rules}
        self._request(model)

    def switch(self, rule: str, on: bool) -> None:
        """Switch a rule on or off. A rule that is off has weight 0; its own weight is stored.
        Raises ModelError."""
        if rule not in self.requested.rules:
            raise ModelError(format_unknown("rule", rule, self.requested.rules))
        if on == (rule not in self.off):
            return
        self._set({}, [*(name for name in self.off if name != rule), *([] if on else [rule])])

    def _set(self, values: dict[str, Any], off: Collection[str]) -> None:
        """Set values, with these rules off and all others on. Raises ModelError and changes
        nothing if one is invalid."""
        values = {_weight(rule): weight for rule, weight in self.off.items()} | values
        model = self.requested.set(values)
        for rule in off:
            if rule not in model.rules:
                raise ModelError(format_unknown("rule", rule, model.rules))
        tables = model.to_dict()["rules"]
        weights = {rule: tables[rule].get("weight", 1.0) for rule in off}
        zeros = {_weight(rule): 0.0 for rule in weights}
        model = model.set(zeros)
        check_size(model, self.loaded)
        before, self.off = self.off, weights
        try:
            self._request(model, values | zeros)
        except MurmurateError:
            self.off = before
            raise

    def reset(self) -> None:
        """Request the model as it was loaded."""
        self.off = {}
        self._request(self.loaded)

    def open(self, model: Model) -> None:
        """Load another model, from step 0."""
        self.loaded, self.off = model, {}
        self.runner.set_rate(model.view.frames_per_second * model.view.every)
        self._request(model, fresh=True)

    def reload(self, model: Model) -> None:
        """Load the model of a saved file. The flock continues from its state if it can. Raises
        RuleError and changes nothing if a rule is invalid."""
        before = self.loaded, self.off
        self.loaded, self.off = model, {}
        try:
            self._request(model)
        except MurmurateError:
            self.loaded, self.off = before
            raise

    def restart(self, seed: int | None = None) -> None:
        """Restart from step 0, with another seed if given."""
        self.seed = self.seed if seed is None else seed
        failed = self.failed or not (self.runner.ready or self.busy)
        self.runner.replace_simulation(self._simulation(self.running))
        self._recover()
        if failed:
            self.runner.play()
            if not self.runner.ready:
                self.prepare()

    def play(self) -> None:
        """Run until paused, unless a step failed."""
        if not self.failed:
            self.runner.play()

    def step(self, steps: int) -> None:
        """Make a number of steps, then pause."""
        self.runner.run_steps(steps)

    def _simulation(self, model: Model) -> Simulation:
        return Simulation(model, **replace(self._options, seed=self.seed).arguments)

    def _continues(self, model: Model) -> bool:
        return self._continuation.allows(self.running, model)

    # --- from the running model to the requested one

    def _request(
        self, model: Model, changes: Mapping[str, Any] | None = None, fresh: bool = False
    ) -> None:
        simulation = self.runner.simulation
        fresh = fresh or (self.busy and self._fresh)
        numbers_only = not fresh and simulation.is_compatible(model)
        if numbers_only:
            self._before_model(model)
            simulation.replace_model(model)
        before, self.requested, self._fresh = self.requested, model, fresh
        if numbers_only:
            if self.busy and self.runner.ready:  # with a model that is not requested any more
                self._on_event("busy", "")
            self.runner.request_frame()
            self._on_event("values", before)
            return
        if changes and not fresh:  # changed numbers need not wait for the compiler
            with suppress(ModelError):
                interim = simulation.model.set(changes)
                if simulation.is_compatible(interim):
                    self._before_model(interim)
                    simulation.replace_model(interim)
        self._on_event("values", before)
        self.prepare()

    def _compile(self, model: Model, make_trial: Callable[[], Simulation] | None) -> None:
        """Make one step of a trial simulation, so that all kernels are compiled.

        make_trial  returns the running simulation with the model; None for a new simulation
        """
        try:
            trial = self._simulation(model) if make_trial is None else make_trial()
            with suppress(RunError):  # the running simulation reports its own lost boids
                trial.step(1)
        except Exception as error:
            if not isinstance(error, MurmurateError):
                logger.exception("%s cannot be compiled", model.name)
            problem = error
            self._on_compiled()
            self.runner.submit_nowait(lambda: self._reject(model, problem))
            return
        self._on_compiled()
        self.runner.submit_nowait(lambda: self._adopt(trial, fresh=make_trial is None))

    def _adopt(self, trial: Simulation, fresh: bool) -> None:
        """Run the requested model, if the trial compiled it; otherwise compile it."""
        self._compiling = None
        runner, requested = self.runner, self.requested
        if not trial.is_compatible(requested):
            if runner.simulation.is_compatible(requested) and runner.ready:
                self._on_event("busy", "")
            else:
                self.prepare()
            return
        if fresh and self._continues(requested) and not self._fresh:
            fresh = False
        if fresh:
            runner.replace_simulation(self._simulation(requested))
        elif self._continues(requested):
            self._before_model(requested)
            runner.simulation = self._continuation.resume(runner.simulation, requested)
        else:
            self.prepare()
            return
        self._fresh = False
        self._continuation.reset(requested)
        runner.ready = True
        runner.reset_clock()
        runner.request_frame()
        if fresh:
            self._recover()
        self._on_event("busy", "")
        self._on_event("scene", fresh)

    def _reject(self, model: Model, error: Exception) -> None:
        """Return to the running model, because the requested one does not compile."""
        self._compiling = None
        self._fresh = False
        self._on_event("busy", "")
        if self.requested != model:
            self.prepare()
            return
        before, self.requested = self.requested, self.running
        self._continuation.reset(self.running)
        self._on_event("failed", error)
        self._on_event("values", before)
        self._on_event("scene", False)

    def _fail(self, error: Exception) -> None:
        self.failed = True
        self._on_event("failed", error)

    def _recover(self) -> None:
        if self.failed:
            self.failed = False
            self._on_event("recovered", None)


def _weight(rule: str) -> str:
    return f"rules.{rule}.weight"


class Continuation:
    """Decides whether a running flock can continue with another model, and where boids join it.

    It can if the space and the numbers of boids are the same. Edits that add or remove boids and
    flocks change these numbers. A count that is set by hand does not, and restarts the flock.
    """

    def __init__(self, model: Model) -> None:
        self.reset(model)

    def reset(self, model: Model) -> None:
        """Forget all edits: this model runs."""
        self._counts = _counts(model)
        self._positions: dict[tuple[str, int], Sequence[float]] = {}
        self._removed: dict[str, set[int]] = {}

    def allows(self, running: Model, model: Model) -> bool:
        """Return whether the flock continues with the model instead of restarting."""
        return running.space == model.space and _counts(model) == self._counts

    def record_edit(self, running: Model, before: Model, after: Model, edit: ModelEdit) -> None:
        """Record an edit of the requested model. Raises ModelError for a boid that is removed
        twice."""
        if not self.allows(running, before):
            return  # the flock restarts in any case
        for name, row in edit.removed:
            if row in self._removed.get(name, ()):
                raise ModelError(f"{name}: boid {row} is being removed already")
            self._removed.setdefault(name, set()).add(row)
        old, new = dict(_counts(before)), dict(_counts(after))
        self._counts = _counts(after)
        for name, points in edit.positions.items():
            for row, point in enumerate(points, old.get(name, 0)):
                if row < new.get(name, 0):
                    self._positions[name, row] = point

    def prepare_trial(self, simulation: Simulation, model: Model) -> Callable[[], Simulation]:
        """Copy the simulation. Return a function that continues the copy with the model, for use
        in another thread."""
        copy, positions = simulation.copy(), dict(self._positions)
        removed = {name: set(rows) for name, rows in self._removed.items()}
        return lambda: copy.fork(model, positions, removed)

    def resume(self, simulation: Simulation, model: Model) -> Simulation:
        """Return a simulation that continues with the model: the same one if the boids are the
        same, or a new one from its state."""
        if _counts(simulation.model) != _counts(model):
            return simulation.fork(model, self._positions, self._removed)
        simulation.replace_model(model)
        return simulation


def _counts(model: Model) -> list[tuple[str, int]]:
    return [(name, flock.count) for name, flock in model.flocks.items()]
