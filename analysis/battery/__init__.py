"""What formulas lose wherever they are used: decisions really met, and many others.

May import `analysis.scoring` and what lies below, and the populations of `sim`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
