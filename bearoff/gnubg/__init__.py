"""Reading and writing of GNU Backgammon's bear-off files, and comparison with tables.

The format was derived from small files that GNU Backgammon's `makebearoff` had written;
readers/README.md describes it. This package may import `bearoff.two_sided` and the packages
that `bearoff.two_sided` may import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
