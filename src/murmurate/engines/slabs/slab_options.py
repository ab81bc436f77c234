"""Options of engine 'slabs'. Importing this module imports neither Ray nor a compiler."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from murmurate.engines.base import EngineOptions, is_whole
from murmurate.errors import ModelError

LOCAL_ADDRESS = "here"
"""The address that keeps all workers in this process."""
MAX_WORKERS = 4096


@dataclass(frozen=True)
class Slabs(EngineOptions):
    """Set options of engine 'slabs', which distributes one flock over the workers of a Ray cluster.

    Each worker simulates one slab: some adjacent layers of grid cells.

    Parameters
    ----------
    workers : int, optional
        Number of slabs, 1 to 4096. Default: one per machine of the cluster.
    address : str, optional
        Address of the cluster, such as `"10.0.0.1:6379"` or `"auto"`. `"here"` keeps the workers
        in this process, where they run in sequence, without Ray. Default: the environment variable
        RAY_ADDRESS; without it, Ray starts on this machine.

    Raises
    ------
    ModelError
        A value is not allowed.

    Notes
    -----
    Pass it as the argument `engine`: `mm.Simulation(model, engine=mm.Slabs(workers=4))`. The
    trajectory is bit-identical to that of engine 'cpu', for any number of workers.
    """

    engine: ClassVar[str] = "slabs"

    workers: int | None = field(
        default=None, metadata={"help": "number of slabs; default: one per machine"}
    )
    address: str | None = field(
        default=None,
        metadata={
            "help": "address of the Ray cluster, such as 10.0.0.1:6379 or auto; default: "
            "RAY_ADDRESS, or else Ray on this machine. 'here' keeps the workers in this process"
        },
    )

    def __post_init__(self) -> None:
        if self.workers is not None:
            if not is_whole(self.workers) or not 1 <= self.workers <= MAX_WORKERS:
                raise ModelError(
                    f"workers: got {self.workers!r}; expected a whole number from 1 to "
                    f"{MAX_WORKERS}. Leave it out for one per machine"
                )
            object.__setattr__(self, "workers", int(self.workers))
        if self.address is not None and not isinstance(self.address, str):
            raise ModelError(
                f"address: got {self.address!r}; expected a text, such as '10.0.0.1:6379', 'auto' "
                f"or {LOCAL_ADDRESS!r}. Leave it out to use RAY_ADDRESS"
            )
