"""Reader of match files in all supported formats, which are recognised by content."""

from dataclasses import replace
from os import PathLike
from pathlib import Path

from bearoff.game.records.record import MatchRecord, RecordError
from bearoff.storage import require_regular

MOST_BYTES = 32_000_000
"""Maximum size of a match file in bytes. A long match with GNU Backgammon's analysis has a
few million bytes."""

SUFFIXES_READ = (
    ".mat",
    ".sgf",
    ".txt",
    ".xg",
    ".xgp",
    ".bgf",
    ".gvab",
    ".gva",
    ".ogxm",
)
"""File name suffixes of the formats that can be read."""

HOW = (
    "save the match in one of these: eXtreme Gammon's File, Save as .xg, or Export, text "
    "file; GNU Backgammon's File, Save as .sgf, or Export as .mat; BGBlitz's File, Save as "
    ".bgf"
)
"""Instructions for users of three other programs on saving a match in a supported format.
"""


def read_match(path: str | PathLike[str]) -> MatchRecord:
    """Read a match from a file in any supported format.

    Parameters
    ----------
    path : path-like
        Path of the file: Jellyfish's ``.mat``; eXtreme Gammon's ``.xg``, ``.xgp`` or text
        exports; GNU Backgammon's ``.sgf`` or text exports; BGBlitz's ``.bgf``; OGXM as
        ``.ogxm``, ``.gvab`` or ``.gva``. The format is recognised by the content, not by
        the name.

    Returns
    -------
    MatchRecord
        Match as recorded. If both players have the same name, numbers are added to the
        names. The match may contain impossible actions, which `moments` finds.

    Raises
    ------
    RecordError
        If the file cannot be read or has no supported format.
    """
    path = Path(path)
    try:
        require_regular(path)
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise RecordError(
                f"{path.name} has {size:,} bytes, but a match file may have at most "
                f"{MOST_BYTES:,}"
            )
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise RecordError(f"cannot read {path}: {reason}") from None
    return parse_match(data, path.name)


def parse_match(content: str | bytes, name: str) -> MatchRecord:
    """Read a match from the contents of a file in any supported format.

    Parameters
    ----------
    content : str or bytes
        Contents of the file; bytes are required for binary formats.
    name : str
        Name of the match, which also appears in error messages.

    Raises
    ------
    RecordError
        If the content has no supported format.
    """
    match = _parsed(content, name)
    first, second = match.players
    if first == second != "":
        match = replace(match, players=(f"{first} (1)", f"{second} (2)"))
    return match


def _parsed(content: str | bytes, name: str) -> MatchRecord:
    from bearoff.game.records.analysed_positions import looks_like_positions, read_positions
    from bearoff.game.records.gnubg_texts import looks_like_gnubg_text, read_gnubg_text
    from bearoff.game.records.jellyfish import looks_like_jellyfish, read_jellyfish
    from bearoff.game.records.sgf import looks_like_sgf, read_sgf

    if isinstance(content, bytes):
        match = _binary(content, name)
        if match is not None:
            return match
        content = _text(content)
    if not content.strip():
        raise RecordError(f"{name} is empty; choose another file, or save the match again")
    if looks_like_sgf(content):
        return read_sgf(content, name)
    if looks_like_gnubg_text(content):
        return read_gnubg_text(content, name)
    if looks_like_jellyfish(content):
        return read_jellyfish(content, name)
    if looks_like_positions(content):
        return read_positions(content, name)
    if content.lstrip()[:1] == "{":
        from bearoff.game.records.documents import read_ogxm

        return read_ogxm(content.encode(), name)
    raise RecordError(f"{name} is not a match in a supported format; {HOW}")


def _binary(data: bytes, name: str) -> MatchRecord | None:
    """Read a match in a binary format; return None if the data have another format."""
    if data.startswith(b"RGMH"):
        from bearoff.game.records.extreme_gammon import read_extreme_gammon

        return read_extreme_gammon(data, name)
    if data.startswith(b"OGXM"):
        from bearoff.game.records.documents import read_ogxm

        return read_ogxm(data, name)
    head = data.partition(b"\n")[0][:200]
    if head.startswith(b"{") and b'"BGF"' in head:
        from bearoff.game.records.documents import read_bgblitz

        return read_bgblitz(data, name)
    return None


def _text(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        # Older Windows programs write text files in the encoding cp1252.
        return data.decode("cp1252", errors="replace")
