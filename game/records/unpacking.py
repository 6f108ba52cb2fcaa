"""Unpack what a file has packed, but never more than a match can have."""

import zlib
from collections.abc import Iterator

from game.records.record import RecordError

MOST_UNPACKED = 32_000_000
"""Bytes; a match of a hundred games with an analysis has some twenty millions."""


def streams(data: bytes, source: str) -> Iterator[bytes]:
    """Yield what is packed by zlib or gzip, one behind another, until something is not.

    Raises
    ------
    RecordError
        If it is more than `MOST_UNPACKED` together, or breaks off.
    """
    left = MOST_UNPACKED
    while data:
        unpacking = zlib.decompressobj(zlib.MAX_WBITS | 32)
        try:
            found = unpacking.decompress(data, left + 1)
        except zlib.error:
            return
        left -= len(found)
        if left < 0:
            raise RecordError(
                f"{source} unpacks to more than {MOST_UNPACKED:,} bytes, which no match has"
            )
        if not unpacking.eof:
            raise RecordError(f"{source} breaks off within packed data; copy it again")
        yield found
        data = unpacking.unused_data
