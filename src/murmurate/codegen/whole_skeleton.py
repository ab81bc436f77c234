"""Kernels that need no cells: a stretch of slots for one stage, or many steps of a small model."""

from __future__ import annotations

from murmurate.codegen import kernel_functions
from murmurate.codegen.boid import write_boid
from murmurate.codegen.kernel_text import Text, arguments, arrays, borrow, word
from murmurate.codegen.writer import Writer


def write_whole(w: Writer, text: Text, stage: int) -> None:
    """whole_STAGE: the boids in slots first..last, of flocks that are not in cells."""
    plan, given = text.plan, arguments(text)
    with w.block(f"@kernel\ndef whole_{stage}(first, last, {given}):"):
        borrow(w, given)
        arrays(w, text)
        wrote = False
        for flock in plan.flocks:
            if flock.stage == stage and flock.flock not in plan.gridded:
                f = word(flock.flock)
                span = f"greater(first, begin_{f}), lesser(last, begin_{f} + size_{f})"
                with w.block(f"for i in range({span}):"):
                    write_boid(w, text, flock, "whole")
                wrote = True
        if not wrote:
            w.line("pass")
    w.line()


def write_run(w: Writer, text: Text) -> None:
    """run: many steps of a small model in one call, in any order of update."""
    plan, model = text.plan, text.plan.model
    given = arguments(text)
    many = given.replace("P, ", "many_P, ", 1).replace("totals, table", "totals, tables")
    with w.block(f"@kernel\ndef run(steps, turns, centre, limit, dt, {many}):"):
        if plan.gridded or plan.integrates:
            w.line("return 0, -1")
            w.line()
            return
        borrow(w, f"turns, centre, {many}")
        arrays(w, text)
        w.line(f"everyone = {' + '.join(f'size_{word(name)}' for name in plan.counts)}")
        with w.block("for s in range(steps):"):
            w.line("P, table = many_P[s], tables[s]")
            if model.order == "synchronous":
                for stage in range(plan.stages):
                    if any(s.how == "totals" for f in plan.flocks for s in f.senses):
                        _sum_totals(w, text)
                    w.line(f"whole_{stage}(0, everyone, {given})")
                    w.line("now, new = new, now")
                    w.line("timers, new_timers = new_timers, timers")
                    if "kept" in plan.extras:
                        w.line("kept, new_kept = new_kept, kept")
            else:
                _in_turn(w, text)
            w.line("step += 1")
            w.line("time = step * dt")
            stray = text.library.add(kernel_functions.stray, "stray", {}, "strict")
            w.line(f"lost = {stray}(now, {text.dims}, 0, everyone, centre, limit)")
            with w.block("if lost >= 0:"):
                w.line("return s + 1, lost")
        w.line("return steps, -1")
    w.line()


def _sum_totals(w: Writer, text: Text) -> None:
    add_up = text.library.add(kernel_functions.add_up, "add_up", {}, "strict")
    for kind, name in enumerate(text.plan.counts):
        f = word(name)
        w.line(f"{add_up}(now, begin_{f}, begin_{f} + size_{f}, totals, {kind})")


def _in_turn(w: Writer, text: Text) -> None:
    """One by one: each boid writes over its own place, and those after it see that."""
    plan, model = text.plan, text.plan.model
    for stage in range(plan.stages):
        with w.block("for turn in range(everyone):"):
            w.line("i = turns[s, turn]" if model.order == "shuffled" else "i = turn")
            flocks = [f for f in plan.flocks if f.stage == stage]
            for flock in flocks:
                f = word(flock.flock)
                with w.block(f"if i >= begin_{f} and i < begin_{f} + size_{f}:"):
                    write_boid(w, text, flock, "whole")
            # `new` holds the answer for this boid; its velocity is seen at once
            rows = f"range({text.dims}, {2 * text.dims})"
            if stage < plan.stages - 1 or model.positions == "at-end":
                w.line(f"for d in {rows}: now[d, i] = new[d, i]")
            else:
                w.line(f"for d in range({2 * text.dims}): now[d, i] = new[d, i]")
            w.line("timers[i] = new_timers[i]")
            if "kept" in plan.extras:
                w.line("for d in range(3): kept[d, i] = new_kept[d, i]")
    if model.positions == "at-end":
        with w.block(f"for d in range({text.dims}):"):
            w.line("for i in range(everyone): now[d, i] = new[d, i]")
