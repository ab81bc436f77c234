"""Sense: the loops over neighbours that fill a boid's sums, rule by rule."""

from __future__ import annotations

from murmurate.codegen import kernel_functions
from murmurate.codegen.kernel_text import AXES, Text, load, other, rows, sums, word
from murmurate.codegen.plan import FlockPlan, RulePlan
from murmurate.codegen.writer import Writer


def add(w: Writer, text: Text, rule: RulePlan, mask: str) -> None:
    """Adds what `other` gives to a rule's sums, where the mask holds."""
    pair = text.library.add(
        type(rule.rule).pair,
        f"{rule.numbers.name}_pair",
        rule.numbers.words,
    )
    given = f"add_{word(rule.name)}"
    w.line(f"{given} = {pair}({rule.numbers.name}, me, other)")
    finite = type(rule.rule).finite_everywhere
    if mask and finite:
        w.line(f"one = real(1.0) if {mask} else real(0.0)")
    for k in range(rule.sums):
        value = f"real({given}[{k}])"
        if mask and finite:
            value = f"one * {value}"
        elif mask:
            value = f"({value} if {mask} else real(0.0))"
        w.line(f"{sums(rule)}_{k} += {value}")


def _mask(rule: RulePlan, *more: str) -> str:
    """The condition that a rule senses `other`."""
    parts = [m for m in more if m]
    parts.append(f"(r2 <= reach_{word(rule.name)})")
    if rule.annulus:
        parts.append(f"(r2 > inner_{word(rule.name)})")
    if rule.cone >= 0:
        parts.append(f"(ahead * abs(ahead) >= cone_{word(rule.name)} * r2)")
    return " & ".join(parts)


def ahead(w: Writer, rules: list[RulePlan]) -> None:
    if any(rule.cone >= 0 for rule in rules):
        w.line("ahead = dx * u + dy * v + dz * w")


def masked(w: Writer, text: Text, rules: list[RulePlan], *more: str) -> None:
    """Adds what `other` gives to each rule's sums, if the rule senses it."""
    for rule in rules:
        w.line(f"seen = {_mask(rule, *more)}")
        add(w, text, rule, "seen")


def _swept(flock: FlockPlan, how: str, sensed: str) -> list[RulePlan]:
    return [
        s.rule for s in flock.senses if s.how == how and s.flock == sensed and not s.rule.nearest
    ]


def told(text: Text, flock: FlockPlan) -> str:
    """The array of what a flock knows of others, where that is not how they are now; else ''."""
    if flock.flock not in text.plan.told:
        return ""
    return f"told[{text.plan.told.index(flock.flock)}]"


def is_kind(text: Text, sensed: str) -> str:
    """The condition that picks a flock's boids among the slots that are swept for it."""
    several = sensed in text.plan.gridded and len(text.plan.gridded) > 1
    return f"(kinds[j] == {text.kind(sensed)})" if several else ""


def sweep_whole(w: Writer, text: Text, flock: FlockPlan) -> None:
    """All boids of a flock, one after the other."""
    for sensed in text.plan.counts:
        rules = _swept(flock, "whole", sensed)
        if not rules:
            continue
        f = word(sensed)
        late = told(text, flock)
        for k, c in enumerate(rows(text)):
            w.line(f"{c}s = window({f'{late}[{k}]' if late else c}, begin_{f})")
        if is_kind(text, sensed):
            w.line(f"kinds_s = window(kinds, begin_{f})")
        own = f"(np.int32(j) != np.int32(i - begin_{f}))" if sensed == flock.flock else ""
        kind = is_kind(text, sensed).replace("kinds", "kinds_s")
        with w.block(f"for j in range(swept_{f}):"):
            w.line(f"dx, dy, dz = {load(text, ['Xs', 'Ys', 'Zs'], 'j')}")
            w.line("dx, dy, dz = dx - x, dy - y, dz - z")
            for k in range(text.dims):
                if text.periodic[k]:
                    d = f"d{AXES[k]}"
                    w.line(f"{d} = {d} - side{k} if {d} > half{k} else {d}")
                    w.line(f"{d} = {d} + side{k} if {d} < -half{k} else {d}")
            velocity = load(text, ["Us", "Vs", "Ws"], "j")
            other(w, text, velocity)
            ahead(w, rules)
            masked(w, text, rules, own, kind)


