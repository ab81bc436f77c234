"""Act: what one boid does once its sums are known: steering, motion, the next place."""

from __future__ import annotations

from typing import Any

from murmurate.codegen import function_text, kernel_functions
from murmurate.codegen.kernel_text import AXES, Text, packed, sums, word
from murmurate.codegen.plan import FlockPlan, RulePlan, perching_slot, purpose
from murmurate.codegen.writer import Writer
from murmurate.model.motion import Motion
from murmurate.rules import vectors


def write_act(w: Writer, text: Text, flock: FlockPlan) -> None:
    """act_FLOCK_STAGE: sums -> the next velocity."""
    name = f"act_{word(flock.flock)}_{flock.stage}"
    given = "".join(f", {sums(rule)}" for rule in flock.rules if rule.sums)
    cls, turn = motion_of(text, flock)
    if flock.keeps:
        given = f", mine{given}"
    with w.block(f"@rule\ndef {name}(P, me, step, key0, key1{given}):"):
        w.line("ax, ay, az = real(0.0), real(0.0), real(0.0)")
        _combine(w, text, flock)
        if text.plan.integrates:
            _accelerate(w, text, flock)
        elif not flock.rules and (not flock.last or text.plan.model.moved_by(flock.flock)):
            w.line("return me.u, me.v, me.w" + (", mine.a, mine.b, mine.c" if flock.keeps else ""))
        else:
            random = ""
            if "random" in function_text.arguments(cls.turn):
                _draw(w, text, purpose(flock.flock, f"motion/{flock.stage}"))
                random = ", random"
            result = "u, v, w"
            if flock.keeps:
                result, random = "u, v, w, a, b, c", f"{random}, mine"
            w.line(f"{result} = {turn}({packed(flock.motion)}, me, ax, ay, az{random})")
            third = "real(w)" if text.dims == 3 else "real(0.0)"
            kept = ", real(a), real(b), real(c)" if flock.keeps else ""
            w.line(f"return real(u), real(v), {third}{kept}")
    w.line()


def _accelerate(w: Writer, text: Text, flock: FlockPlan) -> None:
    """The steering as an acceleration, where the step's velocity is made of several of them."""
    limited = text.library.add(vectors.limited, "limited", {})
    w.line(f"its = {packed(flock.motion)}")
    w.line(f"ax, ay, az = {limited}(ax, ay, az, its.max_force)")
    third = "real(az / its.mass)" if text.dims == 3 else "real(0.0)"
    w.line(f"return real(ax / its.mass), real(ay / its.mass), {third}")


def _combine(w: Writer, text: Text, flock: FlockPlan) -> None:
    """All rules' vectors -> ax, ay, az."""
    how = text.plan.model.flocks[flock.flock].combine
    if flock.rules and how == "priority":
        w.line("left = me.max_force")
    loud = sorted({rule.rule.level for rule in flock.rules} - {0}) if how == "levels" else []
    for rule in flock.rules:
        if not loud or rule.rule.level == 0:
            _steer(w, text, rule)
            _put(w, text, how)
    # the levels in ascending order: each that says anything takes the place of those before it
    for position, level in enumerate(loud):
        w.line("lx, ly, lz = real(0.0), real(0.0), real(0.0)")
        rules = [rule for rule in flock.rules if rule.rule.level == level]
        wakes = any(rule.rule.wakes for rule in rules)
        if wakes:
            w.line("awake = False")
        for rule in rules:
            _steer(w, text, rule)
            w.line("lx, ly, lz = lx + k * x, ly + k * y, lz + k * z")
            if rule.rule.wakes:
                w.line("awake = awake or k * k * (x * x + y * y + z * z) > real(0.0)")
        if position == 0 and not wakes:
            w.line("hx, hy, hz = lx, ly, lz")
        else:
            if position == 0:
                w.line("hx, hy, hz = real(0.0), real(0.0), real(0.0)")
            heard = "awake and " if wakes else ""
            with w.block(f"if {heard}lx * lx + ly * ly + lz * lz > real(0.0):"):
                w.line("hx, hy, hz = lx, ly, lz")
    if loud:
        w.line("ax, ay, az = ax + hx, ay + hy, az + hz")


def _put(w: Writer, text: Text, how: str) -> None:
    """One rule's vector to the others."""
    if how == "priority":
        limited = text.library.add(vectors.limited, "limited", {})
        w.line("x, y, z = k * x, k * y, k * z")
        w.line("length = math.sqrt(x * x + y * y + z * z)")
        w.line(f"x, y, z = {limited}(x, y, z, left)")
        w.line("left = greater(real(0.0), left - length)")
        w.line("ax, ay, az = ax + x, ay + y, az + z")
    else:
        w.line("ax, ay, az = ax + k * x, ay + k * y, az + k * z")


