"""No Chance Backgammon (Cagman 2006): players name numbers instead of rolling dice.

This package may import `bearoff` and `game.rules`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
