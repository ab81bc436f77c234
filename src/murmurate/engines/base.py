"""EngineBase: what most engines do in the same way."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from murmurate.engines.engine_options import EngineOptions

if TYPE_CHECKING:
    from murmurate.engines.flight_state import FlightState, Floats
    from murmurate.frame import DistributedFrame
    from murmurate.model.model import Model


class EngineBase(ABC):
    """An engine that simulates every model, compiles nothing, and holds all boids itself; see
    murmurate.engines.protocol.Engine.

    A subclass sets `model`, `options` and `step_number` in `__init__(model, state, options)`.
    """

    Options: ClassVar[type[EngineOptions]] = EngineOptions
    family: str = ""  # that of its own name
    model: Model
    options: Any  # RunOptions, which know engines by name, and this module too

    @classmethod
    def check(cls, model: Model, options: Any) -> None:
        """Every model can be simulated."""
        return

    @property
    def compiled(self) -> bool:
        """True: nothing is compiled."""
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

    def is_compatible(self, model: Model) -> bool:
        """True: nothing is compiled."""
        return True

    def held(self) -> DistributedFrame | None:
        """None: this process holds all boids."""
        return None

    def copy(self, threads: int | None = None) -> Self:
        """Return another engine that continues from the same state."""
        options = replace(self.options, threads=threads or self.options.threads)
        return type(self)(self.model, self.state(), options)  # type: ignore[call-arg]
