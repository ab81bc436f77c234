"""Kernel calls: a kernel called by one thread, or by each of a team until no work is left."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from murmurate.codegen.kernel_cache import Kernel
from murmurate.engine.argument_table import ArgumentTable
from murmurate.engine.thread_team import ThreadTeam

STAGED = ("stage", "stage_ids", "stage_kinds", "candidates", "shortlist", "picked")


class KernelCalls:
    """Calls the kernels of one flight.

    kernel  name -> a compiled kernel, which takes the address of a table of arguments
    sides   the sides of arrays, by the words of their shapes
    """

    def __init__(
        self,
        table: ArgumentTable,
        team: ThreadTeam,
        kernel: Callable[[str], Kernel],
        sides: Mapping[str, int],
    ) -> None:
        self.table, self.team, self.kernel, self.sides = table, team, kernel, sides

    def alone(self, name: str) -> None:
        """A part of a step that one thread does."""
        begun = self.team.clock()
        self.kernel(f"{name}_alone")(self.table.addresses[0])
        self.team.worked += self.team.clock() - begun

    def each(self, name: str) -> None:
        """A kernel called by each thread, until no chunk of work is left."""
        kernel, table = self.kernel(name), self.table
        table.array("counter")[0] = 0

        def work(thread: int) -> None:
            while need := kernel(table.addresses[thread]):
                # a chunk holds more boids than there is room to stage: it is flown again
                self.make_room(2 * need, thread)
                table.set("first_chunk", table.number("chunk", thread), thread)
            table.set("first_chunk", -1, thread)

        self.team.each(name, work)

    def make_room(self, room: int, thread: int) -> None:
        """Room for a thread to stage so many boids."""
        for name in STAGED:
            self.table.put(name, self.table.made(name, {**self.sides, "room": room}), thread)
