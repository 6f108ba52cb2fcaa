"""Script that packs the public matches of the package gammonview into an archive.

Run as ``python -m tests.data.record_public_matches FOLDER``, where FOLDER is the unpacked
source distribution of gammonview. The archived files can still be opened by other programs.
The script removes pictures of the board and notes on rollouts from .xg files. It also
decompresses .bgf files, because the archive then becomes smaller.
"""

import gzip
import io
import lzma
import struct
import sys
import tarfile
import zlib
from pathlib import Path

from research.public_matches import ARCHIVE, HEAD


def opened(path):
    """Return the content of a match file as the archive stores it."""
    data = path.read_bytes()
    if path.suffix == ".xg":
        start = HEAD + struct.unpack_from("<I", data, 20)[0]
        records = zlib.decompressobj().decompress(data[start:])
        return data[:20] + bytes(4) + data[24:HEAD] + zlib.compress(records, 9)
    if path.suffix == ".bgf":
        head, _, packed = data.partition(b"\n")
        return head + b"\n" + gzip.decompress(packed)
    return data


def main(folder):
    """Write the archive of public matches."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for path in [folder / "LICENSE", *sorted((folder / "samples").glob("*/*"))]:
            data = opened(path)
            entry = tarfile.TarInfo(path.name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    ARCHIVE.write_bytes(lzma.compress(buffer.getvalue(), preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
