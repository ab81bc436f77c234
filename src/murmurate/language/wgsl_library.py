"""Collect the functions of a WGSL text: methods of rules, their helpers, and mathematics.

The elementary functions are those of mathematics.py, printed like any other function, because those
of WGSL may be wrong by 2^-11 (sin, cos) or 2^-21 (log near 1): https://www.w3.org/TR/WGSL/, section
15.7.4. The others are written out in MORE with the same functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from murmurate.language import mathematics
from murmurate.language.expressions import INTRINSICS
from murmurate.language.library import Library
from murmurate.language.reader import Reader, Readings
from murmurate.language.tree import REAL, Call, Function
from murmurate.language.wgsl_loop import WgslLoop
from murmurate.language.wgsl_printer import WgslPrinter
from murmurate.language.wgsl_types import WgslTypes

RECORDS = {"self": "numbers", "me": "me", "other": "other", "arc": "arc",
           "random": "random", "herd": "herd", "state": "state"}  # fmt: skip
"""Argument of a method -> stem of its struct."""

PRIMITIVES = """
fn min2(a: f32, b: f32) -> f32 { return select(a, b, b < a); }
fn max2(a: f32, b: f32) -> f32 { return select(a, b, b > a); }
fn two_to(n: f32) -> f32 { return bitcast<f32>(u32(i32(n) + 127) << 23u); }
fn exponent_of(x: f32) -> f32 { return f32(i32((bitcast<u32>(x) >> 23u) & 0xffu) - 127); }
fn mantissa_of(x: f32) -> f32 {
  return bitcast<f32>((bitcast<u32>(x) & 0x7fffffu) | 0x3f800000u);
}
fn floor_div_real(a: f32, b: f32) -> f32 { return floor(a / b); }
fn modulo_real(a: f32, b: f32) -> f32 {
  let rest = a % b;
  return select(rest, rest + b, rest != 0.0f && (rest < 0.0f) != (b < 0.0f));
}
fn floor_div_int(a: i32, b: i32) -> i32 {
  if (b == 0i) { return 0i; }
  let part = a / b;
  return select(part, part - 1i, part * b != a && (a < 0i) != (b < 0i));
}
fn modulo_int(a: i32, b: i32) -> i32 {
  if (b == 0i) { return 0i; }
  let rest = a % b;
  return select(rest, rest + b, rest != 0i && (rest < 0i) != (b < 0i));
}
var<private> no_bits: u32;  // 0: WGSL has no infinite constants
fn infinity() -> f32 { return bitcast<f32>(0x7f800000u | no_bits); }
fn undefined() -> f32 { return bitcast<f32>(0x7fc00000u | no_bits); }
fn is_finite_real(x: f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u; }
fn isnan_real(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }
// Compilers may compute x - x as 0 and x / x as 1 even if x is not finite. Bits are not assumed.
fn undefined_if(wrong: bool, y: f32) -> f32 {
  return bitcast<f32>(select(bitcast<u32>(y), 0x7fc00000u, wrong && is_finite_real(y)));
}
fn infinite_if_either(a: f32, b: f32, y: f32) -> f32 {
  return undefined_if(!is_finite_real(a) || !is_finite_real(b), y);
}
fn sum_real(a: f32, b: f32) -> f32 { return infinite_if_either(a, b, a + b); }
fn difference_real(a: f32, b: f32) -> f32 { return infinite_if_either(a, b, a - b); }
fn product_real(a: f32, b: f32) -> f32 { return infinite_if_either(a, b, a * b); }
fn quotient_real(a: f32, b: f32) -> f32 {
  return undefined_if(!is_finite_real(a) || isnan_real(b) || b == 0.0f, a / b);
}
"""
"""Functions that every text has."""

MORE = {
    "copysign": """
fn copysign_real(size: f32, sign: f32) -> f32 {
  return bitcast<f32>((bitcast<u32>(size) & 0x7fffffffu) | (bitcast<u32>(sign) & 0x80000000u));
}""",
    "atan": """
