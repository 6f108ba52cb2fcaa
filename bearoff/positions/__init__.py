"""Positions and races: the numbering of positions, and their notations.

A position has one player's checkers. A race has the positions of both players; one of them
is on roll. This package may import `bearoff.stakes`, `bearoff.rolls` and the packages below
them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
