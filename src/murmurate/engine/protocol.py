"""The engine protocol: what a simulation asks of an engine, and the state that passes between them.

An engine owns the arrays and the time of one flight. Everything else (films, recordings, measures,
the live view, sweeps) goes through `murmurate.Simulation`, which makes its engine by name; so an
engine of your own needs no change anywhere else. To write one:

    from murmurate.engine.protocol import FlightState, FlockState
    from murmurate.engine.registry import register

    class MyEngine:
        @classmethod
        def check(cls, model, options):
            if model.order != "synchronous":
                raise ModelError("engine 'mine' flies models of order 'synchronous' only")

        def __init__(self, model, state, options):
            self.model, self.options, self.step_number = model, options, state.step
            ...                       # copy the arrays of state.flocks

        def step(self, steps): ...    # and so on, see Engine

    register("mine", MyEngine)
    mm.Simulation(model, engine="mine")

What holds a rule's numbers, what a rule senses and what random numbers are is in the docstrings of
`murmurate.model` and `murmurate.engine.rng`; `murmurate.engine.reference` is the shortest complete
engine, and what every other is compared with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from murmurate.engine.options import RunOptions
from murmurate.model.model import Model

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False)
class FlockState:
    """One flock at one moment, in id order: row k is boid k of the flock.

    positions   (N, D), length units
    velocities  (N, D), length units per time unit
    timers      (N,) int64, steps left on the ground; 0 = flying
    memory      (N, M), what a boid carries besides: first the numbers that its motion and its rules
                keep, in the order of Model.memory_of; then, where a flock senses late, the states
                of the steps before: position and velocity one step ago, two steps ago, ... An array
                of fewer columns, such as the (N, 0) of a flight that begins, says nothing: kept
                numbers are then 0, and the past is as the present. Of one with more columns the
                rest is not read: a recording gives all flocks as many as the one that has most
    """

    positions: Floats
    velocities: Floats
    timers: NDArray[np.int64]
    memory: Floats


@dataclass(frozen=True, eq=False)
class FlightState:
    """All flocks at one moment. With the model and the run options it is all that a flight is: an
    engine made from it continues bit for bit as the one that it was taken from.

    step    whole number of steps since the start
    flocks  name -> state, in the model's order
    """

    step: int
    flocks: Mapping[str, FlockState]

    def size(self, flock: str) -> int:
        """How many boids a flock has."""
        return len(self.flocks[flock].positions)

    def rows(self, flock: str, rows: slice) -> FlockState:
        """Some boids of a flock: rows.start ... rows.stop - 1."""
        its = self.flocks[flock]
        return FlockState(*(getattr(its, field.name)[rows] for field in fields(its)))


class Engine(Protocol):
    """One flight: a model, its boids, and how many steps it has flown.

    model        what is flown now
    options      how; where an engine has a dtype of its own, that one stands here, and its class
                 says so in an attribute `dtype`
    step_number  whole number of steps since the start

    Random numbers are functions of (options.seed, step, boid, purpose), see murmurate.engine.rng,
    and a step must not depend on how many threads share it, so that a flight is the same however
    its steps are asked for.
    """

    model: Model
    options: RunOptions
    step_number: int

    @classmethod
    def check(cls, model: Model, options: RunOptions) -> None:
        """Raises ModelError for what this engine cannot fly, naming it and what it can. It is asked
        before an engine is made and before its model is replaced, so it compiles nothing."""

    def __init__(self, model: Model, state: FlightState, options: RunOptions) -> None:
        """Copies the state, in the precision of options.dtype. Kernels may be compiled by the
        first step: RuleError for a rule that does not compile."""

    @property
    def compiled(self) -> bool:
        """Whether the next step needs no compiling, which takes seconds."""

    def step(self, steps: int) -> None:
        """Flies so many steps, none for 0. Raises RunError, naming step, flock and boid, where a
        boid is lost: its numbers are not finite, or it left the space by very far. The state then
        stays as it was after that step."""

    def state(self) -> FlightState:
        """The flight as it is now: copies, in id order, floats of options.dtype."""

    def set_state(self, flock: str, positions: Floats | None, velocities: Floats | None) -> None:
        """Replaces positions and velocities of a flock, (N, D) each; what is None stays. They were
        checked: finite, of the right shape, inside the space."""

    def replace_model(self, model: Model) -> None:
        """Continues with another model of the same flocks, counts and space. Numbers cost nothing;
        another structure may compile, with the next step. What boids carry is kept."""

    def is_compatible(self, model: Model) -> bool:
        """Whether replace_model(model) would compile nothing. Models have the same flocks, counts
        and space."""

    def copy(self, threads: int | None = None) -> Engine:
        """Another engine that continues from the same moment; the two share nothing that changes.

        threads  of the copy; as many as here unless given
        """
