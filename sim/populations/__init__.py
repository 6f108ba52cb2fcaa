"""Populations of decisions in simulated races, with frequencies and exact equities.

This room may import `sim.rollouts` and the rooms below it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
