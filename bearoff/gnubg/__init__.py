"""GNU Backgammon's bear-off files: write, read and compare them with our tables.

The format was derived from small files written by its `makebearoff` and is described in
docs/files.md. This package may import `bearoff.two_sided` and the packages below it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
