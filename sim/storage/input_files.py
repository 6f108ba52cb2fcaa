"""Files that a user names: refused before they are opened, if they are none."""

from pathlib import Path
from typing import TYPE_CHECKING

from bearoff.storage import require_regular

if TYPE_CHECKING:
    from pyarrow import fs


def require_file(path: str, filesystem: "fs.FileSystem | None" = None) -> None:
    """Refuse a path without a file; opening a pipe or a device might wait for ever.

    Parameters
    ----------
    path : str
        Of the file.
    filesystem : pyarrow.fs.FileSystem, optional
        Where it is; the local one if not given.

    Raises
    ------
    OSError, ValueError
        If there is nothing, or something else than a file, which the message names.
    """
    if not path:
        raise ValueError("a file needs a name, got none")
    if filesystem is None or filesystem.type_name == "local":
        require_regular(Path(path))
        return
    info = filesystem.get_file_info(path)
    if info.type.name == "NotFound":
        raise FileNotFoundError("there is no such file")
    if not info.is_file:
        raise OSError("this is a folder; name a file")
