"""Random functions of rules in the language of formulas."""

from __future__ import annotations

import random

REALS = ["other.dx", "other.dy", "other.distance", "other.u", "me.x", "me.v", "me.speed",
         "self.radius", "0.5", "2", "1.75", "3e-3", "me.flock_size"]  # fmt: skip
WHOLES = [
    "me.index",
    "me.dims",
    "int({r})",
    "round({r})",
    "math.floor({r})",
    "math.ceil({r})",
    "math.trunc({r})",
]
UNARY = ["sin", "cos", "exp", "log", "sqrt", "fabs", "tanh", "atan", "tan", "log1p", "expm1",
         "exp2", "log2", "log10", "cosh", "sinh", "asinh", "acos", "asin", "degrees",
         "radians"]  # fmt: skip
BINARY = ["atan2", "hypot", "copysign", "pow"]
COMPARE = ["<", "<=", ">", ">=", "==", "!="]


class Formulas:
    """Writes functions at random: every piece of the language that computes."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.variables: list[str] = []
        self.inside = False  # the helper

    def text(self) -> str:
        self.variables, self.inside = [], False
        lines = ["def pair(self, me, other):", *self.block(3, 1)]
        returned = ", ".join(self.number(3) for _ in range(4))
        lines += [f"    return {returned}", "", "def helper(a, b):"]
        self.variables, self.inside = ["a", "b"], True
        lines += [f"    if {self.test(1)}:", f"        b = {self.real(1)}"]
        return "\n".join([*lines, f"    return a + b, {self.number(1)}"]) + "\n"

    def one_of(self, forms: list[str]) -> str:
        """A form; in the helper one without the arguments of pair and without a call of itself."""
        outside = ("me.", "other.", "self.", "helper(")
        allowed = [f for f in forms if not (self.inside and any(word in f for word in outside))]
        return self.random.choice(allowed)

    def block(self, count: int, depth: int) -> list[str]:
        indent = "    " * depth
        lines: list[str] = []
        for _ in range(count):
            match self.random.randrange(5):
                case 0 if depth < 3:
                    known = list(self.variables)
                    lines += [f"{indent}if {self.test(2)}:", *self.block(2, depth + 1)]
                    self.variables = list(known)
                    word = f"elif {self.test(1)}:" if self.random.random() < 0.4 else "else:"
                    lines += [f"{indent}{word}", *self.block(1, depth + 1)]
                    self.variables = known
                case 1:
                    lines.append(f"{indent}p, q = helper({self.real(1)}, {self.number(1)})")
                    self.variables += ["p", "q"]
                case 2 if self.variables:
                    name = self.random.choice(self.variables)
                    sign = self.random.choice("+-*/%")
                    lines.append(f"{indent}{name} {sign}= {self.number(2)}")
                case _:
                    name = self.random.choice("abcd")
                    lines.append(f"{indent}{name} = {self.number(3)}")
                    self.variables.append(name)
        return lines

    def number(self, depth: int) -> str:
        return self.whole(depth) if self.random.random() < 0.25 else self.real(depth)

    def whole(self, depth: int) -> str:
        simple = self.one_of(WHOLES).format(r=self.real(max(0, depth - 1)))
        if depth <= 0 or self.random.random() < 0.4:
            return simple
        a, b = self.whole(depth - 1), self.whole(depth - 1)
        form = self.random.choice(
            ["({a} + {b})", "({a} * {b})", "({a} // {b})", "({a} % {b})", "-{a}", "min({a}, {b})",
             "abs({a} - {b})", "({a} if {t} else {b})", "({t}) + {a}", "({a} or {b})"]
        )  # fmt: skip
        return form.format(a=a, b=b, t=self.test(depth - 1))

    def real(self, depth: int) -> str:
        if depth <= 0 or self.random.random() < 0.15:
            return self.one_of(REALS + self.variables * 2)
        a, b = self.number(depth - 1), self.real(depth - 1)
        form = self.one_of(
            ["({a} + {b})", "({b} - {a})", "({a} * {b})", "({a} / {b})", "({b} // {a})",
             "({b} % {a})", "-{b}", "{b} ** 2", "{b} ** 3", "{b} ** -1", "{b} ** 0.5",
             "{b} ** -2.5", "{b} ** {a}",
             "min({a}, {b}, 1)", "max({b}, {a})", "abs({b})", "({b} if {t} else {a})", "float({a})",
             "({b} and {a})", "pow({b}, {r})", "math.{f}({a})", "math.{f}({b})",
             "math.{g}({a}, {b})",
             "({a}, {b})[1]", "helper({a}, {b})[0]"]
        )  # fmt: skip
        f, g = self.random.choice(UNARY), self.random.choice(BINARY)
        return form.format(a=a, b=b, t=self.test(depth - 1), f=f, g=g, r=self.real(0))

    def test(self, depth: int) -> str:
        a, b = self.number(max(0, depth - 1)), self.number(max(0, depth - 1))
        sign, more = self.random.choice(COMPARE), self.random.choice(COMPARE)
        form = self.random.choice(
            ["{a} {s} {b}", "{a} {s} {b} {m} 1.5", "not {a} {s} {b}", "bool({a})",
             "math.isfinite({a})", "({a} {s} {b}) and {b}", "({a} {s} {b}) or math.isnan({b})",
             "({a} < {b}) == ({b} > 1)"]
        )  # fmt: skip
        return form.format(a=a, b=b, s=sign, m=more)
