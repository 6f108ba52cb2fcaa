"""Match records: reading and writing match files, and replaying matches action by action.

This package may import `game.rules`, `game.state` and `bearoff`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
