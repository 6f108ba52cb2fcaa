"""Simulation of games with the doubling cube: strategies, plays and statistics.

Within `sim`, this package may import only `sim.pairs` and everything that `sim.pairs` may
import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
