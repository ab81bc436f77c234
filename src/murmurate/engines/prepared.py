"""A model as engines with compiled kernels need it: its layout, and the text of its kernels."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from murmurate.codegen.layout import Layout, Thresholds, lay_out
from murmurate.codegen.module_text import kernel_text
from murmurate.codegen.planner import make_plan
from murmurate.engines.cpu import thresholds as cpu_thresholds
from murmurate.model.model import Model


def prepared(model: Model, counts: Mapping[str, int], dtype: str) -> tuple[Layout, str]:
    """Return a model's layout and the text of its kernels. The last few are remembered, since
    sweeps simulate the same model with many seeds.

    counts  flock -> number of boids
    """
    return _prepared(model, tuple(counts.items()), dtype, cpu_thresholds.THRESHOLDS)


@lru_cache(maxsize=32)
def _prepared(
    model: Model, counts: tuple[tuple[str, int], ...], dtype: str, thresholds: Thresholds
) -> tuple[Layout, str]:
    plan = make_plan(model, dict(counts))
    layout = lay_out(plan, thresholds)
    return layout, kernel_text(plan, dtype, layout)
