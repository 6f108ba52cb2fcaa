"""Worksheets of formulas: calculations of one race, and numbers in words for players.

This room depends neither on counts nor on rules, and imports no other room.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
