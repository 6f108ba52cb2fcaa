"""Style and saving of results: figures, pages, tables and folders.

This room may import `bearoff` and `analysis.errors`, nothing else.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
