"""Losses of formulas in cube decisions with exact equities, and their mental costs.

This package may import `analysis.outcomes`, every package that `analysis.outcomes` may
import, and the populations of `sim`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
