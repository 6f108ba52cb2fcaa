"""Two-sided tables: exact cubeless and cubeful values of all pairs of positions.

This package estimates, builds, verifies, opens and queries the tables. It may import
`bearoff.one_sided` and the packages below it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
