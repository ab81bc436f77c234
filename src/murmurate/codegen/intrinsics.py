"""Compiler intrinsics: read the table of arguments, share numbers between threads, process eight
numbers at once, and make views of arrays.

numba counts references whenever an array is sliced or passed to a function, with atomic operations
that stall threads, and its copy loops test for overlap. For a cell with a few boids this costs more
than the simulation. Arrays made here have no reference counts: they are valid while the engine
holds them.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from murmurate.codegen.opened_rules import CAPACITY, OPENED

WORD = ir.IntType(64)


def _word_at(builder: Any, table: Any, index: Any, step: int = 0) -> Any:
    """Return a pointer to a word of the table at an address."""
    words = builder.inttoptr(table, WORD.as_pointer())
    return builder.gep(words, [builder.add(index, ir.Constant(index.type, step))])


def _array(dims: int) -> Any:
    """Return the intrinsic that reads an array from a table: address, then sides."""

    def array_of(typingctx: Any, table: Any, index: Any, example: Any) -> Any:
        result: Any = types.Array(types.unliteral(example), dims, "C")

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            item = context.get_data_type(result.dtype)
            size = context.get_abi_sizeof(item)
            words = [builder.load(_word_at(builder, args[0], args[1], k)) for k in range(dims + 1)]
            array = context.make_array(result)(context, builder)
            array.data = builder.inttoptr(words[0], item.as_pointer())
            shape, stride = words[1:], ir.Constant(WORD, size)
            strides = [stride]
            for side in reversed(shape[1:]):
                strides.insert(0, builder.mul(strides[0], side))
            count = shape[0]
            for side in shape[1:]:
                count = builder.mul(count, side)
            array.shape = cgutils.pack_array(builder, shape)
            array.strides = cgutils.pack_array(builder, strides)
            array.nitems, array.itemsize = count, stride
            array.meminfo = cgutils.get_null_value(array.meminfo.type)
            array.parent = cgutils.get_null_value(array.parent.type)
            return array._getvalue()

        return result(table, index, example), generate

    array_of.__name__ = f"array{dims}"
    array_of.__doc__ = f"Return the {dims}-D array at an index of a table; `example` has its dtype."
    return intrinsic(array_of)


array1, array2, array3 = _array(1), _array(2), _array(3)


@intrinsic
def number(typingctx: Any, table: Any, index: Any) -> Any:
    """Return the whole number at an index of a table."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_word_at(builder, args[0], args[1]))

    return types.int64(table, index), generate


@intrinsic
def unsigned(typingctx: Any, table: Any, index: Any) -> Any:
    """Return the unsigned number at an index of a table."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_word_at(builder, args[0], args[1]))

    return types.uint64(table, index), generate


@intrinsic
def float_of(typingctx: Any, table: Any, index: Any) -> Any:
    """Return the float64 at an index of a table."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(builder.load(_word_at(builder, args[0], args[1])), ir.DoubleType())

    return types.float64(table, index), generate


@intrinsic
def set_number(typingctx: Any, table: Any, index: Any, value: Any) -> Any:
    """Write a whole number at an index of a table."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = context.cast(builder, args[2], signature.args[2], types.int64)
        builder.store(word, _word_at(builder, args[0], args[1]))
        return context.get_dummy_value()

    return types.void(table, index, value), generate


@intrinsic
def set_float(typingctx: Any, table: Any, index: Any, value: Any) -> Any:
    """Write a float64 at an index of a table."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        bits = context.cast(builder, args[2], signature.args[2], types.float64)
        builder.store(builder.bitcast(bits, WORD), _word_at(builder, args[0], args[1]))
        return context.get_dummy_value()

    return types.void(table, index, value), generate


@intrinsic
def exchange(typingctx: Any, table: Any, i: Any, k: Any) -> Any:
    """Exchange the addresses of two arrays of equal shape, at indices i and k of a table."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        first = _word_at(builder, args[0], args[1])
        second = _word_at(builder, args[0], args[2])
        word = builder.load(first)
        builder.store(builder.load(second), first)
        builder.store(word, second)
        return context.get_dummy_value()

    return types.void(table, i, k), generate


@intrinsic
def call(typingctx: Any, address: Any, table: Any) -> Any:
    """Call the kernel at an address with a table, with C's calling convention."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kernel = ir.FunctionType(WORD, [WORD]).as_pointer()
        return builder.call(builder.inttoptr(args[0], kernel), [args[1]])

    return types.int64(address, table), generate


