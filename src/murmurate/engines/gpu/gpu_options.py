"""Options of engine 'gpu'. Importing this module imports no library of graphics cards."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from murmurate.engines.base import EngineOptions
from murmurate.errors import ModelError


@dataclass(frozen=True)
class Gpu(EngineOptions):
    """Set options of engine 'gpu', which simulates on a graphics card by WebGPU.

    Parameters
    ----------
    adapter : str, optional
        Part of the name of the graphics card, such as `"NVIDIA"` or `"llvmpipe"`; `murmurate
        doctor` lists the names. Default: the first card, or else a software adapter.

    Raises
    ------
    ModelError
        The name is not a text.

    Notes
    -----
    Pass it as the argument `engine`: `mm.Simulation(model, engine=mm.Gpu(adapter="NVIDIA"))`.
    """

    engine: ClassVar[str] = "gpu"

    adapter: str | None = field(
        default=None, metadata={"help": "part of the graphics card's name; default: the first one"}
    )

    def __post_init__(self) -> None:
        if self.adapter is not None and (not isinstance(self.adapter, str) or not self.adapter):
            raise ModelError(
                f"adapter: got {self.adapter!r}; expected part of a name, such as 'NVIDIA'. "
                "murmurate doctor lists the names"
            )
