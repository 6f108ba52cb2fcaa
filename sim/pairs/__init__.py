"""Pairs of positions of a run, sorted and without duplicates.

This room may import `sim.play` and the rooms of `sim` that `sim.play` may import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