def _opened_at(context: Any, builder: Any, index: Any) -> Any:
    """Return a pointer to a number of `opened`."""
    module = builder.module
    kind = ir.ArrayType(ir.FloatType(), CAPACITY)
    array = module.globals.get(OPENED)
    if array is None:
        array = ir.GlobalVariable(module, kind, OPENED)
        array.linkage, array.initializer = "linkonce_odr", ir.Constant(kind, None)
    return builder.gep(array, [ir.Constant(WORD, 0), index], inbounds=True)


@intrinsic
def put_opened(typingctx: Any, index: Any, value: Any) -> Any:
    """Store a float32 in `opened`."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[1], _opened_at(context, builder, args[0]))
        return context.get_dummy_value()

    return types.void(types.int64, types.float32), generate


@intrinsic
def get_opened(typingctx: Any, index: Any) -> Any:
    """Return a float32 of `opened`."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_opened_at(context, builder, args[0]))

    return types.float32(types.int64), generate


@intrinsic
def call_opened(typingctx: Any, index: Any) -> Any:
    """Call the function at an index of the module's table, which takes and returns nothing."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        function = ir.FunctionType(ir.VoidType(), []).as_pointer()
        builder.call(builder.inttoptr(args[0], function), [])
        return context.get_dummy_value()

    return types.void(types.int64), generate


@intrinsic
def add_shared(typingctx: Any, numbers: Any, i: Any, n: Any) -> Any:
    """Add n to numbers[i] atomically; return the sum."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        before = builder.atomic_rmw("add", builder.gep(data, [args[1]]), args[2], "acq_rel")
        return builder.add(before, args[2])

    return types.int64(numbers, types.int64, types.int64), generate


@intrinsic
def replace_shared(typingctx: Any, numbers: Any, i: Any, old: Any, new: Any) -> Any:
    """Replace numbers[i] by `new` if it is `old`; return whether it was.

    If several threads request the same change, one succeeds.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        pointer = builder.gep(data, [args[1]])
        result = builder.cmpxchg(pointer, args[2], args[3], "acq_rel", "acquire")
        return builder.extract_value(result, 1)

    return types.boolean(numbers, types.int64, types.int64, types.int64), generate


@intrinsic
def get_shared(typingctx: Any, numbers: Any, i: Any) -> Any:
    """Read numbers[i] with acquire order: writes before the matching `set_shared` are visible."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        return builder.load_atomic(builder.gep(data, [args[1]]), "acquire", 8)

    return types.int64(numbers, types.int64), generate


@intrinsic
def set_shared(typingctx: Any, numbers: Any, i: Any, value: Any) -> Any:
    """Set numbers[i] = value with release order: see `get_shared`."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        builder.store_atomic(args[2], builder.gep(data, [args[1]]), "release", 8)
        return context.get_dummy_value()

    return types.void(numbers, types.int64, types.int64), generate


@intrinsic
def copy8(typingctx: Any, to: Any, m: Any, source: Any, i: Any, shift: Any) -> Any:
    """Set to[m : m + 8] = source[i : i + 8] + shift. Bounds are not checked."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array, _, other, _, _ = signature.args
        pointer, size = _eight_at(context, builder, other, args[2], args[3])
        value = builder.load(pointer, align=size)
        if isinstance(array.dtype, types.Float):
            value = builder.fadd(value, _eight_times(builder, args[4]))
        pointer, size = _eight_at(context, builder, array, args[0], args[1])
        builder.store(value, pointer, align=size)
        return context.get_dummy_value()

    return types.void(to, m, source, i, shift), generate


@intrinsic
def fetch(typingctx: Any, array: Any, i: Any) -> Any:
    """Prefetch array[i] into the processor's second cache, without waiting for it."""
    return types.void(array, i), _prefetch(level=2)


@intrinsic
def fetch_near(typingctx: Any, array: Any, i: Any) -> Any:
    """Prefetch the i-th number of an array into the processor's first cache: it is used soon."""
    return types.void(array, i), _prefetch(level=3)


