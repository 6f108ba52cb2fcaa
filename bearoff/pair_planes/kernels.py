"""Compiled kernels that read any number of a plane; for the kernels of other rooms too."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bearoff.runtime import njit


class PlaneArrays(NamedTuple):
    """A plane as compiled code reads it: `code_of` finds any number in it.

    Attributes
    ----------
    words, factors, heads : ndarray of uint16, int16, uint32
        The same bytes, those of the file.
    places : ndarray of int64, shape (bands, levels, 2)
        First word and rank of each rectangle, both 0 if all its numbers are 0.
    blocks, tiles : ndarray of int32, shapes (slots / 16, 3)
        Those of the `Layout`.
    """

    words: NDArray[np.uint16]
    factors: NDArray[np.int16]
    heads: NDArray[np.uint32]
    places: NDArray[np.int64]
    blocks: NDArray[np.int32]
    tiles: NDArray[np.int32]


@njit(cache=True, nogil=True)
def _rectangle(plane, x, y):
    """Find a pair's rectangle: its place, its rank, and the words of its factors."""
    block, tile = x // 16, y // 16
    band, level = plane.blocks[block, 0], plane.tiles[tile, 0]
    at, rank = plane.places[band, level, 0], plane.places[band, level, 1]
    blocks, tiles = np.int64(plane.blocks[block, 2]), np.int64(plane.tiles[tile, 2])
    u = at + (x - np.int64(plane.blocks[block, 1]) * 16) * rank
    v = at + (blocks * 16 + y - np.int64(plane.tiles[tile, 1]) * 16) * rank
    directory = at + (blocks + tiles) * 16 * rank
    place = (block - plane.blocks[block, 1]) * tiles + tile - plane.tiles[tile, 1]
    return at, rank, u, v, directory + place * 6, directory + blocks * tiles * 6


@njit(cache=True, nogil=True)
def _row(plane, head, bits, row):
    """Find the first word and the width of a row of a tile."""
    first = plane.heads[head // 2]
    widths = np.uint64(plane.heads[head // 2 + 1])
    widths |= np.uint64(plane.heads[head // 2 + 2]) << np.uint64(32)
    step = np.int64(first >> np.uint32(31)) + 1
    shift = np.uint64(4 * row)
    width = np.int64((widths >> shift) & np.uint64(15))
    before = widths & ((np.uint64(1) << shift) - np.uint64(1))
    # Adds up 4-bit numbers: first in pairs, then bytes by a product.
    low = np.uint64(0x0F0F0F0F0F0F0F0F)
    pairs = (before & low) + ((before >> np.uint64(4)) & low)
    total = np.int64((pairs * np.uint64(0x0101010101010101)) >> np.uint64(56))
    start = bits + np.int64(first & np.uint32(0x7FFFFFFF)) + total * step
    return start, width * step


@njit(cache=True, nogil=True)
def _number(plane, rank, u, v, start, width, lane):
    """Multiply the factors and add what they leave over."""
    total = np.int32(1 << 11)
    for k in range(rank):
        product = np.int32(plane.factors[u + k]) * np.int32(plane.factors[v + k])
        total = np.int32(total + np.int32(product))
    rest = 0
    for j in range(width):
        rest |= ((np.int64(plane.words[start + j]) >> lane) & 1) << j
    rest -= (rest >> max(width - 1, 0)) << width
    return (np.int64(total) >> 12) + rest


@njit(cache=True, nogil=True)
def code_of(plane, x, y):
    """Read the number of roller slot `x` against opponent slot `y`.

    Parameters
    ----------
    plane : PlaneArrays
        Its checksums compared: `Plane.read_all` returns such.
    x, y : int64
        Slots of the plane; others are not refused.

    Returns
    -------
    int64
    """
    at, rank, u, v, head, bits = _rectangle(plane, x, y)
    if at == 0:
        return np.int64(0)
    start, width = _row(plane, head, bits, y % 16)
    return _number(plane, rank, u, v, start, width, x % 16)


@njit(cache=True, nogil=True)
def read_pairs(plane, good, block, x, y, out):
    """Read the numbers of pairs until one lies in a part that was not checked.

    Parameters
    ----------
    plane : PlaneArrays
    good : ndarray of bool
        Whether the checksum of each block of the file was right.
    block : int64
        Words of such a block.
    x, y : ndarray of int64
        Slots.
    out : ndarray of int64
        Filled.

    Returns
    -------
    int64
        Pairs that were read.
    """
    for k in range(x.size):
        at, rank, u, v, head, bits = _rectangle(plane, x[k], y[k])
        if at == 0:
            out[k] = 0
            continue
        if not (
            _is_good(good, block, u, rank)
            and _is_good(good, block, v, rank)
            and _is_good(good, block, head, 6)
        ):
            return k
        start, width = _row(plane, head, bits, y[k] % 16)
        if not _is_good(good, block, start, width):
            return k
        out[k] = _number(plane, rank, u, v, start, width, x[k] % 16)
    return x.size


@njit(cache=True, nogil=True)
def _is_good(good, block, start, count):
    if count == 0:
        return True
    last = (start + count - 1) // block
    return last < good.size and good[start // block] and good[last]


@njit(cache=True, nogil=True)
def mark_blocks(plane, good, block, x, y, wanted):
    """Mark the blocks of the file that hold pairs and were not checked.

    Where the directory of a pair was not checked either, where its bits lie is not known
    yet: call again once what is marked is good. Parameters are those of `read_pairs`.

    Returns
    -------
    bool
        Whether all of them lie within the file.
    """
    for k in range(x.size):
        at, rank, u, v, head, bits = _rectangle(plane, x[k], y[k])
        if at == 0:
            continue
        _mark(good, block, u, rank, wanted)
        _mark(good, block, v, rank, wanted)
        _mark(good, block, head, 6, wanted)
        if _is_good(good, block, head, 6):
            start, width = _row(plane, head, bits, y[k] % 16)
            if start + width > plane.words.size:
                return False
            _mark(good, block, start, width, wanted)
    return True


@njit(cache=True, nogil=True)
def _mark(good, block, start, count, wanted):
    if count:
        for k in range(start // block, (start + count - 1) // block + 1):
            wanted[k] |= not good[k]


@njit(cache=True, nogil=True)
def is_whole(plane, ends):
    """Whether every row of every tile lies within its rectangle, which ends there."""
    for band in range(plane.places.shape[0]):
        for level in range(plane.places.shape[1]):
            if plane.places[band, level, 0] == 0:
                continue
            x = np.int64(np.searchsorted(plane.blocks[:, 0], band)) * 16
            y = np.int64(np.searchsorted(plane.tiles[:, 0], level)) * 16
            _, _, _, _, head, bits = _rectangle(plane, x, y)
            tiles = (bits - head) // 6
            for tile in range(tiles):
                start, width = _row(plane, head + tile * 6, bits, 15)
                if start + width > ends[band, level]:
                    return False
    return True