def sweep_cells(w: Writer, text: Text, flock: FlockPlan) -> None:
    """The boids of the cells around, staged in the columns from `low` on."""
    cells = [s for s in flock.senses if s.how == "cells" and not s.rule.nearest]
    if not cells:
        return
    several = len(text.plan.gridded) > 1
    with w.block("for j in range(full):"):
        w.line(f"dx, dy, dz = {load(text, ['bx', 'by', 'bz'], 'j')}")
        w.line("dx, dy, dz = dx - x, dy - y, dz - z")
        other(w, text, load(text, ["bu", "bv", "bw"], "j"))
        ahead(w, [s.rule for s in cells])
        for sense in cells:
            kind = f"(bk[j] == {text.kind(sense.flock)})" if several else ""
            masked(w, text, [sense.rule], kind)


def totals(w: Writer, text: Text, flock: FlockPlan) -> None:
    """Everyone of a flock at once: the pair function at their mean, times their number."""
    for sense in flock.senses:
        if sense.how != "totals":
            continue
        kind, dims, f = text.kind(sense.flock), text.dims, word(sense.flock)
        its = sense.rule.rule
        without = sense.flock == flock.flock and not its.include_self
        w.line(f"n = size_{f} - 1" if without else f"n = size_{f}")
        means = []
        for k, c in enumerate("xyzuvw"):
            axis, row = k % 3, (k % 3) + (dims if k > 2 else 0)
            own = f" - {c}" if without else ""
            less = f" - {c}" if k < 3 else ""
            means.append(
                f"real((totals[{kind}, {row}]{own}) * each{less})" if axis < dims else "real(0.0)"
            )
        with w.block("if n > 0:"):
            w.line("each = 1.0 / n")
            w.line(f"dx, dy, dz = {', '.join(means[:3])}")
            other(w, text, ", ".join(means[3:]))
            pair = text.library.add(
                type(its).pair,
                f"{sense.rule.numbers.name}_pair",
                sense.rule.numbers.words,
            )
            given = f"add_{word(sense.rule.name)}"
            w.line(f"{given} = {pair}({sense.rule.numbers.name}, me, other)")
            for k in range(sense.rule.sums):
                w.line(f"{sums(sense.rule)}_{k} += real(n) * real({given}[{k}])")


def obstacles(w: Writer, text: Text, flock: FlockPlan) -> None:
    """Obstacles, each at its nearest surface point."""
    rules = [rule for rule in flock.rules if rule.obstacles]
    if not rules:
        return
    surface = text.library.add(kernel_functions.surface, "surface", {}, "plain")
    beside = text.library.add(kernel_functions.beside, "beside", {}, "plain")
    sides = ", ".join(
        f"side{k}" if k < text.dims and text.periodic[k] else "real(0.0)" for k in range(3)
    )
    for rule in rules:
        everything = len(rule.obstacles) == len(text.plan.model.obstacles)
        which = (
            "range(table.shape[0])" if everything else f"({', '.join(map(str, rule.obstacles))},)"
        )
        with w.block(f"for j in {which}:"):
            w.line(f"px, py, pz = {beside}(table[j], x, y, z, {sides})")
            w.line(f"dx, dy, dz, depth = {surface}(table[j], px, py, pz)")
            w.line("dx, dy, dz = real(dx), real(dy), real(dz)")
            other(w, text, "real(0.0), real(0.0), real(0.0)")
            ahead(w, [rule])
            masked(w, text, [rule])
