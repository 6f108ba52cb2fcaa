"""How a number is found in a plane: interpreted for a few pairs, compiled for many.

Everything here works on Python's own numbers and on arrays as well as on memoryviews: it
is `bearoff.pair_planes.kernels` that compiles it. Loading the compiler takes longer than
reading some thousand pairs without it.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

HEAD = 6
"""16-bit words that a tile has in the directory."""


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


def rectangle(plane: Any, x: Any, y: Any) -> Any:
    """Find a pair's rectangle, and in 16-bit words what of it concerns the pair.

    Returns
    -------
    tuple of int
        The rectangle's place and rank; the factors of the roller and of the opponent; the
        tile in the directory; where the bits begin. A place of 0: the number is 0.
    """
    block, tile = x // 16, y // 16
    band, level = plane.blocks[block, 0], plane.tiles[tile, 0]
    at, rank = plane.places[band, level, 0], plane.places[band, level, 1]
    first_block, blocks = plane.blocks[block, 1], plane.blocks[block, 2]
    first_tile, tiles = plane.tiles[tile, 1], plane.tiles[tile, 2]
    u = at + (x - first_block * 16) * rank
    v = at + (blocks * 16 + y - first_tile * 16) * rank
    directory = at + (blocks + tiles) * 16 * rank
    head = directory + ((block - first_block) * tiles + tile - first_tile) * HEAD
    return at, rank, u, v, head, directory + blocks * tiles * HEAD


def row(plane: Any, head: Any, bits: Any, opponent: Any) -> Any:
    """Find the first word and the width of a row of a tile."""
    place = plane.heads[head // 2] + 0
    step = (place >> 31) + 1
    before = width = 0
    for half in range(opponent // 8 + 1):
        widths = plane.heads[head // 2 + 1 + half] + 0
        if half < opponent // 8:
            shift = 32
        else:
            shift = opponent % 8 * 4
            width = (widths >> shift) & 15
        # Four-bit numbers are added in pairs, then bytes by a product.
        widths &= (1 << shift) - 1
        pairs = (widths & 0x0F0F0F0F) + ((widths >> 4) & 0x0F0F0F0F)
        before += ((pairs * 0x01010101) >> 24) & 255
    return bits + (place & 0x7FFFFFFF) + before * step, width * step


def number(plane: Any, place: Any, start: Any, width: Any, lane: Any) -> Any:
    """Multiply the factors and add what they leave over."""
    _, rank, u, v, _, _ = place
    total = 1 << 11
    for k in range(rank):
        total += plane.factors[u + k] * plane.factors[v + k]
    rest = 0
    for j in range(width):
        rest |= ((plane.words[start + j] >> lane) & 1) << j
    rest -= (rest >> max(width - 1, 0)) << width
    # The sum is one of 32 bits.
    return ((((total + (1 << 31)) & 0xFFFFFFFF) - (1 << 31)) >> 12) + rest
