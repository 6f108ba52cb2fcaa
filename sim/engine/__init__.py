"""The plan of a run and the workers that carry it out: blocks, backends, progress.

Knows nothing of races. May import `sim.config` and what lies below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
