"""Compiled kernels that store differences from a prediction in as few bits as possible.

A row contains the residuals of one opponent against the 16 rollers of a block. It takes as
many 16-bit words as its largest residual has bits; word ``j`` has bit ``j`` of all 16
residuals. Sixteen rows form a tile, whose directory entry has the start of the tile and the
bit width of each row.
"""

import numpy as np

from bearoff.pair_planes.vectors import LANES, leave_over, restore, store_bits
from bearoff.runtime import njit

DOUBLED = np.uint32(1 << 31)
"""Flag in a directory entry. If the flag is set, all bit widths in the entry are even, and
the entry contains half of each bit width."""


@njit(cache=True, nogil=True)
def _turn(u, block, columns):
    """Copy the factors of 16 roller positions to an array with a column per position."""
    for lane in range(LANES):
        for k in range(u.shape[1]):
            columns[k, lane] = u[block * LANES + lane, k]


@njit(cache=True, nogil=True)
def pack(codes, u, v, directory, words):
    """Pack residuals into as few bits as possible, and write a directory of bit widths.

    Parameters
    ----------
    codes : ndarray of int32, shape (blocks, opponents, 16)
    u, v : ndarray of int16, shapes (16 * blocks, rank), (opponents, rank)
    directory : ndarray of uint32, shape (blocks, opponents // 16, 3)
        Output array for the directory entries.
    words : ndarray of uint16
        Output array for the packed residuals, with space for 32 bits per residual.

    Returns
    -------
    int
        Number of 16-bit words that were written to `words`.
    """
    used = 0
    columns = np.empty((u.shape[1], LANES), dtype=np.int32)
    rests = np.empty((LANES, LANES), dtype=np.int32)
    widths = np.empty(LANES, dtype=np.int64)
    rank = u.shape[1]
    theirs = v.astype(np.int32)
    flat = codes.reshape(-1)
    for block in range(codes.shape[0]):
        _turn(u, block, columns)
        for tile in range(codes.shape[1] // LANES):
            widest = 0
            for row in range(LANES):
                opponent = tile * LANES + row
                at = (block * codes.shape[1] + opponent) * LANES
                widths[row] = leave_over(
                    columns, theirs, opponent, rank, flat, at, rests[row]
                )
                widest = max(widest, widths[row])
            step = 1 if widest < 16 else 2
            head = directory[block, tile]
            head[0] = np.uint32(used) | (DOUBLED if step == 2 else np.uint32(0))
            head[1] = 0
            head[2] = 0
            for row in range(LANES):
                count = (widths[row] + step - 1) // step
                head[1 + row // 8] |= np.uint32(count << (row % 8 * 4))
                store_bits(rests[row], count * step, words, used)
                used += count * step
    return used


@njit(cache=True, nogil=True)
def unpack(u, v, directory, words, codes):
    """Restore the values of a rectangle from factors and packed residuals."""
    columns = np.empty((u.shape[1], LANES), dtype=np.int32)
    rank = u.shape[1]
    theirs = v.astype(np.int32)
    flat = codes.reshape(-1)
    for block in range(codes.shape[0]):
        _turn(u, block, columns)
        for tile in range(codes.shape[1] // LANES):
            head = directory[block, tile]
            at = np.int64(head[0] & ~DOUBLED)
            step = 2 if head[0] & DOUBLED else 1
            for row in range(LANES):
                width = np.int64(head[1 + row // 8] >> np.uint32(row % 8 * 4) & 15) * step
                opponent = tile * LANES + row
                to = (block * codes.shape[1] + opponent) * LANES
                restore(columns, theirs, opponent, rank, words, at, width, flat, to)
                at += width
