"""Stakes: the value of points for money or at a score, and cube decisions.

This package has the equity of points won, the cube decisions that follow from the equities
with and without a double, and the theory of dead and live cubes. It uses no positions and
no tables. It may import `bearoff.scores` and the packages below it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
