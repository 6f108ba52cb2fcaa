"""Check that a path given by a user is a regular file."""

from pathlib import Path
from typing import TYPE_CHECKING

from bearoff.storage import require_regular

if TYPE_CHECKING:
    from pyarrow import fs


def require_file(path: str, filesystem: "fs.FileSystem | None" = None) -> None:
    """Raise an error unless a path is a regular file.

    Parameters
    ----------
    path : str
        Path of the file.
    filesystem : pyarrow.fs.FileSystem, optional
        Filesystem that contains the path. By default, the local filesystem.

    Raises
    ------
    OSError, ValueError
        If the path does not exist, or is not a regular file. The message says what it is
        instead.
    """
    if not path:
        raise ValueError("the file name is empty")
    if filesystem is None or filesystem.type_name == "local":
        require_regular(Path(path))
        return
    info = filesystem.get_file_info(path)
    if info.type.name == "NotFound":
        raise FileNotFoundError("there is no such file")
    if not info.is_file:
        raise OSError("the path is a folder, but a file is required")
