"""Players that look ahead: expectiminimax, matches between players.

May import the rooms below it, of `game` and of `bearoff`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
