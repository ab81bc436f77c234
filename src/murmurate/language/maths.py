"""Table of the functions of `math` that rules may call, and how each back end computes them.

Kernels have their own exp, log, pow, sin and cos (mathematics.py), so that the compiler can
vectorize loops that call them. For the others numba calls the C library. Pages have no C library
and use the functions of engines/wasm/plain_math.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from murmurate.language.tree import BOOL, INT, REAL, Tuple, Type


@dataclass(frozen=True)
class Maths:
    """A function of mathematics.

    name    name in Python's `math`
    takes   number of arguments
    result  type of the result
    costs   cost in square roots; 0 if it is negligible or was never measured
    own     name of murmurate's own function that kernels call instead, or ''
    page    form in a page: an 'instruction', a function in 'plain' arithmetic, 'inline' code of the
            compiler, or None
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
        """Name in LLVM's text, as C or LLVM writes it -> name in a page."""
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
        of("fmod", takes=2, rules=False),  # `%` compiles to it
    ]  # fmt: skip
    return {entry.name: entry for entry in number}


TABLE = _table()
RULES = tuple(entry.name for entry in TABLE.values() if entry.rules)
"""Functions that rules may call."""
OWN = tuple(entry.own for entry in TABLE.values() if entry.own)
"""Names of murmurate's own functions in kernels."""
IN_PAGES = tuple(entry.name for entry in TABLE.values() if entry.page in ("instruction", "plain"))
"""Functions for which pages have a function or an instruction."""
PLAIN = tuple(entry.name for entry in TABLE.values() if entry.page == "plain")
"""Functions that pages compute in plain arithmetic."""
SYMBOLS = {symbol: meant for entry in TABLE.values() for symbol, meant in entry.symbols.items()}
"""Name in LLVM's text -> name in a page."""
