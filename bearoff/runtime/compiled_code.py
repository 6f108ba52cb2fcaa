"""Folder of compiled code in the user's cache, which is separate from the tables.

``BEAROFF_CACHE`` does not change this folder, because compiled code does not depend on
tables.
"""

import os
import shutil
from pathlib import Path


def code_cache() -> Path | None:
    """Return the folder for compiled code; None if the user has no home folder."""
    import platformdirs

    try:
        return platformdirs.user_cache_path("bearoff") / "compiled"
    except RuntimeError:
        return None


def remove_compiled_code() -> int:
    """Delete the cached compiled code, unless the user has set ``NUMBA_CACHE_DIR``.

    Returns
    -------
    int
        Number of bytes that were deleted.
    """
    folder = code_cache()
    if folder is None or os.environ.get("NUMBA_CACHE_DIR"):
        return 0
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    shutil.rmtree(folder, ignore_errors=True)
    return size
