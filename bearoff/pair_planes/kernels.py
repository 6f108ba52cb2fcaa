"""Compiled kernels that read single values of a compressed file."""

from numba import types
from numba.extending import overload

from bearoff.pair_planes import reading
from bearoff.pair_planes.vectors import one_of_bits, product
from bearoff.runtime import njit

_rectangle = njit(cache=True, nogil=True, inline="always")(reading.rectangle)
_row = njit(cache=True, nogil=True, inline="always")(reading.row)


@njit(cache=True, nogil=True, inline="always")
def _number(plane, place, start, width, lane):
    """Decode one stored integer; this is the compiled version of `reading.number`."""
    _, rank, u, v, _, _ = place
    # An integer of more than 16 bits is stored in two parts: the low 16 bits without a
    # sign, and the other bits.
    more = max(width - 16, 0)
    return (
        product(plane.factors, u, v, rank)
        + one_of_bits(plane.words, start, min(width, 17), lane)
        + (one_of_bits(plane.words, start + min(more, 1) * 16, more, lane) << 16)
    )


@njit(cache=True, nogil=True, inline="always")
def _code_in_file(plane, x, y):
    place = _rectangle(plane, x, y)
    start, width = _row(plane, place, y & 15)
    return _number(plane, place, start, width, x & 15)


def code_of(plane, x, y):
    """Return the integer stored for a pair of positions.

    Compiled code of other packages calls this function for compressed and for decompressed
    arrays. Small files are decompressed, because reading a decompressed array is several
    times as fast.

    Parameters
    ----------
    plane : PlaneArrays or ndarray of int32, shape (indices / 16, indices, 16)
        Compressed or decompressed values, as returned by `Plane.codes`. Requires that their
        checksums have been verified.
    x, y : int64
        Position indices of the roller and of the opponent, which are not checked.

    Returns
    -------
    int64
        Integer that represents the value of the pair.
    """
    if isinstance(plane, reading.PlaneArrays):
        return _code_in_file(plane, x, y)
    return int(plane[x >> 4, y, x & 15])


@overload(code_of, inline="always")
def _code_of(plane, x, y):
    """Return the compiled version of `code_of` for compressed or decompressed values."""
    if isinstance(plane, types.Array):
        return lambda plane, x, y: types.int64(plane[x >> 4, y, x & 15])
    return lambda plane, x, y: _code_in_file(plane, x, y)


@njit(cache=True, nogil=True)
def read_pairs(plane, good, block, x, y, out):
    """Read the values of pairs, up to the first pair whose data are not yet verified.

    Parameters
    ----------
    plane : PlaneArrays
    good : ndarray of bool
        Whether each block of the file has been verified.
    block : int64
        Size of a block, in 16-bit words.
    x, y : ndarray of int64
        Position indices of the rollers and of the opponents.
    out : ndarray of int64
        Output array for the values that are read.

    Returns
    -------
    int64
        Number of pairs of positions whose values were read.
    """
    for k in range(x.size):
        place = _rectangle(plane, x[k], y[k])
        at, rank, u, v, head, _ = place
        if at == 0:
            out[k] = 0
            continue
        if not (
            _is_good(good, block, u, rank)
            and _is_good(good, block, v, rank)
            and _is_good(good, block, head, reading.HEAD)
        ):
            return k
        start, width = _row(plane, place, y[k] & 15)
        if start + width > _end(plane) or not _is_good(good, block, start, width):
            return k
        out[k] = _number(plane, place, start, width, x[k] & 15)
    return x.size


@njit(cache=True, nogil=True)
def _end(plane):
    """Return the number of 16-bit words in the file without the padding at its end."""
    return plane.words.size - reading.OVERREAD // 2


@njit(cache=True, nogil=True)
def _is_good(good, block, start, count):
    if count == 0:
        return True
    last = (start + count - 1) // block
    return last < good.size and good[start // block] and good[last]


@njit(cache=True, nogil=True)
def mark_blocks(plane, good, block, x, y, wanted):
    """Mark the blocks of a file that must be verified before the given pairs can be read.

    Marks are written to the array `wanted`, which has one element per block. `read_pairs`
    explains the other parameters. The location of a pair's bits is known only after its
    directory entry has been verified. The caller therefore verifies the marked blocks, and
    then calls `read_pairs` again.

    Returns
    -------
    bool
        Whether all marked blocks are inside the file.
    """
    for k in range(x.size):
        place = _rectangle(plane, x[k], y[k])
        at, rank, u, v, head, _ = place
        if at == 0:
            continue
        _mark(good, block, u, rank, wanted)
        _mark(good, block, v, rank, wanted)
        _mark(good, block, head, reading.HEAD, wanted)
        if _is_good(good, block, head, reading.HEAD):
            start, width = _row(plane, place, y[k] & 15)
            if start + width > _end(plane):
                return False
            _mark(good, block, start, width, wanted)
    return True


@njit(cache=True, nogil=True)
def _mark(good, block, start, count, wanted):
    if count:
        for k in range(start // block, (start + count - 1) // block + 1):
            wanted[k] |= not good[k]


@njit(cache=True, nogil=True)
def stays_inside(plane, ends):
    """Check that every directory entry points to a place inside its block of the file."""
    for x in range(plane.blocks.shape[0]):
        if plane.blocks[x, 1] != x:
            continue
        for y in range(plane.tiles.shape[0]):
            if plane.tiles[y, 1] != y:
                continue
            place = _rectangle(plane, x * 16, y * 16)
            if place[0] == 0:
                continue
            end = ends[plane.blocks[x, 0], plane.tiles[y, 0]]
            for tile in range((place[5] - place[4]) // reading.HEAD):
                head = place[4] + tile * reading.HEAD
                ours = place[0], place[1], place[2], place[3], head, place[5]
                start, width = _row(plane, ours, 15)
                if start + width > end:
                    return False
    return True
