"""Studies of whole tables and models: how far one way of playing is from another.

May import `analysis.scoring` and what lies below.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
