"""Simulation of games without a cube: dice, players, compiled kernels and statistics.

Within `sim`, this package may import only `sim.engine` and everything that `sim.engine` may
import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
