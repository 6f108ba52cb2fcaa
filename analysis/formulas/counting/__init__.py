"""Adjusted pip counts and EPC estimates of one side, from features of its position.

This package may import `analysis.formulas.writing`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
