"""Populations of race decisions from simulated games, with frequencies and exact values.

This room may import `sim.rollouts` and the rooms below it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
