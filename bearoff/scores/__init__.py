"""Match scores, match equity tables, and payoffs of games for money or at a match score.

This package also has the states of the cube at a score. It uses no positions and no
bear-off tables. It may import `bearoff.storage`, `bearoff.checks` and the packages that
they may import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
