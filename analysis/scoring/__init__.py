"""Costs of formulas: equity lost on exact decisions, and mental effort.

May import `analysis.outcomes` and what lies below, and the populations of `sim`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
