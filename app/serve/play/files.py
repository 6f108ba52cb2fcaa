"""What is played, in files, one each, in the user's data folder.

A file is sealed, and replaced whole after every change, so that a restart goes on where the
game was. A file that is damaged or cannot be read is left as it is, and named.
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
"""Matches that are kept, and as many games without dice."""

LARGEST = 4 << 20
"""Bytes of a file that is read."""

KEY = re.compile(r"[0-9a-f]{12}")


class Keepable(Protocol):
    """What can be kept."""

    key: str

    def as_json(self) -> dict[str, Any]:
        """Return what is kept of it."""


K = TypeVar("K", bound=Keepable)


class GameFiles(Generic[K]):
    """What one person plays, of one kind.

    Parameters
    ----------
    folder : Path
        Made when the first is begun.
    again : callable
        Makes one of what was kept of it.
    """

    def __init__(self, folder: Path, again: Callable[[dict[str, Any]], K]) -> None:
        self.folder = folder
        self._again = again
        self._open: dict[str, K] = {}
        self._lock = threading.Lock()

    def add(self, new: K) -> K:
        """Store a new game.

        Raises
        ------
        Refusal
            If too many are kept.
        """
        with self._lock:
            if len(self.keys()) >= MOST:
                raise Refusal(409, f"{MOST} are kept; remove one before you begin another")
            self.keep(new)
            self._open[new.key] = new
            return new

    def keys(self) -> list[str]:
        """Return the keys of all, the one changed last first."""
        changed: dict[str, int] = {}
        for path in self.folder.glob("*.json"):
            with suppress(FileNotFoundError):  # It may be removed meanwhile.
                if KEY.fullmatch(path.stem):
                    changed[path.stem] = path.stat().st_mtime_ns
        return sorted(changed, key=changed.__getitem__, reverse=True)

    def of(self, key: str) -> K:
        """Return the one with a key.

        Raises
        ------
        Refusal
            If there is none, or its file cannot be read.
        """
        with self._lock:
            if key not in self._open:
                self._open[key] = self._read(key)
            return self._open[key]

    def _read(self, key: str) -> K:
        path = self.folder / f"{key}.json"
        if not KEY.fullmatch(key) or not path.is_file():
            raise Refusal(404, f"nothing that is kept is called {key[:20]!r}")
        try:
            if path.stat().st_size > LARGEST:
                raise ValueError(f"it has more than {LARGEST:,} bytes")
            kept = sealing.unsealed_json(path.read_bytes())
            if kept["key"] != key:
                raise ValueError(f"it holds the match {kept['key']!r:.40}")
            return self._again(kept)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise Refusal(
                409, f"{path.name} is damaged and is left as it is: {error}"
            ) from None

    def listed(self, most: int) -> tuple[list[K], list[str]]:
        """Return those changed last, and sentences of those that cannot be read."""
        found, damaged = [], []
        for key in self.keys()[:most]:
            try:
                found.append(self.of(key))
            except Refusal as refused:
                damaged.append(str(refused.detail))
        return found, damaged

    def keep(self, one: K) -> None:
        """Write one as it is now.

        Raises
        ------
        BearoffError
            If that fails.
        """
        try:
            make_private(self.folder)
            write_atomic(
                self.folder / f"{one.key}.json", sealing.sealed_json(one.as_json())
            )
            self.kept(one)
        except OSError as error:
            raise BearoffError(
                f"the game cannot be kept in {self.folder}: {error}"
            ) from None

    def kept(self, one: K) -> None:
        """Write what else there is to be written of one that was kept: nothing."""

    def remove(self, key: str) -> None:
        """Remove one; what was written for other programs stays."""
        self.of(key)
        with self._lock:
            self._open.pop(key, None)  # Another may have removed it meanwhile.
            (self.folder / f"{key}.json").unlink(missing_ok=True)
