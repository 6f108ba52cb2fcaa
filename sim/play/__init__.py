"""Simulation of games without a cube: dice, players, compiled kernels and statistics.

This room may import `sim.engine` and the rooms of `sim` that `sim.engine` may import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
