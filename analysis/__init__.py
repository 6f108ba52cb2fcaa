"""Analysis of simulation results, and formulas that players can use.

This package reads what `sim` stored and never starts a simulation.
"""

import lazy_loader

if __name__ == "analysis":  # In a clone, a second copy of all modules would be imported.
    raise ImportError("`analysis` is a package of bearoff: import bearoff.analysis")

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
