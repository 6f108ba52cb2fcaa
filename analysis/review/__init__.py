"""Review of decisions: evaluation, web pages, tables and flashcards.

This package may import `analysis.battery`, every package that `analysis.battery` may
import, and `game.records`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
