"""Read and write files of runs in a local folder or an object store, atomically."""

import os
from contextlib import nullcontext
from pathlib import Path

import pyarrow as pa
from pyarrow import fs

from bearoff.errors import LockedError
from bearoff.runtime import kept_locked
from bearoff.sim.storage.errors import RunError
from bearoff.storage import write_atomic

LOCK = ".lock"
"""Lock file in the folder of a run, held by the process that writes."""

_ATTEMPTS = 3
"""Number of attempts per request to a store, as in AWS's own clients."""

_WITH_KEYS = ("s3", "gs", "gcs")
"""Schemes whose URIs may contain keys before an @; those of abfs contain a container there,
and a key after a colon."""


def open_folder(location: str) -> tuple[fs.FileSystem, str]:
    """Return the filesystem and path of a folder from its path or URI.

    Raises
    ------
    RunError
        If pyarrow does not support the URI's scheme, or the URI contains a key; the message
        leaves the key out.

    Examples
    --------
    >>> open_folder("s3://bucket/races?region=eu-west-1")[1]
    'bucket/races'
    """
    if "://" not in location:
        return fs.LocalFileSystem(), str(Path(expand_user(location)).absolute())
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
        # The setting replaces three requests for a small file by one.
        uri += ("&" if "?" in rest else "?") + "allow_delayed_open=true"
    try:
        filesystem, path = fs.FileSystem.from_uri(uri)
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        if user:
            reason = reason.replace(f"{user}@", "...@")
        raise RunError(f"cannot open {shown!r}: {reason}") from error
    return _with_few_attempts(filesystem), str(path)


def is_claimed(filesystem: fs.FileSystem, path: str) -> bool:
    """Return whether a process writes to a run; True for a store, where it is unknown."""
    lock = Path(path) / LOCK
    if not isinstance(filesystem, fs.LocalFileSystem):
        return True
    try:
        with kept_locked(lock) if lock.exists() else nullcontext():
            return False
    except (LockedError, OSError):
        return True


def _user(rest: str) -> str:
    """Return the part of a URI before the @, which may be secret.

    A key may contain slashes, in which case it follows a colon.
    """
    place = rest.partition("/")[0]
    return (rest if ":" in place else place).rpartition("@")[0]


def _with_few_attempts(filesystem: fs.FileSystem) -> fs.FileSystem:
    """Return a filesystem that gives up a request after three attempts.

    pyarrow's default for S3 is thirty attempts, which takes minutes if a store accepts
    connections but does not answer. A URI cannot change this number.
    """
    if not isinstance(filesystem, fs.S3FileSystem):
        return filesystem
    # `__reduce__` returns all options of the URI, as for pickling.
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


def expand_user(location: str) -> str:
    """Replace a leading ``~`` of a local path by the user's home folder.

    Examples
    --------
    >>> expand_user("results"), expand_user("s3://bucket/~")
    ('results', 's3://bucket/~')
    """
    return os.path.expanduser(location)  # noqa: PTH111 - a Path would join its //.


def make_folder(filesystem: fs.FileSystem, path: str) -> None:
    """Create a folder and its parents; S3 needs none, so requests are saved.

    Raises
    ------
    OSError
        If it cannot be created.
    """
    if filesystem.type_name != "s3":
        filesystem.create_dir(path, recursive=True)


def write(filesystem: fs.FileSystem, path: str, data: bytes) -> None:
    """Write a file atomically: readers never see a part of it, even after a crash.

    An object store shows an upload only when it is complete; `bearoff.storage.write_atomic`
    writes local files.

    Raises
    ------
    OSError
        If the file cannot be written; no partial file remains.
    """
    if isinstance(filesystem, fs.LocalFileSystem):
        write_atomic(Path(path), data)
        return
    with filesystem.open_output_stream(path) as stream:
        stream.write(data)


def read(filesystem: fs.FileSystem, path: str) -> bytes | None:
    """Return the content of a file, or None if there is no such file.

    Raises
    ------
    OSError
        If it exists and cannot be read.
    """
    if isinstance(filesystem, fs.LocalFileSystem):
        kind = filesystem.get_file_info(path).type
        if kind == fs.FileType.Unknown:
            # Reading a pipe or a device might block forever.
            raise OSError(f"{path} is not a file")
    try:
        with filesystem.open_input_stream(path) as stream:
            data: bytes = stream.read()
            return data
    except FileNotFoundError:
        return None
