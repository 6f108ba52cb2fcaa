"""Reports: the pages and pictures written beside a run.

May import `analysis.plots`, `analysis.scoring` and what lies below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
