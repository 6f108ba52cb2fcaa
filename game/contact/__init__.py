"""Computer players with hand-set rules: one plays until contact ends, one has priorities.

This package may import `game.state`, `game.rules` and `bearoff`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
