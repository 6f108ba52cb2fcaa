"""Empty cache of tables for a measurement, so that the user's cache has no effect on it."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def own_cache() -> Iterator[str]:
    """Context manager in which this process and its children have an empty cache."""
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
