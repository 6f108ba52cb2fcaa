"""One-sided tables: distributions of the number of rolls under fewest-rolls play.

This package builds, stores, opens and queries the tables. It also computes results for two
players who do not react to each other. It may import `bearoff.plays` and the packages that
`bearoff.plays` may import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
