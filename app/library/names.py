"""Names under which the user of a library plays."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bearoff import BearoffError
from bearoff.app.library.sealed import StoreError
from bearoff.storage import write_atomic

MOST = 20
"""Maximum number of the user's names."""

LONGEST = 200
"""Maximum length of a name, in characters."""


@dataclass(frozen=True)
class MyNames:
    """Text file with one player name per line, which can be edited by hand.

    Attributes
    ----------
    path : Path
        Path of the file, which need not exist.
    """

    path: Path

    def read(self) -> tuple[str, ...]:
        """Return the names in the order of the file; empty if there is no file."""
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ()
        except (OSError, UnicodeDecodeError) as error:
            raise StoreError(
                f"the list of your names, {self.path}, cannot be read: {error}"
            ) from None
        try:
            return checked(filter(str.strip, text.splitlines()))
        except BearoffError as error:
            raise StoreError(
                f"the list of your names, {self.path}, is invalid: {error}"
            ) from None

    def write(self, names: Iterable[str]) -> tuple[str, ...]:
        """Replace the user's stored names; return the names that are stored now."""
        kept = checked(names)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(self.path, "".join(f"{name}\n" for name in kept).encode())
        return kept


def checked(names: Iterable[str]) -> tuple[str, ...]:
    """Return distinct names, ignoring case and surrounding spaces.

    Examples
    --------
    >>> checked([" Ann", "ANN", "annie"])
    ('Ann', 'annie')
    """
    found: dict[str, str] = {}
    for name in names:
        text = name.strip()
        if len(text) > LONGEST or len(text.splitlines()) != 1:
            more = "..." * (len(text) > 20)
            raise BearoffError(
                f"a name must be a single line of 1 to {LONGEST} characters, got "
                f"{text[:20]!r}{more}"
            )
        found.setdefault(text.casefold(), text)
    if len(found) > MOST:
        raise BearoffError(f"a player may have at most {MOST} names, got {len(found)}")
    return tuple(found.values())
