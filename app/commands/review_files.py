"""Reading of the files that `bearoff review` judges: matches and lists of positions."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bearoff.app.output import note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bearoff import BearoffError
    from bearoff.app.position_lists import Listed
    from bearoff.game.records import MatchRecord

_LONGEST_LIST = 4_000_000
"""Maximum size in bytes of a list of positions."""


@dataclass(frozen=True)
class ReviewFiles:
    """Matches and lists of positions in the files to review, and error messages.

    Attributes
    ----------
    name : str
        Name of the first file to review, without its extension.
    matches : list of MatchRecord
        Matches in the files, without duplicates.
    listed : list of Listed
        Positions in all lists of positions, one per line of a list.
    failed : list of str
        Error message for each file that cannot be read.
    again : list of str
        Message about each match that several of the files contain.
    """

    name: str
    matches: "list[MatchRecord]"
    listed: "list[Listed]"
    failed: list[str]
    again: list[str]


def read_files(files: "Sequence[str]", *, quiet: bool) -> ReviewFiles:
    """Read matches and lists of positions; collect error messages for all other files.

    Raises
    ------
    BearoffError
        If there is a single file, which is neither a match nor a list of positions.
    """
    from bearoff import BearoffError
    from bearoff.app.library.keeper import each_once
    from bearoff.game.records import read_match

    paths = _matches(files)
    large = sum(path.stat().st_size for path in paths if path.is_file()) / 1e6
    if large > 2 and not quiet:  # Up to 2 MB are read without a noticeable delay.
        note(f"reading {large:.0f} MB and replaying the games: some seconds per MB")
    matches, listed, failed = [], [], []
    for path in paths:
        try:
            matches.append(read_match(path))
        except BearoffError as problem:
            try:
                listed += _positions(path, problem)
            except BearoffError as neither:
                if len(paths) == 1:
                    raise
                failed.append(str(neither))
    matches, again = each_once(matches)
    return ReviewFiles(paths[0].stem, matches, listed, failed, again)


def _positions(path: Path, no_match: "BearoffError") -> "list[Listed]":
    """Read a list of positions; for any other file, raise the error `no_match`.

    Raises
    ------
    BearoffError
        If the file is neither a match nor a list of positions.
    """
    from bearoff import BearoffError
    from bearoff.app.position_lists import is_of_match, read_list

    if is_of_match(path.name) or not path.is_file():
        raise no_match
    with path.open("rb") as file:
        data = file.read(_LONGEST_LIST + 1)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise no_match from None
    if not text.strip() or len(data) > _LONGEST_LIST:
        raise no_match
    try:
        return [(path.name, *one) for one in read_list(text, sys.maxsize - 1)]
    except BearoffError as no_list:
        raise BearoffError(f"{no_match}; {no_list}") from None


def _matches(files: "Sequence[str]") -> list[Path]:
    """Return the given files, and the match files in the given folders."""
    from bearoff.game.records import SUFFIXES_READ, RecordError

    found: list[Path] = []
    for name in files:
        if not name.strip():
            raise RecordError(
                "a match must be a file such as match.mat, or a folder of such files; got "
                f"{name!r}"
            )
        path = Path(name)
        if path.is_dir():
            inside = sorted(p for p in path.iterdir() if p.suffix.lower() in SUFFIXES_READ)
            if not inside:
                ends = ", ".join(SUFFIXES_READ)
                raise RecordError(
                    f"{path} contains no match files; their names must end in {ends}"
                )
            found += inside
        else:
            found.append(path)
    return found
