"""Vector instructions for compressing and reading the values of pairs, as LLVM code.

The functions process the 16 rollers of a block at once. Numba would compile the same loops
to scalar or 64-bit instructions, which take several times as long. Floating-point sums are
computed in a fixed order.
"""

import llvmlite.ir as ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 16
"""Number of roller positions whose values are stored together."""

SHIFT = 12
"""Number of fractional bits in the product of two integer factors."""

STEP = 8
"""Number of columns by which the two factor matrices grow at a time."""

_I1, _I16, _I32, _I64 = (ir.IntType(bits) for bits in (1, 16, 32, 64))
_ROW = ir.VectorType(_I32, LANES)
_F32 = ir.FloatType()

WIDE = 64
"""Number of float32 values that are multiplied at once. Rows are padded with zeros to a
multiple of this number."""

_LONG = ir.VectorType(_F32, WIDE)


def _data(context, builder, kind, value):
    return context.make_array(kind)(context, builder, value).data


def _load(builder, pointer, kind, align):
    value = builder.load(builder.bitcast(pointer, kind.as_pointer()))
    value.align = align
    return value


def _splat(builder, value):
    vector = builder.insert_element(ir.Constant(_ROW, ir.Undefined), value, _I32(0))
    zeros = ir.Constant(ir.VectorType(_I32, LANES), [0] * LANES)
    return builder.shuffle_vector(vector, ir.Constant(_ROW, ir.Undefined), zeros)


def _every(number):
    return ir.Constant(_ROW, [number] * LANES)


def _prediction(builder, columns, v, row, rank):
    """Emit code for 16 products of factors: ``(columns.T @ v[row] + half) >> SHIFT``."""
    total = cgutils.alloca_once_value(builder, _every(1 << (SHIFT - 1)))
    first = builder.mul(row, rank)
    with cgutils.for_range_slice(builder, _I64(0), rank, _I64(STEP), _I64) as (start, _):
        sums = []
        for k in range(STEP):
            column = builder.add(start, _I64(k))
            factor = builder.load(builder.gep(v, [builder.add(first, column)]))
            place = builder.gep(columns, [builder.mul(column, _I64(LANES))])
            ours = _load(builder, place, _ROW, 4)
            sums.append(builder.mul(ours, _splat(builder, factor)))
        while len(sums) > 1:
            sums = [builder.add(*pair) for pair in zip(sums[::2], sums[1::2], strict=True)]
        builder.store(builder.add(builder.load(total), sums[0]), total)
    return builder.ashr(builder.load(total), _every(SHIFT))


def _fma(builder, a, b, c):
    """Emit a multiply-add that rounds only once, with the same result on every machine."""
    kind = a.type
    name = f"llvm.fma.v{kind.count}f32"
    fma = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(kind, [kind] * 3), name
    )
    return builder.call(fma, [a, b, c])


@intrinsic
def leave_over(typingctx, columns, v, row, rank, codes, at, out):
    """Compute the residuals of 16 values; return the number of bits of the largest one.

    Parameters
    ----------
    columns : ndarray of int32, shape (rank or more, 16)
        Factors of the roller positions, with one column for each position.
    v, row, rank : ndarray of int32, shape (opponents, rank), and int64
        Factors of the opponent positions, row index of the opponent position, and number of
        columns of the factors.
    codes, at : ndarray of int32, and int64
        Flat array of stored integers, and the index of the first of the 16 integers.
    out : ndarray of int32, shape (16,)
        Output array for the residuals.

    Returns
    -------
    int64
        Number of bits of the largest residual, including its sign; 0 if all residuals are
        0.
    """
    signature = types.int64(columns, v, row, rank, codes, at, out)

    def codegen(context, builder, signature, args):
        columns, v, codes, out = (
            _data(context, builder, signature.args[k], args[k]) for k in (0, 1, 4, 6)
        )
        found = _prediction(builder, columns, v, args[2], args[3])
        values = _load(builder, builder.gep(codes, [args[5]]), _ROW, 4)
        left = builder.sub(values, found)
        builder.store(left, builder.bitcast(out, _ROW.as_pointer())).align = 4
        reduce = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(_I32, [_ROW]), "llvm.vector.reduce.or.v16i32"
        )
        size = builder.xor(left, builder.ashr(left, _every(31)))
        some = builder.icmp_signed("!=", builder.call(reduce, [left]), _I32(0))
        bits = builder.shl(builder.zext(builder.call(reduce, [size]), _I64), _I64(1))
        bits = builder.or_(bits, builder.zext(some, _I64))
        return builder.sub(_I64(64), builder.ctlz(bits, _I1(0)))

    return signature, codegen