def _prefetch(level: int) -> Any:
    """Return the generator of a prefetch; 3 is the first cache, 2 the second."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        pointer = builder.bitcast(builder.gep(data, [args[1]]), ir.IntType(8).as_pointer())
        int32 = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, int32, int32, int32])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [pointer.type], kind)
        builder.call(prefetch, [pointer, int32(0), int32(level), int32(1)])  # to read; data
        return context.get_dummy_value()

    return generate


@intrinsic
def natural(typingctx: Any, number: Any) -> Any:
    """Return the same number, marked as not negative for the compiler.

    Otherwise each use as an index tests its sign, since Python counts negative indices from the
    end.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.and_(args[0], ir.Constant(WORD, 2**63 - 1))

    return types.int64(types.int64), generate


@intrinsic
def masked(typingctx: Any, value: Any, mask: Any) -> Any:
    """Return `value` if the mask holds, else 0, without a branch, which would prevent vectors."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        value, mask = args
        return builder.select(mask, value, ir.Constant(value.type, 0.0))

    return value(value, types.boolean), generate


@intrinsic
def ranks8(typingctx: Any, ranks: Any, i: Any, values: Any, n: Any) -> Any:
    """Write to ranks[i : i + 8] how many of values[:n] are less than each of values[i : i + 8]."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        ranks, i, values, n = args
        pointer, size = _eight_at(context, builder, signature.args[2], values, i)
        eight = builder.load(pointer, align=size)
        data = context.make_array(signature.args[2])(context, builder, values).data
        number = context.get_data_type(signature.args[0].dtype)
        zeros = ir.Constant(ir.VectorType(number, 8), [0] * 8)
        total = cgutils.alloca_once_value(builder, zeros)
        with cgutils.for_range(builder, n) as loop:
            value = builder.load(builder.gep(data, [loop.index]))
            less = builder.fcmp_ordered("<", _eight_times(builder, value), eight)
            builder.store(builder.add(builder.load(total), builder.zext(less, zeros.type)), total)
        pointer, size = _eight_at(context, builder, signature.args[0], ranks, i)
        builder.store(builder.load(total), pointer, align=size)
        return context.get_dummy_value()

    return types.void(ranks, i, values, n), generate


@intrinsic
def collect8(typingctx: Any, indices: Any, n: Any, values: Any, i: Any, bound: Any) -> Any:
    """Append to indices[n:] the indices of those of values[i : i + 8] that are <= bound.

    Return their number. It always writes eight entries; those after the counted ones are arbitrary.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer, size = _eight_at(context, builder, signature.args[2], args[2], args[3])
        bound = context.cast(builder, args[4], signature.args[4], signature.args[2].dtype)
        eight = builder.load(pointer, align=size)
        small = builder.fcmp_ordered("<=", eight, _eight_times(builder, bound))
        bits = builder.bitcast(small, ir.IntType(8))
        table = _set_bits(builder.module)
        entry = builder.gep(table, [ir.Constant(WORD, 0), builder.zext(bits, WORD)])
        bytes_ = builder.bitcast(builder.load(entry), ir.VectorType(ir.IntType(8), 8))
        number = context.get_data_type(signature.args[0].dtype)
        first = context.cast(builder, args[3], signature.args[3], signature.args[0].dtype)
        collected = builder.add(
            builder.zext(bytes_, ir.VectorType(number, 8)), _eight_times(builder, first)
        )
        pointer, size = _eight_at(context, builder, signature.args[0], args[0], args[1])
        builder.store(collected, pointer, align=size)
        return builder.zext(builder.ctpop(bits), WORD)

    return types.int64(indices, n, values, i, bound), generate


def _eight_at(context: Any, builder: Any, array: Any, value: Any, i: Any) -> tuple[Any, int]:
    """Return a pointer to eight numbers of an array from index i, and the size of one number."""
    element = context.get_data_type(array.dtype)
    data = context.make_array(array)(context, builder, value).data
    vector = ir.VectorType(element, 8).as_pointer()
    return builder.bitcast(builder.gep(data, [i]), vector), context.get_abi_sizeof(element)


def _eight_times(builder: Any, number: Any) -> Any:
    """Return a vector of eight equal numbers."""
    unknown = ir.Constant(ir.VectorType(number.type, 8), ir.Undefined)
    first = builder.insert_element(unknown, number, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), 8), [0] * 8)
    return builder.shuffle_vector(first, unknown, zeros)


def _set_bits(module: Any) -> Any:
    """Return the table of the bits set in 0, ..., 255: their positions, as bytes of a word."""
    name = "murmurate_set_bits"
    if name in module.globals:
        return module.globals[name]
    words = [
        sum(bit << (8 * k) for k, bit in enumerate(b for b in range(8) if byte >> b & 1))
        for byte in range(256)
    ]
    kind = ir.ArrayType(WORD, len(words))
    table = ir.GlobalVariable(module, kind, name)
    table.linkage, table.global_constant = "internal", True
    table.initializer = ir.Constant(kind, [ir.Constant(WORD, word) for word in words])
    return table


@intrinsic
def window(typingctx: Any, array: Any, i: Any) -> Any:
    """Return array[i:] of a 1-D contiguous array, as a view without a reference count."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source = context.make_array(signature.args[0])(context, builder, args[0])
        part = context.make_array(signature.return_type)(context, builder)
        length = builder.sub(builder.extract_value(source.shape, 0), args[1])
        part.data = builder.gep(source.data, [args[1]])
        part.nitems = length
        part.itemsize = source.itemsize
        part.shape = cgutils.pack_array(builder, [length])
        part.strides = source.strides
        part.meminfo = cgutils.get_null_value(part.meminfo.type)
        part.parent = cgutils.get_null_value(part.parent.type)
        return part._getvalue()

    return array(array, i), generate


