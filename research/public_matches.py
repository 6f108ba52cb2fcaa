"""The 13 public matches in `tests/data`, each in two to four file formats."""

import gzip
import tarfile
from collections import defaultdict
from functools import cache
from pathlib import Path

from bearoff.game.records import MatchRecord, parse_match

ARCHIVE = Path(__file__).parents[1] / "tests" / "data" / "public_matches.tar.xz"

HEAD = 8232
"""Number of bytes in an .xg file before its embedded picture."""


@cache
def contents() -> dict[str, bytes]:
    """Return the contents of all match files, by name."""
    found = {}
    with tarfile.open(ARCHIVE) as archive:
        for member in archive:
            file = archive.extractfile(member)
            suffix = Path(member.name).suffix
            if file is None or not suffix:
                continue
            data = file.read()
            if suffix == ".bgf":
                head, _, body = data.partition(b"\n")
                data = head + b"\n" + gzip.compress(body, mtime=0)
            found[member.name] = data
    return found


def analysed() -> list[MatchRecord]:
    """Return the matches that contain eXtreme Gammon's analysis."""
    files = sorted(contents().items())
    return [parse_match(data, name) for name, data in files if name.endswith(".xg")]


def by_match() -> dict[str, dict[str, bytes]]:
    """Return the contents of all files of each match, by the name of the match."""
    found: dict[str, dict[str, bytes]] = defaultdict(dict)
    for name, data in contents().items():
        path = Path(name)
        found[path.stem][path.suffix] = data
    return dict(found)
