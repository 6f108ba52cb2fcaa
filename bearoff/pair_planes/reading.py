"""How a number is found in a plane: interpreted for a few pairs, compiled for many.

Everything here works on Python's own numbers and on arrays as well as on memoryviews: it
is `bearoff.pair_planes.kernels` that compiles it. Loading the compiler takes longer than
reading some thousand pairs without it.
"""

from operator import mul
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

HEAD = 6
"""16-bit words that a tile has in the directory."""

OVERREAD = 64
"""Bytes of 0 behind the last rectangle, where vector instructions read too far."""


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
    """Find the first word and the width of a row of a tile; of no rectangle both are 0."""
    at, _, _, _, head, bits = place
    # Compiled code has no branch here: one would count references to the arrays.
    stored = min(at, 1)
    head = (head >> 1) * stored
    first = plane.heads[head] + 0
    widths = plane.heads[head + 1] + (plane.heads[head + 2] << 32)
    shift = opponent * 4
    width = (widths >> shift) & 15
    # Adds up the 4-bit numbers before: in pairs, then bytes by a product.
    before = widths & ((1 << shift) - 1)
    pairs = (before & 0x0F0F0F0F0F0F0F0F) + ((before >> 4) & 0x0F0F0F0F0F0F0F0F)
    total = ((pairs * 0x0101010101010101) >> 56) & 255
    step = ((first >> 31) + 1) * stored
    return (bits + (first & 0x7FFFFFFF)) * stored + total * step, width * step


def number(plane: Any, place: Any, start: Any, width: Any, lane: Any) -> Any:
    """Multiply the factors and add what they leave over, of memoryviews."""
    _, rank, u, v, _, _ = place
    ours, theirs = plane.factors[u : u + rank], plane.factors[v : v + rank]
    total = sum(map(mul, ours, theirs), 1 << 11)
    rest = 0
    for j in range(width):
        rest |= ((plane.words[start + j] >> lane) & 1) << j
    rest -= (rest >> max(width - 1, 0)) << width
    # The sum is one of 32 bits.
    return ((((total + (1 << 31)) & 0xFFFFFFFF) - (1 << 31)) >> 12) + rest
