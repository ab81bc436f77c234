"""The functions that sort boids into cells, compiled for Python: engine `slabs` calls them.

To import numba takes 0.2 s, so the functions are compiled, and numba is imported, at the first use
of one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

from murmurate.codegen.candidates import cell_functions

PLAIN = (
    "count_cells", "count_layers", "prefix_sums", "order_cells", "gather_cells", "plan_runs",
    "sum_flocks", "find_lost_boid",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in PLAIN:
        return _compiled(getattr(cell_functions, name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _compiled(function: Callable[..., Any]) -> Any:
    from numba import njit

    called = {name: getattr(cell_functions, name, None) for name in function.__code__.co_names}
    compiled = {name: _compiled(f) for name, f in called.items() if isinstance(f, FunctionType)}
    alike = FunctionType(function.__code__, {**function.__globals__, **compiled})
    return njit(nogil=True, cache=True, error_model="numpy", boundscheck=False)(alike)
