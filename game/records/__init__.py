"""Match records: reading from files, replay action by action, and writing to files.

This package may import `game.rules`, `game.state` and `bearoff`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
