"""Backgammon on the whole board: rules, match records and computer players.

A board is 26 integers from the roller's viewpoint; see `game.rules`. This package may
import `bearoff`, apart from its higher layers.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
