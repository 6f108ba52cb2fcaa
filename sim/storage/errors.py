"""Errors of runs and of their files."""

from bearoff.errors import BearoffError


class RunError(BearoffError):
    """Raised if a run cannot be started, stored, resumed or read."""


class ManifestError(ValueError):
    """Raised if a run's manifest, or its entry for a result file, is damaged."""


class OtherVersionError(ManifestError):
    """Raised if a manifest has another schema version.

    Attributes
    ----------
    found : object
        Schema version that the file states.
    known : int
        Schema version that this program supports.
    """

    def __init__(self, found: object, known: int) -> None:
        super().__init__(f"schema version {found}")
        self.found, self.known = found, known
