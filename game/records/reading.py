"""Read a record of a match from a file, whichever format it has."""

from os import PathLike
from pathlib import Path

from game.records.record import MatchRecord, RecordError

MOST_BYTES = 64_000_000
"""Largest file read; a long match with GNU Backgammon's analysis has some millions."""


def read_match(path: str | PathLike[str]) -> MatchRecord:
    """Read a match from a file.

    Parameters
    ----------
    path : path-like
        Jellyfish's ``.mat``, the text export of eXtreme Gammon, or GNU Backgammon's
        ``.sgf``; the content decides, not the name.

    Returns
    -------
    MatchRecord
        As written; whether it can have been played, `moments` finds out.

    Raises
    ------
    RecordError
        If the file cannot be read or has none of these formats.
    """
    path = Path(path)
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise RecordError(
                f"{path.name} has {size:,} bytes; a record has at most {MOST_BYTES:,}"
            )
        data = path.read_bytes()
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")  # What Windows programs wrote.
    return parse_match(text, path.name)


def parse_match(text: str, name: str) -> MatchRecord:
    """Read a match from the text of a file.

    Parameters
    ----------
    text : str
        As in the files of `read_match`.
    name : str
        What the match is called, and the file in a refusal.

    Raises
    ------
    RecordError
        If it has none of these formats.
    """
    from game.records.jellyfish import looks_like_jellyfish, read_jellyfish
    from game.records.sgf import looks_like_sgf, read_sgf

    if looks_like_sgf(text):
        return read_sgf(text, name)
    if looks_like_jellyfish(text):
        return read_jellyfish(text, name)
    raise RecordError(
        f"{name} is no match that is read: Jellyfish's .mat, eXtreme Gammon's text "
        "export, or GNU Backgammon's .sgf"
    )