# --- tables and lists of rules


@intrinsic(prefer_literal=True)
def table_of(typingctx: Any, numbers: Any, first: Any, count: Any) -> Any:
    """Return a table of a rule, `count` of the model's numbers, as a view of them."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source = context.make_array(signature.args[0])(context, builder, args[0])
        return _numbers_at(context, builder, signature, source.data, count.literal_value, args[1])

    return types.Array(numbers.dtype, 1, "C")(numbers, first, count), generate


@intrinsic(prefer_literal=True)
def list_of(typingctx: Any, numbers: Any, count: Any) -> Any:
    """Return a list of `count` numbers on the stack: of a tuple, or the same one throughout."""
    is_tuple = isinstance(numbers, types.BaseTuple)
    dtype = numbers.dtype if is_tuple else types.unliteral(numbers)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        length = ir.Constant(WORD, count.literal_value)
        data = cgutils.alloca_once(builder, context.get_data_type(dtype), length)
        if is_tuple:
            for k in range(count.literal_value):
                item = builder.extract_value(args[0], k)
                builder.store(item, builder.gep(data, [ir.Constant(WORD, k)]))
        else:
            with cgutils.for_range(builder, length) as loop:
                builder.store(args[0], builder.gep(data, [loop.index]))
        return _numbers_at(context, builder, signature, data, count.literal_value)

    return types.Array(dtype, 1, "C")(numbers, count), generate


@intrinsic(prefer_literal=True)
def tuple_of(typingctx: Any, numbers: Any, count: Any) -> Any:
    """Return the tuple of the numbers of a list."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        indices = (ir.Constant(WORD, k) for k in range(count.literal_value))
        items = [builder.load(builder.gep(data, [index])) for index in indices]
        return context.make_tuple(builder, signature.return_type, items)

    return types.UniTuple(numbers.dtype, count.literal_value)(numbers, count), generate


@intrinsic
def item_of(typingctx: Any, numbers: Any, i: Any) -> Any:
    """Return a number of a table or a list. The index is not checked."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_item_at(context, builder, signature, args)[0])

    return numbers.dtype(numbers, i), generate


@intrinsic
def item_within(typingctx: Any, numbers: Any, i: Any) -> Any:
    """Return a number of a table or a list, as Python counts; nan if there is none at the index."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer, within = _item_at(context, builder, signature, args, checked=True)
        number = builder.load(pointer)
        return builder.select(within, number, ir.Constant(number.type, float("nan")))

    return numbers.dtype(numbers, i), generate


