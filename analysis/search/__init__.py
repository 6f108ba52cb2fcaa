"""Search for formulas with the smallest possible loss at a given mental cost.

This room may import `analysis.scoring` and the rooms below it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
