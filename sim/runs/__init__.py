"""Runs of a batch: planning, simulating, storing and resuming.

One runner serves all kinds of simulations. This room may import every other room of `sim`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
