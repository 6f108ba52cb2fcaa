"""Self-play with the cube: two strategies, the checkers' play, what is counted.

May import `sim.pairs` and what lies below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
