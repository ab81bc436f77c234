"""Slab engine: one flock cut into slabs of cells, one a worker: see murmurate.engines.protocol.

What its workers do is in slab_flight.py. Here is what outlives them: a flight goes on when a worker
dies, from the last copy of all boids, and ends with the same bits.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import Any

import numpy as np

from murmurate.engines.base import EngineBase
from murmurate.engines.bounds import Lost
from murmurate.engines.cpu.model_kernels import ModelKernels, prepared
from murmurate.engines.initial_state import Start
from murmurate.engines.options import RunOptions
from murmurate.engines.protocol import FlightState, FlockState
from murmurate.engines.slabs.by_number import Arrays
from murmurate.engines.slabs.crew import Crew, Died
from murmurate.engines.slabs.crews import crew_of
from murmurate.engines.slabs.limits import check_slabs
from murmurate.engines.slabs.slab_flight import Kept, SlabFlight
from murmurate.engines.slabs.slab_options import Slabs
from murmurate.engines.state import state_for
from murmurate.errors import RunError
from murmurate.frame import DistributedFrame, FlockFrame
from murmurate.model.model import Model

log = logging.getLogger(__name__)
KEPT_SECONDS = 20.0
"""A copy of all boids is kept after so many seconds of flight, to go on from when a worker dies."""
ATTEMPTS = 5
"""To go on with other workers, where they die in turn."""


class SlabEngine(EngineBase):
    """One flight on several workers."""

    Options = Slabs
    family = "numba"

    @classmethod
    def check(cls, model: Model, options: RunOptions) -> None:
        """Raises ModelError for what slabs cannot fly."""
        check_slabs(model)

    def __init__(self, model: Model, state: FlightState, options: RunOptions) -> None:
        self.options = options
        assert isinstance(options.own, Slabs)
        self._own = options.own
        self._crew: Crew = crew_of(self._own)
        self._begin(model, state)

    def _begin(self, model: Model, state: FlightState) -> None:
        """Workers for a model, with the boids of a state."""
        self.model, self.step_number = model, state.step
        counts = {name: state.size(name) for name in state.flocks}
        self.layout, self._text = prepared(model, counts, self.options.dtype)
        self._flight = self._manned()
        try:
            self._flight.begin(state)
        except Died as died:
            self._flight.end()
            raise RunError(f"{died}, and the flight did not begin", step=state.step) from None
        if isinstance(state, Start):
            self._kept, self._since = Kept(state.step, np.zeros(0), state), monotonic()
        else:
            self._keep()

    def _manned(self) -> SlabFlight:
        return SlabFlight(self.layout, self._text, self.options, self._own.workers, self._crew)

    def _keep(self) -> None:
        """Keeps a copy of all boids as they are now, where workers may die."""
        if self._crew.mortal:
            self._kept, self._since = self._flight.kept(self.step_number), monotonic()

    @property
    def compiled(self) -> bool:
        """Whether the kernels are in the cache of this machine."""
        return ModelKernels(self.layout, self._text, self.options.dtype).compiled

    # --- steps

    def step(self, steps: int) -> None:
        """Flies so many steps. Raises RunError for a boid that is lost, and where workers die
        faster than the flight goes on; RuleError for a rule that does not compile."""
        end = self.step_number + steps
        while self.step_number < end:
            try:
                self._flight.step(self.step_number)
                self.step_number += 1
                if self._crew.mortal and monotonic() - self._since > KEPT_SECONDS:
                    self._keep()
            except Lost as lost:
                self.step_number = lost.step
                raise lost.run_error() from None
            except Died as died:
                self._go_on(str(died))

    def _go_on(self, what: str) -> None:
        """Other workers go on from the last copy.

        what  happened
        """
        for _ in range(ATTEMPTS):
            log.warning(
                "%s at step %d: the flight goes on from step %d",
                what, self.step_number, self._kept.step,
            )  # fmt: skip
            self._flight.end()
            try:
                self._flight = self._manned()
                self._flight.restore(self._kept)
            except Died as died:
                what = str(died)
            else:
                self.step_number = self._kept.step
                return
        raise RunError(
            f"{what}, {ATTEMPTS} times in a row: the flight ends after step {self.step_number}. "
            "A recording of it can be resumed",
            step=self.step_number,
        )

    # --- the state

    def state(self) -> FlightState:
        """The flight as it is now: copies, in id order."""
        plan = self.layout.plan
        dims, real = self.model.space.dims, np.dtype(self.options.dtype)
        total = sum(plan.counts.values())
        places, timers = np.empty((total, 2 * dims), real), np.empty(total, np.int64)
        memory = np.empty((total, plan.kept), real)

        def gather() -> None:
            for boids in self._flight.boids():
                places[boids.ids], timers[boids.ids] = boids.state.T, boids.timers
                memory[boids.ids] = boids.memory.T

        self._surely(gather)
        flocks, first = {}, 0
        for name, size in plan.counts.items():
            part = slice(first, first + size)
            keeps = len(self.model.memory_of(name))
            flocks[name] = FlockState(
                places[part, :dims].copy(), places[part, dims:].copy(), timers[part],
                memory[part, :keeps].copy(),
            )  # fmt: skip
            first += size
        return FlightState(self.step_number, flocks)

    def held(self) -> DistributedFrame:
        """Return the boids where they are; asked for anew after a step."""
        time = self.step_number * self.model.dt
        return DistributedFrame(self.step_number, time, self.each_part, self.by_number)

    def each_part(self, function: Callable[[list[FlockFrame]], Any]) -> list[Any]:
        """What a function gives of the boids of each worker, where they are; it is called with a
        frame of each flock that is there, whose boids are in no order."""
        parts: list[Any] = self._surely(lambda: self._flight.apply(function))
        return parts

    def by_number(
        self,
        bounds: Sequence[int],
        function: Callable[[int, Arrays], Any],
        use: Callable[[Iterator[Any]], Any],
    ) -> Any:
        """Boids bounds[k], ..., bounds[k + 1] - 1 are put together by one of the workers, in order
        of their numbers, and what function(k, boids) gives of them there comes to `use`, one k
        after the other; it is called anew where workers died. Gives what `use` gave."""
        return self._surely(lambda: use(self._flight.by_number(bounds, function)))

    def _surely(self, do: Callable[[], Any]) -> Any:
        """What is done, done again where workers died, after others flew up to this step."""
        while True:
            try:
                return do()
            except Died as died:
                step = self.step_number
                self._go_on(str(died))
                self.step(step - self.step_number)

    def set_state(
        self, flock: str, positions: np.ndarray | None, velocities: np.ndarray | None
    ) -> None:
        """Replaces positions and velocities of a flock, (N, D) each; what is None stays."""

        def put() -> None:
            self._flight.set(flock, positions, velocities)
            self._keep()

        self._surely(put)

    def replace_model(self, model: Model) -> None:
        """Goes on with another model of the same flocks: new numbers cost nothing, a new structure
        a new kernel."""
        layout, text = prepared(model, self.layout.plan.counts, self.options.dtype)
        if text == self._text:
            self.model, self.layout = model, layout

            def replace() -> None:
                self._flight.replace_layout(layout)
                self._keep()

            self._surely(replace)
        else:
            state = state_for(self.model, model, self.state())
            self._flight.end()
            self._begin(model, state)

    def is_compatible(self, model: Model) -> bool:
        """Whether another model of the same flocks needs no other kernels."""
        counts = self.layout.plan.counts
        return prepared(model, counts, self.options.dtype)[1] == self._text
