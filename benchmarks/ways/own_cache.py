"""Empty cache of tables, removed at the end, so that the user's cache has no effect."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def own_cache() -> Iterator[str]:
    """Keep tables in a folder of this block, also those of child processes."""
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
