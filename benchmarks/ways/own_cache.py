"""Empty cache of tables for a measurement, on which the user's cache then has no effect."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def own_cache() -> Iterator[str]:
    """Give this process and its children an empty cache of tables within a with block."""
    before = os.environ.get("BEAROFF_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["BEAROFF_CACHE"] = folder
        try:
            yield folder
        finally:
            if before is None:
                del os.environ["BEAROFF_CACHE"]
            else:
                os.environ["BEAROFF_CACHE"] = before
