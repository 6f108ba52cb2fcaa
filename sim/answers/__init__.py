"""Races answered by games where nothing exact holds them, and files of races answered.

May import `sim.rollouts`, `sim.storage`, `sim.engine` and `bearoff`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
