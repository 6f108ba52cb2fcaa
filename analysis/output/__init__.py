"""Style and saving of figures, printed pages, tables and reports.

This package may import only `bearoff` and `analysis.errors`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
