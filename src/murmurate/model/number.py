"""Numbers of a model: real ones that float32 can compute with, and whole ones."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, FiniteFloat, Strict
from pydantic_core import PydanticCustomError

from murmurate.errors import ModelError

LARGEST = 1e9
"""Numbers of a model lie between minus this and this (or are infinite, where that is allowed).
Kernels form fourth powers of lengths and speeds (squared distances times squared speeds): those of
1e9 are 1e36, and sums of some of them still fit into float32, which ends at 3.4e38."""
LARGEST_WHOLE = 2**53  # neither an engine nor a page loses a digit


def check_size(number: float) -> float:
    """The number. Raises ValueError for a finite one that is beyond LARGEST."""
    if LARGEST < abs(number) < math.inf:
        raise ValueError(
            f"{number:g} is out of bounds: it must be between -{LARGEST:,.0f} and {LARGEST:,.0f}, "
            "so that fourth powers fit into float32; measure in larger units"
        )
    return number


def frame_rate(frames_per_second: float | None, fps: float | None) -> float | None:
    """Return the frame rate, of which `fps` is the short name. Raises ModelError for two."""
    if fps is None or frames_per_second is None:
        return frames_per_second if fps is None else fps
    raise ModelError(
        f"fps: got {fps!r} beside frames_per_second={frames_per_second!r}; expected one of them, "
        "since both mean the same"
    )


def _whole(value: Any) -> Any:
    """A whole number, 1000.0 and 1e3 too, as int."""
    if isinstance(value, bool | str) or (isinstance(value, float) and not value.is_integer()):
        raise PydanticCustomError("not_whole", "must be a whole number")
    if isinstance(value, int | float) and value > LARGEST_WHOLE:
        raise PydanticCustomError("too_large", f"must be at most {LARGEST_WHOLE:,}")
    return int(value) if isinstance(value, float) else value


Number = Annotated[FiniteFloat, Strict(), AfterValidator(check_size)]
"""A finite number of a size that can be computed with; true is none."""

Data = Annotated[FiniteFloat, Strict()]
"""A finite number that is compared or drawn, and not computed with."""

Whole = Annotated[int, BeforeValidator(_whole)]
"""A whole number; true is none."""
