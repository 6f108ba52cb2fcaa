"""Formula files in YAML: reading and writing.

This package may import the other subpackages of `analysis.formulas`, and `sim.config`,
which reports errors with line numbers.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
