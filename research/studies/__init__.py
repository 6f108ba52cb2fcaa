"""Studies of tables and models, such as of the equity that simpler strategies lose.

This package may import `analysis.scoring` and the packages below it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
