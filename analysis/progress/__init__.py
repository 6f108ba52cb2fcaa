"""How one plays races over time: errors a decision, luck, and what leads astray.

May import `analysis.review`, `analysis.formulas`, `game.records` and `bearoff`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
