"""The whole game of backgammon: rules, records of matches, players.

A board is 26 integers from the roller's side; see `game.rules`. Imports `bearoff` alone.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
