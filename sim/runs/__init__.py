"""Runs of a batch: planning, simulation, storage and resumption.

One runner serves all kinds of work. This room may import every other room of `sim`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
