"""The names under which the user of a library plays, told once for every door."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bearoff import BearoffError
from bearoff.app.library.sealed import StoreError
from bearoff.storage import write_atomic

MOST = 20
"""Names that one player has, at most."""

LONGEST = 200
"""Characters of a name, at most."""


@dataclass(frozen=True)
class MyNames:
    """A text file with a name on each line, which may also be edited by hand.

    Attributes
    ----------
    path : Path
        The file, which need not exist.
    """

    path: Path

    def read(self) -> tuple[str, ...]:
        """Return the names in the order they were given; empty if none was.

        Raises
        ------
        StoreError
            If the file cannot be read, or holds something else.
        """
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ()
        except (OSError, UnicodeDecodeError) as error:
            raise StoreError(
                f"your names in {self.path} cannot be read, one a line: {error}"
            ) from None
        try:
            return checked(text.splitlines())
        except BearoffError as error:
            raise StoreError(f"your names in {self.path}: {error}") from None

    def write(self, names: Iterable[str]) -> tuple[str, ...]:
        """Keep names in place of those of before; return them as they are kept.

        Raises
        ------
        BearoffError
            If there are too many, or one is too long or has a line break.
        """
        kept = checked(names)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(self.path, "".join(f"{name}\n" for name in kept).encode())
        return kept


def checked(names: Iterable[str]) -> tuple[str, ...]:
    """Return names without spaces around them, each once, whatever its case.

    Raises
    ------
    BearoffError
        If there are too many, or one is too long or has a line break.

    Examples
    --------
    >>> checked([" Ann", "ANN", "", "annie"])
    ('Ann', 'annie')
    """
    found: dict[str, str] = {}
    for name in names:
        text = name.strip()
        if len(text) > LONGEST or len(text.splitlines()) > 1:
            raise BearoffError(
                f"a name is one line of at most {LONGEST} characters, got {text[:20]!r}..."
            )
        if text:
            found.setdefault(text.casefold(), text)
    if len(found) > MOST:
        raise BearoffError(f"a player has at most {MOST} names, got {len(found)}")
    return tuple(found.values())
