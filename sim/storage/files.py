"""Reading and writing of files in a local folder or an object store."""

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
"""Name of the lock file in a run's folder. The process that writes to the run holds the
lock."""

_ATTEMPTS = 3
"""Number of times that each request to an S3 object store is tried before it fails."""

_WITH_KEYS = ("s3", "gs", "gcs")
"""URI schemes in which the text before "@" may be a secret key."""


def open_folder(location: str) -> tuple[fs.FileSystem, str]:
    """Return the filesystem and the path of a folder, given its path or URI.

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
            f"{shown} contains an access key, which would be stored with the run; use "
            "environment variables instead, such as AWS_ACCESS_KEY_ID and "
            "AWS_SECRET_ACCESS_KEY"
        )
    uri = location
    if scheme == "s3" and "allow_delayed_open=" not in rest:
        # The option `allow_delayed_open` reduces the requests for writing a small file to
        # S3 from three to one.
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
    """Return whether another process may be writing to a run; True for an object store."""
    lock = Path(path) / LOCK
    if not isinstance(filesystem, fs.LocalFileSystem):
        return True
    try:
        with kept_locked(lock) if lock.exists() else nullcontext():
            return False
    except (LockedError, OSError):
        return True


def _user(rest: str) -> str:
    """Return the user and password in a URI, which may be an access key; "" if none.

    The argument is the URI without its scheme. A password after a colon may contain
    slashes.
    """
    place = rest.partition("/")[0]
    return (rest if ":" in place else place).rpartition("@")[0]


def _with_few_attempts(filesystem: fs.FileSystem) -> fs.FileSystem:
    """Return a filesystem that tries each request at most three times.

    By default, pyarrow tries each request to S3 thirty times. This takes minutes if an
    object store accepts connections but does not answer. The number of attempts cannot be
    set in a URI.
    """
    if not isinstance(filesystem, fs.S3FileSystem):
        return filesystem
    # `__reduce__` returns all options of a filesystem, so the copy keeps the options from
    # the URI.
    _, (options,) = filesystem.__reduce__()
    attempts = fs.AwsStandardS3RetryStrategy(max_attempts=_ATTEMPTS)
    return fs.S3FileSystem(**options | {"retry_strategy": attempts})


def folder_within(location: str, name: str) -> str:
    """Return the path or URI of a folder inside another folder.

    Examples
    --------
    >>> folder_within("results/", "quick")
    'results/quick'
    >>> folder_within("s3://bucket/races?region=eu-west-1", "quick")
    's3://bucket/races/quick?region=eu-west-1'
    """
    if not location:
        raise RunError("the folder name is empty; use '.' for the current directory")
    scheme, mark, rest = location.partition("://")
    if not mark:
        return f"{location.rstrip('/')}/{name}"
    place, query_mark, query = rest.partition("?")
    return f"{scheme}://{place.rstrip('/')}/{name}{query_mark}{query}"


def expand_user(location: str) -> str:
    """Replace a leading ``~`` of a local path with the user's home folder.

    Examples
    --------
    >>> expand_user("results"), expand_user("s3://bucket/~")
    ('results', 's3://bucket/~')
    """
    return os.path.expanduser(location)  # noqa: PTH111 - a Path would join its //.


def make_folder(filesystem: fs.FileSystem, path: str) -> None:
    """Create a folder and its parents; object stores have no folders to create."""
    if filesystem.type_name != "s3":
        filesystem.create_dir(path, recursive=True)


def write(filesystem: fs.FileSystem, path: str, data: bytes) -> None:
    """Write a file atomically, so that readers never see an incomplete file.

    In an object store, a file appears only when its upload is complete. A local file is
    written by `bearoff.storage.write_atomic`.
    """
    if isinstance(filesystem, fs.LocalFileSystem):
        write_atomic(Path(path), data)
        return
    with filesystem.open_output_stream(path) as stream:
        stream.write(data)


def read(filesystem: fs.FileSystem, path: str) -> bytes | None:
    """Return the contents of a file, or None if it does not exist."""
    if isinstance(filesystem, fs.LocalFileSystem):
        kind = filesystem.get_file_info(path).type
        if kind == fs.FileType.Unknown:
            # The path is a pipe or a device, which could block the program forever.
            raise OSError(f"{path} is not a file")
    try:
        with filesystem.open_input_stream(path) as stream:
            data: bytes = stream.read()
            return data
    except FileNotFoundError:
        return None
