"""Compile functions to one WebAssembly object.

numba lowers them, `plain_math` replaces the C library's mathematics, and LLVM optimises and
translates the result.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from inspect import isfunction
from types import ModuleType
from typing import Any

from llvmlite import binding, ir
from numba import types

from murmurate.codegen.kernel_cache import executed
from murmurate.codegen.module_text import functions_module, functions_text
from murmurate.engines.wasm import plain_math
from murmurate.engines.wasm.target import Lowered, WasmDispatcher, decorate_functions, lower
from murmurate.errors import RuleError
from murmurate.language import maths

TRIPLE = "wasm32-unknown-unknown"
LAYOUT = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
# features of all browsers since 2023; without relaxed SIMD, whose results differ between machines
FEATURES = "+simd128,+bulk-memory,+bulk-memory-opt,+nontrapping-fptoint,+sign-ext,+mutable-globals"
REALS = {"f32": ir.FloatType(), "f64": ir.DoubleType()}
# kernels do not count references to arrays
REFERENCE_COUNTS = """
define void @NRT_incref(ptr %p) alwaysinline { ret void }
define void @NRT_decref(ptr %p) alwaysinline { ret void }
"""


def wasm_object(
    functions: Mapping[str, Any],
    mathematics: Mapping[str, Any] | None = None,
    data: Collection[str] = (),
) -> bytes:
    """Return an object with functions that `wasm_jit` decorated, which take and return an int64.

    mathematics  name -> a decorated function of float32, or None for that of plain_math: functions
                 that the object has besides, as 'math.NAME'
    data         names of variables that are reached from outside

    Raises RuleError for a function that calls unsupported mathematics.
    """
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    word = types.int64
    needed: set[str] = set()
    parts = [REFERENCE_COUNTS]
    for name, function in functions.items():
        parts += _add_c_call(name, lower(function, (word,)), None)
    parts = [_replace_mathematics(part, needed) for part in parts]
    outside = {*functions, *data}
    for name, function in (mathematics or {}).items():
        parts += _add_mathematics(name, function)
        outside.add(f"math.{name}")
    for name in sorted(needed):
        parts += [_replace_mathematics(part, set()) for part in _compile_plain(name)]
    module = _link(parts)
    module.verify()
    for value in [*module.functions, *module.global_variables]:
        if not value.is_declaration:
            value.linkage = "external" if value.name in outside else "internal"
    return _translate(module)


def _translate(module: Any) -> bytes:
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
                f"a rule calls {function.name}; WebAssembly supports only "
                f"{', '.join(sorted(maths.IN_PAGES))}"
            )
    return bytes(machine.emit_object(module))


def _link(parts: Iterable[str]) -> Any:
    """Link LLVM modules; functions that several of them have are merged."""
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


def _add_c_call(name: str, function: Lowered, real: Any) -> list[str]:
    """Return a lowered function, and a wrapper called `name` with the calling convention of C.

    real  type of the wrapper's arguments and result; None for those of the function
    """
    context, signature = function.context, function.signature
    result, arguments = signature.return_type, signature.args
    inner = [context.get_value_type(t) for t in arguments]
    returned = real or context.get_value_type(result)
    module = ir.Module(name)
    outer = ir.Function(module, ir.FunctionType(returned, [real or t for t in inner]), name)
    callee = ir.Function(
        module, context.call_conv.get_function_type(result, arguments), function.name
    )
    builder = ir.IRBuilder(outer.append_basic_block())
    values = [
        value if value.type == t else builder.fpext(value, t)
        for value, t in zip(outer.args, inner, strict=True)
    ]
    _, value = context.call_conv.call_function(builder, callee, result, arguments, values)
    builder.ret(value if value.type == returned else builder.fptrunc(value, returned))
    return [function.text, str(module)]


# --- mathematics


def _add_mathematics(name: str, function: Any) -> list[str]:
    """Return a function of mathematics in float32 as 'math.NAME'."""
    if function is None:
        plain = _plain_functions()[name]
        arguments = (types.float64,) * plain.py_func.__code__.co_argcount
    else:
        plain = function
        arguments = (types.float32,) * plain.py_func.__code__.co_argcount
    parts = _add_c_call(f"math.{name}", lower(plain, arguments), REALS["f32"])
    return [_replace_mathematics(part, set()) for part in parts]


def _replace_mathematics(text: str, needed: set[str]) -> str:
    """Replace calls of C's mathematics by machine instructions and plain functions.

    Adds the names of the latter, such as plain.sin.f32, to `needed`.
    """

    def replace(match: re.Match[str]) -> str:
        name = maths.SYMBOLS.get(match[1], match[1])
        if name.startswith("plain."):
            needed.add(name)
        return f"@{name}("

    text = re.sub(r"@([a-z][\w.]*)\(", replace, _replace_remainders(text))
    declared: set[str] = set()
    lines = []
    for line in text.split("\n"):
        match = re.match(r"declare .*?@([\w.]+)\(", line)
        if match and match[1] in declared:
            continue  # two names in C have the same replacement
        declared.update(match.groups() if match else ())
        lines.append(line)
    return "\n".join(lines)


def _replace_remainders(text: str) -> str:
    """Replace remainders of floats by calls: no machine has an instruction for them."""
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


def _compile_plain(name: str) -> list[str]:
    """Return the code of a function of plain_math, by its name in a module."""
    _, base, kind = name.split(".")
    function = _plain_functions()[base]
    arguments = (types.float64,) * function.py_func.__code__.co_argcount
    return _add_c_call(name, lower(function, arguments), REALS[kind])


@lru_cache(maxsize=1)
def _plain_functions() -> dict[str, Any]:
    kernels = shared_dispatchers("float64")
    names = {name: kernels.get(f"{name}_real", kernels.get(name)) for name in plain_math.FUNCTIONS}
    own = {n: f for n, f in vars(plain_math).items() if isfunction(f) and n not in names}
    functions = decorate_functions(own)
    for function in functions.values():
        function.py_func.__globals__.update(names)
    return functions | names


@lru_cache(maxsize=2)
def shared_dispatchers(dtype: str) -> dict[str, Any]:
    """Return the functions that kernels share, decorated, by their names."""
    module = executed("murmurate_wasm_functions", functions_text(dtype, "wasm"))
    sys.modules[functions_module(dtype, "wasm")] = module
    return dispatchers(module)


def dispatchers(module: ModuleType) -> dict[str, Any]:
    """Return the decorated functions of a module."""
    return {name: f for name, f in vars(module).items() if isinstance(f, WasmDispatcher)}
