"""The pairs of a run: from its configuration's sources, each once, in order.

May import `sim.play` and what lies below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
