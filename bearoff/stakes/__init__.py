"""Equities for money and at match scores, and the cube decisions that follow from them.

This package has the equities of points won, the cube decisions that follow from equities,
and the theory of dead and live cubes. It uses no positions and no tables. It may import
`bearoff.scores` and the packages that `bearoff.scores` may import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
