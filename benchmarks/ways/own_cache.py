"""A cache of tables that starts empty and is removed: the user's has no say in a speed."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def own_cache() -> Iterator[str]:
    """Keep tables in a folder of this block, those of child processes too."""
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
