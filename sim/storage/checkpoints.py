"""Checkpoints: arrays that are stored so that a long computation can be resumed.

A checkpoint is a ``.npz`` archive with a checksum. A damaged checkpoint counts as missing,
so its arrays are computed again.
"""

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bearoff.storage import sealing, write_atomic


def save_checkpoint(path: Path, **arrays: NDArray[Any]) -> None:
    """Write named arrays to a checkpoint file.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    archive = BytesIO()
    np.savez(archive, allow_pickle=False, **arrays)
    write_atomic(path, sealing.sealed_bytes(archive.getvalue()))


def load_checkpoint(path: Path) -> dict[str, NDArray[Any]] | None:
    """Return the arrays of a checkpoint; None if the file is missing or damaged.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "piece")
    ...     save_checkpoint(path, n=np.arange(3))
    ...     found = load_checkpoint(path)
    ...     _ = path.write_bytes(path.read_bytes()[:-1])
    ...     print(found, load_checkpoint(path))
    {'n': array([0, 1, 2])} None
    """
    if not path.is_file():
        return None
    data = sealing.unsealed_bytes(path.read_bytes())
    if data is None:
        return None
    with np.load(BytesIO(data), allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}
