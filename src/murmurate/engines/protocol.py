"""The engine protocol: what a simulation asks of an engine.

An engine owns the arrays and the time of one flight. Everything else (films, recordings, measures,
the live view, sweeps) goes through `murmurate.Simulation`, which makes its engine by name; so an
engine of your own needs no change anywhere else. To write one:

    from murmurate.engines.base import EngineBase
    from murmurate.engines.protocol import FlightState, FlockState
    from murmurate.engines.registry import register

    class MyEngine(EngineBase):
        @classmethod
        def check(cls, model, options):
            if model.order != "synchronous":
                raise ModelError("engine 'mine' simulates models of order 'synchronous' only")

        def __init__(self, model, state, options):
            self.model, self.options, self.step_number = model, options, state.step
            ...                       # copy the arrays of state.flocks

        def step(self, steps): ...    # and so on, see Engine

    register("mine", MyEngine)
    mm.Simulation(model, engine="mine")

`murmurate.engines.base.EngineBase` has what most engines do in the same way. What a rule's numbers
hold, what a rule senses and what random numbers are is in the docstrings of
`murmurate.model` and `murmurate.engines.rng`; `murmurate.engines.reference.reference_engine` is the
shortest complete engine, and what every other is compared with.
"""

from __future__ import annotations

from typing import ClassVar, Protocol

from murmurate.engines.base import EngineOptions
from murmurate.engines.options import RunOptions
from murmurate.engines.state import FlightState as FlightState
from murmurate.engines.state import Floats as Floats
from murmurate.engines.state import FlockState as FlockState
from murmurate.frame import DistributedFrame
from murmurate.model.model import Model


class Engine(Protocol):
    """One flight: a model, its boids, and how many steps it has flown.

    model        what is flown now
    options      how; where an engine has a dtype of its own, that one stands here, and its class
                 says so in an attribute `dtype`
    step_number  whole number of steps since the start
    family       engines of one family leave the same bits, so that one continues what another
                 recorded. Unless given, an engine is a family of its own. Where the bits depend on
                 the device, the instance has a family that names the device
    Options      the class of what only this engine has; options.own is a value of it

    Random numbers are functions of (options.seed, step, boid, purpose), see murmurate.engines.rng,
    and a step must not depend on how many threads share it, so that a flight is the same however
    its steps are asked for.
    """

    model: Model
    options: RunOptions
    step_number: int
    family: str
    Options: ClassVar[type[EngineOptions]]

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
        """Return the state as it is now: copies in this process, in id order, floats of
        options.dtype. It may cost a transfer from a device; nothing asks for it but what reads
        boids, such as a frame that is recorded, and once for such a frame."""

    def distributed_frame(self) -> DistributedFrame | None:
        """Return a frame whose boids stay on their workers, to measure and record large flocks
        there. None if this process holds all boids: state() returns them."""

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
