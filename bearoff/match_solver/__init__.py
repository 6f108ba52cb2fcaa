"""Values with the cube at a score or for money: solved on the spot, or read from tables.

Chances to win the match are the roller's. May import `bearoff.two_sided` and those below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
