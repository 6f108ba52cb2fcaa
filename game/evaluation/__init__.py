"""Evaluation of boards: features, a neural network, linear functions, and race tables.

This package may import `game.rules` and `bearoff`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