@intrinsic
def store_bits(typingctx, values, width, words, at):
    """Write the lowest bits of 16 integers to `words`: bit j of all integers to word j."""
    signature = types.void(values, width, words, at)

    def codegen(context, builder, signature, args):
        values, words = (
            _data(context, builder, signature.args[k], args[k]) for k in (0, 2)
        )
        row = cgutils.alloca_once_value(builder, _load(builder, values, _ROW, 4))
        bits = ir.VectorType(_I1, LANES)
        with cgutils.for_range(builder, args[1], intp=_I64) as loop:
            left = builder.load(row)
            word = builder.bitcast(builder.trunc(left, bits), _I16)
            builder.store(word, builder.gep(words, [builder.add(args[3], loop.index)]))
            builder.store(builder.ashr(left, _every(1)), row)
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def restore(typingctx, columns, v, row, rank, words, at, width, codes, to):
    """Write 16 values, restored from factors and residuals, to ``codes[to : to + 16]``."""
    signature = types.void(columns, v, row, rank, words, at, width, codes, to)

    def codegen(context, builder, signature, args):
        columns, v, words, codes = (
            _data(context, builder, signature.args[k], args[k]) for k in (0, 1, 4, 7)
        )
        found = _prediction(builder, columns, v, args[2], args[3])
        row = cgutils.alloca_once_value(builder, found)
        weight = cgutils.alloca_once_value(builder, _I32(1))
        bits = ir.VectorType(_I1, LANES)
        with cgutils.for_range(builder, args[6], intp=_I64) as loop:
            word = builder.load(builder.gep(words, [builder.add(args[5], loop.index)]))
            set_ = builder.sext(builder.bitcast(word, bits), _ROW)
            last = builder.icmp_signed("==", builder.add(loop.index, _I64(1)), args[6])
            size = builder.load(weight)
            size = builder.select(last, builder.neg(size), size)
            part = builder.and_(set_, _splat(builder, size))
            builder.store(builder.add(builder.load(row), part), row)
            builder.store(builder.shl(builder.load(weight), _I32(1)), weight)
        target = builder.bitcast(builder.gep(codes, [args[8]]), _ROW.as_pointer())
        builder.store(builder.load(row), target).align = 4
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def product(typingctx, factors, u, v, rank):
    """Multiply two rows of factors in 32-bit integers: ``(sum + half) >> SHIFT``.

    `u` and `v` are the indices in `factors` at which the rows begin. Requires a multiple of
    8 as `rank`.
    """
    signature = types.int64(factors, u, v, rank)
    row = ir.VectorType(_I16, 8)
    wide = ir.VectorType(_I32, 8)

    def codegen(context, builder, signature, args):
        data = _data(context, builder, signature.args[0], args[0])
        total = cgutils.alloca_once_value(builder, ir.Constant(wide, [0] * 8))
        with cgutils.for_range_slice(builder, _I64(0), args[3], _I64(8), _I64) as (k, _):
            u, v = (
                builder.sext(
                    _load(builder, builder.gep(data, [builder.add(args[side], k)]), row, 2),
                    wide,
                )
                for side in (1, 2)
            )
            builder.store(builder.add(builder.load(total), builder.mul(u, v)), total)
        reduce = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(_I32, [wide]), "llvm.vector.reduce.add.v8i32"
        )
        found = builder.call(reduce, [builder.load(total)])
        found = builder.add(found, _I32(1 << (SHIFT - 1)))
        return builder.sext(builder.ashr(found, _I32(SHIFT)), _I64)

    return signature, codegen


