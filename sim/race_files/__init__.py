"""Files of races answered: read, answered piece by piece, written, summed up.

May import `sim.storage`, `sim.engine` and `bearoff`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
