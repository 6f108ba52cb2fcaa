"""A player set by hand, who plays from the opening until contact is over.

May import `game.state`, `game.rules` and `bearoff`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
