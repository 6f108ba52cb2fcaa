"""The search for formulas that lose least for what they cost in the head.

May import `analysis.scoring` and what lies below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
