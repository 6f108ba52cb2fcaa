"""Charts; functions whose names begin with ``plot_`` draw on given axes.

This package may import `analysis.scoring`, and every package that `analysis.scoring` may
import.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