fn atan_real(x: f32) -> f32 {
  // tan(a - pi/6) = (sqrt(3) t - 1) / (sqrt(3) + t) is at most 2 - sqrt(3): then Taylor's series
  var t = abs(x);
  let inverted = t > 1.0f;
  t = select(t, 1.0f / t, inverted);
  let turned = t > 0.26794919f;
  let r = select(t, (1.7320508f * t - 1.0f) / (1.7320508f + t), turned);
  let z = r * r;
  let q = 0.2f - z * (0.14285714f - z * (0.11111111f - z * 0.09090909f));
  let p = r - r * z * (0.33333333f - z * q);
  var y = select(p, 0.52359878f + p, turned);
  y = select(y, 1.5707964f - y, inverted);
  return copysign_real(y, x);
}""",
    "atan2": """
fn atan2_real(y: f32, x: f32) -> f32 {
  let a = abs(y);
  let b = abs(x);
  var angle = 0.0f;
  if (a > b) {
    angle = 1.5707964f - atan_real(b / a);
  } else if (b > 0.0f) {
    angle = atan_real(a / b);
  }
  let left = (bitcast<u32>(x) & 0x80000000u) != 0u;
  angle = undefined_if(isnan_real(x) || isnan_real(y), select(angle, 3.1415927f - angle, left));
  return copysign_real(angle, y);
}""",
    "asin": """
fn asin_real(x: f32) -> f32 { return atan2_real(x, sqrt((1.0f - x) * (1.0f + x))); }""",
    "acos": """
fn acos_real(x: f32) -> f32 { return atan2_real(sqrt((1.0f - x) * (1.0f + x)), x); }""",
    "tan": """
fn tan_real(x: f32) -> f32 { return sin_real(x) / cos_real(x); }""",
    "expm1": """
fn expm1_real(x: f32) -> f32 {
  let series = x * (1.0f + x * (0.5f + x * (0.16666667f + x * (0.041666667f + x * (0.0083333333f
    + x * (0.0013888889f + x * 0.00019841270f))))));
  return select(exp_real(x) - 1.0f, series, abs(x) < 0.35f);
}""",
    "log1p": """
fn log1p_real(x: f32) -> f32 {
  // Goldberg 1991, doi:10.1145/103162.103163, theorem 4
  let u = 1.0f + x;
  if (u == 1.0f) { return x; }
  return log_real(u) * (x / (u - 1.0f));
}""",
    "exp2": "\nfn exp2_real(x: f32) -> f32 { return exp_real(x * 0.69314718f); }",
    "log2": "\nfn log2_real(x: f32) -> f32 { return log_real(x) * 1.4426950f; }",
    "log10": "\nfn log10_real(x: f32) -> f32 { return log_real(x) * 0.43429448f; }",
    "sinh": """
fn sinh_real(x: f32) -> f32 {
  let a = abs(x);
  let half = exp_real(0.5f * a);
  let e = expm1_real(a);
  let y = select(0.5f * (e + e / (e + 1.0f)), (0.5f * half) * half, a > 80.0f);
  return copysign_real(y, x);
}""",
    "cosh": """
fn cosh_real(x: f32) -> f32 {
  let half = exp_real(0.5f * abs(x));
  return 0.5f * half * half + 0.5f / half / half;
}""",
    "tanh": """
fn tanh_real(x: f32) -> f32 {
  let e = expm1_real(2.0f * min2(abs(x), 20.0f));
  return copysign_real(e / (e + 2.0f), x);
}""",
    "asinh": """
fn asinh_real(x: f32) -> f32 {
  let a = abs(x);
  let small = log1p_real(a + a * a / (1.0f + sqrt(a * a + 1.0f)));
  return copysign_real(select(small, log_real(a) + 0.69314718f, a > 1e15f), x);
}""",
    "acosh": """
fn acosh_real(x: f32) -> f32 {
  let t = x - 1.0f;
  return select(log1p_real(t + sqrt(2.0f * t + t * t)), log_real(x) + 0.69314718f, x > 1e15f);
}""",
    "atanh": """
fn atanh_real(x: f32) -> f32 {
  let a = abs(x);
  return copysign_real(0.5f * log1p_real(2.0f * a / (1.0f - a)), x);
}""",
    "hypot": """
