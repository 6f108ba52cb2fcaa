"""Search for formulas that lose the least equity for their mental cost.

This room may import `analysis.scoring` and the rooms below it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
