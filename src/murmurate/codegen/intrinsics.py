"""Three intrinsics: eight numbers moved at once, and views that cost nothing.

numba counts references to arrays whenever they are sliced or handed to a function, with atomic
operations that threads fight over, and its copy loops check for overlap. Around a cell that holds a
handful of boids, that costs more than the flocking.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def copy8(typingctx: Any, to: Any, m: Any, source: Any, i: Any, shift: Any) -> Any:
    """to[m : m + 8] = source[i : i + 8] + shift, unchecked: both arrays need room for it."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array, _, other, _, _ = signature.args
        element = context.get_data_type(array.dtype)
        vector = ir.VectorType(element, 8)
        size = context.get_abi_sizeof(element)
        target = context.make_array(array)(context, builder, args[0]).data
        origin = context.make_array(other)(context, builder, args[2]).data
        place = builder.bitcast(builder.gep(origin, [args[3]]), vector.as_pointer())
        value = builder.load(place, align=size)
        if isinstance(array.dtype, types.Float):
            one = builder.insert_element(
                ir.Constant(vector, ir.Undefined), args[4], ir.Constant(ir.IntType(32), 0)
            )
            zeros = ir.Constant(ir.VectorType(ir.IntType(32), 8), [0] * 8)
            spread = builder.shuffle_vector(one, ir.Constant(vector, ir.Undefined), zeros)
            value = builder.fadd(value, spread)
        place = builder.bitcast(builder.gep(target, [args[1]]), vector.as_pointer())
        builder.store(value, place, align=size)
        return context.get_dummy_value()

    return types.void(to, m, source, i, shift), generate


@intrinsic
def window(typingctx: Any, array: Any, i: Any) -> Any:
    """array[i:] of a 1-D contiguous array, borrowed: valid while the array is."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        whole = context.make_array(signature.args[0])(context, builder, args[0])
        part = context.make_array(signature.return_type)(context, builder)
        length = builder.sub(builder.extract_value(whole.shape, 0), args[1])
        part.data = builder.gep(whole.data, [args[1]])
        part.nitems = length
        part.itemsize = whole.itemsize
        part.shape = cgutils.pack_array(builder, [length])
        part.strides = whole.strides
        part.meminfo = cgutils.get_null_value(part.meminfo.type)
        part.parent = cgutils.get_null_value(part.parent.type)
        return part._getvalue()

    return array(array, i), generate


@intrinsic
def borrowed(typingctx: Any, array: Any) -> Any:
    """The same array without a count of references: valid while the caller's is."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        same = context.make_array(signature.args[0])(context, builder, args[0])
        same.meminfo = cgutils.get_null_value(same.meminfo.type)
        same.parent = cgutils.get_null_value(same.parent.type)
        return same._getvalue()

    return array(array), generate
