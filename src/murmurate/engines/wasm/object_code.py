"""Functions -> one WebAssembly object: lowered by numba, their mathematics replaced by plain
functions, and all of it optimised and translated by LLVM as for any other machine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from llvmlite import binding, ir
from numba import types

from murmurate.engines.wasm import plain_math
from murmurate.engines.wasm.target import Function, lowered, plain_decorated
from murmurate.errors import RuleError
from murmurate.language import maths

TRIPLE = "wasm32-unknown-unknown"
LAYOUT = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
# what browsers have since 2021 to 2023; no relaxed SIMD, whose results differ between machines
FEATURES = "+simd128,+bulk-memory,+bulk-memory-opt,+nontrapping-fptoint,+sign-ext,+mutable-globals"
REALS = {"f32": ir.FloatType(), "f64": ir.DoubleType()}
# arrays of kernels are counted by nobody
NOTHING = """
define void @NRT_incref(ptr %p) alwaysinline { ret void }
define void @NRT_decref(ptr %p) alwaysinline { ret void }
"""


def wasm_object(functions: Mapping[str, Any]) -> bytes:
    """The object that holds these functions of `wasm_jit`, which take and give an int64 each.

    Raises RuleError for a function that calls mathematics which no module has.
    """
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    word = types.int64
    needed: set[str] = set()
    parts = [NOTHING]
    for name, function in functions.items():
        parts += _with_c_call(name, lowered(function, (word,)), None)
    parts = [_with_plain_math(part, needed) for part in parts]
    for name in sorted(needed):
        parts += [_with_plain_math(part, set()) for part in _plain(name)]
    module = _linked(parts)
    module.verify()
    for value in [*module.functions, *module.global_variables]:
        if not value.is_declaration:
            value.linkage = "external" if value.name in functions else "internal"
    return _translated(module)


def _translated(module: Any) -> bytes:
    machine = binding.Target.from_triple(TRIPLE).create_target_machine(
        features=FEATURES, opt=3, reloc="static"
    )
    tuning = binding.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = tuning.loop_unrolling = True
    passes = binding.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(module, passes)
    for function in module.functions:
        if function.is_declaration and not function.name.startswith("llvm."):
            raise RuleError(
                f"a rule calls {function.name}, which WebAssembly has not: there are "
                f"{', '.join(sorted(maths.IN_PAGES))}"
            )
    return bytes(machine.emit_object(module))


def _linked(parts: Iterable[str]) -> Any:
    """One module of many, some of which hold the same functions."""
    module = None
    for part in parts:
        text = re.sub(r"(?m)^target .*\n", "", part)
        text = f'target datalayout = "{LAYOUT}"\ntarget triple = "{TRIPLE}"\n{text}'
        parsed = binding.parse_assembly(text)
        for function in parsed.functions:
            if not function.is_declaration:
                function.linkage = "weak_odr"
        if module is None:
            module = parsed
        else:
            module.link_in(parsed)
    return module


def _with_c_call(name: str, function: Function, real: Any) -> list[str]:
    """A lowered function, and one of that name that calls it and is called as C would.

    real  the type of its arguments and result there; None: what they are
    """
    context, signature = function.context, function.signature
    answer, arguments = signature.return_type, signature.args
    inner = [context.get_value_type(t) for t in arguments]
    given = real or context.get_value_type(answer)
    module = ir.Module(name)
    outer = ir.Function(module, ir.FunctionType(given, [real or t for t in inner]), name)
    callee = ir.Function(
        module, context.call_conv.get_function_type(answer, arguments), function.name
    )
    builder = ir.IRBuilder(outer.append_basic_block())
    values = [
        value if value.type == t else builder.fpext(value, t)
        for value, t in zip(outer.args, inner, strict=True)
    ]
    _, value = context.call_conv.call_function(builder, callee, answer, arguments, values)
    builder.ret(value if value.type == given else builder.fptrunc(value, given))
    return [function.text, str(module)]


# --- mathematics


def _with_plain_math(text: str, needed: set[str]) -> str:
    """The code, in which machine instructions and plain functions stand for C's functions. The
    names of the latter, such as plain.sin.f32, are added to `needed`."""

    def other(match: re.Match[str]) -> str:
        name = maths.SYMBOLS.get(match[1], match[1])
        if name.startswith("plain."):
            needed.add(name)
        return f"@{name}("

    text = re.sub(r"@([a-z][\w.]*)\(", other, _with_calls_of_fmod(text))
    said: set[str] = set()
    lines = []
    for line in text.split("\n"):
        found = re.match(r"declare .*?@([\w.]+)\(", line)
        if found and found[1] in said:
            continue  # two names of C's that mean the same here
        said.update(found.groups() if found else ())
        lines.append(line)
    return "\n".join(lines)


def _with_calls_of_fmod(text: str) -> str:
    """The code with a call where a remainder of floats is taken: it is no instruction anywhere."""
    text, count = re.subn(
        r"= frem (?:[a-z]+ )*(float|double) (\S+), (\S+)",
        r"= call \1 @plain.fmod.\1(\1 \2, \1 \3)",
        text,
    )
    if count:
        text = text.replace("fmod.float(", "fmod.f32(").replace("fmod.double(", "fmod.f64(")
        for real, name in (("float", "f32"), ("double", "f64")):
            if f"@plain.fmod.{name}(" in text:
                text += f"declare {real} @plain.fmod.{name}({real}, {real})\n"
    return text


def _plain(name: str) -> list[str]:
    """The code of a function of plain_math, by its name in a module."""
    _, base, kind = name.split(".")
    function = _plain_functions()[base]
    arguments = (types.float64,) * function.py_func.__code__.co_argcount
    return _with_c_call(name, lowered(function, arguments), REALS[kind])


@lru_cache(maxsize=1)
def _plain_functions() -> dict[str, Any]:
    return plain_decorated(plain_math.plain_functions())
