"""Matches in files, one each, in the user's data folder.

A file is replaced whole after every change, so that a restart goes on where the match was.
One that cannot be read is left as it is, and named. A finished game is also written as
``.mat`` and ``.sgf``.
"""

import json
import re
import secrets
import threading
from datetime import UTC, datetime
from pathlib import Path

from app.serve.play.dice import new_seed
from app.serve.play.games import Match, Rules
from app.serve.problems import Refusal
from bearoff import BearoffError
from bearoff.storage import write_atomic
from game.records import SUFFIXES, write_match

MOST = 500
"""Matches that are kept."""

LARGEST = 4 << 20
"""Bytes of a file that is read."""

KEY = re.compile(r"[0-9a-f]{12}")


class Matches:
    """The matches of one person.

    Parameters
    ----------
    folder : Path
        Made when the first match is begun.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open: dict[str, Match] = {}
        self._lock = threading.Lock()

    def begin(self, rules: Rules, seed: str | None = None) -> Match:
        """Begin a match; its dice are new unless a seed is given.

        Raises
        ------
        Refusal
            If too many are kept.
        """
        with self._lock:
            if len(self.keys()) >= MOST:
                raise Refusal(
                    409, f"{MOST} matches are kept; remove one before you begin another"
                )
            begun = datetime.now(UTC).isoformat(timespec="seconds")
            match = Match(secrets.token_hex(6), rules, seed or new_seed(), begun)
            self.keep(match)
            self._open[match.key] = match
            return match

    def keys(self) -> list[str]:
        """Return the keys of all matches, the one changed last first."""
        found = [p for p in self.folder.glob("*.json") if KEY.fullmatch(p.stem)]
        return [p.stem for p in sorted(found, key=lambda p: -p.stat().st_mtime_ns)]

    def match(self, key: str) -> Match:
        """Return a match.

        Raises
        ------
        Refusal
            If there is none of this key, or its file cannot be read.
        """
        with self._lock:
            if key not in self._open:
                self._open[key] = self._read(key)
            return self._open[key]

    def _read(self, key: str) -> Match:
        path = self.folder / f"{key}.json"
        if not KEY.fullmatch(key) or not path.is_file():
            raise Refusal(404, f"there is no match {key[:20]!r}")
        try:
            if path.stat().st_size > LARGEST:
                raise ValueError(f"it has more than {LARGEST:,} bytes")
            return Match.of_json(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise Refusal(
                409, f"{path.name} is damaged and is left as it is: {error}"
            ) from None

    def keep(self, match: Match) -> None:
        """Write a match, and once a game is over the whole as other programs read it.

        Raises
        ------
        BearoffError
            If the files cannot be written.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            text = json.dumps(match.as_json())
            write_atomic(self.folder / f"{match.key}.json", text.encode())
            if match.state.winner is not None or match.ended:
                for suffix in SUFFIXES:
                    write_match(self.folder / f"{match.key}{suffix}", match.record)
        except OSError as error:
            raise BearoffError(
                f"the match cannot be kept in {self.folder}: {error}"
            ) from None

    def remove(self, key: str) -> None:
        """Remove a match; what was written for other programs stays."""
        self.match(key)
        with self._lock:
            del self._open[key]
            (self.folder / f"{key}.json").unlink(missing_ok=True)
