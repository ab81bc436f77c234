"""The bits of a float64 as a whole number, and back: what plain mathematics needs of the machine."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def bits_of(typingctx: Any, x: Any) -> Any:
    """The 64 bits of a float64."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.IntType(64))

    return types.int64(types.float64), generate


@intrinsic
def from_bits(typingctx: Any, bits: Any) -> Any:
    """The float64 of 64 bits."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.DoubleType())

    return types.float64(types.int64), generate


@intrinsic
def trap(typingctx: Any) -> Any:
    """Ends the flight at once: what must not be has happened."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        nothing = ir.FunctionType(ir.VoidType(), [])
        builder.call(builder.module.declare_intrinsic("llvm.trap", fnty=nothing), [])
        return context.get_dummy_value()

    return types.void(), generate
