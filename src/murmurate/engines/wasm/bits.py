"""The bits of a float64 as a whole number, and back; and a way to end at once."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _bits_of(typingctx: Any, x: Any) -> Any:
    """The 64 bits of a float64."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.IntType(64))

    return types.int64(types.float64), generate


def _from_bits(typingctx: Any, bits: Any) -> Any:
    """The float64 of 64 bits."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.DoubleType())

    return types.float64(types.int64), generate


def _trap(typingctx: Any) -> Any:
    """Ends the flight at once: what must not be has happened."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        nothing = ir.FunctionType(ir.VoidType(), [])
        builder.call(builder.module.declare_intrinsic("llvm.trap", fnty=nothing), [])
        return context.get_dummy_value()

    return types.void(), generate


bits_of: Any = intrinsic(_bits_of)
from_bits: Any = intrinsic(_from_bits)
trap: Any = intrinsic(_trap)
