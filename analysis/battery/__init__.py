"""Equity that formulas (rules of thumb) lose on several test sets of cube decisions.

This package may import `analysis.scoring`, every package that `analysis.scoring` may
import, and the populations of `sim`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
