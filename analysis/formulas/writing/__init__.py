"""Worksheets, which show a formula's calculation for one race, and wording for players.

This room imports no other room; it is independent of counts and rules.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