@intrinsic
def put_item(typingctx: Any, numbers: Any, i: Any, number: Any) -> Any:
    """Set a number of a list. The index is not checked."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], _item_at(context, builder, signature, args)[0])
        return context.get_dummy_value()

    return types.void(numbers, i, number), generate


@intrinsic
def put_within(typingctx: Any, numbers: Any, i: Any, number: Any) -> Any:
    """Set a number of a list, as Python counts; all of them to nan if there is none at the
    index."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer, within = _item_at(context, builder, signature, args, checked=True)
        array = context.make_array(signature.args[0])(context, builder, args[0])
        with builder.if_else(within) as (then, otherwise):
            with then:
                builder.store(args[2], pointer)
            with otherwise, cgutils.for_range(builder, array.nitems) as loop:
                nan = ir.Constant(args[2].type, float("nan"))
                builder.store(nan, builder.gep(array.data, [loop.index]))
        return context.get_dummy_value()

    return types.void(numbers, i, number), generate


def _numbers_at(
    context: Any, builder: Any, signature: Any, data: Any, count: int, first: Any = None
) -> Any:
    """Return the array of `count` numbers at a pointer, or from the index `first` on."""
    array = context.make_array(signature.return_type)(context, builder)
    item = context.get_data_type(signature.return_type.dtype)
    size = ir.Constant(WORD, context.get_abi_sizeof(item))
    array.data = data if first is None else builder.gep(data, [first])
    array.nitems, array.itemsize = ir.Constant(WORD, count), size
    array.shape = cgutils.pack_array(builder, [array.nitems])
    array.strides = cgutils.pack_array(builder, [size])
    array.meminfo = cgutils.get_null_value(array.meminfo.type)
    array.parent = cgutils.get_null_value(array.parent.type)
    return array._getvalue()


def _item_at(
    context: Any, builder: Any, signature: Any, args: Any, checked: bool = False
) -> tuple[Any, Any]:
    """Return a pointer to a number of an array, and whether it has one at the index, if that is
    checked: else the pointer is to the first."""
    array = context.make_array(signature.args[0])(context, builder, args[0])
    index, within = context.cast(builder, args[1], signature.args[1], types.int64), None
    if checked:
        zero = ir.Constant(WORD, 0)
        from_end = builder.add(index, array.nitems)
        index = builder.select(builder.icmp_signed("<", index, zero), from_end, index)
        within = builder.icmp_unsigned("<", index, array.nitems)
        index = builder.select(within, index, zero)
    return builder.gep(array.data, [index], inbounds=True), within


def _of_bits(compute: Any) -> Any:
    """Return the code generator of a function of a float's bits.

    compute  (builder, x, bits, constant, mantissa, bias) -> result: `bits` is x as an integer of
             its width, `constant` makes such integers, `mantissa` is the number of bits of the
             mantissa, and `bias` is that of the exponent
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        single = signature.args[0] == types.float32
        integer = ir.IntType(32 if single else 64)
        bits = builder.bitcast(args[0], integer)
        mantissa, bias = (23, 127) if single else (52, 1023)
        return compute(builder, args[0], bits, lambda n: ir.Constant(integer, n), mantissa, bias)

    return generate


@intrinsic
def two_to(typingctx: Any, n: Any) -> Any:
    """Return 2^n for a whole number n, a float; the result must be a normal number."""

    def compute(builder: Any, x: Any, bits: Any, constant: Any, mantissa: int, bias: int) -> Any:
        exponent = builder.add(builder.fptosi(x, bits.type), constant(bias))
        return builder.bitcast(builder.shl(exponent, constant(mantissa)), x.type)

    return n(n), _of_bits(compute)


@intrinsic
def exponent_of(typingctx: Any, x: Any) -> Any:
    """Return the exponent n of a normal number x = m 2^n > 0, 1 <= m < 2, as a float."""

    def compute(builder: Any, x: Any, bits: Any, constant: Any, mantissa: int, bias: int) -> Any:
        exponent = builder.lshr(bits, constant(mantissa))
        return builder.sitofp(builder.sub(exponent, constant(bias)), x.type)

    return x(x), _of_bits(compute)


@intrinsic
def mantissa_of(typingctx: Any, x: Any) -> Any:
    """Return the m of a normal number x = m 2^n > 0, 1 <= m < 2."""

    def compute(builder: Any, x: Any, bits: Any, constant: Any, mantissa: int, bias: int) -> Any:
        digits = builder.and_(bits, constant((1 << mantissa) - 1))
        return builder.bitcast(builder.or_(digits, constant(bias << mantissa)), x.type)

    return x(x), _of_bits(compute)
