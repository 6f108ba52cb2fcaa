"""Match play: match equity tables, take points at a score, and the cube solved there.

Chances to win the match are the roller's. May import `bearoff.cube` and what lies below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
