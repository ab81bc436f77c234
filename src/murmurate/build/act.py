"""Act: what one boid does once its sums are known: steering, motion, the next place."""

from __future__ import annotations

from typing import Any

from murmurate.build import prelude, source
from murmurate.build.phrases import AXES, Text, packed, sums, word
from murmurate.build.plan import FlockPlan, RulePlan, perching_slot, purpose
from murmurate.build.write import Writer
from murmurate.model.motion import Motion
from murmurate.rules import vectors


def write_act(w: Writer, text: Text, flock: FlockPlan) -> None:
    """act_FLOCK_STAGE: sums -> the next velocity."""
    name = f"act_{word(flock.flock)}_{flock.stage}"
    given = "".join(f", {sums(rule)}" for rule in flock.rules if rule.sums)
    limited = text.library.add(vectors.limited, "limited", {})
    with w.block(f"@rule\ndef {name}(P, me, step, key0, key1{given}):"):
        w.line("ax, ay, az = real(0.0), real(0.0), real(0.0)")
        if flock.rules and _priority(text, flock):
            w.line("left = me.max_force")
        for rule in flock.rules:
            _steer(w, text, flock, rule, limited)
        motion = _motion(text, flock)
        cls: Any = type(motion)
        turn = text.library.add(cls.turn, f"{flock.motion.name}_turn", flock.motion.words)
        if not flock.rules and (not flock.last or text.plan.model.moved_by(flock.flock)):
            w.line("return me.u, me.v, me.w")
        else:
            w.line(f"u, v, w = {turn}({packed(flock.motion)}, me, ax, ay, az)")
            w.line(
                "return real(u), real(v), real(w)"
                if text.dims == 3
                else "return real(u), real(v), real(0.0)"
            )
    w.line()


def _steer(w: Writer, text: Text, flock: FlockPlan, rule: RulePlan, limited: str) -> None:
    """One rule's steering, limited, weighted, and put to the others."""
    cls, numbers = type(rule.rule), rule.numbers
    its = numbers.name
    w.line(f"{its} = {packed(numbers)}")
    calls = []
    if rule.sums:
        finish = text.library.add(cls.finish, f"{numbers.name}_finish", numbers.words)
        calls.append(f"{finish}({its}, {sums(rule)}, me)")
    if hasattr(cls, "alone"):
        alone = text.library.add(cls.alone, f"{numbers.name}_alone", numbers.words)
        random = ""
        if "random" in source.arguments(cls.alone):
            philox = text.library.add(prelude.philox, "philox", {}, "plain")
            w.line(f"b0, b1, b2, b3 = {philox}(me.index, step, {rule.purpose}, key0, key1)")
            parts = (f"real(np.int64(b{k} >> np.uint64(8))) * real(2.0**-24)" for k in range(4))
            w.line(f"random = Random({', '.join(parts)})")
            random = ", random"
        calls.append(f"{alone}({its}, me{random})")
    for k, call in enumerate(calls):
        w.line(f"x, y, z = {call}")
        if k:
            w.line("x, y, z = x + px, y + py, z + pz")
        if k < len(calls) - 1:
            w.line("px, py, pz = x, y, z")
    z = "real(z)" if text.dims == 3 else "real(0.0)"  # a rule of chance draws three numbers
    w.line(f"x, y, z = {limited}(real(x), real(y), {z}, {its}.limit)")
    if _priority(text, flock):
        w.line(f"x, y, z = {its}.weight * x, {its}.weight * y, {its}.weight * z")
        w.line("length = math.sqrt(x * x + y * y + z * z)")
        w.line(f"x, y, z = {limited}(x, y, z, left)")
        w.line("left = greater(real(0.0), left - length)")
        w.line("ax, ay, az = ax + x, ay + y, az + z")
    else:
        w.line(f"k = {its}.weight")
        w.line("ax, ay, az = ax + k * x, ay + k * y, az + k * z")


def _priority(text: Text, flock: FlockPlan) -> bool:
    return text.plan.model.flocks[flock.flock].combine == "priority"


def _motion(text: Text, flock: FlockPlan) -> Motion:
    return text.plan.model.flocks[flock.flock].motion


def write_move(w: Writer, text: Text, flock: FlockPlan) -> None:
    """move_FLOCK: the next velocity -> the next place, past obstacles and faces, and the time on
    the ground."""
    space, dims = text.plan.model.space, text.dims
    perching = text.plan.model.flocks[flock.flock].perching
    with w.block(
        f"@plain\ndef move_{word(flock.flock)}"
        "(P, me, u, v, w, table, lower, upper, step, key0, key1):"
    ):
        if text.plan.model.obstacles:
            held = text.library.add(prelude.held_out, "held_out", {}, "plain")
            sides = ", ".join(
                f"upper[{k}] - lower[{k}]" if k < dims and space.periodic[k] else "real(0.0)"
                for k in range(3)
            )
            w.line(f"x, y, z, u, v, w = {held}(table, me.x, me.y, me.z, u, v, w, me.dt, {sides})")
        else:
            w.line("x, y, z = me.x + u * me.dt, me.y + v * me.dt, me.z + w * me.dt")
        for k, boundary in enumerate(space.boundaries):
            c, u = AXES[k], "uvw"[k]
            if boundary == "periodic":
                wrap = text.library.add(prelude.wrapped, "wrapped", {}, "plain")
                w.line(f"{c} = {wrap}({c}, lower[{k}], upper[{k}])")
            elif boundary == "reflecting":
                bounce = text.library.add(prelude.bounced, "bounced", {}, "plain")
                w.line(f"{c}, {u} = {bounce}({c}, {u}, lower[{k}], upper[{k}])")
            elif boundary == "held":
                w.line(f"{c} = held({c}, lower[{k}], upper[{k}])")
        w.line("timer = np.int32(0)")
        if perching:
            philox = text.library.add(prelude.philox, "philox", {}, "plain")
            slot, c = perching_slot(text.plan, flock.flock), AXES[dims - 1]
            ground, shortest, longest = (f"P[{slot + k}]" for k in range(3))
            with w.block(f"if {c} < {ground}:"):
                w.line(f"{c} = {ground}")
                w.line(
                    f"b0, b1, b2, b3 = {philox}(me.index, step, "
                    f"{purpose(flock.flock, 'perching')}, key0, key1)"
                )
                w.line(
                    f"timer = np.int32({shortest}) + np.int32("
                    f"np.int64(b0 >> np.uint64(8)) * np.int64({longest} - {shortest} + 1) >> 24)"
                )
        w.line("return real(x), real(y), real(z), real(u), real(v), real(w), timer")
    w.line()
