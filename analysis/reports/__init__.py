"""Reports on simulation runs: pages and figures.

This package may import `analysis.plots`, `analysis.scoring`, and every package that these
two may import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
