"""Players set by hand: one who plays until contact is over, and one by priorities.

May import `game.state`, `game.rules` and `bearoff`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
