"""Parts that engines share: options of one engine, diagnostics, and a base class with defaults."""

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
    """Base class of engines, with defaults for most of murmurate.engines.protocol.Engine.

    The defaults suit an engine that simulates every model, compiles nothing and holds all boids in
    this process. A subclass sets `model`, `options` and `step_number` in
    `__init__(model, state, options)`.
    """

    Options: ClassVar[type[EngineOptions]] = EngineOptions
    family: str = ""  # empty: the name of the engine
    refuses: ClassVar[tuple[str, ...]] = ("population",)
    """Names of `murmurate.model.features.FEATURES` that it does not simulate."""
    model: Model
    options: Any  # RunOptions, whose module imports this one

    @classmethod
    def problems(cls, model: Model, options: Any) -> list[str]:
        """Return where a model has what the engine refuses."""
        from murmurate.model.features import find_features

        return find_features(cls.refuses, model)

    @classmethod
    def check(cls, model: Model, options: Any) -> None:
        """Accept every model."""
        return

    @classmethod
    def options_of_family(cls, family: str) -> EngineOptions | None:
        """Return None: no family of this engine names a device."""
        return None

    @classmethod
    def min_memory(cls, model: Model, options: Any) -> int | None:
        """Return None: this engine does not estimate its memory."""
        return None

    @property
    def compiled(self) -> bool:
        """Return True, since this engine compiles nothing."""
        return True

    @abstractmethod
    def step(self, steps: int) -> None:
        """See Engine."""

    @abstractmethod
    def state(self) -> FlightState:
        """See Engine."""

    @abstractmethod
    def set_state(self, flock: str, positions: Floats | None, velocities: Floats | None) -> None:
        """See Engine."""

    @abstractmethod
    def replace_model(self, model: Model) -> None:
        """See Engine."""

    def restart(self, state: FlightState, options: Any) -> None:
        """Create this engine again, in another state."""
        type(self).__init__(self, self.model, state, options)  # type: ignore[call-arg]

    def is_compatible(self, model: Model) -> bool:
        """Return True, since this engine compiles nothing."""
        return True

    def set_memory(self, flock: str, first: int, values: Floats) -> None:
        """Refuse commands, which this engine does not take."""
        raise ModelError(
            f"controls: got some for engine {self.options.engine!r}, which takes none; expected "
            "engine 'cpu', 'gpu', 'slabs', 'wasm' or 'reference'"
        )

    def checkpoint(self) -> FlightState | None:
        """Return the present state."""
        return self.state()

    def distributed_frame(self) -> DistributedFrame | None:
        """Return None, since this process holds all boids."""
        return None

    def copy(self, threads: int | None = None) -> Self:
        """Return another engine that continues from the same state."""
        options = replace(self.options, threads=threads or self.options.threads)
        return type(self)(self.model, self.state(), options)  # type: ignore[call-arg]

    def sizes(self) -> dict[str, int]:
        """Return the present number of boids of each flock: those of the model."""
        return {name: flock.count for name, flock in self.model.flocks.items()}

    def population_counts(self) -> dict[tuple[str, str], int]:
        """Return nothing, since no boid joins or leaves."""
        return {}

    def diagnostics(self) -> Diagnostics:
        """Return counters and sizes of this engine. The default counts nothing."""
        return Diagnostics()


def is_whole(value: object) -> bool:
    """Return whether a value is an integer of Python or NumPy; False for True and False."""
    return type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))
