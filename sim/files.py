"""Files that appear whole or not at all, in a folder or an object store."""

import os
import re
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
from pyarrow import fs

from bearoff import BearoffError

_ATTEMPTS = 3
"""Attempts at a request of a store, as AWS's own clients make."""

_WITH_KEYS = ("s3", "gs", "gcs")
"""Schemes whose URIs may hold keys before an @; those of abfs hold a container there,
and a key behind a colon."""


class RunError(BearoffError):
    """A run that cannot be started, stored or resumed."""


def open_folder(location: str) -> tuple[fs.FileSystem, str]:
    """Return the filesystem and path of a folder given as a path or a URI.

    Raises
    ------
    RunError
        If the URI's scheme is not one that pyarrow serves, or it holds a key; which is not
        repeated.

    Examples
    --------
    >>> open_folder("s3://bucket/races?region=eu-west-1")[1]
    'bucket/races'
    """
    if "://" not in location:
        return fs.LocalFileSystem(), str(Path(location).absolute())
    scheme, _, rest = location.partition("://")
    user = _user(rest)
    shown = f"{scheme}://...{rest[len(user) :]}" if user else location
    named = rest.partition("/")[0].rpartition("@")[0]
    if ":" in named or (user and scheme.lower() in _WITH_KEYS):
        raise RunError(
            f"{shown} holds a key, which would be stored and shown with the run; give it "
            "by the environment, such as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
        )
    uri = location
    if scheme == "s3" and "allow_delayed_open=" not in rest:
        # One request for a small file instead of three.
        uri += ("&" if "?" in rest else "?") + "allow_delayed_open=true"
    try:
        filesystem, path = fs.FileSystem.from_uri(uri)
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        if user:
            reason = reason.replace(f"{user}@", "...@")
        raise RunError(f"cannot open {shown!r}: {reason}") from error
    return giving_up(filesystem), str(path)


def _user(rest: str) -> str:
    """Return what stands before the @ of a URI without its scheme; it may be secret.

    A key may hold slashes, and then stands behind a colon.
    """
    place = rest.partition("/")[0]
    return (rest if ":" in place else place).rpartition("@")[0]


def giving_up(filesystem: fs.FileSystem) -> fs.FileSystem:
    """Return a filesystem that gives up a request after three attempts.

    One that pyarrow makes of an S3 URI makes thirty, which takes minutes where a store
    accepts connections and does not answer, and no URI can say otherwise.
    """
    if not isinstance(filesystem, fs.S3FileSystem):
        return filesystem
    # All that the URI said, as a copy for another process carries it.
    _, (options,) = filesystem.__reduce__()
    attempts = fs.AwsStandardS3RetryStrategy(max_attempts=_ATTEMPTS)
    return fs.S3FileSystem(**options | {"retry_strategy": attempts})


def folder_within(location: str, name: str) -> str:
    """Return the path or URI of a folder within another.

    Examples
    --------
    >>> folder_within("results/", "quick")
    'results/quick'
    >>> folder_within("s3://bucket/races?region=eu-west-1", "quick")
    's3://bucket/races/quick?region=eu-west-1'
    """
    if not location:
        raise RunError("a folder needs a name, got none; give . for the working folder")
    scheme, mark, rest = location.partition("://")
    if not mark:
        return f"{location.rstrip('/')}/{name}"
    place, query_mark, query = rest.partition("?")
    return f"{scheme}://{place.rstrip('/')}/{name}{query_mark}{query}"


def make_folder(filesystem: fs.FileSystem, path: str) -> None:
    """Make a folder and those above it; S3 has none, and would be asked for each of them.

    Raises
    ------
    OSError
        If it cannot be made.
    """
    if filesystem.type_name != "s3":
        filesystem.create_dir(path, recursive=True)


def write_whole(filesystem: fs.FileSystem, path: str, data: bytes) -> None:
    """Write a file so that no reader ever sees half of it, even after a crash.

    An object store shows an upload only once it is complete. A local file is written
    beside its place, forced to the disk and renamed.

    Raises
    ------
    OSError
        If it cannot be written; nothing is left behind.
    """
    if not isinstance(filesystem, fs.LocalFileSystem):
        with filesystem.open_output_stream(path) as stream:
            stream.write(data)
        return
    fresh = Path(f"{path}.{os.getpid()}.new")
    try:
        with fresh.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except BaseException:
        with suppress(OSError):
            fresh.unlink()
        raise


def remove_unfinished(folder: Path, of: str = "*") -> None:
    """Remove what killed processes have left of `write_whole` in a folder.

    Parameters
    ----------
    folder : Path
        Where; a user's own files that end alike stay.
    of : str
        Name of the files that were written, or a pattern of names.

    Raises
    ------
    OSError
        If it cannot be removed.
    """
    for leftover in folder.glob(f"{of}.*.new"):
        if re.search(r"\.\d+\.new$", leftover.name):
            leftover.unlink(missing_ok=True)


def read_whole(filesystem: fs.FileSystem, path: str) -> bytes | None:
    """Return the content of a file, or None if there is none.

    Raises
    ------
    OSError
        If it is there and cannot be read.
    """
    if isinstance(filesystem, fs.LocalFileSystem):
        kind = filesystem.get_file_info(path).type
        if kind == fs.FileType.Unknown:
            # A pipe or a device might make whoever reads it wait, or never end.
            raise OSError(f"{path} is no file")
    try:
        with filesystem.open_input_stream(path) as stream:
            data: bytes = stream.read()
            return data
    except FileNotFoundError:
        return None
