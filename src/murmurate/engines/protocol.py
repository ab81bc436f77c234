"""The engine protocol: attributes and methods that a simulation uses of its engine.

An engine owns the arrays and the time of one simulation. Films, recordings, measures, the live view
and sweeps use `murmurate.Simulation`, which creates its engine by name. A new engine therefore
needs no change elsewhere:

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

        def step(self, steps): ...    # and other methods of Engine

    register("mine", MyEngine)
    mm.Simulation(model, engine="mine")

`murmurate.engines.base.EngineBase` has defaults for most methods. `murmurate.model` documents the
numbers of a rule and what it senses, `murmurate.engines.rng` the random numbers. The shortest
complete engine is `murmurate.engines.reference.reference_engine`; tests compare all others with it.
"""

from __future__ import annotations

from typing import ClassVar, Protocol

from murmurate.engines.base import Diagnostics as Diagnostics
from murmurate.engines.base import EngineOptions
from murmurate.engines.options import RunOptions
from murmurate.engines.state import FlightState as FlightState
from murmurate.engines.state import Floats as Floats
from murmurate.engines.state import FlockState as FlockState
from murmurate.frame import DistributedFrame
from murmurate.model.model import Model


class Engine(Protocol):
    """One simulation: a model, its boids, and the number of steps done.

    Attributes
    ----------
    model : Model
        The model of the next step.
    options : RunOptions
        How the model is simulated. An engine with a fixed precision states it here as
        `options.dtype`, and its class in an attribute `dtype`.
    step_number : int
        Steps since the start.
    family : str
        Engines of one family produce equal bits, so one continues a recording of another. An empty
        name means a family of its own. If the bits depend on the device, the instance names it.
    refuses : tuple of str
        Names of `murmurate.model.features.FEATURES` that the engine does not simulate: in
        EngineBase `("population",)`, models in which boids join flocks and leave them.
    Options : type
        Class of the options that only this engine has; `options.own` is a value of it.

    Notes
    -----
    Random numbers are functions of (options.seed, step, boid, stream), see murmurate.engines.rng.
    The trajectory must not depend on the number of threads, nor on how many steps each call makes.
    """

    model: Model
    options: RunOptions
    step_number: int
    family: str
    refuses: ClassVar[tuple[str, ...]]
    Options: ClassVar[type[EngineOptions]]

    @classmethod
    def problems(cls, model: Model, options: RunOptions) -> list[str]:
        """Return what this engine cannot simulate in a model, whatever the machine.

        Each text has the form "<path>: got <value>; expected <what>". The error that a simulation
        raises adds the names of engines without problems.
        """

    @classmethod
    def check(cls, model: Model, options: RunOptions) -> None:
        """Refuse a model without problems that this engine cannot simulate on this machine.

        A simulation calls this before it creates the engine or replaces its model, so it must not
        compile anything.

        Raises
        ------
        ModelError
            The engine cannot simulate the model. The message names what it can simulate.
        """

    @classmethod
    def options_of_family(cls, family: str) -> EngineOptions | None:
        """Return the options that select the device which a family names; None without one."""

    @classmethod
    def min_memory(cls, model: Model, options: RunOptions) -> int | None:
        """Return the bytes that a simulation in this process needs at least.

        None skips the check, for an engine that cannot tell or that other machines share.
        """

    def __init__(self, model: Model, state: FlightState, options: RunOptions) -> None:
        """Copy the state, in the precision of `options.dtype`.

        Kernels may be compiled by the first step, which then raises RuleError for a rule that does
        not compile.
        """

    @property
    def compiled(self) -> bool:
        """Return whether the next step starts without compiling, which takes seconds."""

    def step(self, steps: int) -> None:
        """Advance by `steps` steps, which may be 0.

        Raises
        ------
        RunError
            A boid is lost: its numbers are not finite, or it is very far outside the space. The
            error names step, flock and boid. The state of the engine may be that after the failed
            step: a simulation continues with another engine, from its checkpoint.
        """

    def state(self) -> FlightState:
        """Return the present state as arrays in this process, in id order.

        The arrays are copies, of `options.dtype`. The call may transfer data from a device; a
        simulation makes it once for each frame that it reads.
        """

    def checkpoint(self) -> FlightState | None:
        """Return the state, from which a simulation computes that before a failed step.

        None if this engine restores the state before a failed step itself, since workers hold it.
        """

    def distributed_frame(self) -> DistributedFrame | None:
        """Return the boids on the workers that hold them; None if this process holds all boids.

        Large flocks are measured and recorded on these workers.
        """

    def set_state(self, flock: str, positions: Floats | None, velocities: Floats | None) -> None:
        """Replace positions and velocities of a flock, (N, D) each; None keeps the present ones.

        The caller has checked the arrays: finite, of the right shape, inside the space.
        """

    def set_memory(self, flock: str, first: int, values: Floats) -> None:
        """Replace numbers of the per-boid state of a flock: values (M, N), by id, of the numbers
        from `first` on. ModelError if the engine cannot."""

    def restart(self, state: FlightState, options: RunOptions) -> None:
        """Continue from another state of the same model, compiling nothing.

        The options are those of this engine, or have another seed.
        """

    def replace_model(self, model: Model) -> None:
        """Continue with another model of the same flocks, counts and space.

        New numbers cost nothing. A new structure may compile with the next step. Per-boid state
        remains.
        """

    def is_compatible(self, model: Model) -> bool:
        """Return whether `replace_model(model)` would compile nothing.

        The model has the same flocks, counts and space.
        """

    def copy(self, threads: int | None = None) -> Engine:
        """Return another engine that continues from the same state and shares nothing mutable.

        Parameters
        ----------
        threads : int, optional
            Threads of the copy. The default is that of this engine.
        """

    def sizes(self) -> dict[str, int]:
        """Return the present number of boids of each flock."""

    def population_counts(self) -> dict[tuple[str, str], int]:
        """Return how many boids joined and left, by name of the entry and of the flock."""

    def diagnostics(self) -> Diagnostics:
        """Return counters and sizes of this engine. No result depends on them."""
