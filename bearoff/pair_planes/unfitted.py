"""Compression of pair values without matrix factors, in numpy."""

import numpy as np
from numpy.typing import NDArray

from bearoff.pair_planes.layout import LANES

_BITS = 32


def pack(codes: NDArray[np.int32]) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
    """Pack values into as few bits as possible; return the directory and the 16-bit words.

    The number of words is even, so that the next rectangle starts at a multiple of four
    bytes.
    """
    rows = codes.reshape(-1, LANES)
    sizes = np.bitwise_or.reduce(rows ^ (rows >> (_BITS - 1)), axis=1)
    widths = np.where(rows.any(axis=1), np.frexp(sizes)[1] + 1, 0).reshape(-1, LANES)
    step = 1 + (widths.max(axis=1) >= LANES)[:, None]
    counts = (widths + step - 1) // step
    used = (counts * step).ravel()
    directory = np.zeros((len(widths), 3), dtype="<u4")
    directory[:, 0] = (used.cumsum() - used)[::LANES] | (step[:, 0] - 1) << 31
    shifts = np.arange(LANES) % 8 * 4
    directory[:, 1:] = (counts << shifts).reshape(-1, 2, 8).sum(axis=2)
    bits = np.unpackbits(
        rows.astype("<i4").view(np.uint8).reshape(-1, LANES, 4), axis=2, bitorder="little"
    )
    bits = bits[:, :, : used.max()].transpose(0, 2, 1)
    words = np.packbits(bits, axis=2, bitorder="little").view("<u2")[:, :, 0]
    words = words[np.arange(words.shape[1]) < used[:, None]]
    return directory, np.append(words, np.zeros(len(words) % 2, dtype="<u2"))
