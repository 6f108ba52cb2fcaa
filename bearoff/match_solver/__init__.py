"""Cubeful values of races for money or at a match score, from tables or solved in memory.

At a match score, a value is the roller's match-winning chance. This package may import
`bearoff.two_sided` and the packages that `bearoff.two_sided` may import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
