"""Bear-in model: plays and mean numbers of rolls if checkers are outside the home board.

The model was fitted to games that it played against itself. Its coefficients are part of
the package. This package may import `bearoff.one_sided` and the packages that
`bearoff.one_sided` may import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
