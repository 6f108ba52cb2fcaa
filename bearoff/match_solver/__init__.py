"""Cubeful values at a match score or for money, solved in memory or read from tables.

At a match score, values are match-winning chances of the roller. This package may import
`bearoff.two_sided` and the packages below it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
