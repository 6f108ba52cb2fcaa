"""Simulation of games with the doubling cube: strategies, plays and statistics.

This room may import `sim.pairs` and the rooms of `sim` that `sim.pairs` may import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
