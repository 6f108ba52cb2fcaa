"""Analysis of simulated races, and formulas (rules of thumb) for cube decisions.

This package reads stored results of `sim` and never starts a simulation.
"""

import lazy_loader

# Importing this package as `analysis` from a clone would load all modules a second time.
if __name__ == "analysis":
    raise ImportError("`analysis` is a package of bearoff: import bearoff.analysis")

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
