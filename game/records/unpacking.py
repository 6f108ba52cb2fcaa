"""Decompression of match files, with a limit on the size."""

import zlib
from collections.abc import Iterator

from bearoff.game.records.record import RecordError

MOST_UNPACKED = 32_000_000
"""Maximum size of the decompressed data in bytes. A match of a hundred games with analyses
has 20 million bytes."""
_BEGINNINGS = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda", b"\x1f\x8b")


def streams(data: bytes, source: str) -> Iterator[bytes]:
    """Decompress and yield the zlib or gzip streams at the start of the data.

    Raises `RecordError` if the decompressed streams together have more than `MOST_UNPACKED`
    bytes, if the first stream is damaged, or if a stream is incomplete.
    """
    left = MOST_UNPACKED
    first = data.startswith(_BEGINNINGS)
    while data:
        unpacking = zlib.decompressobj(zlib.MAX_WBITS | 32)
        try:
            found = unpacking.decompress(data, left + 1)
        except zlib.error:
            if first:
                raise RecordError(
                    f"the packed data of {source} is damaged; copy the file again"
                ) from None
            return
        left -= len(found)
        if left < 0:
            raise RecordError(
                f"{source} unpacks to more than {MOST_UNPACKED:,} bytes, which is too "
                "large for a match"
            )
        if not unpacking.eof:
            raise RecordError(f"{source} ends within its packed data; copy the file again")
        yield found
        first = False
        data = unpacking.unused_data
