"""Populations: the race decisions that games come to, with frequencies and exact values.

May import `sim.rollouts` and what lies below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