@intrinsic
def one_of_bits(typingctx, words, at, width, lane):
    """Read one of 16 integers that `store_bits` has written, of at most 16 bits each.

    Requires 16 words from ``words[at]`` on, even if the width is smaller.
    """
    signature = types.int64(words, at, width, lane)
    row = ir.VectorType(_I16, LANES)

    def codegen(context, builder, signature, args):
        data = _data(context, builder, signature.args[0], args[0])
        found = _load(builder, builder.gep(data, [args[1]]), row, 2)
        lane = builder.trunc(args[3], _I16)
        lane = builder.insert_element(ir.Constant(row, ir.Undefined), lane, _I32(0))
        lane = builder.shuffle_vector(
            lane, ir.Constant(row, ir.Undefined), ir.Constant(_ROW, [0] * LANES)
        )
        # Bit number `lane` of each word belongs to the requested integer.
        bits = builder.trunc(builder.lshr(found, lane), ir.VectorType(_I1, LANES))
        bits = builder.zext(builder.bitcast(bits, _I16), _I64)
        # The highest bit is the sign. An integer of 0 bits has the value 0.
        beyond = builder.sub(_I64(64), args[2])
        shifted = builder.ashr(builder.shl(bits, beyond), beyond)
        none = builder.icmp_signed("==", args[2], _I64(0))
        return builder.select(none, _I64(0), shifted)

    return signature, codegen


@intrinsic
def dot(typingctx, a, b, count):
    """Return the dot product of the first `count` numbers of two arrays.

    `count` is a multiple of `WIDE`. Products are first summed in `WIDE` partial sums, which
    are then added pairwise.
    """
    signature = types.float32(a, b, count)

    def codegen(context, builder, signature, args):
        a, b = (_data(context, builder, signature.args[k], args[k]) for k in (0, 1))
        sums = cgutils.alloca_once_value(builder, ir.Constant(_LONG, [0.0] * WIDE))
        with cgutils.for_range_slice(builder, _I64(0), args[2], _I64(WIDE)) as (k, _):
            parts = [_load(builder, builder.gep(part, [k]), _LONG, 4) for part in (a, b)]
            builder.store(_fma(builder, *parts, builder.load(sums)), sums)
        total, size = builder.load(sums), WIDE
        while size > 1:
            size //= 2
            halves = (
                builder.shuffle_vector(
                    total,
                    ir.Constant(total.type, ir.Undefined),
                    ir.Constant(ir.VectorType(_I32, size), list(range(k, k + size))),
                )
                for k in (0, size)
            )
            total = builder.fadd(*halves)
        return builder.extract_element(total, _I32(0))

    return signature, codegen


@intrinsic
def multiply(typingctx, ours, theirs, count, out):
    """Multiply two matrices: ``out[:] = ours[:, :count] @ theirs[:count]``.

    Requires contiguous float32 arrays: `ours` of shape (8, count), `theirs` of shape
    (count, 16) and `out` of shape (8, 16).
    """
    signature = types.void(ours, theirs, count, out)
    row = ir.VectorType(_F32, LANES)

    def codegen(context, builder, signature, args):
        ours, theirs, out = (
            _data(context, builder, signature.args[k], args[k]) for k in (0, 1, 3)
        )
        zero = ir.Constant(row, [0.0] * LANES)
        sums = [cgutils.alloca_once_value(builder, zero) for _ in range(STEP)]
        starts = [builder.mul(args[2], _I64(k)) for k in range(STEP)]
        with cgutils.for_range(builder, args[2], intp=_I64) as loop:
            place = builder.gep(theirs, [builder.mul(loop.index, _I64(LANES))])
            values = _load(builder, place, row, 4)
            for start, total in zip(starts, sums, strict=True):
                one = builder.load(builder.gep(ours, [builder.add(start, loop.index)]))
                wide = builder.insert_element(ir.Constant(row, ir.Undefined), one, _I32(0))
                wide = builder.shuffle_vector(
                    wide, ir.Constant(row, ir.Undefined), ir.Constant(_ROW, [0] * LANES)
                )
                builder.store(_fma(builder, wide, values, builder.load(total)), total)
        for k, total in enumerate(sums):
            place = builder.gep(out, [_I64(k * LANES)])
            target = builder.bitcast(place, row.as_pointer())
            builder.store(builder.load(total), target).align = 4
        return context.get_dummy_value()

    return signature, codegen
