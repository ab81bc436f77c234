"""Types of single numbers in models: finite numbers, data and whole numbers, with their limits."""

from __future__ import annotations

import math
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, FiniteFloat, Strict
from pydantic_core import PydanticCustomError

MAX_NUMBER = 1e9
"""The largest number of a model, in either direction; some may be infinite too. Kernels form fourth
powers of lengths and speeds. Those of 1e9 are 1e36, and sums of a few of them fit into float32,
which ends at 3.4e38."""
MAX_WHOLE = 2**53  # engines and pages represent whole numbers up to this exactly


def check_size(number: float) -> float:
    """Return the number. Raises ValueError if it is finite and its size is above MAX_NUMBER."""
    if MAX_NUMBER < abs(number) < math.inf:
        raise ValueError(
            f"got {number:g}; expected a number from -{MAX_NUMBER:,.0f} to {MAX_NUMBER:,.0f}, "
            "whose fourth power fits into float32. Use larger units"
        )
    return number


def _parse_whole(value: Any) -> Any:
    """Return a whole number as an int; floats such as 1000.0 and 1e3 count as whole numbers."""
    if isinstance(value, bool | str) or (isinstance(value, float) and not value.is_integer()):
        raise PydanticCustomError("not_whole", "a whole number")
    if isinstance(value, int | float) and value > MAX_WHOLE:
        raise PydanticCustomError("too_large", f"at most {MAX_WHOLE:,}")
    return int(value) if isinstance(value, float) else value


Number = Annotated[FiniteFloat, Strict(), AfterValidator(check_size)]
"""A finite number that simulations compute with. Booleans are refused."""

Data = Annotated[FiniteFloat, Strict()]
"""A finite number of any size, for comparisons and plots. Booleans are refused."""

Whole = Annotated[int, BeforeValidator(_parse_whole)]
"""A whole number. Booleans are refused."""
