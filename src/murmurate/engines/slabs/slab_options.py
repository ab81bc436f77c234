"""Options of engine 'slabs'. Importing them imports neither Ray nor a compiler."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from murmurate.engines.base import EngineOptions, is_whole
from murmurate.errors import ModelError

HERE = "here"
"""The address of workers that are in this process."""
MAX_WORKERS = 4096


@dataclass(frozen=True)
class Slabs(EngineOptions):
    """Engine 'slabs', which cuts one flock into slabs of cells, each on a worker of a Ray cluster.

    Parameters
    ----------
    workers : int, optional
        Number of slabs, 1 to 4096. Default: one a machine of the cluster.
    address : str, optional
        Address of the cluster, such as `"10.0.0.1:6379"` or `"auto"`; `"here"`: workers of
        this process, one after the other, which needs no Ray. Default: the cluster that the
        environment variable RAY_ADDRESS names, or else Ray on this machine alone.

    Raises
    ------
    ModelError
        A value is not allowed.

    Notes
    -----
    Every argument `engine` takes it: `mm.Simulation(model, engine=mm.Slabs(workers=4))`. The
    trajectory has the bits of engine 'cpu', at any number of workers.
    """

    engine: ClassVar[str] = "slabs"

    workers: int | None = field(
        default=None, metadata={"help": "into how many slabs; one a machine unless given"}
    )
    address: str | None = field(
        default=None,
        metadata={
            "help": "the Ray cluster, such as 10.0.0.1:6379 or auto; that of RAY_ADDRESS, or Ray "
            "on this machine, unless given. 'here': workers of this process, one after the other"
        },
    )

    def __post_init__(self) -> None:
        if self.workers is not None:
            if not is_whole(self.workers) or not 1 <= self.workers <= MAX_WORKERS:
                raise ModelError(
                    f"workers: got {self.workers!r}; expected a whole number from 1 to "
                    f"{MAX_WORKERS}. Leave it out for one a machine"
                )
            object.__setattr__(self, "workers", int(self.workers))
        if self.address is not None and not isinstance(self.address, str):
            raise ModelError(
                f"address: got {self.address!r}; expected a text, such as '10.0.0.1:6379', 'auto' "
                f"or {HERE!r}. Leave it out for the cluster that RAY_ADDRESS names"
            )
