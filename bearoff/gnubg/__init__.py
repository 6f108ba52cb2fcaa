"""GNU Backgammon's bear-off files: written from our tables, read and compared with them.

The format was found by making small files with its `makebearoff` and is written down in
docs/files.md. May import `bearoff.two_sided`, `bearoff.one_sided` and what
lies below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
