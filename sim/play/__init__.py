"""Self-play without the cube: dice by counter, players, kernels, what is counted.

May import `sim.engine` and what lies below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
