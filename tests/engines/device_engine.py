"""An engine like one on a device: its boids are elsewhere, and reading them is refused but where a
test expects it. It has an option of its own, and its family names the device."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from toy_engine import ToyEngine

from murmurate.engines.base import EngineOptions
from murmurate.engines.state import FlightState


@dataclass(frozen=True)
class Device(EngineOptions):
    engine: ClassVar[str] = "device"

    adapter: str = field(default="a", metadata={"help": "which device"})
    depth: int | None = None


class DeviceEngine(ToyEngine):
    Options = Device
    expected: ClassVar[set[int] | None] = None
    """Steps after which the state may be read, once each; None: whenever somebody asks."""
    reads: ClassVar[list[int]] = []
    """Steps after which it was read."""
    created: ClassVar[list[Device]] = []
    """The options of all instances."""

    def __init__(self, model: Any, state: FlightState, options: Any) -> None:
        super().__init__(model, state, options)
        DeviceEngine.created.append(options.engine_options)

    @property
    def family(self) -> str:
        return f"device {self.options.engine_options.adapter}"

    def state(self) -> FlightState:
        step, expected = self.step_number, DeviceEngine.expected
        if expected is not None:
            assert step in expected, f"the state is read after step {step}, and nobody needs it"
            expected.remove(step)
        DeviceEngine.reads.append(step)
        return super().state()

    def checkpoint(self) -> FlightState:
        """Return the state, whoever else may read it: a failed step is computed again from it."""
        return super().state()

    def set_state(self, flock: str, positions: Any, velocities: Any) -> None:
        self._plain.set_state(flock, positions, velocities)
        self._hold(self.model, self._plain.state())
