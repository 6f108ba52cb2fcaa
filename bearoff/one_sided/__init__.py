"""One-sided tables: the roll distribution of each position under fewest-rolls play.

This package builds, stores, opens and queries the tables. It also has all results for two
sides whose plays do not depend on each other. It may import `bearoff.plays` and the
packages below it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
