"""Positions of one player and races of two players: classes, numbers and notations.

A position has the checkers of one player. A race has the positions of both players, one of
whom is on roll. This package may import `bearoff.stakes`, `bearoff.rolls` and the packages
that they may import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
