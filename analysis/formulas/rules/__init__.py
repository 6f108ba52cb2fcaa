"""Decisions from the counts: families of rules, and the rules of both collections.

May import `analysis.formulas.counting` and `analysis.formulas.writing`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
