"""Functions that read single values of a compressed file, with and without compiled code.

`rectangle` and `row` work with Python integers and memoryviews, and with numpy arrays.
`bearoff.pair_planes.kernels` also compiles both functions. Importing the compiler takes
longer than reading a hundred thousand pairs with numpy.
"""

from collections.abc import Callable
from operator import mul
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

HEAD = 6
"""Number of 16-bit words in a directory entry. An entry describes the residuals of 16
roller positions against 16 opponent positions (a tile)."""

OVERREAD = 64
"""Number of zero bytes at the end of the file, because vector instructions read past the
last rectangle."""


class PlaneArrays(NamedTuple):
    """Arrays of a compressed file, from which compiled code reads single values.

    Attributes
    ----------
    words, factors, heads : ndarray of uint16, int16, uint32
        Bytes of the file, read as integers of three types.
    places : ndarray of int64, shape (bands, levels, 2)
        Index in `words` of the start of each rectangle, and the rank of the rectangle's
        factors. Both are 0 if all values of the rectangle are 0.
    blocks, tiles : ndarray of int32, shapes (indices / 16, 3)
        Arrays `Layout.blocks` and `Layout.tiles`.
    """

    words: NDArray[np.uint16]
    factors: NDArray[np.int16]
    heads: NDArray[np.uint32]
    places: NDArray[np.int64]
    blocks: NDArray[np.int32]
    tiles: NDArray[np.int32]


def rectangle(plane: Any, x: Any, y: Any) -> Any:
    """Return where the data of a pair of positions are in the file.

    Returns
    -------
    tuple of int
        Start of the rectangle, rank of its factors, and starts of four parts: the roller's
        factors, the opponent's factors, the tile's directory entry, and all residuals.
        Every start is an index in `words`. If the start of the rectangle is 0, the value is
        0.
    """
    block, tile = x >> 4, y >> 4
    band, level = plane.blocks[block, 0], plane.tiles[tile, 0]
    at, rank = plane.places[band, level, 0], plane.places[band, level, 1]
    first_block, blocks = plane.blocks[block, 1], plane.blocks[block, 2]
    first_tile, tiles = plane.tiles[tile, 1], plane.tiles[tile, 2]
    u = at + (x - first_block * 16) * rank
    v = at + (blocks * 16 + y - first_tile * 16) * rank
    directory = at + (blocks + tiles) * 16 * rank
    head = directory + ((block - first_block) * tiles + tile - first_tile) * HEAD
    return at, rank, u, v, head, directory + blocks * tiles * HEAD


def row(plane: Any, place: Any, opponent: Any) -> Any:
    """Return the first word and the bit width of an opponent's 16 residuals, or zeros."""
    at, _, _, _, head, bits = place
    # A branch would make numba count references to the arrays, so this code has none.
    stored = min(at, 1)
    head = (head >> 1) * stored
    first = plane.heads[head] + 0
    widths = plane.heads[head + 1] + (plane.heads[head + 2] << 32)
    shift = opponent * 4
    width = (widths >> shift) & 15
    # `before` contains the widths of all earlier rows, in four bits each. `pairs` adds two
    # widths in each byte. One multiplication then adds all bytes of `pairs`.
    before = widths & ((1 << shift) - 1)
    pairs = (before & 0x0F0F0F0F0F0F0F0F) + ((before >> 4) & 0x0F0F0F0F0F0F0F0F)
    total = ((pairs * 0x0101010101010101) >> 56) & 255
    step = ((first >> 31) + 1) * stored
    return (bits + (first & 0x7FFFFFFF)) * stored + total * step, width * step


def number(plane: Any, place: Any, start: Any, width: Any, lane: Any) -> Any:
    """Return one stored value: the rounded product of its factors plus the residual."""
    _, rank, u, v, _, _ = place
    ours, theirs = plane.factors[u : u + rank], plane.factors[v : v + rank]
    total = sum(map(mul, ours, theirs), 1 << 11)
    rest = 0
    for j in range(width):
        rest |= ((plane.words[start + j] >> lane) & 1) << j
    rest -= (rest >> max(width - 1, 0)) << width
    # The sum of products overflows as in 32-bit arithmetic.
    return ((((total + (1 << 31)) & 0xFFFFFFFF) - (1 << 31)) >> 12) + rest


def numbers(
    plane: PlaneArrays,
    x: NDArray[np.int64],
    y: NDArray[np.int64],
    require: Callable[[NDArray[np.int64], NDArray[np.int64]], None],
) -> NDArray[np.int64]:
    """Return the stored values of many pairs of positions, read with numpy.

    Parameters
    ----------
    plane : PlaneArrays
    x, y : ndarray of int64, shape (n,)
        Position indices of the rollers and of the opponents.
    require : callable
        Function that verifies ranges of the file before they are read. Its arguments are
        the first 16-bit word and the number of words of each range.

    Returns
    -------
    ndarray of int64, shape (n,)
        Integer that the file stores for each pair of positions.
    """
    found = np.zeros(len(x), dtype=np.int64)
    stored = np.flatnonzero(rectangle(plane, x, y)[0])
    x, y = x[stored], y[stored]
    _, rank, u, v, head, bits = rectangle(plane, x, y)
    for first, count in ((u, rank), (v, rank), (head, np.full(len(x), HEAD))):
        require(first, count)
    opening, low, high = (plane.heads[(head >> 1) + k].astype(np.uint64) for k in range(3))
    widths = low + (high << np.uint64(32))
    shift = (y % 16 * 4).astype(np.uint64)
    before = widths & ((np.uint64(1) << shift) - np.uint64(1))
    half = np.uint64(0x0F0F0F0F0F0F0F0F)
    pairs = (before & half) + ((before >> np.uint64(4)) & half)
    total = (pairs * np.uint64(0x0101010101010101)) >> np.uint64(56)
    opening = opening.astype(np.int64)
    step = (opening >> 31) + 1
    width = ((widths >> shift) & np.uint64(15)).astype(np.int64) * step
    start = bits + (opening & 0x7FFFFFFF) + total.astype(np.int64) * step
    require(start, width)
    summed = np.full(len(x), 1 << 11, dtype=np.int64)
    for k in range(int(rank.max(initial=0))):
        on = np.flatnonzero(k < rank)
        ours, theirs = plane.factors[u[on] + k], plane.factors[v[on] + k]
        summed[on] += ours.astype(np.int64) * theirs
    rest = np.zeros(len(x), dtype=np.int64)
    for j in range(int(width.max(initial=0))):
        on = np.flatnonzero(j < width)
        bit = (plane.words[start[on] + j] >> (x[on] % 16)) & 1
        rest[on] |= bit.astype(np.int64) << j
    rest -= (rest >> np.maximum(width - 1, 0)) << width
    found[stored] = ((((summed + (1 << 31)) & 0xFFFFFFFF) - (1 << 31)) >> 12) + rest
    return found
