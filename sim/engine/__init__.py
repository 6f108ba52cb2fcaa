"""Division of a run into blocks of games, their execution by workers, and progress bars.

No module of this package deals with positions or rules of play. Within `sim`, this package
may import only `sim.config` and everything that `sim.config` may import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
