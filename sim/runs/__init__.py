"""Runs of a batch: planning, simulating, storing and resuming.

The module `sim.runs.runner` runs all kinds of simulations. Within `sim`, this package may
import every other package except `sim.race_files`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
