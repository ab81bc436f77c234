"""Interface of engines, options of one engine, and diagnostics.

An engine owns the arrays and the time of one simulation. Films, recordings, measures, the live view
and sweeps use `murmurate.Simulation`, which creates its engine by name. A new engine therefore
needs no change elsewhere:

    from murmurate.engines.base import EngineBase
    from murmurate.engines.state import FlightState, FlockState
    from murmurate.engines.registry import register

    class MyEngine(EngineBase):
        @classmethod
        def check(cls, model, options):
            if model.order != "synchronous":
                raise ModelError("engine 'mine' simulates models of order 'synchronous' only")

        def __init__(self, model, state, options):
            self.model, self.options, self.step_number = model, options, state.step
            ...                       # copy the arrays of state.flocks

        def step(self, steps): ...    # and the other abstract methods

    register("mine", MyEngine)
    mm.Simulation(model, engine="mine")

Most methods have defaults. `murmurate.model` documents the numbers of a rule and what it senses,
`murmurate.engines.rng` the random numbers. The shortest complete engine is
`murmurate.engines.reference.reference_engine`; tests compare all others with it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias

from murmurate.errors import ModelError

if TYPE_CHECKING:
    from murmurate.engines.state import FlightState, Floats
    from murmurate.frame import DistributedFrame
    from murmurate.model.model import Model


@dataclass(frozen=True)
class EngineOptions:
    """Options of one engine. An engine without options of its own uses this class, which is empty.

    A subclass is a frozen dataclass. Each field has a default, and `metadata={"help": ...}`, which
    the command line shows. The subclass checks its values in `__post_init__` and raises ModelError.
    """

    engine: ClassVar[str] = ""
    """Name of the engine that has these options. The argument engine=value selects that engine."""

    def non_defaults(self) -> dict[str, Any]:
        """Return the fields that differ from their defaults, by name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {f.name: values[f.name] for f in fields(self) if values[f.name] != f.default}


EngineChoice: TypeAlias = str | EngineOptions
"""Type of an argument `engine`: the name of an engine, or a value of its options."""


@dataclass(frozen=True)
class Diagnostics:
    """Counters and sizes of one engine, for bug reports and tests. No result depends on them.

    An engine leaves fields that it does not count at their defaults.

    threads  threads that may share a step
    threads_used  threads that have done part of a step so far
    steps_done  steps since this engine was created, without steps that were redone
    steps_redone  sequential steps that one thread repeated, since threads could not share them
    shared_slabs  slabs of sequential steps that threads updated in parallel, summed over all steps
    resorts  times that boids were sorted into cells again within a step
    updates_before_resort  updates of the last step before boids were last sorted again within it,
        through all stages; 0 without such a sort
    cells  cells of the grid along x, y and z; empty without a grid
    cells_per_radius  cells that the largest radius spans along x and y; empty without a grid
    staging_room  boids that one thread can stage
    state_bytes  bytes of the state of boids before and after a step
    array_bytes  bytes of all arrays that the engine holds
    bytes_read  bytes that were read from a device
    kernel_module  name of the module of the model's kernels. Models with equal names share compiled
        kernels.
    kernels_compiled  kernels in use that this process compiled
    kernels_loaded  kernels in use that this process loaded from the cache
    """

    threads: int = 1
    threads_used: int = 1
    steps_done: int = 0
    steps_redone: int = 0
    shared_slabs: int = 0
    resorts: int = 0
    updates_before_resort: int = 0
    cells: tuple[int, ...] = ()
    cells_per_radius: tuple[int, ...] = ()
    staging_room: int = 0
    state_bytes: int = 0
    array_bytes: int = 0
    bytes_read: int = 0
    kernel_module: str = ""
    kernels_compiled: tuple[str, ...] = ()
    kernels_loaded: tuple[str, ...] = ()


