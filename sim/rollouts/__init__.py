"""Rollouts: win probability and equities of any race, with the luck of the dice taken out.

May import `sim.pairs` and what lies below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
