"""Engines of slabs for tests, with another coordinator, checkpoint after each step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar
from unittest.mock import patch

import murmurate as mm
from murmurate.engines import registry
from murmurate.engines.slabs.coordinator import Coordinator
from murmurate.engines.slabs.slab_engine import SlabEngine


@dataclass(frozen=True)
class OtherSlabs(mm.Slabs):
    """The options of the engine that `slabs_with` registers."""

    engine: ClassVar[str] = "other-slabs"


@contextmanager
def slabs_with(coordinator: type[Coordinator]) -> Iterator[None]:
    """Register an engine for `OtherSlabs`; workers are checkpointed after each step."""

    class OtherEngine(SlabEngine):
        Options = OtherSlabs
        coordinator_class = coordinator
        checkpoint_seconds = 0.0

    with patch.dict(registry.REGISTERED):
        registry.register(OtherSlabs.engine, OtherEngine)
        yield
