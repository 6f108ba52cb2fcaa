"""Studies of whole tables and of models, such as how much a simpler way of playing loses.

This package may import `analysis.scoring` and the packages below it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
