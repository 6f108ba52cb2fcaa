"""One-sided tables: the roll distribution of each position under fewest-rolls play.

This package builds, stores, opens and queries the tables, and computes all results for two
sides that play independently. It may import `bearoff.plays` and the packages below it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
