"""Configurations of simulation batches in YAML: parsing, validation and line numbers.

Within the project, this package may import only `sim.storage` and `bearoff`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
