"""Boid: everything one boid does in a stage, from its neighbours to its next state."""

from __future__ import annotations

from murmurate.codegen.kernel_text import AXES, Text, load, packed, sums, word
from murmurate.codegen.nearest_sums import sweep_nearest
from murmurate.codegen.neighbour_sums import add, obstacles, sweep_cells, sweep_whole, totals
from murmurate.codegen.plan import FlockPlan, dt_slot
from murmurate.codegen.voronoi_sums import sweep_voronoi
from murmurate.codegen.writer import Writer


def write_boid(w: Writer, text: Text, flock: FlockPlan, how: str) -> None:
    """Everything boid i of a flock does in a stage. `how` it can sense: whole or cells."""
    plan = text.plan
    resting = plan.model.flocks[flock.flock].perching is not None
    if resting:
        w.line("timer = timers[i]")
        with w.block("if timer > 0:"):
            w.line("for d in range(now.shape[0]): new[d, i] = now[d, i]")
            if plan.integrates:
                w.line("for d in range(now.shape[0] // 2, now.shape[0]): new[d, i] = real(0.0)")
            w.line("new_timers[i] = timer - 1" if flock.last else "new_timers[i] = timer")
            if flock.keeps:
                w.line("for d in range(3): new_kept[d, i] = kept[d, i]")
        w.line("else:")
        w.indent()
    write_me(w, text, flock)
    for rule in flock.rules:
        for k in range(rule.sums):
            w.line(f"{sums(rule)}_{k} = real(0.0)")
    for rule in flock.rules:
        if rule.sums:
            w.line(f"{rule.numbers.name} = {packed(rule.numbers)}")
            w.line(f"reach_{word(rule.name)} = P[{rule.numbers.fields['radius']}] ** 2")
            if rule.annulus:
                w.line(f"inner_{word(rule.name)} = P[{rule.numbers.fields['inner_radius']}] ** 2")
            if rule.cone >= 0:
                w.line(f"cone_{word(rule.name)} = P[{rule.cone}] * (u * u + v * v + w * w)")
    if how == "cells":
        sweep_cells(w, text, flock)
    sweep_whole(w, text, flock)
    sweep_nearest(w, text, flock)
    sweep_voronoi(w, text, flock)
    totals(w, text, flock)
    obstacles(w, text, flock)
    for rule in flock.rules:
        its_own = flock.flock in rule.senses and getattr(rule.rule, "include_self", False)
        if (
            rule.sums
            and its_own
            and not any(s.how == "totals" for s in flock.senses if s.rule is rule)
        ):
            w.line("none = real(0.0)")
            w.line("other = Other(none, none, none, real(1e-18), real(1e-9), u, v, w)")
            add(w, text, rule, "")
    for rule in flock.rules:
        if rule.sums:
            parts = ", ".join(f"{sums(rule)}_{k}" for k in range(rule.sums))
            w.line(f"{sums(rule)} = ({parts},)")
    filled = "".join(f", {sums(rule)}" for rule in flock.rules if rule.sums)
    result = "u, v, w"
    if flock.keeps:
        w.line("mine = Kept(kept[0, i], kept[1, i], kept[2, i])")
        result, filled = "u, v, w, a, b, c", f", mine{filled}"
    w.line(f"{result} = act_{word(flock.flock)}_{flock.stage}(P, me, step, key0, key1{filled})")
    if flock.keeps:
        w.line("new_kept[0, i], new_kept[1, i], new_kept[2, i] = a, b, c")
    if flock.last and not plan.integrates:
        w.line(
            f"x, y, z, u, v, w, timer = move_{word(flock.flock)}"
            "(P, me, u, v, w, table, lower, upper, step, key0, key1)"
        )
        w.line("new_timers[i] = timer")
    else:
        w.line("new_timers[i] = timers[i]")
    for k in range(text.dims):
        w.line(f"new[{k}, i] = {AXES[k]}")
        w.line(f"new[{k + text.dims}, i] = {'uvw'[k]}")
    if resting:
        w.dedent()


def write_me(w: Writer, text: Text, flock: FlockPlan) -> None:
    """Boid i, as rules are told of it."""
    motion, plan, f = flock.motion, text.plan, word(flock.flock)
    w.line(f"x, y, z = {load(text, 'XYZ', 'i')}")
    w.line(f"u, v, w = {load(text, 'UVW', 'i')}")
    w.line(
        "me = Me(x, y, z, u, v, w, math.sqrt(u * u + v * v + w * w), "
        f"ids[i] - first_{f}, time, P[{dt_slot(plan)}], "
        f"P[{motion.fields['max_speed']}], P[{motion.fields['max_force']}], "
        f"real(size_{f}), {text.dims})"
    )
