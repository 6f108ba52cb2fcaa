"""Style and saving of figures, printed pages, tables and reports.

This room may import `bearoff` and `analysis.errors`, nothing else.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
