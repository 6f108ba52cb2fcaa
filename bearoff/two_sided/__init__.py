"""Two-sided tables: exact equities and win probabilities of all pairs of positions.

This package estimates, builds, verifies, opens and queries the tables. It may import
`bearoff.one_sided` and the packages that `bearoff.one_sided` may import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
