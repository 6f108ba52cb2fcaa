"""Errors of runs and their files; a light import."""

from bearoff.errors import BearoffError


class RunError(BearoffError):
    """A run cannot be started, stored, resumed or read."""


class ManifestError(ValueError):
    """A manifest or note cannot be read; its reader adds the file name."""


class OtherVersionError(ManifestError):
    """A manifest has another schema version; it is not damaged.

    Attributes
    ----------
    found : object
        Schema version of the file.
    known : int
        Schema version that this program reads and writes.
    """

    def __init__(self, found: object, known: int) -> None:
        super().__init__(f"schema version {found}")
        self.found, self.known = found, known