fn hypot_real(x: f32, y: f32) -> f32 {
  let a = max(abs(x), abs(y));
  let b = min(abs(x), abs(y));
  if (a == 0.0f) { return 0.0f; }
  let r = b / a;
  return infinite_if_either(x, y, a * sqrt(1.0f + r * r));
}""",
    "degrees": "\nfn degrees_real(x: f32) -> f32 { return x * 57.295780f; }",
    "radians": "\nfn radians_real(x: f32) -> f32 { return x * 0.017453293f; }",
    "isfinite": "\nfn isfinite_real(x: f32) -> bool { return is_finite_real(x); }",
    "isinf": """
fn isinf_real(x: f32) -> bool { return !is_finite_real(x) && !isnan_real(x); }""",
}
"""Name in `math` -> its text, with other functions of this table and of mathematics.py."""


@dataclass
class WgslLibrary(Library):
    """The functions of a WGSL text: see Library.

    types   types of the text
    called  names in `math` that the functions call and that WGSL does not have
    named   trees of the functions that have names in the text
    """

    types: WgslTypes = field(default_factory=lambda: WgslTypes(RECORDS))
    called: set[str] = field(default_factory=set)
    named: dict[Function, str] = field(default_factory=dict)

    def add(
        self, tree: Function, role: str, owner: str, words: object = (), how: str = "rule"
    ) -> str:
        """Add a function for the types of its arguments; return its name: see Library.add."""
        if tree not in self.named:
            types = tuple(tree.arguments.values())
            self.named[tree] = super().add(tree, role, owner, (words, types), how)
        return self.named[tree]

    def add_open(self, tree: Function, role: str, owner: str) -> str:
        """Add a function that a page replaces; return its name. Others may have its text."""
        self.named[tree] = name = self.names.of(role, owner, key=tree)
        self.texts[name] = WgslPrinter(tree, lambda call: "", self.types).text(name)
        return name

    def _print(self, tree: Function, name: str, how: str, real: str = "real") -> str:
        """Print a function under a name; return the name of the first function of the same text.

        how  'loop' for a function that calls long ones: see wgsl_loop.py
        """
        self.texts[name] = ""  # its position: before the helpers that it calls

        def name_of_call(call: Call) -> str:
            assert call.callee is not None
            if call.function.__module__ == INTRINSICS:
                return call.function.__name__
            return self.add(call.callee, "helper", call.function.__name__)

        printer = (WgslLoop if how == "loop" else WgslPrinter)(tree, name_of_call, self.types)
        text = printer.text(name)
        twin = self._twins.setdefault(text.replace(f"fn {name}(", "fn (", 1), name)
        if twin != name:
            del self.texts[name]
            return twin
        self.texts[name], self.trees[name] = text, tree
        self.called |= printer.mathematics
        return name

    def text(self) -> str:
        """Return types, mathematics and all functions."""
        parts = [self.types.declarations(), PRIMITIVES.strip(), elementary_text()]
        parts += [text.strip() for name, text in MORE.items() if name in _needed(self.called)]
        return "\n\n".join([*parts, *self.texts.values()])


def _needed(called: set[str]) -> set[str]:
    """Return the functions of MORE that some functions need, themselves included."""
    needed, names = set(), set(called) & MORE.keys()
    while names:
        needed |= names
        names = {k for k in MORE for name in names if f"{k}_real(" in MORE[name]} - needed
    return needed


@lru_cache(maxsize=1)
def elementary_text() -> str:
    """Return the exponential, logarithm, power, sine and cosine as WGSL."""
    exp, log, turned = (
        mathematics.exp_of(True),
        mathematics.log_of(True),
        mathematics.turned_of(True),
    )
    functions: dict[str, Callable[..., Any]] = {
        "exp_real": exp, "log_real": log, "pow_real": mathematics.pow_of(exp, log),
        "turned": turned, "sin_real": mathematics.sin_of(turned),
        "cos_real": mathematics.cos_of(turned),
    }  # fmt: skip
    names: Mapping[Callable[..., Any], str] = {
        **{function: name for name, function in functions.items()},
        **{function: name for name, function in mathematics.PRIMITIVES.items()},
        mathematics.double: "",
    }
    texts = []
    for name, function in functions.items():
        count = function.__code__.co_argcount
        tree = Reader(Readings(), function, [REAL] * count, kernels=True).read()
        tree.result = REAL
        printer = WgslPrinter(tree, lambda call: names[call.function], WgslTypes(), names)
        texts.append(printer.text(name))
    return "\n\n".join(texts)
