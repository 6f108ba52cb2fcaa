"""Storage of games as files in the user's data folder.

A file has a checksum, and is replaced atomically after every change, so a game can be
continued after a restart. A damaged file is reported and left unchanged.
"""

import re
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from bearoff import BearoffError
from bearoff.app.serve.problems import Refusal
from bearoff.storage import make_private, sealing, write_atomic

MOST = 500
"""Maximum number of stored matches, and of stored games without dice."""

LARGEST = 4 << 20
"""Maximum size of the file of a game, in bytes."""

KEY = re.compile(r"[0-9a-f]{12}")


class Keepable(Protocol):
    """Interface of games that can be stored."""

    key: str

    def as_json(self) -> dict[str, Any]:
        """Return the state of the game as JSON values, which are stored in a file."""


K = TypeVar("K", bound=Keepable)


class GameFiles(Generic[K]):
    """Stored games of one type: with dice, or without.

    Parameters
    ----------
    folder : Path
        Folder of the files, created with the first game.
    again : callable
        Function that restores a game from its JSON values.
    """

    def __init__(self, folder: Path, again: Callable[[dict[str, Any]], K]) -> None:
        self.folder = folder
        self._again = again
        self._open: dict[str, K] = {}
        self._lock = threading.Lock()

    def add(self, new: K) -> K:
        """Store a new game."""
        with self._lock:
            if len(self.keys()) >= MOST:
                raise Refusal(
                    409,
                    f"at most {MOST} games can be stored; delete one before you start "
                    "another",
                )
            self.keep(new)
            self._open[new.key] = new
            return new

    def keys(self) -> list[str]:
        """Return the identifiers of all games, the most recently changed first."""
        changed: dict[str, int] = {}
        for path in self.folder.glob("*.json"):
            with suppress(FileNotFoundError):  # Another thread may have removed the file.
                if KEY.fullmatch(path.stem):
                    changed[path.stem] = path.stat().st_mtime_ns
        return sorted(changed, key=changed.__getitem__, reverse=True)

    def of(self, key: str) -> K:
        with self._lock:
            if key not in self._open:
                self._open[key] = self._read(key)
            return self._open[key]

    def _read(self, key: str) -> K:
        path = self.folder / f"{key}.json"
        if not KEY.fullmatch(key) or not path.is_file():
            raise Refusal(404, f"no match is stored with the key {key[:20]!r}")
        try:
            if path.stat().st_size > LARGEST:
                raise ValueError(f"the file has more than {LARGEST:,} bytes")
            kept = sealing.unsealed_json(path.read_bytes())
            if kept["key"] != key:
                raise ValueError(f"the file contains another match, {kept['key']!r:.40}")
            return self._again(kept)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise Refusal(
                409, f"{path.name} is damaged and was not changed: {error}"
            ) from None

    def listed(self, most: int) -> tuple[list[K], list[str]]:
        """Return the most recently changed games, and one error per damaged file."""
        found, damaged = [], []
        for key in self.keys()[:most]:
            try:
                found.append(self.of(key))
            except Refusal as refused:
                damaged.append(str(refused.detail))
        return found, damaged

    def keep(self, one: K) -> None:
        try:
            make_private(self.folder)
            write_atomic(
                self.folder / f"{one.key}.json", sealing.sealed_json(one.as_json())
            )
            self.kept(one)
        except OSError as error:
            raise BearoffError(
                f"the game cannot be stored in {self.folder}: {error}"
            ) from None

    def kept(self, one: K) -> None:
        """Do further work after a game is stored; subclasses may override this method."""

    def remove(self, key: str) -> None:
        """Remove a game, but keep files that were written for other programs."""
        self.of(key)
        with self._lock:
            self._open.pop(key, None)  # Another thread may have removed the file.
            (self.folder / f"{key}.json").unlink(missing_ok=True)
