"""Settle: the kernel that ends a step of a model whose forces are looked at more than once a step.

Such a model's other kernels move nobody: they write the acceleration of each boid where its next
velocity would stand (see write_boid). engine/integrators.py makes of several of them the one that
holds for the step.
"""

from __future__ import annotations

from murmurate.codegen.boid import write_me
from murmurate.codegen.kernel_text import AXES, Text, arguments, arrays, borrow, packed, word
from murmurate.codegen.steering import motion_of
from murmurate.codegen.writer import Writer


def write_settle(w: Writer, text: Text) -> None:
    """settle: boids in slots first..last move on. Of `pushes`, rows 0, 1, ... are the acceleration,
    the rows behind them the velocity to move with."""
    given = f"pushes, {arguments(text)}"
    with w.block(f"@kernel\ndef settle(first, last, {given}):"):
        borrow(w, given)
        arrays(w, text)
        for flock in text.plan.flocks:
            if not flock.last:
                continue
            f = word(flock.flock)
            _, turn = motion_of(text, flock)
            with w.block("for i in range(first, last):"):
                with w.block(f"if kinds[i] != {text.kind(flock.flock)}:"):
                    w.line("continue")
                with w.block("if timers[i] > 0:"):
                    w.line("for d in range(now.shape[0]): new[d, i] = now[d, i]")
                    w.line("new_timers[i] = timers[i] - 1")
                    w.line("continue")
                write_me(w, text, flock)
                w.line(f"its = {packed(flock.motion)}")
                force = [
                    f"its.mass * pushes[{k}, i]" if k < text.dims else "real(0.0)" for k in range(3)
                ]
                w.line(f"u, v, w = {turn}(its, me, {', '.join(force)})")
                way = [
                    f"pushes[{text.dims + k}, i]" if k < text.dims else "real(0.0)"
                    for k in range(3)
                ]
                w.line(
                    f"x, y, z, u, v, w, timer = move_{f}(P, me, real(u), real(v), real(w), "
                    f"{', '.join(way)}, table, lower, upper, step, key0, key1)"
                )
                w.line("new_timers[i] = timer")
                for k in range(text.dims):
                    w.line(f"new[{k}, i] = {AXES[k]}")
                    w.line(f"new[{k + text.dims}, i] = {'uvw'[k]}")
    w.line()
