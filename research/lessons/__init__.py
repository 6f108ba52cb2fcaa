"""Pages to learn from: the cube on simple games, and No Chance Backgammon.

It may import `game` and, of this layer, `analysis.output`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
