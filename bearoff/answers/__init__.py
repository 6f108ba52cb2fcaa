"""Answers to races: the right decision and the cost of every alternative.

Questions are read in one place, one judge chooses the source of values, and every answer
has the same fields. This package may import `bearoff.sources` and the packages below it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
