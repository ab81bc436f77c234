"""Records of runs as files: read again, and checked, since anybody may have changed them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

from murmurate.disk import read_bytes
from murmurate.model.text_reader import read_json

Value = Annotated[FiniteFloat, Field(ge=-1e150, le=1e150)]  # its square is a number too
Count = Annotated[FiniteFloat, Field(ge=0)]
Whole = Annotated[int, Field(ge=0)]


class _Part(BaseModel):
    model_config = ConfigDict(strict=True)


class _Measured(_Part):
    mean: Value | None
    error: Value | None
    last: Value | None
    independent: Count | None = None
    freedom: Count | None = None
    short: bool = False


class _Record(_Part):
    """What single_run.fly_one gives."""

    index: Whole
    point: Whole
    repeat: Whole
    seed: Whole
    values: dict[str, Any]
    measures: dict[str, _Measured]
    murmurate: str = ""
    recording: Annotated[str, Field(pattern=r"^recordings/[0-9]{6,12}\.zarr$")] = ""


class _Failure(_Part):
    index: Whole
    seed: Whole
    values: dict[str, Any]
    error: str


def read_record(path: Path) -> dict[str, Any] | None:
    """A finished run's record; None where it is not there, cut short or no longer a record: then
    it counts as not flown."""
    return _read(path, _Record)


def read_failure(path: Path) -> dict[str, Any] | None:
    """The same of a run that failed."""
    return _read(path, _Failure)


def is_of(
    record: Mapping[str, Any], measures: Iterable[str], recording: str | None, **run: Any
) -> bool:
    """Whether a record, also one of a failure, is that of a run: somebody may have changed it, or
    put it there from another sweep.

    measures   names that it must have
    recording  where the run is recorded, in the sweep's folder; None where it is not
    run        index, point, repeat, seed and values, which follow from the plan
    """
    if any(record.get(name, value) != value for name, value in run.items()):
        return False
    if "measures" not in record:
        return "error" in record
    return set(measures) <= set(record["measures"]) and record.get("recording") == recording


def _read(path: Path, kind: type[_Part]) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] = read_json(read_bytes(path))
        kind.model_validate(found)
    except (OSError, ValueError):  # ValidationError is one
        return None
    return found
