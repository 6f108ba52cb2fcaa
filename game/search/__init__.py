"""Players that search for plays by expectiminimax, and games between players.

This package may import `bearoff`, and the packages of `game` that come before it in the
order of the layers.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
