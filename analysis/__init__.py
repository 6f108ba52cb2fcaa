"""Analysis of simulation results, and rules of thumb (formulas) that players can use.

This package reads stored results of `sim` and never starts a simulation.
"""

import lazy_loader

# Without this check, a clone would import a second copy of all modules.
if __name__ == "analysis":
    raise ImportError("`analysis` is a package of bearoff: import bearoff.analysis")

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
