"""Exact values of races between two strategies, by dynamic programming.

This package has the protocol of a cube strategy, the built-in strategies, and the values of
a race between two strategies. It may import `bearoff.two_sided` and the packages below it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
