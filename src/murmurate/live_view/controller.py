"""Controller: which model runs. Numbers change between two steps; anything else is compiled beside.

    requested  the model as the pages have it now
    running    the simulation's own: the same, or the one before while `requested` is compiled

Everything here runs in the simulation's thread, between two steps, but for `_compile`.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal

from murmurate.engines.options import RunOptions
from murmurate.errors import ModelError, MurmurateError, RunError
from murmurate.frame import Frame
from murmurate.live_view.continuation import Continuation
from murmurate.live_view.edits import Edit
from murmurate.live_view.flight_thread import FlightThread
from murmurate.live_view.limits import check_paths, check_size
from murmurate.live_view.messages import from_page
from murmurate.model.files import to_toml
from murmurate.model.messages import unknown
from murmurate.model.model import Model
from murmurate.runs.simulation import Simulation
from murmurate.show import scene

Event = Literal["values", "scene", "busy", "failed", "recovered", "position", "seek"]
Listener = Callable[[Event, Any], object]

logger = logging.getLogger(__name__)


class Controller:
    """Keeps a simulation on the model that is requested.

    on_event  called with what happened: "values" (the model before), "scene" (whether the flock
              started again), "busy" (what with, or ""), "failed" (the error), "recovered"
    The others are as for a FlightThread.
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
    ) -> None:
        self._options = options
        self._on_event = on_event
        self.loaded = self.requested = model
        self.seed = options.seed
        self.off: dict[str, Any] = {}  # switched-off rule -> its weight
        self.failed = False  # whether a step failed, and it was not restarted since
        self._compiling: threading.Thread | None = None
        self._fresh = False  # whether what is compiled starts from the beginning in any case
        self._continuation = Continuation(model)
        self.flight = FlightThread(
            Simulation.from_options(model, options),
            model.view.frames_per_second * model.view.every,
            on_frame=on_frame,
            on_error=self._stopped,
            before_steps=before_steps,
        )

    @property
    def running(self) -> Model:
        return self.flight.simulation.model

    @property
    def busy(self) -> bool:
        return self._compiling is not None

    def scene(self, number: int, time: float) -> dict[str, Any]:
        """The scene message, but for what a session knows."""
        return scene.scene(self.requested, self.loaded, number, time)

    def toml(self) -> str:
        """The model as TOML."""
        return to_toml(self.requested)

    def check_editable(self, what: str) -> None:
        """Raises ModelError where pages may change nothing; here they may."""

    def recorded_points(self, step: int, most: int) -> list[dict[str, Any]] | None:
        """What was recorded for the charts; None for a simulation, which is measured instead."""
        return None

    def prepare(self) -> None:
        """Compiles the model that is requested, in a thread beside this one."""
        if self._compiling is not None:
            return  # when that is done, what is requested then is examined
        model, simulation = self.requested, self.flight.simulation
        fresh = self._fresh or not self._continues(model)
        trial = None if fresh else self._continuation.trial(simulation, model)
        self._on_event("busy", "compiling the rules")
        self._compiling = threading.Thread(
            target=self._compile,
            args=(model, trial),
            name="murmurate-compiling",
            daemon=True,
        )
        self._compiling.start()

    # --- what pages ask for

    def set(self, changes: Mapping[str, Any], off: Collection[str] | None = None) -> None:
        """Values at dotted paths, from a page. Raises ModelError; nothing is changed then.

        off  the rules that are off afterwards, all others being on; unless given, those that are
             off now and whose weight is not set
        """
        check_paths(changes)
        values = {path: from_page(value) for path, value in changes.items()}
        if off is None:
            off = [r for r in self.off if _weight(r) not in values and "rules" not in values]
        self._set(values, off)

    def edit(self, model: Model, edit: Edit) -> None:
        """A model of which parts were drawn, taken away or put back, as an edit says: the flock
        continues from where it is, also with other flocks or numbers of boids. Raises
        ModelError."""
        check_size(model, self.loaded)
        self._continuation.edited(self.running, self.requested, model, edit)
        self.off = {rule: weight for rule, weight in self.off.items() if rule in model.rules}
        self._request(model)

    def switch(self, rule: str, on: bool) -> None:
        """A rule off: its weight is 0, and kept aside. Raises ModelError."""
        if rule not in self.requested.rules:
            raise ModelError(unknown("rule", rule, self.requested.rules))
        if on == (rule not in self.off):
            return
        self._set({}, [*(name for name in self.off if name != rule), *([] if on else [rule])])

    def _set(self, values: dict[str, Any], off: Collection[str]) -> None:
        """Values, with these rules off and all others on. Raises ModelError; nothing is changed
        then."""
        values = {_weight(rule): weight for rule, weight in self.off.items()} | values
        model = self.requested.set(values)
        for rule in off:
            if rule not in model.rules:
                raise ModelError(unknown("rule", rule, model.rules))
        parts = model.to_dict()["rules"]
        aside = {rule: parts[rule].get("weight", 1.0) for rule in off}
        none = {_weight(rule): 0.0 for rule in aside}
        model = model.set(none)
        check_size(model, self.loaded)
        before, self.off = self.off, aside
        try:
            self._request(model, values | none)
        except MurmurateError:
            self.off = before
            raise

    def reset(self) -> None:
        """The model as it was loaded."""
        self.off = {}
        self._request(self.loaded)

    def open(self, model: Model) -> None:
        """Another model, from its start."""
        self.loaded, self.off = model, {}
        self.flight.set_rate(model.view.frames_per_second * model.view.every)
        self._request(model, fresh=True)

    def reload(self, model: Model) -> None:
        """A file of the model was saved: the flock continues from where it is, if it can. Raises
        RuleError for a rule that cannot be flown; nothing is changed then."""
        before = self.loaded, self.off
        self.loaded, self.off = model, {}
        try:
            self._request(model)
        except MurmurateError:
            self.loaded, self.off = before
            raise

    def restart(self, seed: int | None = None) -> None:
        """From the start again."""
        self.seed = self.seed if seed is None else seed
        failed = self.failed or not (self.flight.ready or self.busy)
        self.flight.replace(self._simulation(self.running))
        self._recover()
        if failed:
            self.flight.play()
            if not self.flight.ready:
                self.prepare()

    def play(self) -> None:
        if not self.failed:
            self.flight.play()

    def step(self, steps: int) -> None:
        """Makes so many steps, then pauses."""
        self.flight.run_steps(steps)

    def _simulation(self, model: Model) -> Simulation:
        return Simulation.from_options(model, replace(self._options, seed=self.seed))

    def _continues(self, model: Model) -> bool:
        return self._continuation.allows(self.running, model)

    # --- from the model that runs to the one that is requested

    def _request(
        self, model: Model, changes: Mapping[str, Any] | None = None, fresh: bool = False
    ) -> None:
        simulation = self.flight.simulation
        fresh = fresh or (self.busy and self._fresh)
        numbers_only = not fresh and simulation.is_compatible(model)
        if numbers_only:
            simulation.replace_model(model)
        before, self.requested, self._fresh = self.requested, model, fresh
        if numbers_only:
            self.flight.touch()
            self._on_event("values", before)
            return
        if changes and not fresh:  # plain numbers need not wait
            with suppress(ModelError):
                meanwhile = simulation.model.set(changes)
                if simulation.is_compatible(meanwhile):
                    simulation.replace_model(meanwhile)
        self._on_event("values", before)
        self.prepare()

    def _compile(self, model: Model, continued: Callable[[], Simulation] | None) -> None:
        """Makes one step of another simulation, so that all kernels are compiled.

        continued  makes it from the one that flies, where that is to continue
        """
        try:
            trial = self._simulation(model) if continued is None else continued()
            with suppress(RunError):  # a lost boid is for the simulation itself to find
                trial.step(1)
        except Exception as error:
            if not isinstance(error, MurmurateError):
                logger.exception("%s cannot be compiled", model.name)
            problem = error
            self.flight.post(lambda: self._refused(model, problem))
            return
        self.flight.post(lambda: self._prepared(trial, fresh=continued is None))

    def _prepared(self, trial: Simulation, fresh: bool) -> None:
        self._compiling = None
        flight, requested = self.flight, self.requested
        if not trial.is_compatible(requested):
            if flight.simulation.is_compatible(requested) and flight.ready:
                self._on_event("busy", "")
            else:
                self.prepare()
            return
        if fresh and self._continues(requested) and not self._fresh:
            fresh = False
        if fresh:
            flight.replace(self._simulation(requested))
        elif self._continues(requested):
            flight.simulation = self._continuation.resumed(flight.simulation, requested)
        else:
            self.prepare()
            return
        self._fresh = False
        self._continuation.begin(requested)
        flight.ready = True
        flight.reset_clock()
        flight.touch()
        if fresh:
            self._recover()
        self._on_event("busy", "")
        self._on_event("scene", fresh)

    def _refused(self, model: Model, error: Exception) -> None:
        """It does not compile: what ran before continues."""
        self._compiling = None
        self._fresh = False
        self._on_event("busy", "")
        if self.requested != model:
            self.prepare()
            return
        before, self.requested = self.requested, self.running
        self._continuation.begin(self.running)
        self._on_event("failed", error)
        self._on_event("values", before)
        self._on_event("scene", False)

    def _stopped(self, error: Exception) -> None:
        self.failed = True
        self._on_event("failed", error)

    def _recover(self) -> None:
        if self.failed:
            self.failed = False
            self._on_event("recovered", None)


def _weight(rule: str) -> str:
    return f"rules.{rule}.weight"
