"""Runs of a batch: planning, simulating, storing and resuming.

The module `sim.runs.runner` runs all kinds of simulations. Within the project, only
`sim.race_files`, `analysis` and `app` are out of bounds for this package.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
