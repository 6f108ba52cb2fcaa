"""Two-sided tables: every pair of positions solved, cubeless and with a perfect cube.

This package estimates, builds, verifies, opens and queries the tables, for one pair or a
million. It may import `bearoff.one_sided` and the packages below it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
