"""Charts; functions whose names begin with ``plot_`` draw on given axes.

This room may import `analysis.scoring` and the rooms below it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
