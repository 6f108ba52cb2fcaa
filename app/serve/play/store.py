"""Storage of matches as files; after the first game also as ``.mat`` and ``.sgf`` files."""

import secrets
from datetime import UTC, datetime
from pathlib import Path

from bearoff.app.serve.play.dice import new_seed
from bearoff.app.serve.play.files import GameFiles
from bearoff.app.serve.play.games import LiveMatch, Rules
from bearoff.game.records import SUFFIXES, write_match


def new_key() -> str:
    return secrets.token_hex(6)


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Matches(GameFiles[LiveMatch]):
    """Stored matches of one user.

    Parameters
    ----------
    folder : Path
        Folder of the files, created with the first match.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, LiveMatch.of_json)

    def begin(self, rules: Rules, seed: str | None = None) -> LiveMatch:
        """Begin a match and store it; the seed is random unless one is given."""
        return self.add(LiveMatch(new_key(), rules, seed or new_seed(), now()))

    def kept(self, one: LiveMatch) -> None:
        """Write the match as .mat and .sgf files once its first game is over.

        Once these files exist, every change of the match, such as an undo, rewrites them.
        """
        for suffix in SUFFIXES:
            path = self.folder / f"{one.key}{suffix}"
            if one.state.winner is not None or one.ended or path.exists():
                write_match(path, one.record)
