"""Counts of each side: features, adjusted counts and estimates of the EPC.

May import `analysis.formulas.writing`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
