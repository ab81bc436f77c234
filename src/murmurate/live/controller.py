"""Pilot: which model flies. Numbers change in flight; anything else is prepared beside it.

    wanted   the model as the pages have it now
    flying   the simulation's own: the same, or the one before while `wanted` is being compiled

Everything here runs in the flight's thread, between two steps, but for `_compile`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal

from murmurate.engine.options import RunOptions
from murmurate.errors import ModelError, RunError
from murmurate.frame import Frame
from murmurate.live.flight_thread import Flight
from murmurate.live.messages import from_page
from murmurate.model.model import Model
from murmurate.model.registry import unknown
from murmurate.runs.simulation import Simulation

MOST_BOIDS = 2_000_000  # that pages may ask for
MOST_PARTS = 64  # flocks, rules and obstacles, of each
OPEN_TO_PAGES = ("dt", "order", "positions", "space", "flocks", "rules", "obstacles")

News = Callable[
    [Literal["values", "scene", "busy", "failed", "fine", "place", "moved"], Any], object
]


class Pilot:
    """Keeps a flight on the model that is wanted.

    news  called with what happened: "values" (the model before), "scene" (whether the flock began
          anew), "busy" (a word), "failed" (the error) and "fine" (nothing is wrong any more)
    """

    def __init__(
        self,
        model: Model,
        options: RunOptions,
        *,
        published: Callable[[Frame], object],
        between: Callable[[float], object],
        news: News,
    ) -> None:
        self._options = options
        self._news = news
        self.loaded = self.wanted = model
        self.seed = options.seed
        self.off: dict[str, Any] = {}  # switched-off rule -> its weight
        self.fell = False  # whether a flight ended in an error, and was not begun anew
        self._compiling: threading.Thread | None = None
        self._anew = False  # whether what is prepared begins from its start in any case
        self.flight = Flight(
            Simulation.from_options(model, options),
            model.view.frames_per_second * model.view.every,
            published=published,
            failed=self._fell,
            between=between,
        )

    @property
    def flying(self) -> Model:
        return self.flight.simulation.model

    @property
    def busy(self) -> bool:
        return self._compiling is not None

    def begin(self) -> None:
        """Compiles what is to be flown first."""
        self._prepare()

    # --- what pages ask for

    def set(self, changes: Mapping[str, Any]) -> None:
        """Values at dotted paths, from a page. Raises ModelError; nothing is changed then."""
        for path in changes:
            if path.partition(".")[0] not in OPEN_TO_PAGES:
                raise ModelError(f"{path}: a page may change {', '.join(OPEN_TO_PAGES)}")
        taken = {path: from_page(value) for path, value in changes.items()}
        model = self.wanted.set(taken)
        self._check_size(model)
        self.off = {
            rule: weight for rule, weight in self.off.items() if f"rules.{rule}.weight" not in taken
        }
        self._want(model, taken)

    def switch(self, rule: str, on: bool) -> None:
        """A rule off: its weight is 0, and kept aside. Raises ModelError."""
        if rule not in self.wanted.rules:
            raise ModelError(unknown("rule", rule, self.wanted.rules))
        path = f"rules.{rule}.weight"
        if on == (rule not in self.off):
            return
        before = self.off
        if on:
            weight = self.off[rule]
            self.off = {name: kept for name, kept in self.off.items() if name != rule}
        else:
            weight = 0.0
            self.off = {**self.off, rule: self.wanted.to_dict()["rules"][rule].get("weight", 1.0)}
        try:
            self._want(self.wanted.set({path: weight}), {path: weight})
        except ModelError:
            self.off = before
            raise

    def reset(self) -> None:
        """The model as it was loaded."""
        self.off = {}
        self._want(self.loaded)

    def open(self, model: Model) -> None:
        """Another model, from its start."""
        self.loaded, self.off = model, {}
        self.flight.rate = model.view.frames_per_second * model.view.every
        self.flight.keep_pace()
        self._want(model, anew=True)

    def reload(self, model: Model) -> None:
        """The model's file was saved: the flock flies on where it can."""
        self.loaded, self.off = model, {}
        self._want(model)

    def restart(self, seed: int | None = None) -> None:
        """From the start again."""
        self.seed = self.seed if seed is None else seed
        fell = self.fell or not self.flight.ready
        self.flight.take(self._simulation(self.flying))
        self._recover()
        if fell:
            self.flight.play()
            if not self.flight.ready:
                self._prepare()

    def play(self) -> None:
        if not self.fell:
            self.flight.play()

    def step(self, steps: int) -> None:
        """Flies so many steps, and rests."""
        self.flight.fly(steps)

    def _simulation(self, model: Model, start: Mapping[str, Any] | None = None) -> Simulation:
        return Simulation.from_options(model, replace(self._options, seed=self.seed), start)

    # --- from the model that flies to the one that is wanted

    def _want(
        self, model: Model, changes: Mapping[str, Any] | None = None, anew: bool = False
    ) -> None:
        before, self.wanted = self.wanted, model
        simulation = self.flight.simulation
        self._anew = anew or (self.busy and self._anew)
        if not self._anew and simulation.is_compatible(model):
            simulation.replace_model(model)
            self.flight.touch()
            self._news("values", before)
            return
        if changes and not self._anew:  # what is mere numbers need not wait
            with suppress(ModelError):
                meanwhile = simulation.model.set(changes)
                if simulation.is_compatible(meanwhile):
                    simulation.replace_model(meanwhile)
        self._news("values", before)
        self._prepare()

    def _prepare(self) -> None:
        if self._compiling is not None:
            return  # when that is done, it is looked at what is wanted then
        model, simulation = self.wanted, self.flight.simulation
        anew = self._anew or not _alike(model, simulation.model)
        start = None if anew else _state(simulation)
        self._news("busy", "compiling the rules")
        self._compiling = threading.Thread(
            target=self._compile, args=(model, start), name="murmurate-compiling", daemon=True
        )
        self._compiling.start()

    def _compile(self, model: Model, start: Any) -> None:
        """Flies one step of a flight of its own, so that all kernels are compiled."""
        try:
            trial = self._simulation(model, start)
            with suppress(RunError):
                trial.step(1)
            fresh = self._simulation(model) if start is None else trial
        except Exception as error:
            problem = error
            self.flight.do(lambda: self._refused(model, problem))
            return
        self.flight.do(lambda: self._prepared(model, fresh, start is None))

    def _prepared(self, model: Model, ready: Simulation, fresh: bool) -> None:
        self._compiling = None
        flight, wanted = self.flight, self.wanted
        if not ready.is_compatible(wanted):
            if flight.simulation.is_compatible(wanted) and flight.ready:
                self._news("busy", "")
            else:
                self._prepare()
            return
        if fresh and _alike(wanted, flight.simulation.model) and not self._anew:
            fresh = False
        if fresh:
            ready.replace_model(wanted)
            flight.take(ready)
        elif _alike(wanted, flight.simulation.model):
            flight.simulation.replace_model(wanted)
        else:
            self._prepare()
            return
        self._anew = False
        flight.ready = True
        flight.keep_pace()
        flight.touch()
        if fresh:
            self._recover()
        self._news("busy", "")
        self._news("scene", fresh)

    def _refused(self, model: Model, error: Exception) -> None:
        """It does not compile: what flew before flies on."""
        self._compiling = None
        self._anew = False
        self._news("busy", "")
        if self.wanted != model:
            self._prepare()
            return
        before, self.wanted = self.wanted, self.flying
        self._news("failed", error)
        self._news("values", before)

    def _fell(self, error: Exception) -> None:
        self.fell = True
        self._news("failed", error)

    def _recover(self) -> None:
        if self.fell:
            self.fell = False
            self._news("fine", None)

    def _check_size(self, model: Model) -> None:
        before = sum(flock.count for flock in self.loaded.flocks.values())
        boids = sum(flock.count for flock in model.flocks.values())
        if boids > max(MOST_BOIDS, before):
            raise ModelError(f"{boids} boids in all: a page may ask for {MOST_BOIDS}")
        for word in ("flocks", "rules", "obstacles"):
            if len(getattr(model, word)) > max(MOST_PARTS, len(getattr(self.loaded, word))):
                raise ModelError(f"{word}: a page may ask for {MOST_PARTS} of them")


def _alike(one: Model, other: Model) -> bool:
    """Whether a flock of one can fly on as the other."""
    return one.space == other.space and [(n, f.count) for n, f in one.flocks.items()] == [
        (n, f.count) for n, f in other.flocks.items()
    ]


def _state(simulation: Simulation) -> dict[str, Any]:
    return {flock.name: (flock.positions, flock.velocities) for flock in simulation.frame}
