"""Equity that formulas (rules of thumb) lose on several test sets of cube decisions.

This room may import `analysis.scoring` and the rooms below it, and the populations of
`sim`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
