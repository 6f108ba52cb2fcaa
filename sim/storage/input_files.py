"""Files that a user names: refused before they are opened, if they are none."""

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyarrow import fs

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


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
    if filesystem is not None and filesystem.type_name != "local":
        info = filesystem.get_file_info(path)
        if not info.is_file:
            raise _absent() if info.type.name == "NotFound" else _other("a folder")
        return
    try:
        mode = Path(path).stat().st_mode
    except FileNotFoundError:
        raise _absent() from None
    if not stat.S_ISREG(mode):
        raise _other(_KINDS.get(stat.S_IFMT(mode), "no file"))
    if not os.access(path, os.R_OK):
        raise PermissionError("the file may not be read; change its permissions")


def _absent() -> OSError:
    return FileNotFoundError("there is no such file")


def _other(what: str) -> OSError:
    return OSError(f"this is {what}; name a file")
