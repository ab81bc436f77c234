"""The plan of a model, and whether an adapter allows the buffers that follow from it."""

from __future__ import annotations

from bisect import bisect_right

from murmurate.codegen.plan import Plan
from murmurate.codegen.planner import make_plan
from murmurate.engines.gpu.device import Adapter
from murmurate.engines.gpu.program import Program, buffer_sizes, largest_buffer
from murmurate.engines.gpu.wgsl_modules import BINDINGS
from murmurate.errors import ModelError
from murmurate.model.model import Model

_latest_plans: tuple[Plan, ...] = ()


def plan_of(model: Model) -> Plan:
    """Return the plan of a model. The latest plan is stored, since a check and a run need it."""
    global _latest_plans
    plans = _latest_plans
    if not plans or plans[0].model is not model:
        _latest_plans = plans = (make_plan(model),)
    return plans[0]


def check_buffers(model: Model, adapter: Adapter) -> None:
    """Check that an adapter allows the buffers of a model, before a start is computed.

    raises ModelError  a pass binds more buffers than the adapter allows, or a buffer is too large;
                       then the message has the largest number of boids
    """
    _check_number(model, adapter)
    counts = model.max_counts
    boids, sizes = sum(counts.values()), buffer_sizes(plan_of(model))
    size, buffer = largest_buffer(sizes, boids)
    limit = adapter.max_bytes
    if size <= limit:
        return
    largest = bisect_right(range(boids), limit, key=lambda n: largest_buffer(sizes, n)[0]) - 1
    flock = max(counts, key=lambda name: counts[name])
    field = "count" if counts[flock] == model.flocks[flock].count else "max_boids"
    expected = f"at most {largest:,} boids in all" if largest > 0 else "smaller buffers"
    raise ModelError(
        f"flocks.{flock}.{field}: got {counts[flock]:,}; expected {expected}, since "
        f"{adapter.label} allows buffers of {limit:,} bytes, and {boids:,} boids need {size:,} "
        f"for {buffer!r}. Reduce it, or use engine 'cpu'"
    )


def _check_number(model: Model, adapter: Adapter) -> None:
    """Check that an adapter allows as many buffers as each pass of a model binds."""
    if adapter.max_buffers >= len(BINDINGS):  # most adapters: nothing is printed to count buffers
        return
    for name, module in Program.of(plan_of(model)).modules.items():
        if len(module.access) > adapter.max_buffers:
            raise ModelError(
                f"adapter: got {adapter.label}, which allows {adapter.max_buffers} buffers in a "
                f"pass; expected at least {len(module.access)}, which the passes {name!r} of this "
                "model bind. Choose another adapter, or use engine 'cpu'"
            )
