"""The header of a recording that is read, checked: anybody may have changed it, and every number of
it is computed with."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    FiniteFloat,
    ValidationError,
    model_validator,
)

from murmurate.dtypes import Dtype
from murmurate.model.error_text import first_complaint
from murmurate.model.flock import Count
from murmurate.record.errors import RecordingRefused

Whole = Annotated[int, Field(ge=0, le=2**53)]
Least1 = Annotated[int, Field(ge=1, le=2**53)]
Positive = Annotated[FiniteFloat, Field(gt=0)]


class _Part(BaseModel):
    frame: Whole
    versions: str


class _Header(BaseModel):
    """What make_header gives; what older versions did not write may be left out."""

    model_config = ConfigDict(protected_namespaces=())

    name: str
    title: str
    model: str
    fingerprint: str
    seed: Annotated[int, Field(ge=0, lt=2**64)]
    engine: str
    family: str = ""
    dtype: Dtype
    dims: Annotated[int, Field(ge=2, le=3)]
    dt: Positive
    every: Least1
    first_step: Whole
    counts: dict[str, Count]
    perching: bool
    memory: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    kept_names: dict[str, list[str]] = {}
    precision: Positive | None
    velocity_precision: Positive | None = None
    steps_of: dict[str, Positive] = {}
    schedules: list[str]
    measures: list[str]
    measure_every: Least1
    chunk_frames: Least1 | None = None
    shard_bytes: Least1
    block_boids: Least1 | None = None
    versions: str
    command: str
    citations: list[str]
    parent: dict[str, Any]
    parts: list[_Part] = []

    @model_validator(mode="after")
    def _kept_in_memory(self) -> _Header:
        if any(len(names) > self.memory for names in self.kept_names.values()):
            raise ValueError(f"kept_names: more than the {self.memory} numbers of a boid's memory")
        return self


def check_header(header: dict[str, Any], path: object) -> None:
    """Raises RecordingRefused for a header that murmurate did not write."""
    try:
        _Header.model_validate(header, strict=True)
    except ValidationError as error:
        raise RecordingRefused(
            f"{path}: its header is damaged: {first_complaint(error)}; take it from a copy"
        ) from None
