"""Recorded state: a frame of a recording as the state of a flight, read as it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from murmurate.engines.protocol import FlightState, FlockState
from murmurate.engines.state import flock_state_from_frame
from murmurate.model.model import Model

if TYPE_CHECKING:
    from murmurate.record import Recording


class RecordedState(FlightState):
    """The state of a flight as a recording has it."""

    flocks: RecordedFlocks

    def size(self, flock: str) -> int:
        """How many boids a flock has."""
        return self.flocks.recording.counts[flock]

    def rows(self, flock: str, rows: slice) -> FlockState:
        """Some boids of a flock. Raises DamagedRecordingError."""
        return self.flocks.rows(flock, rows)


class RecordedFlocks(Mapping[str, FlockState]):
    """The flocks of a frame, by name; each time read anew."""

    def __init__(self, model: Model, recording: Recording, number: int) -> None:
        self.model, self.recording, self.number = model, recording, number

    def __len__(self) -> int:
        return len(self.recording.counts)

    def __iter__(self) -> Iterator[str]:
        return iter(self.recording.counts)

    def __getitem__(self, name: str) -> FlockState:
        return self.rows(name, slice(0, self.recording.counts[name]))

    def rows(self, name: str, rows: slice) -> FlockState:
        """Some boids of a flock: only these are read."""
        return flock_state_from_frame(
            self.model, self.recording.flock_rows(self.number, name, rows)
        )


def recorded_state(model: Model, recording: Recording, number: int) -> RecordedState:
    """The state from which a model continues a frame of its recording."""
    return RecordedState(recording.steps[number], RecordedFlocks(model, recording, number))
