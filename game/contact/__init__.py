"""Computer players with rules and weights chosen by hand.

This package may import `game.state`, `game.rules` and `bearoff`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
