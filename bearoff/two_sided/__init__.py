"""Two-sided tables: exact values of every pair of positions, cubeless and cubeful.

This package estimates, builds, verifies, opens and queries the tables, for one pair or
millions. It may import `bearoff.one_sided` and the packages below it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
