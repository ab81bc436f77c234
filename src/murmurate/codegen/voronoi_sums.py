"""Sense Voronoi: the neighbours of a tessellation, which the engine makes before each step."""

from __future__ import annotations

from murmurate.codegen import nearest_search
from murmurate.codegen.kernel_text import Text, load, other
from murmurate.codegen.neighbour_sums import ahead, masked
from murmurate.codegen.plan import FlockPlan
from murmurate.codegen.writer import Writer


def sweep_voronoi(w: Writer, text: Text, flock: FlockPlan) -> None:
    """The boids whose cells touch that of boid i, rule by rule."""
    rules = [rule for rule in flock.rules if rule.tessellation >= 0]
    if not rules:
        return
    apart = text.library.add(nearest_search.apart, "apart", {}, "exact")
    sides = [f"side{d}" if d < text.dims and text.periodic[d] else "real(0.0)" for d in range(3)]
    w.line(f"sides = ({', '.join(sides)})")
    for rule in rules:
        g = rule.tessellation
        with w.block(f"for e in range(offsets[{g}, i], offsets[{g}, i + 1]):"):
            w.line("j = links[e]")
            w.line(f"dx, dy, dz = {apart}(now, j, me, sides, {text.dims})")
            other(w, text, load(text, "UVW", "j"))
            ahead(w, [rule])
            kind = ""
            if set(rule.senses) != set(text.plan.tessellations[g]):
                kind = " | ".join(f"(kinds[j] == {text.kind(name)})" for name in rule.senses)
            masked(w, text, [rule], f"({kind})" if kind else "")
