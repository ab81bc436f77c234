"""Sense nearest: the search for the k nearest, then their pair functions."""

from __future__ import annotations

from murmurate.codegen import nearest_search
from murmurate.codegen.kernel_text import Text, load, other, word
from murmurate.codegen.neighbour_sums import add, is_kind, told
from murmurate.codegen.plan import HIDDEN, FlockPlan, RulePlan
from murmurate.codegen.writer import Writer


def nearest_groups(flock: FlockPlan) -> list[list[RulePlan]]:
    """Rules that sense the same k nearest share one search."""
    groups: dict[object, list[RulePlan]] = {}
    for rule in flock.rules:
        if rule.nearest and rule.senses:
            sense = rule.rule
            key = (
                rule.nearest, rule.senses, sense.radius, sense.inner_radius, sense.field_of_view
            )  # fmt: skip
            groups.setdefault(key, []).append(rule)
    return list(groups.values())


def sweep_nearest(w: Writer, text: Text, flock: FlockPlan) -> None:
    """The k nearest, in order, then their pair functions."""
    for group, rules in enumerate(nearest_groups(flock)):
        lead = rules[0]
        hows = {s.how for s in flock.senses if s.rule is lead}
        keep = text.library.add(nearest_search.keep, "keep", {}, "exact")
        square = text.library.add(nearest_search.square, "square", {}, "exact")
        apart = text.library.add(nearest_search.apart, "apart", {}, "exact")
        its, k = word(lead.name), lead.nearest
        cone = f"P[{lead.cone}]" if lead.cone >= 0 else "real(-2.0)"
        inner = f"inner_{its}" if lead.annulus else "real(-1.0)"
        sides = [
            f"side{d}" if d < text.dims and text.periodic[d] else "real(0.0)" for d in range(3)
        ]
        w.line(f"sides = ({', '.join(sides)})")
        seen = told(text, flock) or "now"
        w.line("found = np.int64(0)")
        if hows == {"cells"}:
            _in_cells(w, text, lead, keep, square, cone, inner, group)
        else:
            distance2 = text.library.add(nearest_search.distance2, "distance2", {}, "exact")
            for sensed in lead.senses:
                own = "j != i" if sensed == flock.flock else ""
                conditions = [c for c in (is_kind(text, sensed), own) if c]
                f = word(sensed)
                with w.block(f"for j in range(begin_{f}, begin_{f} + swept_{f}):"):
                    w.line(
                        f"r2, seen = {distance2}({seen}, j, me, sides, {text.dims}, "
                        f"{cone}, {inner})"
                    )
                    extra = "".join(f" and {c}" for c in conditions)
                    with w.block(f"if seen and r2 <= reach_{its}{extra}:"):
                        w.line(f"found = {keep}(found, {k}, r2, ids[j], j, near_d, near_i, near_q)")
            _fetch(w, text, apart, seen)
        with w.block("for e in range(found):"):
            w.line("dx, dy, dz = near_v[e, 0], near_v[e, 1], near_v[e, 2]")
            other(w, text, "near_v[e, 3], near_v[e, 4], near_v[e, 5]")
            for rule in rules:
                add(w, text, rule, "")


def _fetch(w: Writer, text: Text, apart: str, seen: str = "now") -> None:
    """The k found boids' differences and velocities, from the arrays."""
    with w.block("for e in range(found):"):
        w.line("j = near_q[e]")
        w.line(f"dx, dy, dz = {apart}({seen}, j, me, sides, {text.dims})")
        w.line("near_v[e, 0], near_v[e, 1], near_v[e, 2] = dx, dy, dz")
        velocity = load(text, "UVW", "j")
        if seen != "now":
            velocity = load(text, [f"{seen}[{text.dims + k}]" for k in range(3)], "j")
        w.line(f"near_v[e, 3], near_v[e, 4], near_v[e, 5] = {velocity}")


def _in_cells(
    w: Writer,
    text: Text,
    lead: RulePlan,
    keep: str,
    square: str,
    cone: str,
    inner: str,
    group: int,
) -> None:
    """First among the staged boids; wider only where they cannot settle it."""
    plan, its, k = text.plan, word(lead.name), lead.nearest
    widen = text.library.add(nearest_search.widen, "widen", {}, "exact")
    apart = text.library.add(nearest_search.apart, "apart", {}, "exact")
    far = f"real({HIDDEN * HIDDEN!r})"
    kinds = " | ".join(f"(bk[j] == {text.kind(name)})" for name in lead.senses)
    several = len(plan.gridded) > 1
    with w.block("for j in range(full):"):
        w.line(f"dx, dy, dz = {load(text, ['bx', 'by', 'bz'], 'j')}")
        w.line("dx, dy, dz = dx - x, dy - y, dz - z")
        w.line(f"r2 = {square}(dx, dy, dz)")
        seen = f"(r2 <= reach_{its})"
        if lead.cone >= 0:
            w.line("ahead = dx * u + dy * v + dz * w")
            seen += f" & (ahead * abs(ahead) >= {cone} * r2 * (me.speed * me.speed))"
        if lead.annulus:
            seen += f" & (r2 > {inner})"
        if several:
            seen += f" & ({kinds})"
        w.line(f"scratch[j] = r2 if {seen} else {far}")
    # What it took last time is a good guess; where it was too little, all that was staged is taken.
    w.line(f"bound = lesser(guesses[{group}, ids[i]], {far} * real(0.5))")
    with w.block("while True:"):
        w.line("near = 0")
        with w.block("for j in range(full):"):
            w.line("picked[near] = j")
            w.line("near += scratch[j] <= bound")
        with w.block(f"if near >= {k} or bound >= {far} * real(0.5):"):
            w.line("break")
        w.line(f"bound = {far} * real(0.5)")
    with w.block("for e in range(near):"):
        w.line("j = picked[e]")
        w.line(f"found = {keep}(found, {k}, scratch[j], bi[j], j, near_d, near_i, near_q)")
    w.line(f"need = near_d[{k - 1}] if found == {k} else reach_{its}")
    with w.block("if need <= covered * covered:"), w.block("for e in range(found):"):
        w.line("j = near_q[e]")
        place = load(text, ["bx", "by", "bz"], "j")
        velocity = load(text, ["bu", "bv", "bw"], "j")
        w.line(f"dx, dy, dz = {place}")
        w.line("near_v[e, 0], near_v[e, 1], near_v[e, 2] = dx - x, dy - y, dz - z")
        w.line(f"near_v[e, 3], near_v[e, 4], near_v[e, 5] = {velocity}")
    with w.block("else:"):
        # beyond half a side, what was staged may be the same boid twice, or the boid itself
        for axis in range(text.dims):
            if text.periodic[axis]:
                half2 = f"real(0.999) * half{axis} * half{axis}"
                w.line(f"need = reach_{its} if need > {half2} else need")
        wanted = ", ".join(str(name in lead.senses) for name in plan.counts)
        w.line(
            f"found = {widen}(now, start, ids, kinds, ({wanted},), grid, corner, size, sides, "
            f"{text.dims}, me, i, {k}, need, {cone}, {inner}, cx, cy, cz, scratch, "
            "near_d, near_i, near_q)"
        )
        _fetch(w, text, apart)
    w.line(f"guesses[{group}, ids[i]] = real(1.4) * near_d[{k - 1}] if found == {k} else {far}")
