"""EngineBase: what most engines do in the same way."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias


@dataclass(frozen=True)
class EngineOptions:
    """Options of one engine; those of an engine that has none are empty.

    A subclass is a frozen dataclass. Each field has a default, and `metadata={"help": ...}`, which
    the command line shows. It checks its values in `__post_init__` and raises ModelError.
    """

    engine: ClassVar[str] = ""
    """The name of the engine that has these options: engine=value asks for that engine."""

    def given(self) -> dict[str, Any]:
        """Return the fields that differ from their defaults."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {f.name: values[f.name] for f in fields(self) if values[f.name] != f.default}


EngineChoice: TypeAlias = str | EngineOptions
"""What an argument `engine` takes: the name of an engine, or options of it."""


def is_whole(value: object) -> bool:
    """Return whether a value is a whole number of Python's or NumPy's; True and False are not."""
    return isinstance(value, Integral) and not isinstance(value, bool)


if TYPE_CHECKING:
    from murmurate.engines.state import FlightState, Floats
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

    def distributed_frame(self) -> DistributedFrame | None:
        """None: this process holds all boids."""
        return None

    def copy(self, threads: int | None = None) -> Self:
        """Return another engine that continues from the same state."""
        options = replace(self.options, threads=threads or self.options.threads)
        return type(self)(self.model, self.state(), options)  # type: ignore[call-arg]
