"""The functions of `math` that rules may call, and what each back end has for them: one table.

Kernels have their own exp, log, pow, sin and cos (mathematics.py), so that loops over boids that
call them run in vectors. For the others numba calls the C library, and a page, which has none, has
the functions of engines/wasm/plain_math.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from murmurate.language.tree import BOOL, INT, REAL, Tuple, Type


@dataclass(frozen=True)
class Maths:
    """A function of mathematics.

    name    as in Python's `math`
    takes   how many numbers
    result  what it gives
    costs   what it takes to compute it, in square roots: functions that are as good as free, or
            whose cost was never measured, are 0
    own     the name of murmurate's own function in kernels, where it is called instead
    page    what a page has: an 'instruction', a function in 'plain' arithmetic, what the compiler
            writes 'inline', or None
    rules   whether rules may call it
    """

    name: str
    takes: int = 1
    result: Type = REAL
    costs: int = 0
    own: str = ""
    page: Literal["instruction", "plain", "inline"] | None = "plain"
    rules: bool = True

    @property
    def symbols(self) -> dict[str, str]:
        """Names of it in LLVM's text, as C and LLVM call it -> what a page has in its place."""
        if self.page not in ("instruction", "plain"):
            return {}
        home = "llvm" if self.page == "instruction" else "plain"
        names = {"f32": [f"{self.name}f"], "f64": [self.name]}
        return {
            name: f"{home}.{self.name}.{kind}"
            for kind, own in names.items()
            for name in (*own, f"llvm.{self.name}.{kind}", f"plain.{self.name}.{kind}")
        }


def _table() -> dict[str, Maths]:
    of = Maths
    number = [
        of("acos", costs=8), of("acosh"), of("asin", costs=8), of("asinh"), of("atan", costs=8),
        of("atan2", takes=2, costs=8), of("atanh"), of("ceil", result=INT, page="instruction"),
        of("copysign", takes=2, page="instruction"), of("cos", costs=8, own="cos_real"),
        of("cosh"), of("degrees", page="inline"), of("erf", page=None), of("erfc", page=None),
        of("exp", costs=8, own="exp_real"), of("exp2"), of("expm1"),
        of("fabs", page="instruction"), of("floor", result=INT, page="instruction"),
        of("frexp", result=Tuple((REAL, INT)), page=None), of("gamma", page=None),
        of("gcd", takes=2, result=INT, page="inline"), of("hypot", takes=2),
        of("isfinite", result=BOOL, page="inline"), of("isinf", result=BOOL, page="inline"),
        of("isnan", result=BOOL, page="inline"), of("ldexp", takes=2, page=None),
        of("lgamma", page=None), of("log", costs=8, own="log_real"), of("log10"), of("log1p"),
        of("log2"), of("nextafter", takes=2, page=None),
        of("pow", takes=2, costs=8, own="pow_real"), of("radians", page="inline"),
        of("sin", costs=8, own="sin_real"), of("sinh"), of("sqrt", costs=1, page="instruction"),
        of("tan"), of("tanh"), of("trunc", result=INT, page="instruction"),
        of("fmod", takes=2, rules=False),  # what `%` is made of
    ]  # fmt: skip
    return {one.name: one for one in number}


TABLE = _table()
RULES = tuple(one.name for one in TABLE.values() if one.rules)
"""What rules may call."""
OWN = tuple(one.own for one in TABLE.values() if one.own)
"""The names in kernels of murmurate's own functions."""
IN_PAGES = tuple(one.name for one in TABLE.values() if one.page in ("instruction", "plain"))
"""What pages have functions or instructions for."""
PLAIN = tuple(one.name for one in TABLE.values() if one.page == "plain")
"""What is in plain arithmetic in pages."""
SYMBOLS = {symbol: meant for one in TABLE.values() for symbol, meant in one.symbols.items()}
"""Names in LLVM's text -> what a page has in their place."""
