"""Answers to files of questions about races: reading, resuming, writing and summary.

Within the project, this package may import only `sim.storage`, `sim.engine` and `bearoff`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
