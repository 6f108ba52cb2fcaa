"""Populations: sets of decisions from races, with their frequencies and equities.

Within `sim`, this package may import only `sim.rollouts` and everything that `sim.rollouts`
may import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
