"""Configurations: YAML in, a validated batch out, every problem named with its line.

May import `sim.storage` and `bearoff`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