class EngineBase(ABC):
    """One simulation: a model, its boids, and the number of steps done.

    The defaults suit an engine that simulates every model, compiles nothing and holds all boids in
    this process. A subclass sets `model`, `options` and `step_number` in `__init__`.

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
        Class of the options that only this engine has; `options.engine_options` is a value of it.

    Notes
    -----
    Random numbers are functions of (options.seed, step, boid, stream), see murmurate.engines.rng.
    The trajectory must not depend on the number of threads, nor on how many steps each call makes.
    """

    Options: ClassVar[type[EngineOptions]] = EngineOptions
    family: str = ""
    refuses: ClassVar[tuple[str, ...]] = ("population",)
    model: Model
    options: Any  # RunOptions, whose module imports this one
    step_number: int

    @abstractmethod
    def __init__(self, model: Model, state: FlightState, options: Any) -> None:
        """Copy the state, in the precision of `options.dtype`.

        Kernels may be compiled by the first step, which then raises RuleError for a rule that does
        not compile.
        """

    @classmethod
    def problems(cls, model: Model, options: Any) -> list[str]:
        """Return the parts of a model that this engine cannot simulate on any machine.

        Each text has the form "<path>: got <value>; expected <what>". The error that a simulation
        raises adds the names of engines without problems. The default finds what `refuses` names.
        """
        from murmurate.model.features import find_features

        return find_features(cls.refuses, model)

    @classmethod
    def check(cls, model: Model, options: Any) -> None:
        """Refuse a model without problems that this engine cannot simulate on this machine.

        A simulation calls this before it creates the engine or replaces its model, so it must not
        compile anything.

        Raises
        ------
        ModelError
            The engine cannot simulate the model. The message names what it can simulate.
        """
        return

    @classmethod
    def options_of_family(cls, family: str) -> EngineOptions | None:
        """Return the options that select the device which a family names; None without one."""
        return None

    @classmethod
    def min_memory(cls, model: Model, options: Any) -> int | None:
        """Return the bytes that a simulation in this process needs at least.

        None skips the check, for an engine that cannot tell or that other machines share.
        """
        return None

    @property
    def compiled(self) -> bool:
        """Whether the next step starts without compiling, which takes seconds."""
        return True

    @abstractmethod
    def step(self, steps: int) -> None:
        """Advance by `steps` steps, which may be 0.

        Raises
        ------
        RunError
            A boid is lost: its numbers are not finite, or it is very far outside the space. The
            error names step, flock and boid. The state of the engine may be that after the failed
            step: a simulation continues with another engine, from its checkpoint.
        """

    @abstractmethod
    def state(self) -> FlightState:
        """Return the present state as arrays in this process, in id order.

        The arrays are copies, of `options.dtype`. The call may transfer data from a device; a
        simulation makes it once for each frame that it reads.
        """

    @abstractmethod
    def set_state(self, flock: str, positions: Floats | None, velocities: Floats | None) -> None:
        """Replace positions and velocities of a flock, (N, D) each; None keeps the present ones.

        The caller has checked the arrays: finite, of the right shape, inside the space.
        """

    @abstractmethod
    def replace_model(self, model: Model) -> None:
        """Continue with another model of the same flocks, counts and space.

        New numbers cost nothing. A new structure may compile with the next step. Per-boid state
        remains.
        """

    def restart(self, state: FlightState, options: Any) -> None:
        """Continue from another state of the same model, compiling nothing.

        The options are those of this engine, or have another seed.
        """
        type(self).__init__(self, self.model, state, options)

    def is_compatible(self, model: Model) -> bool:
        """Return whether `replace_model(model)` would compile nothing.

        The model has the same flocks, counts and space.
        """
        return True

    def set_memory(self, flock: str, first: int, values: Floats) -> None:
        """Replace numbers of the per-boid state of a flock: values (M, N), by id, of the numbers
        from `first` on. ModelError if the engine cannot."""
        raise ModelError(
            f"controls: got some for engine {self.options.engine!r}, which takes none; expected "
            "engine 'cpu', 'gpu', 'slabs', 'wasm' or 'reference'"
        )

    def checkpoint(self) -> FlightState | None:
        """Return the state, from which a simulation computes that before a failed step.

        None if this engine restores the state before a failed step itself, since workers hold it.
        """
        return self.state()

    def distributed_frame(self) -> DistributedFrame | None:
        """Return the boids on the workers that hold them; None if this process holds all boids.

        Large flocks are measured and recorded on these workers.
        """
        return None

    def copy(self, threads: int | None = None) -> Self:
        """Return another engine that continues from the same state and shares nothing mutable.

        Parameters
        ----------
        threads : int, optional
            Threads of the copy. The default is that of this engine.
        """
        options = replace(self.options, threads=threads or self.options.threads)
        return type(self)(self.model, self.state(), options)

    def sizes(self) -> dict[str, int]:
        """Return the present number of boids of each flock."""
        return {name: flock.count for name, flock in self.model.flocks.items()}

    def population_counts(self) -> dict[tuple[str, str], int]:
        """Return how many boids joined and left, by name of the entry and of the flock."""
        return {}

    def diagnostics(self) -> Diagnostics:
        """Return counters and sizes of this engine. No result depends on them."""
        return Diagnostics()


def is_whole(value: object) -> bool:
    """Return whether a value is an integer of Python or NumPy; False for True and False."""
    return type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))
