"""Statistics of a player's decisions in races: costs, luck, patterns and trends.

This package may import `analysis.review`, `analysis.formulas`, `game.records` and
`bearoff`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
