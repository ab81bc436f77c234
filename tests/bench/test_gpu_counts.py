"""Counts of engine gpu in docs/gpu.md are those that the benchmark wrote, of this program."""

from __future__ import annotations

import json
from pathlib import Path

import murmurate as mm
from murmurate.codegen.planner import make_plan
from murmurate.engines.gpu.program import (
    MAX_SORTED_AT_ONCE,
    MAX_STEPPED_AT_ONCE,
    MAX_STEPS,
    Program,
)

ROOT = Path(__file__).parents[2]
FLOCKS = (("starlings", 4000), ("vicsek-1995", 1000), ("vicsek-1995", 300), ("couzin-2002", 100))


def results() -> dict[str, float]:
    """Return what `python benchmarks/gpu.py --count --json` wrote."""
    lines = (ROOT / "benchmarks" / "results" / "gpu-count.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    return {row["result"]: row["value"] for row in rows if "result" in row}


def test_the_documentation_has_the_counts() -> None:
    counts, text = results(), (ROOT / "docs" / "gpu.md").read_text()
    prose = " ".join(text.split())
    (all_, search, memory) = (
        counts[f"3-D, 20 neighbours: {name}"] for name in ("all passes", "search", "memory")
    )
    assert f"about {all_:,.0f} instructions for each boid, of which {search:,.0f} are" in prose
    assert f"and {memory:.0f} bytes." in prose
    assert f"one workgroup sorts up to {MAX_SORTED_AT_ONCE:,} boids" in prose
    assert f"flocks of up to {MAX_STEPPED_AT_ONCE} boids make eight steps" in prose
    for name, boids in FLOCKS:
        flock = f"{name}, {boids:,}"
        used = next(key for key in counts if key.startswith(flock)).rpartition(":")[0]
        own, large = (
            [counts[f"{path}: {what}"] for what in ("dispatches", "host")]
            for path in (used, f"{flock}, any number")
        )
        row = f"| `{name}`, {boids:,} boids | {own[0]:.1f} | {own[1]:.1f} |"
        assert f"{row} {large[0]:.1f} dispatches, {large[1]:.1f} µs |" in text


def test_counted_dispatches_are_those_of_the_program() -> None:
    counts = results()
    for name, boids in FLOCKS:
        for path in Program.of(make_plan(mm.load(name))).paths:
            key = f"{name}, {boids:,}, {path.name}: dispatches"
            assert (key in counts) == (path.max_boids is None or boids <= path.max_boids)
            dispatches = len(path.passes) / path.steps + len(path.end) / MAX_STEPS
            assert counts.get(key, dispatches) == dispatches
