"""Lessons about the cube in simple games, and about No Chance Backgammon.

This package may import `game`, and `analysis.output` of its own layer.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
