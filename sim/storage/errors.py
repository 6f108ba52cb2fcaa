"""Errors of runs and their files."""

from bearoff.errors import BearoffError


class RunError(BearoffError):
    """Error for a run that cannot be started, stored, resumed or read."""


class ManifestError(ValueError):
    """Error for a damaged manifest or entry of a result file."""


class OtherVersionError(ManifestError):
    """Error for a manifest with another schema version.

    Attributes
    ----------
    found : object
        Schema version found in the file.
    known : int
        Schema version that this program supports.
    """

    def __init__(self, found: object, known: int) -> None:
        super().__init__(f"schema version {found}")
        self.found, self.known = found, known
