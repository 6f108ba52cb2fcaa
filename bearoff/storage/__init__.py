"""Arrays in the user's cache: written atomically, checksummed, opened unread.

Tables of every kind are stored through this room alone. May import `bearoff.runtime` and
the errors.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
