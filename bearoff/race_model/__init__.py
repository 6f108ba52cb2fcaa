"""The fast cubeful model of a race between two sides given by their EPCs.

The model estimates equities in microseconds for pairs that are in no table. This package
may import `bearoff.two_sided` and the packages below it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
