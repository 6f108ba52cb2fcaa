"""Pairs of positions of a run, sorted and without duplicates.

Within `sim`, this package may import only `sim.play` and everything that `sim.play` may
import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
