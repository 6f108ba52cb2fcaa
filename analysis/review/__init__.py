"""Review of decisions: evaluation, web pages, tables and flashcards.

This room may import `analysis.battery` and the rooms below it, and `game.records`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
