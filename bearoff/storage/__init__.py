"""Arrays in the user's cache: written atomically, with checksums, and read on demand.

Tables of every kind are stored by this package. It may import `bearoff.runtime` and the
errors.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
