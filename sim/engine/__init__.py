"""Planning and execution of runs: blocks of games, workers and progress.

This room does not depend on races. It may import `sim.config` and the rooms of `sim` that
`sim.config` may import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
