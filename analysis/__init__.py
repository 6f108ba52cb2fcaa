"""Meaning: what the outcomes of a run say, and formulas a player can use.

Reads what `sim` stored and never starts a simulation.
"""

import lazy_loader

if __name__ == "analysis":  # Started in a clone: a second copy of all modules would follow.
    raise ImportError("`analysis` is a package of bearoff: import bearoff.analysis")

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
