"""Errors of runs and of their files; light to import."""

from bearoff.errors import BearoffError


class RunError(BearoffError):
    """A run that cannot be started, stored, resumed or read."""


class ManifestError(ValueError):
    """A manifest or note that cannot be read; its reader names the file."""


class OtherVersionError(ManifestError):
    """A manifest of another schema version, which is not damage.

    Attributes
    ----------
    found : object
        The version.
    known : int
        That which this program reads and writes.
    """

    def __init__(self, found: object, known: int) -> None:
        super().__init__(f"schema version {found}")
        self.found, self.known = found, known
