"""Exact equities of races between two given players, by dynamic programming.

This package has the interface of a cube strategy, the built-in strategies, and the equities
of a race between two players. It may import `bearoff.two_sided` and the packages that
`bearoff.two_sided` may import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
