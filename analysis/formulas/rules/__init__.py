"""Cube rules based on counts: types of rules, published rules, and this project's rules.

This package may import `analysis.formulas.counting` and `analysis.formulas.writing`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
