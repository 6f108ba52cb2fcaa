"""Reports on simulation runs: pages and figures.

This room may import `analysis.plots`, `analysis.scoring` and the rooms below them.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
