"""Meaning: what the outcomes of a run say, and formulas a player can use.

Reads what `sim` stored and never starts a simulation.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
