"""Players that search by expectiminimax, and games between players.

This package may import the packages of `game` below it and `bearoff`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
