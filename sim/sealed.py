"""Arrays that a long piece of work keeps of what it has done, to be taken up again.

A file is the SHA-256 of all that follows it, and then an ``.npz`` archive. What is not
exactly what was written counts as not done: it is done again.
"""

from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyarrow import fs

from sim.files import write_whole

_SEAL = sha256().digest_size


def keep_arrays(path: Path, **arrays: NDArray[Any]) -> None:
    """Keep arrays, whole or not at all.

    Raises
    ------
    OSError
        If they cannot be written.
    """
    archive = BytesIO()
    np.savez(archive, allow_pickle=False, **arrays)
    data = archive.getvalue()
    write_whole(fs.LocalFileSystem(), str(path), sha256(data).digest() + data)


def kept_arrays(path: Path) -> dict[str, NDArray[Any]] | None:
    """Return what `keep_arrays` kept; None if nothing was, or it is damaged.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "piece")
    ...     keep_arrays(path, n=np.arange(3))
    ...     found = kept_arrays(path)
    ...     _ = path.write_bytes(path.read_bytes()[:-1])
    ...     print(found, kept_arrays(path))
    {'n': array([0, 1, 2])} None
    """
    if not path.is_file():
        return None
    data = path.read_bytes()
    if data[:_SEAL] != sha256(memoryview(data)[_SEAL:]).digest():
        return None
    with np.load(BytesIO(data[_SEAL:]), allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}
