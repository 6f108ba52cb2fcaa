"""Matches in files; from the first finished game on also as ``.mat`` and ``.sgf``."""

import secrets
from datetime import UTC, datetime
from pathlib import Path

from bearoff.app.serve.play.dice import new_seed
from bearoff.app.serve.play.files import GameFiles
from bearoff.app.serve.play.games import Match, Rules
from bearoff.game.records import SUFFIXES, write_match


def new_key() -> str:
    """Return what something new is called in addresses and files."""
    return secrets.token_hex(6)


def now() -> str:
    """Return the time, in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Matches(GameFiles[Match]):
    """The matches of one person.

    Parameters
    ----------
    folder : Path
        Made when the first match is begun.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, Match.of_json)

    def begin(self, rules: Rules, seed: str | None = None) -> Match:
        """Begin a match; its dice are new unless a seed is given.

        Raises
        ------
        Refusal
            If too many are kept.
        """
        return self.add(Match(new_key(), rules, seed or new_seed(), now()))

    def kept(self, one: Match) -> None:
        """Write the whole as other programs read it, once a game is over.

        It follows what comes after, too: an end that is taken back is in no file.
        """
        for suffix in SUFFIXES:
            path = self.folder / f"{one.key}{suffix}"
            if one.state.winner is not None or one.ended or path.exists():
                write_match(path, one.record)
