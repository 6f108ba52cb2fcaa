"""Empty cache of tables for a measurement, so that the user's cache has no effect."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def own_cache() -> Iterator[str]:
    """Use an empty cache of tables in this process and its children within a with block."""
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
