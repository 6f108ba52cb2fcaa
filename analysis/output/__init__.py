"""Style and saving of all results: figures, pages, tables, folders.

May import `bearoff` and the errors alone.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
