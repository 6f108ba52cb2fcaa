"""State of a backgammon game, the actions of a game, and the interface of a player.

This package may import `game.rules` and `bearoff`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