def _steer(w: Writer, text: Text, rule: RulePlan) -> None:
    """One rule's vector x, y, z, limited, and its weight k."""
    cls, numbers = type(rule.rule), rule.numbers
    its = numbers.name
    w.line(f"{its} = {packed(numbers)}")
    ways = [way for way in ("finish", "alone") if way == "alone" or rule.sums]
    ways = [way for way in ways if hasattr(cls, way)]
    chance = {way for way in ways if "random" in function_text.arguments(getattr(cls, way))}
    if chance:
        _draw(w, text, rule.purpose)
    for k, way in enumerate(ways):
        function = text.library.add(getattr(cls, way), f"{its}_{way}", numbers.words)
        given = f"{sums(rule)}, me" if way == "finish" else "me"
        more = ", random" if way in chance else ""
        if way == "finish" and rule.herd >= 0:
            _herd(w, text, rule.herd)
            more += ", herd"
        w.line(f"x, y, z = {function}({its}, {given}{more})")
        if k:
            w.line("x, y, z = x + px, y + py, z + pz")
        if k < len(ways) - 1:
            w.line("px, py, pz = x, y, z")
    z = "real(z)" if text.dims == 3 else "real(0.0)"  # a rule of chance draws three numbers
    limited = text.library.add(vectors.limited, "limited", {})
    if rule.rule.normalise:
        unit = text.library.add(vectors.unit, "unit", {})
        w.line(f"x, y, z = {unit}(real(x), real(y), {z})")
        w.line(f"x, y, z = {limited}(x, y, z, {its}.limit)")
    else:
        w.line(f"x, y, z = {limited}(real(x), real(y), {z}, {its}.limit)")
    w.line(f"k = {its}.weight")


def _herd(w: Writer, text: Text, slot: int) -> None:
    """What the rule is told of the herd, as seen from the boid."""
    ways = []
    for k in range(6):
        axis = k % 3
        if axis >= text.dims:
            ways.append("real(0.0)")
            continue
        w.line(f"h{k} = P[{slot + k}] - me.{AXES[axis]}")
        if text.periodic[axis]:
            side = f"P[{slot + 8 + axis}]"
            w.line(f"h{k} = real(h{k} - {side} * math.floor(h{k} / {side} + real(0.5)))")
        ways.append(f"h{k}")
    w.line(f"herd = Herd(P[{slot + 7}], {', '.join(ways)}, P[{slot + 6}])")


def _draw(w: Writer, text: Text, number: int) -> None:
    """Four random numbers, by the law: f(seed, step, boid, purpose)."""
    philox = text.library.add(kernel_functions.philox, "philox", {}, "plain")
    w.line(f"b0, b1, b2, b3 = {philox}(me.index, step, {number}, key0, key1)")
    parts = (f"real(np.int64(b{k} >> np.uint64(8))) * real(2.0**-24)" for k in range(4))
    w.line(f"random = Random({', '.join(parts)})")


def motion_of(text: Text, flock: FlockPlan) -> tuple[Any, str]:
    """The class of a flock's motion, and the name of its function in the text."""
    cls: Any = type(_motion(text, flock))
    return cls, text.library.add(cls.turn, f"{flock.motion.name}_turn", flock.motion.words)


def _motion(text: Text, flock: FlockPlan) -> Motion:
    return text.plan.model.flocks[flock.flock].motion


def write_move(w: Writer, text: Text, flock: FlockPlan) -> None:
    """move_FLOCK: the next velocity -> the next place, past obstacles and faces, and the time on
    the ground."""
    space, dims = text.plan.model.space, text.dims
    perching = text.plan.model.flocks[flock.flock].perching
    old = _motion(text, flock).advance == "old"
    way = "me.u, me.v, me.w" if old else "u, v, w"
    if text.plan.integrates:  # it is told the velocity to move with, beside the one it will have
        old, way = True, "a, b, c"
    given = "u, v, w, a, b, c" if text.plan.integrates else "u, v, w"
    with w.block(
        f"@plain\ndef move_{word(flock.flock)}"
        f"(P, me, {given}, table, lower, upper, step, key0, key1):"
    ):
        if text.plan.model.obstacles:
            held = text.library.add(kernel_functions.held_out, "held_out", {}, "plain")
            sides = ", ".join(
                f"upper[{k}] - lower[{k}]" if k < dims and space.periodic[k] else "real(0.0)"
                for k in range(3)
            )
            out = "x, y, z, _, _, _" if old else "x, y, z, u, v, w"
            w.line(f"{out} = {held}(table, me.x, me.y, me.z, {way}, me.dt, {sides})")
        else:
            w.line(f"a, b, c = {way}")
            w.line("x, y, z = me.x + a * me.dt, me.y + b * me.dt, me.z + c * me.dt")
        for k, boundary in enumerate(space.boundaries):
            c, u = AXES[k], "uvw"[k]
            if boundary == "periodic":
                wrap = text.library.add(kernel_functions.wrapped, "wrapped", {}, "plain")
                w.line(f"{c} = {wrap}({c}, lower[{k}], upper[{k}])")
            elif boundary == "reflecting":
                bounce = text.library.add(kernel_functions.bounced, "bounced", {}, "plain")
                w.line(f"{c}, {u} = {bounce}({c}, {u}, lower[{k}], upper[{k}])")
            elif boundary == "held":
                w.line(f"{c} = held({c}, lower[{k}], upper[{k}])")
        w.line("timer = np.int32(0)")
        if perching:
            philox = text.library.add(kernel_functions.philox, "philox", {}, "plain")
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
