"""Reader of stored planes, written from docs/tables.md without code of `bearoff`."""

import bisect
import struct
from itertools import pairwise


def bands_of(levels):
    """Return the number of the first block of each band, and the number of blocks."""
    bands = [0]
    for first, last in pairwise(levels):
        blocks = (last - first) // 16
        parts = -(-blocks // 64)
        bands += [first // 16 + blocks * k // parts for k in range(1, parts + 1)]
    return bands


def read_code(plane, index, levels, x, y):
    """Read the stored number for the roller's slot `x` and the opponent's slot `y`.

    The argument `levels` lists the first slot of each level, and then the number of slots.
    """
    bands = bands_of(levels)
    band = bisect.bisect_right(bands, x // 16) - 1
    level = bisect.bisect_right(levels, y) - 1
    word, rank = struct.unpack_from("<2q", index, 16 * (band * (len(levels) - 1) + level))
    if word == 0:
        return 0
    blocks, slots = bands[band + 1] - bands[band], levels[level + 1] - levels[level]
    roller, opponent = x - 16 * bands[band], y - levels[level]
    at = 2 * word
    u = struct.unpack_from(f"<{rank}h", plane, at + 2 * rank * roller)
    at += 2 * rank * 16 * blocks
    v = struct.unpack_from(f"<{rank}h", plane, at + 2 * rank * opponent)
    at += 2 * rank * slots
    tile = roller // 16 * (slots // 16) + opponent // 16
    head, *words = struct.unpack_from("<3I", plane, at + 12 * tile)
    at += 12 * blocks * (slots // 16)
    step = 1 + (head >> 31)
    widths = [step * (words[row // 8] >> 4 * (row % 8) & 15) for row in range(16)]
    row = opponent % 16
    at += 2 * ((head & 0x7FFFFFFF) + sum(widths[:row]))
    bits = [w >> x % 16 & 1 for w in struct.unpack_from(f"<{widths[row]}H", plane, at)]
    rest = sum(bit << j for j, bit in enumerate(bits))
    if bits:  # the highest bit is the sign
        rest -= bits[-1] << len(bits)
    total = sum(p * q for p, q in zip(u, v, strict=True)) + 2048
    total = (total + 2**31) % 2**32 - 2**31
    return (total >> 12) + rest
